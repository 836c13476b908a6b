"""Are two classifiers, or every pair of several, alike up to a margin?"""

from __future__ import annotations

from ..questions import NONE, Rule
from .words import (
    BERGER_HSU,
    BOTH_ANSWERS,
    BOTH_SCORES,
    CORRECTED,
    DELONG,
    EVERY_PAIR,
    NO_PAIRS,
    NOT_EVIDENCE,
    OUTLIER,
    OWN_RANKED,
    OWN_RECORDS,
    OWN_SETS,
    RANKED_ENOUGH,
    RECORDS_AS_SETS,
    SAME_RANKED,
    SAME_RECORDS,
    SAME_SETS,
    SCHUIRMANN,
    TEN_TIMES_TEN,
    WITHIN_MARGIN,
)

ALIKE = (
    Rule(
        when={"aim": "equivalence", "data_sets": "many", "paired": "yes", "normal": "yes"},
        test="EquivalenceT",
        why="Failing to reject a difference shows nothing; two one-sided tests against a margin, fixed beforehand, do. " + EVERY_PAIR,
        needs=SAME_SETS,
        assumes="As for the paired t-test, and a margin that matters in practice.",
        report="the margin and why, the mean difference with its 1 - 2 alpha interval, both t, p",
        avoid={"PairedT": NOT_EVIDENCE, "Nemenyi": "a common bar means not told apart, not equal"},
        reference=SCHUIRMANN + "; " + BERGER_HSU,
        notebook="01_paired_t",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "many", "paired": "yes", "normal": "no"},
        test="EquivalenceSignedRank",
        why="Two one-sided signed-rank tests against a margin, fixed beforehand. " + EVERY_PAIR,
        needs=SAME_SETS,
        assumes="Symmetric differences, and a margin that matters in practice. Fewer than 5 data sets cannot show it at 0.05.",
        report="the margin and why, the estimated shift with its 1 - 2 alpha interval, p",
        avoid={"SignedRank": NOT_EVIDENCE, "Friedman": NOT_EVIDENCE},
        reference="Wellek (2010), Testing statistical hypotheses of equivalence and noninferiority, section 5.4; " + BERGER_HSU,
        notebook="02_wilcoxon",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "many", "paired": "no", "normal": "yes"},
        test="WelchT",
        why="Its interval with alpha doubled, WelchT(x, y, alpha=0.10).ci: " + WITHIN_MARGIN,
        needs=OWN_SETS,
        assumes="Scores roughly normal, and a margin that matters in practice. Better: score both on the same data sets.",
        report="the margin and why, the difference with its 1 - 2 alpha interval",
        avoid={"EquivalenceT": NO_PAIRS, "OneWayAnova": NOT_EVIDENCE},
        reference=SCHUIRMANN + "; " + BERGER_HSU,
        notebook="01_paired_t",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "many", "paired": "no", "normal": "no"},
        test="RankSum",
        why="Its interval for the shift with alpha doubled, RankSum(x, y, alpha=0.10).ci: " + WITHIN_MARGIN,
        needs=OWN_SETS,
        assumes="Scores of one shape, shifted, and a margin that matters in practice. Better: score both on the same data sets.",
        report="the margin and why, the estimated shift with its 1 - 2 alpha interval",
        avoid={"EquivalenceSignedRank": NO_PAIRS, "WelchT": OUTLIER},
        reference="Wellek (2010), Testing statistical hypotheses of equivalence and noninferiority; " + BERGER_HSU,
        notebook="02_wilcoxon",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "one", "results": "records", "paired": "yes", "size": "large"},
        test="PairedTable",
        why="Its interval with alpha doubled, PairedTable(y, a, b, alpha=0.10).difference_ci: " + WITHIN_MARGIN,
        needs=SAME_RECORDS,
        assumes="A margin that matters in practice. It compares these trained classifiers, not the methods that made them.",
        report="the margin and why, the table, the difference with its 1 - 2 alpha interval",
        avoid={"McNemarExact": NOT_EVIDENCE, "EquivalenceT": RECORDS_AS_SETS},
        reference="Agresti and Min (2005), Statistics in Medicine 24; " + BERGER_HSU,
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "one", "results": "records", "paired": "yes", "size": "small"},
        test=NONE,
        why=(
            "Intervals are too short where few records are discordant. Exact, and cautious: accuracies cannot differ by more than the "
            "share of discordant records, so they are alike at 0.05 if its upper limit, scipy.stats.binomtest(n01 + n10, n, "
            'alternative="less").proportion_ci(0.95).high, lies below the margin. ' + EVERY_PAIR
        ),
        needs=SAME_RECORDS,
        assumes="Many records: where not one is discordant, a margin of 5 % takes 59 of them, one of 1 % takes 299.",
        report="the margin and why, the table, the upper limit",
        avoid={
            "EquivalenceT": 'it takes records for data sets: five records that agree would "prove" equivalence at any margin',
            "PairedTable": "its interval is too short where few records are discordant",
            "McNemarExact": NOT_EVIDENCE,
        },
        reference="Clopper and Pearson (1934), Biometrika 26; " + BERGER_HSU,
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "one", "results": "records", "paired": "no", "size": "large"},
        test="DifferenceOfProportions",
        why="Its interval with alpha doubled, DifferenceOfProportions(..., alpha=0.10).ci: " + WITHIN_MARGIN,
        needs=OWN_RECORDS,
        assumes=(
            "At least 10 right and 10 wrong answers of each, and a margin that matters in practice. Better: let all classify the same "
            "records."
        ),
        report="the margin and why, both accuracies with their numbers of records, the difference with its 1 - 2 alpha interval",
        avoid={"McNemarExact": BOTH_ANSWERS, "EquivalenceT": RECORDS_AS_SETS},
        reference="Mee (1984), Biometrics 40; " + SCHUIRMANN + "; " + BERGER_HSU,
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "one", "results": "records", "paired": "no", "size": "small"},
        test=NONE,
        why=(
            "Intervals for the difference are approximations. Exact, and cautious: scipy.stats.binomtest(right, n).proportion_ci(0.95) "
            "of each; they are alike at 0.05 if the upper end of each less the lower end of the other lies below the margin. " + EVERY_PAIR
        ),
        needs=OWN_RECORDS,
        assumes="Many records: where all are right on both sides, a margin of 5 % takes 72 of each, one of 1 % takes 368.",
        report="the margin and why, right and all records of both, both intervals",
        avoid={
            "EquivalenceT": 'it takes records for data sets: five records that agree would "prove" equivalence at any margin',
            "DifferenceOfProportions": "with few right or few wrong answers its interval is no good approximation",
        },
        reference="Clopper and Pearson (1934), Biometrika 26; " + BERGER_HSU,
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "one", "results": "scores"},
        test="CorrectedRepeatedKFoldT",
        why="Its interval with alpha doubled, compare(..., test=CorrectedRepeatedKFoldT, alpha=0.10).ci: " + WITHIN_MARGIN,
        needs=TEN_TIMES_TEN,
        assumes=CORRECTED + " A margin that matters in practice.",
        report="the plan, the margin and why, the mean difference with its 1 - 2 alpha interval",
        avoid={
            "KFoldT": "its interval is too short, so it finds equivalence too easily",
            "EquivalenceT": "it takes folds for independent data sets",
        },
        reference="Nadeau and Bengio (2003), Machine Learning 52; " + SCHUIRMANN + "; " + BERGER_HSU,
        notebook="06_cross_validation_is_not_independent",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "one", "results": "rankings", "paired": "yes"},
        test="DeLong",
        why="Its interval with alpha doubled, DeLong(..., alpha=0.10).ci: areas " + WITHIN_MARGIN,
        needs=SAME_RANKED,
        assumes=RANKED_ENOUGH + " A margin that matters in practice.",
        report="the margin and why, both areas, their difference with its 1 - 2 alpha interval",
        avoid={"UnpairedDeLong": "it forgets that the records are the same", "EquivalenceT": RECORDS_AS_SETS},
        reference=DELONG + "; " + BERGER_HSU,
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "equivalence", "data_sets": "one", "results": "rankings", "paired": "no"},
        test="UnpairedDeLong",
        why="Its interval with alpha doubled, UnpairedDeLong(..., alpha=0.10).ci: areas " + WITHIN_MARGIN,
        needs=OWN_RANKED,
        assumes=RANKED_ENOUGH + " A margin that matters in practice. Better: let all score the same records.",
        report="the margin and why, both areas, their difference with its 1 - 2 alpha interval",
        avoid={"DeLong": BOTH_SCORES, "EquivalenceT": RECORDS_AS_SETS},
        reference=DELONG + "; " + BERGER_HSU,
        notebook="03_contingency_table",
    ),
)
