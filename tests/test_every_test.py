"""One loop over every test class: what a test promises by being a test is checked here, whatever it computes.

A new class joins by one line of CASES.  That the numbers are right is proved elsewhere (test_paired_t.py, ...): this loop
knows names, orders and forms, not arithmetic.
"""

import copy
import json
import pickle
import re
from string import Template

import numpy as np
import pytest
from matplotlib.mathtext import MathTextParser

import fstats
from fstats.core.hypothesis import HypothesisTest
from fstats.core.procedure import Procedure
from fstats.core.step import NotStated
from fstats.core.tail import BOTH, LOWER, LOWER_TWICE, SMALLER_TWICE, UPPER
from fstats.core.two import TwoClassifiers
from fstats.core.value import Interval
from fstats.procedures.bayes.rope import RopeComparison
from fstats.procedures.posthoc.comparison import Compared
from fstats.procedures.posthoc.tukey_hsd import TukeyKramer
from fstats.render.html import prose
from fstats.render.latex import equation

R = 7  # repetitions in a batch


def scores(n, seed):
    """Scores with two digits, n data sets by R repetitions, with many ties and zeros.

    In the first repetitions B is better, in the last A, and in the one in the middle there is no difference at all.
    """
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0.8, 0.02, (2, n, R))
    a, b = (a + np.linspace(-0.03, 0.03, R)).round(2), b.round(2)
    b[:, 3] = a[:, 3]
    return {"a": a, "b": b}


def independent(n_x, n_y, seed):
    """The same for two independent samples: the scores of A, and those of B on other data sets."""
    both = scores(max(n_x, n_y), seed)
    both["a"][:, 3] = both["b"][:, 3] = 0.8  # and no spread either, or the means would differ
    return {"x": both["a"][:n_x], "y": both["b"][:n_y]}


def discordant(seed):
    """Counts of records; the repetition in the middle has none."""
    rng = np.random.default_rng(seed)
    n01, n10 = rng.integers(0, 20, (2, R))
    n01[3] = n10[3] = 0
    return {"n01": n01, "n10": n10}


def predictions(seed):
    """Three classes, 30 records by R repetitions."""
    rng = np.random.default_rng(seed)
    return dict(zip(("y_true", "pred_a", "pred_b"), rng.integers(0, 3, (3, 30, R)), strict=True))


def table(n, k, seed):
    """Scores of k classifiers on n data sets, by R repetitions; the later the repetition, the more the last classifier is better."""
    x = np.random.default_rng(seed).normal(0.8, 0.02, (n, k, R))
    x[:, -1] += np.linspace(0, 0.05, R)
    x[:, :, 3] = 0.8
    return {"scores": x.round(2)}


def right_or_wrong(n, k, seed):
    """The same as right and wrong answers."""
    return {"correct": (table(n, k, seed)["scores"] >= 0.8).astype(int)}


def differences(shape, seed):
    """Score of A less score of B on the splits of a plan, by R repetitions; the last axis as in `scores`."""
    d = np.random.default_rng(seed).normal(0, 0.02, (*shape, R)) + np.linspace(-0.03, 0.03, R)
    d[..., 3] = 0
    return d.round(2)


def of_records(n, k, seed):
    """Differences of right and wrong on n records, tested in k folds."""
    d = np.sign(differences((n,), seed)) * (np.random.default_rng(seed).random((n, R)) < 0.3)
    return {"d": d, "folds": np.stack([np.random.default_rng(seed + r).permutation(np.arange(n) % k) for r in range(R)], axis=1)}


def of_folds(k, seed):
    """Discordant counts of k folds; the repetition in the middle has none."""
    n01, n10 = (
        np.random.default_rng(seed).integers(0, 9, (2, k, R))
        + np.multiply.outer([1, -1], np.linspace(-6, 6, R)).round().astype(int)[:, None]
    )
    n01, n10 = n01.clip(0), n10.clip(0)
    n01[:, 3] = n10[:, 3] = n01[0] = n10[0] = 0
    return {"n01": n01, "n10": n10}


def contingency(shape, n, seed):
    """Contingency tables of n records each, by R repetitions: first B is better, last A, and in the middle both are right on the same."""
    rng, tables = np.random.default_rng(seed), []
    for shift in np.linspace(-0.15, 0.15, R):
        apart = 0.2 * (shift != 0)
        tables.append(rng.multinomial(n, [0.1, (apart - shift) / 2, (apart + shift) / 2, 0.9 - apart], shape))
    return np.moveaxis(tables, 0, -1).reshape(*shape, 2, 2, R)


def ranked_records(n, seed):
    """Which of n records are positive, and what two classifiers score them; the repetition in the middle has no difference."""
    rng = np.random.default_rng(seed)
    y = np.stack([rng.permutation(np.arange(n) % 3 == 0) for _ in range(R)], axis=1).astype(int)
    a, b = (rng.normal(0, 1, (2, n, R)) + y).round(1)
    a, b = (a + y * np.linspace(-2, 2, R)).round(1), b
    a[:, 3] = b[:, 3]
    return {"y_true": y, "a": a, "b": b}


