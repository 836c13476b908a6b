"""The one table behind the function, the slider and the diagram: a rule for every combination of answers."""

from __future__ import annotations

from .questions import NONE, Rule

DEMSAR = "Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7"
DIETTERICH = (
    "Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural Computation 10"
)
BERGER_HSU = (
    "Berger and Hsu (1996), Bioequivalence trials, intersection-union tests and equivalence confidence sets, Statistical Science 11"
)
SCHUIRMANN = "Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15"

# What must be at hand, in words: a rule says it with one of these.
SAME_SETS = (
    "One score of each classifier on the same independent data sets. Folds of one data set, and its records, are no data sets: "
    "average them first (fstats.average_folds)."
)
OWN_SETS = (
    "One score for each data set, every classifier on independent data sets of its own. Folds of one data set, and its records, are no data "
    "sets: average them first (fstats.average_folds)."
)
SAME_RECORDS = "Right or wrong of each classifier on the same independent test records, none of which any of them was trained on."
OWN_RECORDS = "Right or wrong of each classifier on independent test records of its own, not trained on; the test sets may differ in size."
TEN_TIMES_TEN = (
    "All are trained anew on the same splits, 10 times 10-fold cross-validation, a hundred times each (fstats.compare does it). Scores of any "
    "kind; one score each, or scores of different splits, will not do."
)
EVERY_PAIR = "Of three or more, every pair must show it; then no correction is needed for the claim that all are alike."
LADDER = "Test each pair and hand the p-values to Holm's ladder: Holm.from_pvalues([...])."

PAIRED_REPORT = "the mean difference with its confidence interval, t, df, p, d_z, and the number of data sets"
RANK_REPORT = "W, n, exact p, the estimated shift with its interval, and what was done with ties and zeros"

