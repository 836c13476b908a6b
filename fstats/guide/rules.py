"""The one table behind the function, the slider and the diagram: questions, and a rule for every combination of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Question:
    """A question with two answers."""

    name: str
    asked: str
    answers: Mapping[str, str]  # the answer as an argument -> in words


QUESTIONS = (
    Question(
        "aim", "What is to be shown?", {"difference": "that they differ", "equivalence": "that they are alike, up to a margin"}
    ),
    Question("classifiers", "How many classifiers?", {"two": "two", "many": "three or more"}),
    Question("data_sets", "How many data sets?", {"many": "several", "one": "one"}),
    Question(
        "results",
        "What is known on each data set?",
        {"scores": "scores: one, or one for each split", "records": "records: right or wrong for each of one test set"},
    ),
    Question("paired", "Same data sets, splits and records for all?", {"yes": "yes", "no": "no"}),
    Question("normal", "Are the differences roughly normal, and differences comparable?", {"yes": "yes", "no": "no, or unknown"}),
    Question(
        "size",
        "How much is there?",
        {"large": "large: 10 data sets, 25 discordant records, or training that takes long", "small": "small: less than that"},
    ),
)


@dataclass(frozen=True)
class Rule:
    """What is recommended where the answers fit `when`; questions that are not named there do not matter."""

    when: Mapping[str, str]
    test: str
    why: str
    assumes: str
    report: str
    avoid: Mapping[str, str]
    reference: str
    notebook: str
    then: tuple[str, ...] = field(default=())  # what follows if H0 is rejected

    def fits(self, answers: Mapping[str, str]) -> bool:
        """Whether these answers lead here."""
        return all(answers[name] == answer for name, answer in self.when.items())


DEMSAR = "Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7"
DIETTERICH = "Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural Computation 10"
PAIRED_REPORT = "the mean difference with its confidence interval, t, df, p, d_z, and the number of data sets"
RANK_REPORT = "W, n, exact p, the estimated shift with its interval, and what was done with ties and zeros"

RULES = (
    # -- two classifiers, several data sets
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "yes"},
        "PairedT",
        "One score for each data set and classifier, compared pair by pair: the data sets' own difficulty cancels.",
        "Independent data sets, differences without outliers and roughly normal, and a difference of 1 % that means the same everywhere.",
        PAIRED_REPORT,
        {
            "TwoSampleT": "it throws the pairing away, and with it most of the power",
            "KFoldT": "fold scores of one data set are not independent; average them first",
        },
        DEMSAR + ", section 3.1.1",
        "01_paired_t",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "no"},
        "SignedRank",
        "Ranks of the differences: neither normality nor comparable units at the far ends are needed, and p is counted exactly.",
        "Independent data sets, and differences that are symmetric under H0.",
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
        "Independent data sets, scores roughly normal. Better: score both on the same data sets.",
        "both means and standard deviations, the difference with its interval, t, df, p",
        {"PairedT": "there are no pairs", "TwoSampleT": "it also assumes equal spreads, for little gain"},
        "Welch (1947), Biometrika 34",
        "01_paired_t",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "many", "paired": "no", "normal": "no"},
        "RankSum",
        "The classifiers were scored on different data sets; ranks of all scores together need no shape.",
        "Independent data sets. Better: score both on the same data sets.",
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
        "Independent records. It compares these two trained classifiers, not the methods that made them.",
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
        "Independent records. It compares these two trained classifiers, not the methods that made them.",
        "the table of both classifiers, n01, n10, mid-p, the odds ratio with its interval",
        {"DifferenceOfProportions": "it treats the same records as if they were different ones"},
        "Fagerland, Lydersen and Laake (2013), BMC Medical Research Methodology 13",
        "03_contingency_table",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "no"},
        "DifferenceOfProportions",
        "Different records for both classifiers: two accuracies are all there is.",
        "Independent records, and enough of them. Better: let both classify the same records.",
        "both accuracies with their numbers of records, z, p, the difference with its interval",
        {"McNemarExact": "it needs both answers to the same record"},
        DIETTERICH + ", section 3.2",
        "03_contingency_table",
    ),
    Rule(
        {"aim": "difference", "classifiers": "two", "data_sets": "one", "results": "scores", "size": "large"},
        "BlockedFiveByTwoMcNemar",
        "Ten trainings, regularized so that training sets overlap alike; ten tables are condensed into one, and the test keeps its level.",
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
        "The correction is an approximation; scores of any kind.",
        "the plan (10 x 10-fold), the mean difference with its interval, t, df = 99, p, and that the variance was corrected",
        {
            "KFoldT": "training sets overlap; elevated type I error",
            "ResampledT": "its splits overlap; it rejects true hypotheses many times too often",
            "FiveByTwoT": "it trains on half of the few records and uses one of its ten differences only",
        },
        "Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52; Bouckaert and Frank (2004), PAKDD",
        "06_cross_validation_is_not_independent",
    ),
    # -- many classifiers, several data sets
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "yes", "normal": "yes"},
        "RepeatedAnova",
        "All classifiers on the same data sets: the data sets' own difficulty is taken out of the comparison.",
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
        "Independent data sets; nothing about shape or units.",
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
        "Independent data sets; nothing about shape or units.",
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
        "Roughly normal scores with equal spread. Better: score all on the same data sets.",
        "the table of sums of squares, F with both df, p, eta squared",
        {"RepeatedAnova": "there are no blocks", "TwoSampleT": "on all pairs, without correction, false alarms multiply"},
        "Fisher (1925), Statistical methods for research workers",
        "04_anova",
        ("TukeyHSD",),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "many", "paired": "no", "normal": "no"},
        "RankSum",
        "Test each pair by ranks and hand the p-values to Holm's ladder: Holm.from_pvalues([...]).",
        "Independent data sets. Better: score all on the same data sets.",
        "for each pair U, exact p and the p adjusted by Holm",
        {"Friedman": "there are no blocks to rank within", "OneWayAnova": "one outlier may rule the result"},
        "Mann and Whitney (1947); Holm (1979), Scandinavian Journal of Statistics 6",
        "05_friedman_and_post_hoc",
        ("Holm",),
    ),
    # -- many classifiers, one data set
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "yes"},
        "CochranQ",
        "Right and wrong answers of several classifiers to the same records.",
        "Independent records, enough of them on which the classifiers disagree. It compares these trained classifiers.",
        "the accuracies, Q, df, p; then McNemar's exact test for each pair with p adjusted by Holm",
        {"DifferenceOfProportions": "it treats the same records as if they were different ones"},
        "Cochran (1950), Biometrika 37",
        "05_friedman_and_post_hoc",
        ("McNemarExact", "Holm"),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "records", "paired": "no"},
        "DifferenceOfProportions",
        "Test each pair and hand the p-values to Holm's ladder: Holm.from_pvalues([...]).",
        "Independent records. Better: let all classify the same records.",
        "the accuracies with their numbers of records, z, p and adjusted p of each pair",
        {"CochranQ": "it needs all answers to the same records"},
        DIETTERICH + ", section 3.2; Holm (1979), Scandinavian Journal of Statistics 6",
        "03_contingency_table",
        ("Holm",),
    ),
    Rule(
        {"aim": "difference", "classifiers": "many", "data_sets": "one", "results": "scores"},
        "CorrectedRepeatedKFoldT",
        "Test each pair on the same splits and hand the p-values to Holm's ladder: Holm.from_pvalues([...]).",
        "The correction for overlapping training sets is an approximation.",
        "the plan, for each pair the mean difference, t, p and the p adjusted by Holm",
        {
            "Friedman": "folds of one data set are not data sets: their ranks are not independent",
            "RepeatedAnova": "the same, for means",
        },
        "Bouckaert and Frank (2004), PAKDD; Holm (1979), Scandinavian Journal of Statistics 6",
        "06_cross_validation_is_not_independent",
        ("Holm",),
    ),
    # -- equivalence
    Rule(
        {"aim": "equivalence", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "yes"},
        "EquivalenceT",
        "Failing to reject a difference shows nothing; two one-sided tests against a margin, fixed beforehand, do.",
        "As for the paired t-test, and a margin that matters in practice.",
        "the margin and why, the mean difference with its 1 - 2 alpha interval, both t, p",
        {"PairedT": "a large p is not evidence of equality"},
        "Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15",
        "01_paired_t",
    ),
    Rule(
        {"aim": "equivalence", "classifiers": "two", "data_sets": "many", "paired": "yes", "normal": "no"},
        "EquivalenceSignedRank",
        "Two one-sided signed-rank tests against a margin, fixed beforehand.",
        "Symmetric differences, and a margin that matters in practice.",
        "the margin and why, the estimated shift with its 1 - 2 alpha interval, p",
        {"SignedRank": "a large p is not evidence of equality"},
        "Wellek (2010), Testing statistical hypotheses of equivalence and noninferiority, chapter 5",
        "02_wilcoxon",
    ),
    Rule(
        {"aim": "equivalence", "classifiers": "two", "data_sets": "many", "paired": "no"},
        "WelchT",
        "Compute its interval with alpha doubled, WelchT(x, y, alpha=0.10).ci: equivalent at 0.05 if all of it lies within the margin.",
        "Independent data sets, scores roughly normal. Better: score both on the same data sets.",
        "the margin and why, the difference with its 1 - 2 alpha interval",
        {"TwoSampleT": "a large p is not evidence of equality"},
        "Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15",
        "01_paired_t",
    ),
    Rule(
        {"aim": "equivalence", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "yes"},
        "PairedTable",
        "Its interval for the difference of accuracies on the same records, with alpha doubled: equivalent if all of it lies within the margin.",
        "Independent records, and a margin that matters in practice.",
        "the margin and why, the table, the difference with its 1 - 2 alpha interval",
        {"McNemarExact": "a large p is not evidence of equality"},
        "Agresti and Min (2005), Statistics in Medicine 24",
        "03_contingency_table",
    ),
    Rule(
        {"aim": "equivalence", "classifiers": "two", "data_sets": "one", "results": "records", "paired": "no"},
        "DifferenceOfProportions",
        "Its interval with alpha doubled: equivalent if all of it lies within the margin.",
        "Independent records, and a margin that matters in practice.",
        "the margin and why, the difference with its 1 - 2 alpha interval",
        {"McNemarExact": "it needs both answers to the same record"},
        "Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15",
        "03_contingency_table",
    ),
    Rule(
        {"aim": "equivalence", "classifiers": "two", "data_sets": "one", "results": "scores"},
        "CorrectedRepeatedKFoldT",
        "Its interval with alpha doubled: equivalent if all of it lies within the margin.",
        "The correction for overlapping training sets is an approximation; a margin that matters in practice.",
        "the plan, the margin and why, the mean difference with its 1 - 2 alpha interval",
        {"KFoldT": "its interval is too short, so it finds equivalence too easily"},
        "Nadeau and Bengio (2003), Machine Learning 52; Schuirmann (1987)",
        "06_cross_validation_is_not_independent",
    ),
    Rule(
        {"aim": "equivalence", "classifiers": "many"},
        "EquivalenceT",
        "All classifiers are alike if each pair is: test every pair against the margin; all must reject, so no correction is needed for that claim.",
        "As for the paired t-test, for each pair, and a margin that matters in practice.",
        "the margin and why, for each pair the difference with its 1 - 2 alpha interval and p",
        {"Friedman": "a large p is not evidence of equality", "Nemenyi": "a common bar means not told apart, not equal"},
        "Berger and Hsu (1996), Bioequivalence trials, intersection-union tests, Statistical Science 11",
        "01_paired_t",
    ),
)