def unpaired_records(n, seed):
    """The same on records of their own."""
    one, other = ranked_records(n, seed), ranked_records(n - 4, seed + 1)
    other["y_true"][:, 3], one["y_true"][:, 3] = np.arange(n - 4) % 3 == 0, np.arange(n) % 3 == 0
    one["a"][:, 3], other["b"][:, 3] = one["y_true"][:, 3], other["y_true"][:, 3]  # both rank all records right
    return {"y_true_a": one["y_true"], "a": one["a"], "y_true_b": other["y_true"], "b": other["b"]}


CLOSING = "null pvalue critical_value reject"
RANKS = "d n ranks signed_ranks w_plus w_minus statistic"
SPLIT = "d n ranks signed_ranks zero_share w_plus w_minus statistic"
RANKING = "ranks n k rank_sums mean_ranks"
ALIGNED = "dataset_means aligned ranks n k dataset_sums rank_sums mean_ranks"
SPHERICITY = "covariance eigenvalues epsilon_gg epsilon_hf"
BLOCKS = "n means k dataset_means grand_mean residuals"
MAUCHLY = "mauchly_w mauchly_statistic mauchly_df mauchly_weight mauchly_pvalue"
ONE_WAY = "sizes means variances n k grand_mean ss_between ss_within ss_total df df_error ms_between ms_within table statistic"
REPEATED = f"{BLOCKS} ss_classifiers ss_datasets ss_error ss_total df df_error ms_classifiers ms_error table statistic {SPHERICITY}"
AFTER_REPEATED = f"{MAUCHLY} effect_size pvalue_gg pvalue_hf"
TUKEY = "ss_error df_error ms_error pairs differences se q null pvalues critical_value hsd reject ci_low ci_high"
COMPARED = f"{RANKING} pairs differences se z"
LADDER = "pvalues m order sorted_pvalues"
ADJUSTED = "sorted_adjusted sorted_reject adjusted reject"
AFTER = "estimate ci effect_size"
TWO = "n_x n_y mean_x mean_y sd_x sd_y sd"

ROPE = "probabilities decided"
SPLITS = "n mean sd"
T = f"statistic df {CLOSING} ci effect_size"
BOOTSTRAP = "replicate_means n_replicates replicate_mean variance"
FIVE = "means variances"
FOLDS = "fold_sizes fold_means fold_variances"
CELLS = "n00 n01 n10 n11"
EFFECTIVE = "effective_table n00_effective n01_effective n10_effective n11_effective n_effective"
POSTERIORS = "beta_a beta_b modes means"
BCV = f"mean_table {CELLS} n e r q_a q_b variance t {EFFECTIVE} statistic {CLOSING} effect_size {POSTERIORS}"
# tests for one number of splits: longer columns are refused
FIXED = (
    fstats.CorrectedRepeatedKFoldT,
    fstats.FiveByTwoT,
    fstats.CombinedFiveByTwoF,
    fstats.BlockedThreeByTwoT,
    fstats.BlockedFiveByTwoMcNemar,
    fstats.TablePosteriors,
)

