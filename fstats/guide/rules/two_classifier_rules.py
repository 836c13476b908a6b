"""Do two classifiers differ?"""

from __future__ import annotations

from ..decision_questions import Rule
from .rule_phrases import (
    AS_DIFFERENT,
    AUC_REPORT,
    AUC_SAMPLE_SIZE,
    BOTH_ANSWERS,
    BOTH_SCORES,
    BOUTHILLIER,
    CONSERVATIVE_IF_STABLE,
    CORRECTED,
    DELONG,
    DEMSAR,
    DIETTERICH,
    IGNORES_PAIRING,
    INDEPENDENT_DATA_SETS,
    INDEPENDENT_RECORDS,
    INDEPENDENT_SCORED_RECORDS,
    K_FOLD,
    LABELS_ONLY,
    LESS_POWER_THAN_MCNEMAR,
    NO_PAIRS,
    NORMAL_APPROXIMATION_POOR,
    ONE_SPLIT_ONLY,
    OUTLIER,
    PAIRED_DATA_SETS,
    PAIRED_RECORDS,
    PAIRED_REPORT,
    PAIRED_SCORED_RECORDS,
    RANK_REPORT,
    RESAMPLED,
    RUNS,
    SEEDS_AS_PAIRS,
    TEN_TIMES_TEN,
    TRAINED_CLASSIFIERS_ONLY,
    UNPAIRED_RUNS,
)

