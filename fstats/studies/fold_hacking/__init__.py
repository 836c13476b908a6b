"""Study of fold hacking.

Fold hacking is the search for a random partition into folds that gives the wanted result of a test.

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

from .alternative_tests import Halves as Halves
from .alternative_tests import Verdicts as Verdicts
from .alternative_tests import halvings as halvings
from .alternative_tests import repeated as repeated
from .decision_tree_seeds import TreeSeeds as TreeSeeds
from .decision_tree_seeds import tree_seeds as tree_seeds
from .fold_experiment import SETS as SETS
from .fold_experiment import population as population
from .fold_hacking_command import again as again
from .fold_hacking_pictures import flips as flips
from .fold_hacking_pictures import folds as folds
from .fold_hacking_pictures import hunted as hunted
from .fold_hacking_pictures import strip as strip
from .partition_scores import LEARNERS as LEARNERS
from .partition_scores import PAIRS as PAIRS
from .partition_scores import LearnerPair as LearnerPair
from .partition_scores import PartitionScores as PartitionScores
from .partition_scores import TableRow as TableRow
from .partition_search import Hunt as Hunt
from .partition_search import hunt as hunt
from .printed_tables import figures_beside as figures_beside
from .printed_tables import rows_beside as rows_beside
from .printed_tables import tree_shares as tree_shares
from .stored_partition_scores import save as save
from .stored_partition_scores import stored as stored
from .stored_partition_scores import stored_halves as stored_halves
from .stored_partition_scores import stored_trees as stored_trees
from .stratified_folds import stratified as stratified
from .stratified_folds import stratified_until_0_20_2 as stratified_until_0_20_2
from .verdict_counts import by_tree as by_tree
from .verdict_counts import judges as judges
from .verdict_counts import kinds as kinds
from .verdict_counts import kinds_by_test as kinds_by_test
from .verdict_counts import reproduced as reproduced