# name: (class, data, settings, the steps in the order of the slide)
CASES = {
    "PairedT": (fstats.PairedT, scores(9, 1), {}, f"d n mean sd se statistic df {CLOSING} ci effect_size"),
    "OneSampleT": (
        fstats.OneSampleT,
        {"x": independent(9, 9, 10)["x"], "mu": 0.8},
        {},
        f"n mean sd se difference statistic df {CLOSING} ci effect_size",
    ),
    "TwoSampleT": (fstats.TwoSampleT, independent(9, 7, 11), {}, f"{TWO} se difference statistic df {CLOSING} ci effect_size"),
    "WelchT": (fstats.WelchT, independent(6, 9, 12), {}, f"{TWO} se difference statistic df {CLOSING} ci effect_size"),
    "EquivalenceT": (
        fstats.EquivalenceT,
        scores(9, 13),
        {"margin": 0.02},
        f"d n mean sd se t_low t_high statistic df {CLOSING} ci effect_size",
    ),
    "EquivalenceSignedRank": (
        fstats.EquivalenceSignedRank,
        scores(9, 25),
        {"margin": 0.02},
        f"p_above p_below statistic {CLOSING} ci effect_size",
    ),
    "SignedRank drop exact": (fstats.SignedRank, scores(9, 2), {}, f"{RANKS} {CLOSING} {AFTER}"),
    "SignedRank drop normal": (fstats.SignedRank, scores(9, 3), {"method": "normal"}, f"{RANKS} {CLOSING} {AFTER}"),
    "SignedRank pratt exact": (fstats.SignedRank, scores(9, 4), {"zeros": "pratt"}, f"{RANKS} {CLOSING} {AFTER}"),
    "SignedRank pratt normal": (fstats.SignedRank, scores(9, 5), {"zeros": "pratt", "method": "normal"}, f"{RANKS} {CLOSING} {AFTER}"),
    "SignedRank split exact": (fstats.SignedRank, scores(9, 6), {"zeros": "split"}, f"{SPLIT} {CLOSING} {AFTER}"),
    "SignedRank split normal": (fstats.SignedRank, scores(9, 7), {"zeros": "split", "method": "normal"}, f"{SPLIT} {CLOSING} {AFTER}"),
    "RankSum exact": (fstats.RankSum, independent(5, 6, 14), {}, f"n_x n_y ranks rank_sum statistic {CLOSING} estimate effect_size ci"),
    "RankSum normal": (
        fstats.RankSum,
        independent(6, 5, 15),
        {"method": "normal"},
        f"n_x n_y ranks rank_sum statistic {CLOSING} estimate effect_size ci",
    ),
    "SignTest drop": (fstats.SignTest, scores(9, 16), {}, f"d wins losses n statistic {CLOSING} effect_size"),
    "SignTest split": (fstats.SignTest, scores(9, 17), {"zeros": "split"}, f"d zero_share wins losses n statistic {CLOSING} effect_size"),
    "McNemarExact": (fstats.McNemarExact, discordant(8), {}, f"n statistic {CLOSING} effect_size odds_ratio ci"),
    "McNemarMidP": (fstats.McNemarMidP, discordant(18), {}, f"n statistic {CLOSING} effect_size odds_ratio ci"),
    "McNemar": (fstats.McNemar, discordant(19), {}, f"n statistic {CLOSING} effect_size"),
    "McNemar uncorrected": (fstats.McNemar, discordant(20), {"correction": False}, f"n statistic {CLOSING} effect_size"),
    "DifferenceOfProportions": (
        fstats.DifferenceOfProportions,
        dict(zip(("correct_a", "correct_b", "n"), (*discordant(21).values(), np.full(R, 20)), strict=True)),
        {},
        f"accuracy_a accuracy_b pooled se difference statistic {CLOSING} ci effect_size",
    ),
    "DifferenceOfProportions of different records": (
        fstats.DifferenceOfProportions,
        dict(zip(("correct_a", "correct_b", "n", "n_b"), (*discordant(21).values(), np.full(R, 20), np.arange(20, 20 + R)), strict=True)),
        {},
        f"accuracy_a accuracy_b pooled se difference statistic {CLOSING} ci effect_size",
    ),
    "DeLong": (
        fstats.DeLong,
        ranked_records(18, 94),
        {},
        f"positives ranks_a own_ranks_a negatives placements_a auc_a ranks_b own_ranks_b placements_b auc_b difference d variance_positive "
        f"variance_negative se statistic {CLOSING} ci effect_size se_a se_b correlation",
    ),
    "UnpairedDeLong": (
        fstats.UnpairedDeLong,
        unpaired_records(22, 95),
        {},
        f"positives_a ranks_a own_ranks_a negatives_a placements_a auc_a positives_b ranks_b own_ranks_b negatives_b placements_b auc_b "
        f"difference se_a se_b se statistic {CLOSING} ci effect_size",
    ),
    "Friedman": (fstats.Friedman, table(6, 4, 30), {}, f"{RANKING} tie_correction statistic df {CLOSING} effect_size"),
    "Friedman ties ignored": (fstats.Friedman, table(6, 4, 31), {"ties": "ignore"}, f"{RANKING} statistic df {CLOSING} effect_size"),
    "Friedman exact": (
        fstats.Friedman,
        table(5, 3, 32),
        {"method": "exact"},
        f"{RANKING} tie_correction statistic df {CLOSING} effect_size",
    ),
    "Friedman exact ties ignored": (
        fstats.Friedman,
        table(5, 3, 33),
        {"method": "exact", "ties": "ignore", "higher_is_better": False},
        f"{RANKING} statistic df {CLOSING} effect_size",
    ),
    "ImanDavenport": (
        fstats.ImanDavenport,
        table(6, 4, 34),
        {},
        f"{RANKING} tie_correction chi_squared statistic df df_error {CLOSING} effect_size",
    ),
    "ImanDavenport ties ignored": (
        fstats.ImanDavenport,
        table(6, 4, 35),
        {"ties": "ignore"},
        f"{RANKING} chi_squared statistic df df_error {CLOSING} effect_size",
    ),
    "Quade": (
        fstats.Quade,
        table(6, 4, 36),
        {},
        f"{RANKING} ranges weights weighted_ranks weighted_sums total treatments statistic df df_error {CLOSING} effect_size",
    ),
    "FriedmanAligned": (
        fstats.FriedmanAligned,
        table(6, 4, 90),
        {},
        f"{ALIGNED} within statistic df {CLOSING} effect_size",
    ),
    "FriedmanAligned ties ignored": (
        fstats.FriedmanAligned,
        table(6, 4, 91),
        {"ties": "ignore", "higher_is_better": False},
        f"{ALIGNED} within statistic df {CLOSING} effect_size",
    ),
    "CochranQ": (fstats.CochranQ, right_or_wrong(9, 4, 37), {}, f"n right k accuracies hits total statistic df {CLOSING} effect_size"),
    "OneWayAnova": (fstats.OneWayAnova, table(8, 4, 40), {}, f"{ONE_WAY} {CLOSING} effect_size"),
    "RepeatedAnova": (fstats.RepeatedAnova, table(9, 4, 41), {}, f"{REPEATED} {CLOSING} {AFTER_REPEATED}"),
    "RepeatedAnova Greenhouse-Geisser": (
        fstats.RepeatedAnova,
        table(9, 4, 42),
        {"sphericity": "greenhouse-geisser"},
        f"{REPEATED} {CLOSING} {AFTER_REPEATED}",
    ),
    "RepeatedAnova Huynh-Feldt": (
        fstats.RepeatedAnova,
        table(9, 3, 43),
        {"sphericity": "huynh-feldt"},
        f"{REPEATED} {CLOSING} {AFTER_REPEATED}",
    ),
    "TukeyHSD repeated": (fstats.TukeyHSD, table(9, 4, 44), {}, f"{BLOCKS} {TUKEY}"),
    "TukeyHSD independent": (fstats.TukeyHSD, table(8, 3, 45), {"design": "independent"}, f"sizes n means k variances {TUKEY}"),
    "TukeyKramer": (TukeyKramer, table(8, 3, 46), {}, f"sizes n means k variances {TUKEY}"),
    "Nemenyi": (fstats.Nemenyi, table(6, 4, 38), {}, f"{RANKING} pairs differences se z null pvalues q_alpha cd reject ci_low ci_high"),
    "BonferroniDunn": (
        fstats.BonferroniDunn,
        table(6, 4, 50),
        {"control": "B"},
        f"{COMPARED} pvalues q_alpha cd reject ci_low ci_high",
    ),
    "Holm": (fstats.Holm, table(6, 4, 51), {}, f"{COMPARED} {LADDER} most_true thresholds {ADJUSTED}"),
    "Holm with a control": (fstats.Holm, table(6, 4, 52), {"control": "C"}, f"{COMPARED} {LADDER} most_true thresholds {ADJUSTED}"),
    "Hochberg": (fstats.Hochberg, table(6, 4, 53), {}, f"{COMPARED} {LADDER} most_true thresholds {ADJUSTED}"),
    "Hommel": (fstats.Hommel, table(6, 4, 54), {}, f"{COMPARED} {LADDER} j thresholds {ADJUSTED}"),
    "Finner": (fstats.Finner, table(6, 4, 55), {}, f"{COMPARED} {LADDER} thresholds {ADJUSTED}"),
    "Li": (fstats.Li, table(6, 4, 56), {}, f"{COMPARED} {LADDER} largest thresholds {ADJUSTED}"),
    "Shaffer": (fstats.Shaffer, table(6, 4, 57), {}, f"{COMPARED} {LADDER} true_counts most_true thresholds {ADJUSTED}"),
    "BergmannHommel": (fstats.BergmannHommel, table(6, 4, 58), {}, f"{COMPARED} {LADDER} most_true thresholds {ADJUSTED} partitions"),
    "PairwiseAligned": (fstats.PairwiseAligned, table(6, 4, 92), {}, f"{ALIGNED} pairs differences se z pvalues"),
    "PairwiseAligned with a control": (
        fstats.PairwiseAligned,
        table(6, 4, 93),
        {"higher_is_better": False, "control": "C"},
        f"{ALIGNED} pairs differences se z pvalues",
    ),
    "Pairwise": (fstats.Pairwise, table(6, 4, 59), {}, "pairs statistic pvalues effect_size"),
    "Pairwise errors": (
        fstats.Pairwise,
        table(6, 4, 60),
        {"higher_is_better": False, "using": fstats.PairedT, "control": "A"},
        "pairs statistic pvalues effect_size",
    ),
    "BlockedFiveByTwoMcNemar": (fstats.BlockedFiveByTwoMcNemar, {"tables": contingency((5, 2), 40, 61)}, {}, BCV),
    "BlockedFiveByTwoMcNemar, other correlations": (
        fstats.BlockedFiveByTwoMcNemar,
        {"tables": contingency((5, 2), 40, 62)},
        {"rho1": 0.1, "rho2": 0.3, "lam": 0.5},
        BCV,
    ),
    "TablePosteriors": (
        fstats.TablePosteriors,
        {"table": contingency((), 40, 63)},
        {},
        f"n shares {CELLS} e r q_a q_b {POSTERIORS} credible_low credible_high",
    ),
    "ResampledT": (fstats.ResampledT, {"d": differences((15,), 70)}, {}, f"{SPLITS} se {T}"),
    "KFoldT": (fstats.KFoldT, {"d": differences((10,), 71)}, {}, f"{SPLITS} se {T}"),
    "CorrectedResampledT": (fstats.CorrectedResampledT, {"d": differences((15,), 72), "test_train_ratio": 1 / 9}, {}, f"{SPLITS} se {T}"),
    "CorrectedRepeatedKFoldT": (fstats.CorrectedRepeatedKFoldT, {"d": differences((10, 10), 73)}, {}, f"{SPLITS} se {T}"),
    "FiveByTwoT": (fstats.FiveByTwoT, {"d": differences((5, 2), 74)}, {}, f"{FIVE} estimate se statistic df {CLOSING} effect_size ci"),
    "CombinedFiveByTwoT": (
        fstats.CombinedFiveByTwoT,
        {"d": differences((5, 2), 75)},
        {},
        f"{FIVE} estimate se statistic df {CLOSING} effect_size ci",
    ),
    "CombinedFiveByTwoF": (
        fstats.CombinedFiveByTwoF,
        {"d": differences((5, 2), 76)},
        {},
        f"{FIVE} sum_of_squares statistic df df_error {CLOSING} effect_size",
    ),
    "CalibratedFiveByTwoF": (
        fstats.CalibratedFiveByTwoF,
        {"d": differences((5, 2), 77)},
        {},
        f"{FIVE} sum_of_squares statistic df df_error {CLOSING} effect_size",
    ),
    "BlockedThreeByTwoT": (fstats.BlockedThreeByTwoT, {"d": differences((3, 2), 78)}, {}, f"mean se {T}"),
    "PseudoBootstrapT": (
        fstats.PseudoBootstrapT,
        {"d": differences((15,), 79), "replicates": differences((15, 6), 80)},
        {},
        f"{SPLITS} {BOOTSTRAP} se {T}",
    ),
    "CorrectedPseudoBootstrapT": (
        fstats.CorrectedPseudoBootstrapT,
        {"d": differences((15,), 81), "replicates": differences((15, 6), 82), "test_train_ratio": 1 / 9},
        {},
        f"{SPLITS} {BOOTSTRAP} se {T}",
    ),
    "ConservativeZ": (
        fstats.ConservativeZ,
        {"d": differences((15,), 83), "halves": differences((10, 2), 84)},
        {},
        f"{SPLITS} contrasts n_halvings variance se statistic {CLOSING} ci effect_size",
    ),
    "CrossValidatedZ out": (fstats.CrossValidatedZ, of_records(60, 5, 85), {}, f"n mean sd se statistic {CLOSING} ci effect_size"),
    "CrossValidatedZ in": (
        fstats.CrossValidatedZ,
        of_records(60, 5, 86),
        {"variance": "in"},
        f"n mean {FOLDS} sd se statistic {CLOSING} ci effect_size",
    ),
    "ProportionalZ": (
        fstats.ProportionalZ,
        dict(zip(("correct_a", "correct_b", "n"), (*discordant(21).values(), np.full(R, 20)), strict=True)),
        {},
        f"accuracy_a accuracy_b pooled se difference statistic {CLOSING} ci effect_size",
    ),
    "HoldOutMcNemar": (fstats.HoldOutMcNemar, discordant(19), {}, f"n statistic {CLOSING} effect_size"),
    "NaiveKFoldMcNemar zero": (fstats.NaiveKFoldMcNemar, of_folds(10, 87), {}, f"n statistics statistic df {CLOSING} effect_size"),
    "NaiveKFoldMcNemar drop": (
        fstats.NaiveKFoldMcNemar,
        of_folds(10, 88),
        {"empty": "drop"},
        f"n statistics statistic df {CLOSING} effect_size",
    ),
    "BayesianSignTest": (
        fstats.BayesianSignTest,
        scores(9, 90),
        {"rope": 0.02},
        f"d n side counts concentration posterior expected {ROPE}",
    ),
    "BayesianSignTest, prior of B": (
        fstats.BayesianSignTest,
        scores(9, 91),
        {"rope": 0.01, "prior": 0.5, "place": "worse"},
        f"d n side counts concentration posterior expected {ROPE}",
    ),
    "BayesianSignTest, prior of A": (
        fstats.BayesianSignTest,
        scores(9, 92),
        {"rope": 0.01, "place": "better"},
        f"d n side counts concentration posterior expected {ROPE}",
    ),
    "BayesianSignedRank": (
        fstats.BayesianSignedRank,
        scores(9, 93),
        {"rope": 0.02, "draws": 500},
        f"d n side counts pairs posterior expected {ROPE} mc_error",
    ),
    "BayesianCorrelatedT": (
        fstats.BayesianCorrelatedT,
        {"d": differences((10,), 94), "rho": 0.1},
        {"rope": 0.01},
        f"n mean sd scale df posterior {ROPE} credible",
    ),
    "BayesianHierarchical": (
        fstats.BayesianHierarchical,
        {"d": differences((5, 4), 95), "rho": 0.2},
        {"rope": 0.01, "nodes": 3},
        f"n means sds mean_bound sd_bound scale_bound population posterior expected {ROPE} grid_error credible shrunk shrunk_low shrunk_high",
    ),
    "BayesianHierarchical, prior stated": (
        fstats.BayesianHierarchical,
        {"d": differences((5, 3), 96), "rho": 0.2},
        {"rope": 0.02, "reach": 1.0, "shape": (1, 2), "rate": (0.01, 0.1), "nodes": 3},
        f"n means sds mean_bound sd_bound scale_bound population posterior expected {ROPE} grid_error credible shrunk shrunk_low shrunk_high",
    ),
    "Normality": (fstats.Normality, {"x": scores(9, 22)["a"]}, {}, "n ordered quantiles statistic pvalue"),
    "Symmetry": (fstats.Symmetry, {"x": scores(9, 23)["a"]}, {}, "n median above below skewness"),
    "Outliers": (fstats.Outliers, {"x": scores(9, 24)["a"]}, {}, "first_quartile third_quartile width low_fence high_fence outside"),
    "PairedTable": (fstats.PairedTable, predictions(9), {}, "table n01 n10 records correct_a correct_b difference difference_ci"),
}