RULES = (
    # -- two classifiers, several data sets
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "yes"},
        "PairedT",
        "One score for each data set and classifier, compared pair by pair: the data sets' own difficulty cancels.",
        SAME_SETS,
        "Differences without outliers and roughly normal, and a difference of 1 % that means the same everywhere.",
        PAIRED_REPORT,
        {
            "TwoSampleT": "it throws the pairing away, and with it most of the power where data sets differ in difficulty",
            "KFoldT": "fold scores of one data set are not independent; average them first",
        },
        DEMSAR + ", section 3.1.2",
        "01_paired_t",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "no"},
        "SignedRank",
        "Ranks of the differences: neither normality nor comparable units at the far ends are needed, and p is counted exactly.",
        SAME_SETS,
        "Differences that are symmetric under H0. Fewer than 6 that are not 0 cannot reject at 0.05, two-sided.",
        RANK_REPORT,
        {
            "PairedT": "one outlier may rule the result",
            "SignTest": "it forgets how large the differences are; use it if they cannot even be ordered",
        },
        DEMSAR + ", section 3.1.3",
        "02_wilcoxon",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "no", "normal": "yes"},
        "WelchT",
        "The classifiers were scored on different data sets, so nothing can be paired; their spreads may differ.",
        OWN_SETS,
        "Scores roughly normal. Better: score both on the same data sets.",
        "both means and standard deviations, the difference with its interval, t, df, p",
        {"PairedT": "there are no pairs", "TwoSampleT": "it also assumes equal spreads, for little gain"},
        "Welch (1947), Biometrika 34",
        "01_paired_t",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "no", "normal": "no"},
        "RankSum",
        "The classifiers were scored on different data sets; ranks of all scores together need no shape.",
        OWN_SETS,
        "The same distribution of scores for both under H0. Fewer than 4 data sets each cannot reject at 0.05, two-sided. Better: score both on "
        "the same data sets.",
        "U, both sizes, exact p, the estimated shift with its interval",
        {"SignedRank": "there are no pairs", "WelchT": "one outlier may rule the result"},
        "Mann and Whitney (1947), Annals of Mathematical Statistics 18",
        "02_wilcoxon",
    ),
    # -- two classifiers, one data set
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "yes", "size": "small"},
        "McNemarExact",
        "Only records that exactly one classifier gets right tell them apart; under H0 each of them is a fair coin.",
        SAME_RECORDS,
        "It compares these two trained classifiers, not the methods that made them. Fewer than 6 discordant records cannot reject at 0.05, "
        "two-sided.",
        "the table of both classifiers, n01, n10, exact p, the odds ratio with its interval",
        {
            "McNemar": "with fewer than 25 discordant records its curve is no good approximation",
            "DifferenceOfProportions": "it treats the same records as if they were different ones",
        },
        "McNemar (1947), Psychometrika 12; Salzberg (1997), Data Mining and Knowledge Discovery 1",
        "03_contingency_table",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "yes", "size": "large"},
        "McNemarMidP",
        "With many discordant records the exact test is a little too cautious; mid-p takes that back and stays close to its level.",
        SAME_RECORDS,
        "It compares these two trained classifiers, not the methods that made them.",
        "the table of both classifiers, n01, n10, mid-p, the odds ratio with its interval",
        {"DifferenceOfProportions": "it treats the same records as if they were different ones"},
        "Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13",
        "03_contingency_table",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "no", "size": "large"},
        "DifferenceOfProportions",
        "Different records for both classifiers: two accuracies are all there is.",
        OWN_RECORDS,
        "At least 10 right and 10 wrong answers of each, for the normal curve. It compares these trained classifiers. Better: let both classify "
        "the same records.",
        "both accuracies with their numbers of records, z, p, the difference with its interval",
        {"McNemarExact": "it needs both answers to the same record"},
        DIETTERICH + ", section 3.2",
        "03_contingency_table",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "no", "size": "small"},
        "RankSum",
        "RankSum of the records' 1 (right) and 0 (wrong) counts all ways in which the right answers can fall: Fisher's exact test "
        "(scipy.stats.fisher_exact has the same one-sided p).",
        OWN_RECORDS,
        "It compares these trained classifiers. Better: let both classify the same records.",
        "right and all records of both, exact p (the smaller tail doubled)",
        {
            "DifferenceOfProportions": "with few right or few wrong answers its curve is no good approximation",
            "McNemarExact": "it needs both answers to the same record",
        },
        "Fisher (1925), Statistical methods for research workers",
        "03_contingency_table",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "scores", "size": "large"},
        "BlockedFiveByTwoMcNemar",
        "Ten trainings on blocks, so that training sets overlap alike; ten tables become one, and in its authors' simulations it kept its level.",
        "Right or wrong of each record: other scores will not do (for them CalibratedFiveByTwoF, on the same plan). Both are trained anew on "
        "the same splits, ten times each, by its own plan (fstats.compare does it): scores at hand cannot be used.",
        "A learner that can be trained on half of the records. It is cautious: power is the price.",
        "the plan, the effective table, chi-squared, p, and both accuracies",
        {
            "ResampledT": "its splits overlap; it rejects true hypotheses many times too often",
            "KFoldT": "training sets overlap; elevated type I error",
            "NaiveKFoldMcNemar": "its ten statistics are not independent",
        },
        "Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms; " + DIETTERICH,
        "08_bcv_mcnemar",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "scores", "size": "small"},
        "CorrectedRepeatedKFoldT",
        "A hundred trainings on nine tenths of the few records, with Nadeau and Bengio's correction for their overlap.",
        TEN_TIMES_TEN,
        "The correction is an approximation: the level is held roughly.",
        "the plan (10 x 10-fold), the mean difference with its interval, t, df = 99, p, and that the variance was corrected",
        {
            "KFoldT": "training sets overlap; elevated type I error",
            "ResampledT": "its splits overlap; it rejects true hypotheses many times too often",
            "FiveByTwoT": "it trains on half of the few records, and only one of its ten differences stands in the numerator",
        },
        "Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52; Bouckaert and Frank (2004), PAKDD",
        "06_cross_validation_is_not_independent",
    ),
    # -- many classifiers, several data sets
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "yes", "normal": "yes"},
        "RepeatedAnova",
        "All classifiers on the same data sets: the data sets' own difficulty is taken out of the comparison.",
        SAME_SETS,
        "Roughly normal residuals, and sphericity (or Greenhouse and Geisser's correction); a difference that means the same everywhere.",
        "the table of sums of squares, F with both df, p (corrected), partial eta squared",
        {
            "OneWayAnova": "it takes the differences between data sets for chance",
            "PairedT": "on all pairs, without correction, false alarms multiply",
        },
        DEMSAR + ", section 3.2.1",
        "04_anova",
        ("TukeyHSD",),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "yes", "normal": "no", "size": "large"},
        "ImanDavenport",
        "Ranks within each data set; less cautious than Friedman's chi-squared.",
        SAME_SETS,
        "Nothing about shape or units.",
        "the mean ranks, F with both df, p, Kendall's W, and the rule for ties",
        {
            "RepeatedAnova": "its assumptions are usually violated when learners are compared over data sets",
            "SignedRank": "on all pairs, without correction, false alarms multiply",
        },
        DEMSAR + ", section 3.2.2; Garcia and Herrera (2008), JMLR 9",
        "05_friedman_and_post_hoc",
        ("Holm", "Nemenyi", "BergmannHommel"),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "yes", "normal": "no", "size": "small"},
        "Friedman",
        'With few data sets the curves are poor; Friedman(..., method="exact") counts all orders of the ranks.',
        SAME_SETS,
        "Nothing about shape or units.",
        "the mean ranks, chi-squared, the exact p, Kendall's W, and the rule for ties",
        {
            "ImanDavenport": "an approximation that a handful of data sets does not support",
            "RepeatedAnova": "its assumptions cannot be checked on a handful of data sets",
        },
        DEMSAR + ", section 3.2.2",
        "05_friedman_and_post_hoc",
        ("Holm", "Shaffer"),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "no", "normal": "yes"},
        "OneWayAnova",
        "Each classifier was scored on data sets of its own: compare the spread of the means with the spread within.",
        OWN_SETS,
        'Roughly normal scores with equal spread; then TukeyHSD(..., design="independent"). For unequal sizes the from_groups of both. '
        "Better: score all on the same data sets.",
        "the table of sums of squares, F with both df, p, eta squared",
        {"RepeatedAnova": "there are no blocks", "TwoSampleT": "on all pairs, without correction, false alarms multiply"},
        "Fisher (1925), Statistical methods for research workers",
        "04_anova",
        ("TukeyHSD",),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "no", "normal": "no"},
        "RankSum",
        LADDER,
        OWN_SETS,
        "The same distribution of scores for both of a pair under H0. Better: score all on the same data sets.",
        "for each pair U, exact p and the p adjusted by Holm",
        {"Friedman": "there are no blocks to rank within", "OneWayAnova": "one outlier may rule the result"},
        "Mann and Whitney (1947); Holm (1979), Scandinavian Journal of Statistics 6",
        "05_friedman_and_post_hoc",
        ("Holm",),
    ),
    # -- many classifiers, one data set
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "yes", "size": "large"},
        "CochranQ",
        "Right and wrong answers of several classifiers to the same records.",
        SAME_RECORDS,
        "Enough records on which the classifiers disagree, for the chi-squared curve. It compares these trained classifiers.",
        "the accuracies, Q, df, p; then McNemar's exact test for each pair with p adjusted by Holm",
        {"DifferenceOfProportions": "it treats the same records as if they were different ones"},
        "Cochran (1950), Biometrika 37",
        "05_friedman_and_post_hoc",
        ("McNemarExact", "Holm"),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "yes", "size": "small"},
        "McNemarExact",
        LADDER,
        SAME_RECORDS,
        "It compares these trained classifiers, not the methods that made them.",
        "the accuracies, and for each pair n01, n10, exact p and the p adjusted by Holm",
        {
            "CochranQ": "with few records on which the classifiers disagree its curve is no good approximation",
            "DifferenceOfProportions": "it treats the same records as if they were different ones",
        },
        "McNemar (1947), Psychometrika 12; Holm (1979), Scandinavian Journal of Statistics 6",
        "05_friedman_and_post_hoc",
        ("Holm",),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "no", "size": "large"},
        "DifferenceOfProportions",
        LADDER,
        OWN_RECORDS,
        "At least 10 right and 10 wrong answers of each, for the normal curve. Better: let all classify the same records.",
        "the accuracies with their numbers of records, z, p and adjusted p of each pair",
        {"CochranQ": "it needs all answers to the same records"},
        DIETTERICH + ", section 3.2; Holm (1979), Scandinavian Journal of Statistics 6",
        "03_contingency_table",
        ("Holm",),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "no", "size": "small"},
        "RankSum",
        "RankSum of the records' 1 (right) and 0 (wrong) is Fisher's exact test. " + LADDER,
        OWN_RECORDS,
        "It compares these trained classifiers. Better: let all classify the same records.",
        "right and all records of each, exact p and adjusted p of each pair",
        {
            "DifferenceOfProportions": "with few right or few wrong answers its curve is no good approximation",
            "CochranQ": "it needs all answers to the same records",
        },
        "Fisher (1925), Statistical methods for research workers; Holm (1979), Scandinavian Journal of Statistics 6",
        "03_contingency_table",
        ("Holm",),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "scores"},
        "CorrectedRepeatedKFoldT",
        LADDER,
        TEN_TIMES_TEN,
        "The correction for overlapping training sets is an approximation: the level is held roughly.",
        "the plan, for each pair the mean difference, t, p and the p adjusted by Holm",
        {
            "Friedman": "folds of one data set are not data sets: their ranks are not independent",
            "RepeatedAnova": "the same, for means",
        },
        "Bouckaert and Frank (2004), PAKDD; Holm (1979), Scandinavian Journal of Statistics 6",
        "06_cross_validation_is_not_independent",
        ("Holm",),
    ),
    # -- equivalence, of two or of every pair
    Rule(
        {"aim": "equivalence", "data_sets": "many", "paired": "yes", "normal": "yes"},
        "EquivalenceT",
        "Failing to reject a difference shows nothing; two one-sided tests against a margin, fixed beforehand, do. " + EVERY_PAIR,
        SAME_SETS,
        "As for the paired t-test, and a margin that matters in practice.",
        "the margin and why, the mean difference with its 1 - 2 alpha interval, both t, p",
        {"PairedT": "a large p is not evidence of equality", "Nemenyi": "a common bar means not told apart, not equal"},
        SCHUIRMANN + "; " + BERGER_HSU,
        "01_paired_t",
    ),
    Rule(
        {"aim": "equivalence", "data_sets": "many", "paired": "yes", "normal": "no"},
        "EquivalenceSignedRank",
        "Two one-sided signed-rank tests against a margin, fixed beforehand. " + EVERY_PAIR,
        SAME_SETS,
        "Symmetric differences, and a margin that matters in practice. Fewer than 5 data sets cannot show it at 0.05.",
        "the margin and why, the estimated shift with its 1 - 2 alpha interval, p",
        {"SignedRank": "a large p is not evidence of equality", "Friedman": "a large p is not evidence of equality"},
        "Wellek (2010), Testing statistical hypotheses of equivalence and noninferiority, section 5.4; " + BERGER_HSU,
        "02_wilcoxon",
    ),
    Rule(
        {"aim": "equivalence", "data_sets": "many", "paired": "no", "normal": "yes"},
        "WelchT",
        "Its interval with alpha doubled, WelchT(x, y, alpha=0.10).ci: alike at 0.05 if all of it lies within the margin. " + EVERY_PAIR,
        OWN_SETS,
        "Scores roughly normal, and a margin that matters in practice. Better: score both on the same data sets.",
        "the margin and why, the difference with its 1 - 2 alpha interval",
        {"EquivalenceT": "there are no pairs", "OneWayAnova": "a large p is not evidence of equality"},
        SCHUIRMANN + "; " + BERGER_HSU,
        "01_paired_t",
    ),
    Rule(
        {"aim": "equivalence", "data_sets": "many", "paired": "no", "normal": "no"},
        "RankSum",
        "Its interval for the shift with alpha doubled, RankSum(x, y, alpha=0.10).ci: alike at 0.05 if all of it lies within the margin. "
        + EVERY_PAIR,
        OWN_SETS,
        "Scores of one shape, shifted, and a margin that matters in practice. Better: score both on the same data sets.",
        "the margin and why, the estimated shift with its 1 - 2 alpha interval",
        {"EquivalenceSignedRank": "there are no pairs", "WelchT": "one outlier may rule the result"},
        "Wellek (2010), Testing statistical hypotheses of equivalence and noninferiority; " + BERGER_HSU,
        "02_wilcoxon",
    ),
    Rule(
        {"aim": "equivalence", "data_sets": "one", "results": "records", "paired": "yes", "size": "large"},
        "PairedTable",
        "Its interval with alpha doubled, PairedTable(y, a, b, alpha=0.10).difference_ci: alike at 0.05 if all of it lies within the margin. "
        + EVERY_PAIR,
        SAME_RECORDS,
        "A margin that matters in practice. It compares these trained classifiers, not the methods that made them.",
        "the margin and why, the table, the difference with its 1 - 2 alpha interval",
        {"McNemarExact": "a large p is not evidence of equality", "EquivalenceT": "it takes records for data sets"},
        "Agresti and Min (2005), Statistics in Medicine 24; " + BERGER_HSU,
        "03_contingency_table",
    ),
    Rule(
        {"aim": "equivalence", "data_sets": "one", "results": "records", "paired": "yes", "size": "small"},
        NONE,
        "Intervals are too short where few records are discordant. Exact, and cautious: accuracies cannot differ by more than the share of "
        "discordant records, so they are alike at 0.05 if its upper limit, scipy.stats.binomtest(n01 + n10, n, "
        'alternative="less").proportion_ci(0.95).high, lies below the margin. ' + EVERY_PAIR,
        SAME_RECORDS,
        "Many records: where not one is discordant, a margin of 5 % takes 59 of them, one of 1 % takes 299.",
        "the margin and why, the table, the upper limit",
        {
            "EquivalenceT": 'it takes records for data sets: five records that agree would "prove" equivalence at any margin',
            "PairedTable": "its interval is too short where few records are discordant",
            "McNemarExact": "a large p is not evidence of equality",
        },
        "Clopper and Pearson (1934), Biometrika 26; " + BERGER_HSU,
        "03_contingency_table",
    ),
    Rule(
        {"aim": "equivalence", "data_sets": "one", "results": "records", "paired": "no", "size": "large"},
        "DifferenceOfProportions",
        "Its interval with alpha doubled, DifferenceOfProportions(..., alpha=0.10).ci: alike at 0.05 if all of it lies within the margin. "
        + EVERY_PAIR,
        OWN_RECORDS,
        "At least 10 right and 10 wrong answers of each, and a margin that matters in practice. Better: let all classify the same records.",
        "the margin and why, both accuracies with their numbers of records, the difference with its 1 - 2 alpha interval",
        {"McNemarExact": "it needs both answers to the same record", "EquivalenceT": "it takes records for data sets"},
        "Mee (1984), Biometrics 40; " + SCHUIRMANN + "; " + BERGER_HSU,
        "03_contingency_table",
    ),
    Rule(
        {"aim": "equivalence", "data_sets": "one", "results": "records", "paired": "no", "size": "small"},
        NONE,
        "Intervals for the difference are approximations. Exact, and cautious: scipy.stats.binomtest(right, n).proportion_ci(0.95) of each; "
        "they are alike at 0.05 if the upper end of each less the lower end of the other lies below the margin. " + EVERY_PAIR,
        OWN_RECORDS,
        "Many records: where all are right on both sides, a margin of 5 % takes 72 of each, one of 1 % takes 368.",
        "the margin and why, right and all records of both, both intervals",
        {
            "EquivalenceT": 'it takes records for data sets: five records that agree would "prove" equivalence at any margin',
            "DifferenceOfProportions": "with few right or few wrong answers its interval is no good approximation",
        },
        "Clopper and Pearson (1934), Biometrika 26; " + BERGER_HSU,
        "03_contingency_table",
    ),
    Rule(
        {"aim": "equivalence", "data_sets": "one", "results": "scores"},
        "CorrectedRepeatedKFoldT",
        "Its interval with alpha doubled, compare(..., test=CorrectedRepeatedKFoldT, alpha=0.10).ci: alike at 0.05 if all of it lies within the "
        "margin. " + EVERY_PAIR,
        TEN_TIMES_TEN,
        "The correction for overlapping training sets is an approximation: the level is held roughly; a margin that matters in practice.",
        "the plan, the margin and why, the mean difference with its 1 - 2 alpha interval",
        {
            "KFoldT": "its interval is too short, so it finds equivalence too easily",
            "EquivalenceT": "it takes folds for independent data sets",
        },
        "Nadeau and Bengio (2003), Machine Learning 52; " + SCHUIRMANN + "; " + BERGER_HSU,
        "06_cross_validation_is_not_independent",
    ),
)
