"""Fold experiment: can one find a random partition into folds for which a test gives any wanted result?

    from fstats.studies import fold_hacking

    sonar = fold_hacking.stored("sonar", mode="as printed")     # 10,000 partitions; sonar.accuracies: (seeds, folds, learners)
    sonar.pair("GNB", "KNN")                                    # Table 1 of the text, with its strip
    sonar.pair("GNB", "KNN").tested.at(4661)                    # the test of one seed, with every step
    fold_hacking.rows_beside()                                  # all printed rows, each row above our row
    fold_hacking.figures_beside()                               # every reproducible printed number, with a verdict
    fold_hacking.kinds(mode="as printed")                       # number of comparisons with one, two, three verdicts
    fold_hacking.hunt(sonar.pair("GNB", "KNN")).needed("=", 0.95)   # number of partitions to try for the wanted verdict
    fold_hacking.judges()                                       # how often the verdict of each test depends on the partition

The text does not say how its tables were computed, but the numbers show it: the first row of each file was lost, scikit-learn 0.20.2 or
older cut the folds and chose among neighbours at equal distance, and the tree had no fixed seed.  The mode "as printed" repeats this
procedure.  The mode "as it should be" uses all rows, and the folds and neighbours of current versions of scikit-learn.
``fstats reproduce fold-hacking`` prints all results; with ``--repeats`` it computes the results again.
"""

from .alternative_tests import Halves, Verdicts, halvings, repeated
from .decision_tree_seeds import TreeSeeds, tree_seeds
from .fold_experiment import SETS, population
from .fold_hacking_command import again
from .fold_hacking_pictures import flips, folds, hunted, strip
from .partition_scores import LEARNERS, PAIRS, LearnerPair, PartitionScores, TableRow
from .partition_search import Hunt, hunt
from .printed_tables import figures_beside, rows_beside, tree_shares
from .stored_partition_scores import save, stored, stored_halves, stored_trees
from .stratified_folds import stratified, stratified_until_0_20_2
from .verdict_counts import by_tree, judges, kinds, kinds_by_test, reproduced

__all__ = [
    "LEARNERS",
    "PAIRS",
    "SETS",
    "Halves",
    "Hunt",
    "LearnerPair",
    "PartitionScores",
    "TableRow",
    "TreeSeeds",
    "Verdicts",
    "again",
    "by_tree",
    "figures_beside",
    "flips",
    "folds",
    "halvings",
    "hunt",
    "hunted",
    "judges",
    "kinds",
    "kinds_by_test",
    "population",
    "repeated",
    "reproduced",
    "rows_beside",
    "save",
    "stored",
    "stored_halves",
    "stored_trees",
    "stratified",
    "stratified_until_0_20_2",
    "strip",
    "tree_seeds",
    "tree_shares",
]