def make(name, alternative):
    """The batch of a case."""
    cls, data, settings, _ = CASES[name]
    if issubclass(cls, HypothesisTest):
        settings = settings | {"alternative": alternative, "alpha": 0.1}
    return cls(**data, **settings)


every = [
    (name, alternative) for name, (cls, *_) in CASES.items() for alternative in (cls.tails if issubclass(cls, HypothesisTest) else ("",))
]
each_procedure = pytest.mark.parametrize(("name", "alternative"), every)
each_test = pytest.mark.parametrize(("name", "alternative"), [pair for pair in every if pair[1]])


def settings_of(test):
    """The inputs that choose between variants, by name."""
    return {name: getattr(test, name) for name, about in test.inputs.items() if about["setting"]}


def are_names(value):
    """Whether a value holds text or pairs of it: labels, pairs of classifiers."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "UO"


def parts(value):
    """A value as a list of arrays to compare."""
    if are_names(value):
        return [value]
    return [np.asarray(end, float) for end in value] if isinstance(value, Interval) else [np.asarray(value, float)]


def assert_same(x, y):
    """Equal, up to the last digits where numpy sums a column and a table in different orders."""
    if are_names(x):
        assert np.array_equal(x, y)
    elif isinstance(x, (int, float, np.generic, np.ndarray, Interval)):
        for one, other in zip(parts(x), parts(y), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)
    elif hasattr(x, "largest"):  # shares, one of which is the largest
        assert str(x) == str(y)
        assert_same(x.largest(), y.largest())
    else:  # a null distribution, or a posterior
        assert str(x) == str(y)
        for k in np.linspace(-3, 20, 47):
            assert_same(x.at_most(k), y.at_most(k))


# -- the formula is the code --------------------------------------------------------------------------------------------


def reads(test, function):
    """The inputs and steps that a function of a test reads."""
    used = set()

    class Spy(type(test)):
        """The same test, but it takes notes."""

        def __getattribute__(self, name):
            if name in test.inputs or name in test.steps:
                used.add(name)
                return getattr(test, name)
            return super().__getattribute__(name)

    function(object.__new__(Spy))
    return used


@each_procedure
def test_each_step_reads_what_its_formula_shows(name, alternative):
    test = make(name, alternative)
    for s in test.steps.values():
        if s.only and getattr(test, s.by) != s.only:
            continue
        shown = set(Template(s.template(test)).get_identifiers())
        # the attribute `by` chooses the formula; a property such as `tail` chooses by settings of its own
        chooses = {s.by} | reads(test, lambda spy, by=s.by: getattr(spy, by)) if s.by else set()
        assert reads(test, s.fn) - chooses == shown - chooses, s.name


@each_procedure
def test_each_step_follows_from_its_slots_alone(name, alternative):
    test = make(name, alternative)
    for s in test.steps.values():
        slots = {slot: getattr(test, slot) for slot in Template(s.template(test)).get_identifiers()}
        again = type(test).from_steps(**(settings_of(test) | slots))
        assert_same(getattr(again, s.name), getattr(test, s.name))


@each_procedure
def test_the_steps_come_in_the_order_of_the_slide(name, alternative):
    test = make(name, alternative).at(0)
    order = CASES[name][3].split()
    shown = [row.name for row in test.worked()]
    assert [step for step in shown if step in test.steps] == order
    inputs = [*test.inputs]
    if isinstance(test, TwoClassifiers):
        inputs.remove("labels")  # A and B have no names here
    if "data_sets" in inputs:
        inputs.remove("data_sets")  # nor have the data sets
    if isinstance(test, HypothesisTest) and len(test.tails) == 1:
        inputs[inputs.index("alternative")] = "claim"  # there is nothing to choose
    assert [step for step in shown if step not in test.steps] == inputs + ["conclusion"] * isinstance(
        test, (HypothesisTest, Compared, RopeComparison, fstats.Pairwise, fstats.PairwiseAligned)
    )
    position = {step: k for k, step in enumerate(shown)}
    for step in order:  # depth first: what a formula needs stands above it
        for slot in Template(test.steps[step].template(test)).get_identifiers():
            assert position[slot] < position[step]


# -- a batch is many tests ----------------------------------------------------------------------------------------------


@each_procedure
def test_a_batch_equals_its_repetitions(name, alternative):
    batch = make(name, alternative)
    for step in batch.steps:
        value, own = getattr(batch, step), len(batch.over(step))
        for r in range(R):
            one = getattr(batch.at(r), step)
            if isinstance(value, Interval):
                assert_same(one, Interval(*(np.broadcast_to(end, R)[r] for end in value)))
            elif isinstance(value, (int, np.generic, np.ndarray)):
                if np.ndim(value) > own:
                    assert np.shape(value)[own:] == (R,)
                    value_of_r = value[(slice(None),) * own + (r,)]
                else:  # the same for all: n of the t-test
                    value_of_r = value
                assert np.ndim(one) == own
                assert_same(one, value_of_r)


@each_procedure
def test_repetitions_may_have_several_axes(name, alternative):
    flat = make(name, alternative)
    data = {key: np.reshape(value, (*np.shape(value)[:-1], R, 1)) if np.ndim(value) else value for key, value in CASES[name][1].items()}
    deep = type(flat)(**data, **settings_of(flat))
    for step in flat.steps:
        for wide, long in zip(parts_of(deep, step), parts_of(flat, step), strict=True):
            np.testing.assert_array_equal(wide.reshape(long.shape), long)


def parts_of(test, step):
    """A step's value as arrays; a distribution by its chances."""
    value = getattr(test, step)
    if step == "posterior":
        return parts(value.largest() if hasattr(value, "largest") else value.at_most(0.01))
    return parts(value.at_most(getattr(test, "statistic", 0.01)) if step in ("null", "population") else value)


