"""Do three or more classifiers differ, and what follows for their pairs?"""

from __future__ import annotations

from ..questions import Rule
from .words import DEMSAR, DIETTERICH, LADDER, OWN_RECORDS, OWN_SETS, SAME_RECORDS, SAME_SETS, TEN_TIMES_TEN

MANY = (
    # -- several data sets
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "yes", "normal": "yes"},
        test="RepeatedAnova",
        why="All classifiers on the same data sets: the data sets' own difficulty is taken out of the comparison.",
        needs=SAME_SETS,
        assumes="Roughly normal residuals, and sphericity (or Greenhouse and Geisser's correction); a difference that means the same everywhere.",
        report="the table of sums of squares, F with both df, p (corrected), partial eta squared",
        avoid={
            "OneWayAnova": "it takes the differences between data sets for chance",
            "PairedT": "on all pairs, without correction, false alarms multiply",
        },
        reference=DEMSAR + ", section 3.2.1",
        notebook="04_anova",
        then=("TukeyHSD",),
    ),
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "yes", "normal": "no", "size": "large"},
        test="ImanDavenport",
        why="Ranks within each data set; less cautious than Friedman's chi-squared.",
        needs=SAME_SETS,
        assumes="Nothing about shape or units.",
        report="the mean ranks, F with both df, p, Kendall's W, and the rule for ties",
        avoid={
            "RepeatedAnova": "its assumptions are usually violated when learners are compared over data sets",
            "SignedRank": "on all pairs, without correction, false alarms multiply",
        },
        reference=DEMSAR + ", section 3.2.2; Garcia and Herrera (2008), JMLR 9",
        notebook="05_friedman",
        then=("Holm", "Nemenyi", "BergmannHommel"),
    ),
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "yes", "normal": "no", "size": "small"},
        test="Friedman",
        why='With few data sets the curves are poor; Friedman(..., method="exact") counts all orders of the ranks.',
        needs=SAME_SETS,
        assumes="Nothing about shape or units.",
        report="the mean ranks, chi-squared, the exact p, Kendall's W, and the rule for ties",
        avoid={
            "ImanDavenport": "an approximation that a handful of data sets does not support",
            "RepeatedAnova": "its assumptions cannot be checked on a handful of data sets",
        },
        reference=DEMSAR + ", section 3.2.2",
        notebook="05_friedman",
        then=("Holm", "Shaffer"),
    ),
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "no", "normal": "yes"},
        test="OneWayAnova",
        why="Each classifier was scored on data sets of its own: compare the spread of the means with the spread within.",
        needs=OWN_SETS,
        assumes=(
            'Roughly normal scores with equal spread; then TukeyHSD(..., design="independent"). For unequal sizes the from_groups of both. '
            "Better: score all on the same data sets."
        ),
        report="the table of sums of squares, F with both df, p, eta squared",
        avoid={"RepeatedAnova": "there are no blocks", "TwoSampleT": "on all pairs, without correction, false alarms multiply"},
        reference="Fisher (1925), Statistical methods for research workers",
        notebook="04_anova",
        then=("TukeyHSD",),
    ),
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "no", "normal": "no"},
        test="RankSum",
        why=LADDER,
        needs=OWN_SETS,
        assumes="The same distribution of scores for both of a pair under H0. Better: score all on the same data sets.",
        report="for each pair U, exact p and the p adjusted by Holm",
        avoid={"Friedman": "there are no blocks to rank within", "OneWayAnova": "one outlier may rule the result"},
        reference="Mann and Whitney (1947); Holm (1979), Scandinavian Journal of Statistics 6",
        notebook="05b_post_hoc",
        then=("Holm",),
    ),
    # -- one data set
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "yes", "size": "large"},
        test="CochranQ",
        why="Right and wrong answers of several classifiers to the same records.",
        needs=SAME_RECORDS,
        assumes="Enough records on which the classifiers disagree, for the chi-squared curve. It compares these trained classifiers.",
        report="the accuracies, Q, df, p; then McNemar's exact test for each pair with p adjusted by Holm",
        avoid={"DifferenceOfProportions": "it treats the same records as if they were different ones"},
        reference="Cochran (1950), Biometrika 37",
        notebook="05b_post_hoc",
        then=("McNemarExact", "Holm"),
    ),
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "yes", "size": "small"},
        test="McNemarExact",
        why=LADDER,
        needs=SAME_RECORDS,
        assumes="It compares these trained classifiers, not the methods that made them.",
        report="the accuracies, and for each pair n01, n10, exact p and the p adjusted by Holm",
        avoid={
            "CochranQ": "with few records on which the classifiers disagree its curve is no good approximation",
            "DifferenceOfProportions": "it treats the same records as if they were different ones",
        },
        reference="McNemar (1947), Psychometrika 12; Holm (1979), Scandinavian Journal of Statistics 6",
        notebook="05b_post_hoc",
        then=("Holm",),
    ),
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "no", "size": "large"},
        test="DifferenceOfProportions",
        why=LADDER,
        needs=OWN_RECORDS,
        assumes="At least 10 right and 10 wrong answers of each, for the normal curve. Better: let all classify the same records.",
        report="the accuracies with their numbers of records, z, p and adjusted p of each pair",
        avoid={"CochranQ": "it needs all answers to the same records"},
        reference=DIETTERICH + ", section 3.2; Holm (1979), Scandinavian Journal of Statistics 6",
        notebook="03_contingency_table",
        then=("Holm",),
    ),
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "no", "size": "small"},
        test="RankSum",
        why="RankSum of the records' 1 (right) and 0 (wrong) is Fisher's exact test. " + LADDER,
        needs=OWN_RECORDS,
        assumes="It compares these trained classifiers. Better: let all classify the same records.",
        report="right and all records of each, exact p and adjusted p of each pair",
        avoid={
            "DifferenceOfProportions": "with few right or few wrong answers its curve is no good approximation",
            "CochranQ": "it needs all answers to the same records",
        },
        reference="Fisher (1925), Statistical methods for research workers; Holm (1979), Scandinavian Journal of Statistics 6",
        notebook="03_contingency_table",
        then=("Holm",),
    ),
    Rule(
        when={"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "scores"},
        test="CorrectedRepeatedKFoldT",
        why=LADDER,
        needs=TEN_TIMES_TEN,
        assumes="The correction for overlapping training sets is an approximation: the level is held roughly.",
        report="the plan, for each pair the mean difference, t, p and the p adjusted by Holm",
        avoid={
            "Friedman": "folds of one data set are not data sets: their ranks are not independent",
            "RepeatedAnova": "the same, for means",
        },
        reference="Bouckaert and Frank (2004), PAKDD; Holm (1979), Scandinavian Journal of Statistics 6",
        notebook="06_cross_validation_is_not_independent",
        then=("Holm",),
    ),
)
