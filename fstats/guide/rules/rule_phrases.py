"""What several rules say in the same words."""

DEMSAR = "Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7"
DIETTERICH = (
    "Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural Computation 10"
)
BENAVOLI = "Benavoli, Corani and Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, JMLR 17"
BERGER_HSU = (
    "Berger and Hsu (1996), Bioequivalence trials, intersection-union tests and equivalence confidence sets, Statistical Science 11"
)
BOUTHILLIER = "Bouthillier and others (2021), Accounting for variance in machine learning benchmarks, MLSys 3"
SCHUIRMANN = "Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15"

# What must be at hand: a rule says it with one of these.
PAIRED_DATA_SETS = (
    "One score of each classifier on the same independent data sets. Folds of one data set, and its records, are no data sets: "
    "average them first (fstats.average_folds)."
)
INDEPENDENT_DATA_SETS = (
    "One score for each data set, every classifier on independent data sets of its own. Folds of one data set, and its records, "
    "are no data sets: average them first (fstats.average_folds)."
)
PAIRED_RECORDS = (
    "Right or wrong of each classifier on the same independent test records, none of which any of them was trained on. Records that come "
    "in families (questions about one text, scans of one patient) belong into ClusteredDifference; classes of two classifiers that are "
    "compared by another metric than accuracy (F1, macro-F1, MCC) into PairedBootstrap, or PairedPermutation where they may be exchanged."
)
INDEPENDENT_RECORDS = (
    "Right or wrong of each classifier on independent test records of its own, not trained on; the test sets may differ in size."
)
PAIRED_SCORED_RECORDS = (
    "The class of each of the same independent test records, none of which was trained on, and what each classifier scored it: the "
    "higher, the more it is held to be positive. PairedBootstrap compares two by average precision, log loss or Brier score."
)
INDEPENDENT_SCORED_RECORDS = (
    "Class and score (the higher, the more it is held to be positive) of independent test records, not trained on, each classifier "
    "with test records of its own."
)
TRAINED_CLASSIFIERS_ONLY = "It compares these two trained classifiers, not the methods that made them."
AUC_SAMPLE_SIZE = "Some ten positive and ten negative records at least, for the normal curve. It compares these trained classifiers."
AUC_REPORT = "both areas, their difference with its interval, z, p, and how many records are positive and negative"
DELONG = "DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves, Biometrics 44"
TEN_TIMES_TEN = (
    "All are trained anew on the same splits, 10 times 10-fold cross-validation, a hundred times each (fstats.compare does it). "
    "Scores of any kind; one score each, or scores of different splits, will not do."
)
EVERY_PAIR = "Of three or more, every pair must show it; then no correction is needed for the claim that all are alike."
WITHIN_MARGIN = "alike at 0.05 if all of it lies within the margin. " + EVERY_PAIR
HOLM_CORRECTION = "Test each pair and hand the p-values to Holm's ladder: Holm.from_pvalues([...])."

RUNS = (
    "A score of each of some ten runs of every classifier, each from a seed of its own, all trained and tested on one fixed split. Folds "
    "are no runs: their training sets overlap."
)
ONE_SPLIT_ONLY = (
    "It speaks of other runs on this very split, and of nothing else: what another split or another data set would say it does not tell. "
    'To compare the methods, train on several splits (results="scores") or data sets.'
)
UNPAIRED_RUNS = (
    "Seed 7 of one model and seed 7 of another have nothing in common but the number, so nothing is paired. How often a run of A beats a "
    "run of B tells fstats.ProbabilityOfOutperforming (where both share what else is random); fstats.AlmostStochasticOrder looks at all "
    "quantiles (with a tolerance of 0.2 it passed classifiers that are alike in 10 % of simulated trials with 3 runs of each, in 4 % with "
    "10); of several tasks speak fstats.ProbabilityOfImprovement, fstats.InterquartileMean and fstats.PerformanceProfile."
)
SEEDS_AS_PAIRS = "equal seeds of different models pair nothing, unless both saw the same batches in the same order"

PAIRED_REPORT = "the mean difference with its confidence interval, t, df, p, d_z, and the number of data sets"
RANK_REPORT = "W, n, exact p, the estimated shift with its interval, and what was done with ties and zeros"

# How often tests on splits reject a true H0: rates of the stored study of learners that train (fstats.studies.bcv), on EXP6 and on Simple.
# What the bench found (fstats.studies.stress) stands in worst_levels.json.
RESAMPLED = "its splits overlap: with learners that train (simulated: EXP6, Simple) it rejected 22.9 % and 30.3 % of true hypotheses"
K_FOLD = "its training sets overlap: with learners that train (simulated: EXP6, Simple) it rejected 6.9 % and 11.3 % of true hypotheses"
CORRECTED = (
    "The correction is an approximation: with learners that train (simulated: EXP6, Simple) it rejected 2.3 % and 6.4 % of true hypotheses."
)
CONSERVATIVE_IF_STABLE = (
    "it takes training to be stable. Where it is, the test is conservative (simulated: EXP6, Simple): it rejected 0.2 % and 0.4 % of true "
    "hypotheses; elsewhere it is not: 45.1 % in the worst place that was found (Perceptron on mirrored features, n = 10,000)"
)
LESS_POWER_THAN_MCNEMAR = (
    "The price: of small differences it finds fewer than BlockedFiveByTwoMcNemar does in the same ten tables (power simulated on EXP6 at "
    "0.8: 17.9 % against 25.2 %; on Simple at 0.3, 79.0 % against 78.8 %)."
)

# What follows where many classifiers are not all alike: rates of the stored study of post-hoc tests (fstats.studies.post_hoc).
SEPARATE_ERROR_TERMS = (
    "All pairs: Holm.from_test(Pairwise(scores, using=PairedT)), in which each pair has an error term of its own. TukeyHSD only where "
    "sphericity is plausible, for it pools one error term. Simulated with all means equal: one classifier of five with 5 times the spread, "
    "TukeyHSD told some pair apart in up to 11.0 % of the tables (two of eight: 16.2 %), Holm in at most 4.5 %, and F with Greenhouse and "
    "Geisser's correction rejected in at most 5.3 %."
)
SIGNED_RANKS = (
    "All pairs: first signed ranks, Holm.from_test(Pairwise(scores)), for they look at two classifiers alone; what mean ranks say of two "
    "depends on who else is in the table. Signed ranks need differences that can be compared between data sets and are symmetric under H0; "
    "after Holm three classifiers need 7 data sets to tell any two apart at 0.05, four 8, five 9, six 10. Second, Nemenyi and its diagram: "
    "where only the order of the scores means something (or sign tests, Holm.from_test(Pairwise(scores, using=SignTest))), and where data "
    "sets are fewer."
)

# What speaks against a test.
NOT_EVIDENCE = "a large p is not evidence of equality"
OUTLIER = "one outlier may rule the result"
NO_PAIRS = "there are no pairs"
AS_DIFFERENT = "it treats the same records as if they were different ones"
LABELS_ONLY = "it compares labels, which a threshold makes of the scores"
RECORDS_AS_SETS = "it takes records for data sets"
BOTH_ANSWERS = "it needs both answers to the same record"
BOTH_SCORES = "it needs both scores of the same record"
ALL_PAIRS = "on all pairs, without correction, false alarms multiply"
NORMAL_APPROXIMATION_POOR = "with few right or few wrong answers its curve is no good approximation"
IGNORES_PAIRING = "it forgets that the records are the same, and with it most of the power"