@each_test
def test_a_batch_has_no_single_conclusion(name, alternative):
    with pytest.raises(ValueError, match=r"a batch of shape \(7,\) has no one conclusion; ask one repetition, such as test.at\(0\)"):
        _ = make(name, alternative).conclusion


# -- the decision -------------------------------------------------------------------------------------------------------


@each_test
def test_p_is_a_probability_and_decides(name, alternative):
    decisions = []
    for level in (0.01, 0.05, 0.1, 0.3):
        test = make(name, alternative).assuming(alpha=level)
        assert test.pvalue.shape == (R,)
        assert ((test.pvalue >= 0) & (test.pvalue <= 1)).all()
        assert np.array_equal(test.reject, test.pvalue <= level)
        decisions += test.reject.tolist()
    assert set(decisions) == {True, False}  # the data show both


@each_test
def test_the_critical_value_gives_the_same_decision(name, alternative):
    for level in (0.01, 0.05, 0.1, 0.3):
        test = make(name, alternative).assuming(alpha=level)
        extreme = {
            UPPER: lambda x, c: x >= c,
            LOWER: lambda x, c: x <= c,
            BOTH: lambda x, c: np.abs(x) >= c,
            LOWER_TWICE: lambda x, c: x <= c,
            SMALLER_TWICE: lambda x, c: (x <= c.low) | (x >= c.high),
        }[test.tail](test.statistic, test.critical_value)
        on_the_edge = np.isclose(test.pvalue, level, rtol=1e-12, atol=0)  # floating point may put p on either side of alpha
        assert np.array_equal(extreme[~on_the_edge], test.reject[~on_the_edge])