TWO_CLASSIFIER_RULES = (
    # -- several data sets
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "yes"},
        test="PairedT",
        why="One score for each data set and classifier, compared pair by pair: the data sets' own difficulty cancels.",
        needs=PAIRED_DATA_SETS,
        assumes="Differences without outliers and roughly normal, and a difference of 1 % that means the same everywhere.",
        report=PAIRED_REPORT,
        avoid={
            "TwoSampleT": "it throws the pairing away, and with it most of the power where data sets differ in difficulty",
            "KFoldT": "fold scores of one data set are not independent; average them first",
        },
        reference=DEMSAR + ", section 3.1.2",
        notebook="01_paired_t",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "no"},
        test="SignedRank",
        why="Ranks of the differences: neither normality nor comparable units at the far ends are needed, and p is counted exactly.",
        needs=PAIRED_DATA_SETS,
        assumes="Differences that are symmetric under H0. Fewer than 6 that are not 0 cannot reject at 0.05, two-sided.",
        report=RANK_REPORT,
        avoid={"PairedT": OUTLIER, "SignTest": "it forgets how large the differences are; use it if they cannot even be ordered"},
        reference=DEMSAR + ", section 3.1.3",
        notebook="02_wilcoxon",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "no", "normal": "yes"},
        test="WelchT",
        why="The classifiers were scored on different data sets, so nothing can be paired; their spreads may differ.",
        needs=INDEPENDENT_DATA_SETS,
        assumes="Scores roughly normal. Better: score both on the same data sets.",
        report="both means and standard deviations, the difference with its interval, t, df, p",
        avoid={"PairedT": NO_PAIRS, "TwoSampleT": "it also assumes equal spreads, for little gain"},
        reference="Welch (1947), Biometrika 34",
        notebook="01_paired_t",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "no", "normal": "no"},
        test="RankSum",
        why="The classifiers were scored on different data sets; ranks of all scores together need no shape.",
        needs=INDEPENDENT_DATA_SETS,
        assumes=(
            "The same distribution of scores for both under H0. Fewer than 4 data sets each cannot reject at 0.05, two-sided. Better: "
            "score both on the same data sets."
        ),
        report="U, both sizes, exact p, the estimated shift with its interval",
        avoid={"SignedRank": NO_PAIRS, "WelchT": OUTLIER},
        reference="Mann and Whitney (1947), Annals of Mathematical Statistics 18",
        notebook="02_wilcoxon",
    ),
    # -- one data set
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "yes", "size": "small"},
        test="McNemarExact",
        why="Only records that exactly one classifier gets right tell them apart; under H0 each of them is a fair coin.",
        needs=PAIRED_RECORDS,
        assumes=TRAINED_CLASSIFIERS_ONLY + " Fewer than 6 discordant records cannot reject at 0.05, two-sided.",
        report="the table of both classifiers, n01, n10, exact p, the odds ratio with its interval",
        avoid={
            "McNemar": "with fewer than 25 discordant records its curve is no good approximation",
            "DifferenceOfProportions": AS_DIFFERENT,
        },
        reference="McNemar (1947), Psychometrika 12; Salzberg (1997), Data Mining and Knowledge Discovery 1",
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "yes", "size": "large"},
        test="McNemarMidP",
        why="With many discordant records the exact test is a little too cautious; mid-p takes that back and stays close to its level.",
        needs=PAIRED_RECORDS,
        assumes=TRAINED_CLASSIFIERS_ONLY,
        report="the table of both classifiers, n01, n10, mid-p, the odds ratio with its interval",
        avoid={"DifferenceOfProportions": AS_DIFFERENT},
        reference="Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13",
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "no", "size": "large"},
        test="DifferenceOfProportions",
        why="Different records for both classifiers: two accuracies are all there is.",
        needs=INDEPENDENT_RECORDS,
        assumes=(
            "At least 10 right and 10 wrong answers of each, for the normal curve. It compares these trained classifiers. Better: let both "
            "classify the same records."
        ),
        report="both accuracies with their numbers of records, z, p, the difference with its interval",
        avoid={"McNemarExact": BOTH_ANSWERS},
        reference=DIETTERICH + ", section 3.2",
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "no", "size": "small"},
        test="RankSum",
        why=(
            "RankSum of the records' 1 (right) and 0 (wrong) counts all ways in which the right answers can fall: Fisher's exact test "
            "(scipy.stats.fisher_exact has the same one-sided p)."
        ),
        needs=INDEPENDENT_RECORDS,
        assumes="It compares these trained classifiers. Better: let both classify the same records.",
        report="right and all records of both, exact p (the smaller tail doubled)",
        avoid={"DifferenceOfProportions": NORMAL_APPROXIMATION_POOR, "McNemarExact": BOTH_ANSWERS},
        reference="Fisher (1925), Statistical methods for research workers",
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "scores", "size": "large"},
        test="BlockedFiveByTwoT",
        why=(
            "Ten trainings on blocks, so that training sets overlap alike. The ten tables tell how much chance there is in the records, "
            "the five repetitions how much the luck of training adds: it is estimated, not assumed. What that luck has in common in all "
            "splits no table tells."
        ),
        needs=(
            "Right or wrong of each record: other scores will not do (for them CalibratedFiveByTwoF, on the same plan). Both are trained "
            "anew on the same splits, ten times each, by its own plan (fstats.compare does it): scores at hand cannot be used."
        ),
        assumes="A learner that can be trained on half of the records. " + LESS_POWER_THAN_MCNEMAR,
        report="the plan, both accuracies, their difference with its interval, t, df, p, and how much the ten tables scatter",
        avoid={
            "BlockedFiveByTwoMcNemar": CONSERVATIVE_IF_STABLE,
            "ResampledT": RESAMPLED,
            "KFoldT": K_FOLD,
            "NaiveKFoldMcNemar": "its ten statistics are not independent",
        },
        reference=(
            "McNemar (1947), Psychometrika 12; Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52; the "
            "plan: Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms"
        ),
        notebook="15_unstable_learners",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "scores", "size": "small"},
        test="CorrectedRepeatedKFoldT",
        why="A hundred trainings on nine tenths of the few records, with Nadeau and Bengio's correction for their overlap.",
        needs=TEN_TIMES_TEN,
        assumes=CORRECTED,
        report="the plan (10 x 10-fold), the mean difference with its interval, t, df = 99, p, and that the variance was corrected",
        avoid={
            "KFoldT": K_FOLD,
            "ResampledT": RESAMPLED,
            "FiveByTwoT": "it trains on half of the few records, and only one of its ten differences stands in the numerator",
        },
        reference=(
            "Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52; Bouckaert and Frank (2004), PAKDD"
        ),
        notebook="06_cross_validation_is_not_independent",
    ),
    # -- one data set, one split, several seeds
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "runs", "normal": "yes"},
        test="WelchT",
        why='Runs of two models are two independent samples, whose spreads may differ: WelchT(x, y, unit="run"). ' + UNPAIRED_RUNS,
        needs=RUNS,
        assumes="Scores of runs roughly normal, without failed runs far below. " + ONE_SPLIT_ONLY,
        report="the split, all seeds, both means and standard deviations over runs, the difference with its interval, t, df, p",
        avoid={"PairedT": SEEDS_AS_PAIRS, "KFoldT": "there are no folds"},
        reference="Welch (1947), Biometrika 34; " + BOUTHILLIER,
        notebook="15_unstable_learners",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "runs", "normal": "no"},
        test="RankSum",
        why='Runs of two models are two independent samples; their ranks need no shape: RankSum(x, y, unit="run"). ' + UNPAIRED_RUNS,
        needs=RUNS,
        assumes="Fewer than 4 runs of each cannot reject at 0.05, two-sided. " + ONE_SPLIT_ONLY,
        report="the split, all seeds, the runs of both, U, exact p, the estimated shift with its interval",
        avoid={"SignedRank": SEEDS_AS_PAIRS, "WelchT": OUTLIER},
        reference="Mann and Whitney (1947), Annals of Mathematical Statistics 18; " + BOUTHILLIER,
        notebook="15_unstable_learners",
    ),
    # -- one data set, records ranked
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "rankings", "paired": "yes"},
        test="DeLong",
        why="Two areas under ROC curves of the same records are correlated; DeLong's variance of their difference takes that in.",
        needs=PAIRED_SCORED_RECORDS,
        assumes=AUC_SAMPLE_SIZE,
        report=AUC_REPORT,
        avoid={"UnpairedDeLong": IGNORES_PAIRING, "McNemarExact": LABELS_ONLY},
        reference=DELONG,
        notebook="03_contingency_table",
    ),
    Rule(
        when={"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "rankings", "paired": "no"},
        test="UnpairedDeLong",
        why="Two areas under ROC curves of different records: their variances add up.",
        needs=INDEPENDENT_SCORED_RECORDS,
        assumes=AUC_SAMPLE_SIZE + " Better: let all score the same records.",
        report=AUC_REPORT,
        avoid={"DeLong": BOTH_SCORES, "DifferenceOfProportions": LABELS_ONLY},
        reference=DELONG,
        notebook="03_contingency_table",
    ),
)