@each_test
def test_without_any_difference_nothing_is_rejected(name, alternative):
    test = make(name, alternative).at(3)
    assert test.effect_size == 0
    if alternative == "equivalence":  # that there is none is what this test is to show
        assert test.reject
        return
    # one-sided, a statistic that may fall on either side stands in the middle of its distribution
    assert test.pvalue == 1 if alternative == "two-sided" else test.pvalue >= 0.5
    assert not test.reject
    if name != "SignTest split":  # there the zeros count, half of them for either side
        assert "nothing speaks against H0" in test.conclusion


@each_test
def test_the_conclusion_says_what_was_decided(name, alternative):
    for r in range(R):
        test = make(name, alternative).at(r)
        assert test.conclusion.startswith("Reject H0 at alpha = 0.1" if test.reject else "Fail to reject H0 at alpha = 0.1")
        if not np.isinf(test.statistic):
            assert (test.finding if test.reject else test.claim) in test.conclusion
        assert "accept" not in test.conclusion.lower()


@each_test
def test_an_unknown_alternative_is_refused(name, alternative):
    with pytest.raises(ValueError, match=rf"alternative must be .*'{alternative}'.* for \w+; got 'unequal'"):
        make(name, alternative).assuming(alternative="unequal")


# -- copies -------------------------------------------------------------------------------------------------------------


@each_procedure
@pytest.mark.parametrize("trip", [lambda t: pickle.loads(pickle.dumps(t)), copy.copy, copy.deepcopy], ids=["pickle", "copy", "deepcopy"])
def test_copies_have_the_same_values(name, alternative, trip):
    test = make(name, alternative)
    again = trip(test)
    for step in test.steps:
        assert_same(getattr(again, step), getattr(test, step))
    for key in test.inputs:
        assert not isinstance(getattr(again, key), np.ndarray) or not getattr(again, key).flags.writeable


@each_procedure
def test_every_array_is_read_only(name, alternative):
    test = make(name, alternative)
    for key in (*test.inputs, *test.steps):
        value = getattr(test, key)
        for array in value if isinstance(value, Interval) else [value]:
            assert not isinstance(array, np.ndarray) or not array.flags.writeable, key


# -- what is shown ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parse():
    """Parse LaTeX with matplotlib: a formula that it understands, MathJax understands too.

    Each formula once, whatever the numbers in it: to the parser 0.25 and 17.5 are the same, and a sum of three like one of ten.
    """
    parser, seen = MathTextParser("path"), set()

    def check(text):
        text = re.sub(r"\d+(\.\d+)?", "0", text).replace(r"\left(-0\right)", "0").replace(r"\ldots", "0")
        text = re.sub(r"(?<![\w}) ])-0", "0", text)
        text = re.sub(r"(,\\ |, |; | [+-] )(0(?=\1))(?:\1-?0(?=\1))+", r"\1\2", text)
        if text and text not in seen:
            parser.parse(f"${text}$")
            seen.add(text)
        return len(seen)

    return check


@each_procedure
def test_formulas_are_latex(name, alternative, parse):
    batch = make(name, alternative)
    for test in (batch, batch.at(0), batch.at(3)):
        for row in test.worked():
            if row.kind != "conclusion":
                whole = equation(row)
                assert whole.startswith(equation(row, with_value=False))  # which is thus looked at, too
                assert row.substituted in whole
                assert "$" not in whole
                for text in (row.symbol, row.formula):  # parts of the whole that can be typeset by themselves, as the whole can
                    assert whole.count(text)
                    assert [text.count(one) for one in ("{", r"\left")] == [text.count(one) for one in ("}", r"\right")]
                parse(whole)
    assert parse("") > 10  # something was parsed


def test_relations_are_known_to_matplotlib():
    relations = {row.relation for name, alternative in every for row in make(name, alternative).at(0).worked()}
    assert {"=", r"\sim"} < relations
    for relation in relations:
        MathTextParser("agg").parse(f"$x {relation} y$")


def test_the_parser_sees_mistakes(parse):
    with pytest.raises(ValueError, match="frac"):
        parse(r"\frac{1}")


@each_procedure
def test_sentences_end_with_a_full_stop(name, alternative):
    for row in make(name, alternative).at(0).worked():
        assert row.sentence.endswith(".")
        assert len(row.sentence) > 5
        assert row.sentence[0].isupper()


def joined(latex):
    """LaTeX without what breaks its lines: a page of paper is broken, one that scrolls is not."""
    return re.sub(r"\\\\|&|\\quad|\\text|[{}\s]", "", latex)


@each_procedure
def test_text_html_and_latex_show_every_row(name, alternative):
    batch = make(name, alternative)
    for test in (batch, batch.at(0)):
        text, html, latex = repr(test), test._repr_html_(), test.to_latex()
        assert text.startswith(type(test).__name__)
        assert joined(test._repr_latex_()) == joined(f"${latex}$")
        for row in test.worked():
            if row.kind == "conclusion":
                assert row.value in " ".join(text.split())  # in lines
                assert prose(row.value) in html
                continue
            assert row.name in text
            assert f"<code>{row.name}" in html
            if row.kind == "step":
                assert joined(row.symbol) in joined(latex)
                assert joined(row.formula) in joined(latex)


@each_procedure
def test_a_number_after_words_is_not_multiplied_by_them(name, alternative):
    for row in make(name, alternative).at(0).worked():
        assert not re.search(r"\\text\{[^{}]*\}\s*\\cdot(?!s)", row.substituted)


def has_long_columns(name):
    """Whether a test takes columns, of any length."""
    cls, data, _, _ = CASES[name]
    return not issubclass(cls, FIXED) and any(np.ndim(value) > 1 for value in data.values())


@pytest.mark.parametrize("name", [name for name in CASES if has_long_columns(name)])
def test_long_columns_are_cut(name):
    cls, data, settings, _ = CASES[name]
    test = cls(**{key: np.concatenate([value[..., 0]] * 5) if np.ndim(value) > 1 else value for key, value in data.items()}, **settings)
    shown = [row for row in test.worked() if row.is_column or (len(row.over) == 2 and not isinstance(row.value, Interval))]
    longest = max(len(row.value) for row in shown)
    assert longest > 20
    assert f"... and {longest - 20} more" in repr(test)
    assert "\n  21  " not in repr(test)


def is_plain(value):
    """Numbers, text, and lists of them."""
    return all(map(is_plain, value)) if type(value) is list else type(value) in (int, float, str, bool)


@each_procedure
def test_to_dict_is_plain_python(name, alternative):
    batch = make(name, alternative)
    for test in (batch, batch.at(0)):
        shown = test.to_dict()
        assert shown["test"] == type(test).__name__
        opened = {f"{row.name}_open" for row in test.worked() if isinstance(row.value, Interval) and row.value.has_an_open_end}
        assert set(shown) == {"test", *(row.name for row in test.worked()), *opened}
        assert all(is_plain(value) for value in shown.values())
        assert json.loads(json.dumps(shown, allow_nan=False)) == shown  # infinite numbers are text, which float reads
        for row in test.worked():
            if are_names(row.value):
                assert np.shape(shown[row.name])[0] == len(row.value)
            elif isinstance(row.value, (np.generic, np.ndarray)):
                assert np.array_equal(np.array(shown[row.name]).astype(row.value.dtype), row.value)


# -- half-way starts ----------------------------------------------------------------------------------------------------


def needs_data(cls, name):
    """Whether a value hangs on an input without a default."""
    return name not in cls.defaults if name in cls.inputs else any(needs_data(cls, slot) for slot in cls.steps[name].slots)


@pytest.mark.parametrize("name", CASES)
def test_without_anything_each_step_says_what_it_needs(name):
    cls = CASES[name][0]
    for step in cls.steps:
        if not needs_data(cls, step):  # such as chi-squared with one degree of freedom, and its critical value
            continue
        with pytest.raises(NotStated, match=rf"{cls.__name__}\.{step} cannot be computed: .*it needs \w+ \("):
            getattr(cls.from_steps(), step)


def test_every_public_test_is_in_the_loop():
    public = {thing for name in fstats.__all__ if isinstance(thing := getattr(fstats, name), type) and issubclass(thing, Procedure)}
    assert public == {cls for cls, *_ in CASES.values()} - {TukeyKramer}  # which TukeyHSD.from_groups makes
