"""Every test class with data of its own: batches that hold everything from one extreme to the other, with ties and zeros.

A new class joins by one line of CASES.
"""

from contextlib import contextmanager
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import fstats
from fstats.core.hypothesis import HypothesisTest
from fstats.procedures.posthoc.tukey_hsd import TukeyKramer
from fstats.testing.check_assertions import is_equal

R = 7  # repetitions in a batch


def scores(n, seed):
    """Scores with two digits, n data sets by R repetitions, with many ties and zeros.

    In the first repetitions B is better, in the last A, and in the one in the middle there is no difference at all.
    """
    a, b = np.random.default_rng(seed).normal(0.8, 0.02, (2, n, R))
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
    n01, n10 = np.random.default_rng(seed).integers(0, 20, (2, R))
    n01[3] = n10[3] = 0
    return {"n01": n01, "n10": n10}


def predictions(seed):
    """Three classes, 30 records by R repetitions."""
    rng = np.random.default_rng(seed)
    return dict(zip(("y_true", "pred_a", "pred_b"), rng.integers(0, 3, (3, 30, R)), strict=True))


def classified(n, seed):
    """Two classes of n records, and what two classifiers predict: first B is better, then A; the repetition in the middle is the same."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, (n, R))
    a, b = (np.where(rng.random((n, R)) < 0.7 + side * np.linspace(-0.3, 0.3, R), y, 1 - y) for side in (1, -1))
    a[:, 3] = b[:, 3]
    return {"y_true": y, "a": a, "b": b}


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


def mirrored(shape, seed):
    """The same, of which each repetition is another one with A and B changed over: what takes long is worked out for one of the two."""
    d = differences(shape, seed)
    d[..., 4:] = -d[..., 2::-1]
    return d


def of_records(n, k, seed):
    """Differences of right and wrong on n records, tested in k folds."""
    d = np.sign(differences((n,), seed)) * (np.random.default_rng(seed).random((n, R)) < 0.3)
    return {"d": d, "folds": np.stack([np.random.default_rng(seed + r).permutation(np.arange(n) % k) for r in range(R)], axis=1)}


def right_answers(n, seed):
    """Right answers to n questions, of some that were sampled; in the repetition in the middle there are none."""
    rng = np.random.default_rng(seed)
    samples = rng.integers(5, 12, (n, R))
    correct = rng.integers(0, samples + 1)
    correct[:, 3] = 0
    return {"correct": correct, "samples": samples}


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
PARTS = "residuals ss df ms solved components shares variance se f_ratios ratio_low ratio_high"
FOLDS = "fold_sizes fold_means fold_variances"
CELLS = "n00 n01 n10 n11"
EFFECTIVE = "effective_table n00_effective n01_effective n10_effective n11_effective n_effective"
POSTERIORS = "beta_a beta_b modes means"
SCATTER = "n01_of_fold n10_of_fold imbalance imbalance_of_repetition scatter scatter_interval"
BCV = f"mean_table {CELLS} n e r q_a q_b variance t {EFFECTIVE} statistic {CLOSING} effect_size {SCATTER} {POSTERIORS}"
# tests for one number of splits: longer columns are refused
FIXED = (
    fstats.CorrectedRepeatedKFoldT,
    fstats.FiveByTwoT,
    fstats.CombinedFiveByTwoF,
    fstats.BlockedThreeByTwoT,
    fstats.BlockedFiveByTwoMcNemar,
    fstats.BlockedFiveByTwoT,
    fstats.TablePosteriors,
)
INTERVAL_OF_MEAN = "null critical_value ci"
# name: (class, data, settings, the steps in the order of the slide)
CASES = {
    "PairedT": (fstats.PairedT, scores(9, 1), {}, f"d n mean sd se statistic df {CLOSING} ci effect_size"),
    "ClusteredDifference": (
        fstats.ClusteredDifference,
        scores(12, 41) | {"clusters": np.stack([np.roll([1, 1, 2, 2, 2, 3, 4, 4, 4, 4, 5, 5], r) for r in range(R)], axis=1)},
        {},
        f"d n mean sd cluster_sizes cluster_count cluster_sums se statistic df {CLOSING} ci effect_size naive_se design_effect effective_n",
    ),
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
    "PairedBootstrap": (
        fstats.PairedBootstrap,
        classified(30, 104),
        {"draws": 400},
        f"n metric_a metric_b statistic resampled se {CLOSING} effect_size ci mc_error",
    ),
    "PairedBootstrap BCa": (
        fstats.PairedBootstrap,
        ranked_records(30, 105),
        {"draws": 400, "metric": "auc", "interval": "BCa"},
        f"n metric_a metric_b statistic resampled se bias acceleration {CLOSING} effect_size ci mc_error",
    ),
    "PairedPermutation": (
        fstats.PairedPermutation,
        classified(30, 106),
        {"metric": "balanced_accuracy"},
        f"n metric_a metric_b statistic discordant {CLOSING} effect_size mc_error",
    ),
    "PairedPermutation by draws": (
        fstats.PairedPermutation,
        ranked_records(30, 107),
        {"draws": 400, "metric": "auc"},
        f"n metric_a metric_b statistic discordant {CLOSING} effect_size mc_error",
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
    "FriedmanAligned": (fstats.FriedmanAligned, table(6, 4, 90), {}, f"{ALIGNED} within statistic df {CLOSING} effect_size"),
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
    "BonferroniDunn": (fstats.BonferroniDunn, table(6, 4, 50), {"control": "B"}, f"{COMPARED} pvalues q_alpha cd reject ci_low ci_high"),
    "Holm": (fstats.Holm, table(6, 4, 51), {}, f"{COMPARED} {LADDER} most_true thresholds {ADJUSTED}"),
    "Holm with a control": (fstats.Holm, table(6, 4, 52), {"control": "C"}, f"{COMPARED} {LADDER} most_true thresholds {ADJUSTED}"),
    "BenjaminiHochberg": (fstats.BenjaminiHochberg, table(6, 4, 59), {}, f"{COMPARED} {LADDER} raised_by thresholds {ADJUSTED}"),
    "BenjaminiYekutieli": (fstats.BenjaminiYekutieli, table(6, 4, 60), {}, f"{COMPARED} {LADDER} harmonic raised_by thresholds {ADJUSTED}"),
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
    "BlockedFiveByTwoT": (
        fstats.BlockedFiveByTwoT,
        {"tables": contingency((5, 2), 40, 61)},
        {},
        "n n10_of_repetition n01_of_repetition mean_of_repetition mean e repetition_sd correction se statistic df "
        f"{CLOSING} se_at_ends ci effect_size n01_of_fold n10_of_fold imbalance imbalance_of_repetition scatter",
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
    "NaiveKFoldMcNemar zero": (
        fstats.NaiveKFoldMcNemar,
        of_folds(10, 87),
        {},
        f"n statistics statistic df {CLOSING} effect_size imbalance mean_imbalance scatter",
    ),
    "NaiveKFoldMcNemar drop": (
        fstats.NaiveKFoldMcNemar,
        of_folds(10, 88),
        {"empty": "drop"},
        f"n statistics statistic df {CLOSING} effect_size imbalance mean_imbalance scatter",
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
        {"d": mirrored((5, 4), 95), "rho": 0.2},
        {"rope": 0.01, "nodes": 3},
        f"n means sds mean_bound sd_bound scale_bound population posterior expected "
        f"{ROPE} grid_error credible shrunk shrunk_low shrunk_high",
    ),
    "BayesianHierarchical, prior stated": (
        fstats.BayesianHierarchical,
        {"d": mirrored((5, 3), 96), "rho": 0.2},
        {"rope": 0.02, "reach": 1.0, "shape": (1, 2), "rate": (0.01, 0.1), "nodes": 3},
        f"n means sds mean_bound sd_bound scale_bound population posterior expected "
        f"{ROPE} grid_error credible shrunk shrunk_low shrunk_high",
    ),
    "BradleyTerry": (
        fstats.BradleyTerry,
        table(6, 4, 110),
        {"points": 2**10},
        "pairs wins losses ties comparisons k worth won lost posterior abilities elo elo_low elo_high best estimates low high superior "
        "probabilities decided mc_error",
    ),
    "BayesianMultilevel": (
        fstats.BayesianMultilevel,
        table(6, 4, 112),
        {"rope": 0.01},
        "n means k dataset_means grand_mean residuals ss_error effects posterior kept shrunk pairs estimates low high "
        "probabilities decided",
    ),
    "BayesianMultilevel, losses": (
        fstats.BayesianMultilevel,
        table(5, 3, 113),
        {"rope": 0.0, "prior": 0.5, "higher_is_better": False},
        "n means k dataset_means grand_mean residuals ss_error effects posterior kept shrunk pairs estimates low high "
        "probabilities decided",
    ),
    "BradleyTerry, independent": (
        fstats.BradleyTerry,
        table(7, 3, 111),
        {"points": 2**10, "counted": "independent", "higher_is_better": False},
        "pairs wins losses ties comparisons k worth won lost posterior abilities elo elo_low elo_high best estimates low high superior "
        "probabilities decided mc_error",
    ),
    "Normality": (fstats.Normality, {"x": scores(9, 22)["a"]}, {}, "n ordered quantiles statistic pvalue"),
    "Symmetry": (fstats.Symmetry, {"x": scores(9, 23)["a"]}, {}, "n median above below skewness"),
    "Outliers": (fstats.Outliers, {"x": scores(9, 24)["a"]}, {}, "first_quartile third_quartile width low_fence high_fence outside"),
    "VarianceParts": (fstats.VarianceParts, {"d": differences((5, 3), 97)}, {}, f"n_splits n_seeds split_means seed_means mean {PARTS}"),
    "VariancePartsOfDataSets": (
        fstats.VariancePartsOfDataSets,
        {"d": differences((5, 3, 2), 98)},
        {},
        f"n_splits n_seeds split_means seed_means n_data_sets dataset_means mean {PARTS}",
    ),
    "SampledAnswers": (
        fstats.SampledAnswers,
        {"scores": differences((6, 4), 101)},
        {},
        f"n_answers question_means n mean spread se {INTERVAL_OF_MEAN} within solved between share least_se",
    ),
    "PassAtK": (fstats.PassAtK, right_answers(8, 102), {"k": 3}, f"question_means n mean spread se {INTERVAL_OF_MEAN}"),
    "QuestionsNeeded": (
        fstats.QuestionsNeeded,
        {name: np.linspace(low, high, R) for name, low, high in (("delta", 0.02, 0.2), ("spread_a", 0.0, 0.5), ("spread_b", 0.4, 0.2))},
        {"correlation": 0.4, "sampling_a": 0.3, "sampling_b": 0.2, "answers": 3, "family": 4, "family_correlation": 0.2},
        "between within design_effect variance families questions",
    ),
    "ProbabilityOfOutperforming": (
        fstats.ProbabilityOfOutperforming,
        scores(9, 99),
        {},
        "d n wins ties probability resampled ci reject meaningful sample_size",
    ),
    "InterquartileMean": (
        fstats.InterquartileMean,
        {"scores": differences((4, 3), 103)},
        {"draws": 300, "target": 0.02},
        "n cut ordered iqm resampled ci mc_error optimality_gap resampled_gap gap_ci",
    ),
    "DifferenceOfInterquartileMeans": (
        fstats.DifferenceOfInterquartileMeans,
        {"a": differences((5, 3), 109), "b": -differences((5, 4), 110)},
        {"draws": 300},
        "iqm_a iqm_b difference resampled ci reject mc_error",
    ),
    "ProbabilityOfImprovement": (
        fstats.ProbabilityOfImprovement,
        {"a": differences((5, 3), 104), "b": -differences((5, 4), 105)},
        {"draws": 300},
        "n_tasks n_seeds_a n_seeds_b task_probabilities probability resampled ci reject meaningful mc_error",
    ),
    "PerformanceProfile": (
        fstats.PerformanceProfile,
        {"scores": differences((4, 3), 106), "thresholds": np.linspace(-0.03, 0.03, 5)[:, None] + np.zeros(R)},
        {},
        "n_tasks n_seeds above_shares profile resampled profile_low profile_high simultaneous",
    ),
    "AlmostStochasticOrder": (
        fstats.AlmostStochasticOrder,
        {"a": differences((5,), 107), "b": -differences((4,), 108)},
        {"draws": 300},
        "n_a n_b weights d distance violation resampled se bound reject mc_error",
    ),
    "PairedTable": (fstats.PairedTable, predictions(9), {}, "table n01 n10 records correct_a correct_b difference difference_ci"),
}


@cache
def make(name, alternative):
    """The batch of a case: one for all tests that look at it, since it never changes, and each of its steps is computed once."""
    cls, data, settings, _ = CASES[name]
    if issubclass(cls, HypothesisTest):
        settings = settings | {"alternative": alternative, "alpha": 0.1}
    return cls(**data, **settings)


ON_A_GRID = "BayesianHierarchical, prior stated"  # seconds for all that it is asked, and another case is worked out as it is
every = [
    (name, alternative) for name, (cls, *_) in CASES.items() for alternative in (cls.tails if issubclass(cls, HypothesisTest) else ("",))
]
each_procedure = pytest.mark.parametrize(("name", "alternative"), every)
# those of the first alternative in every run, with which most of what they show and compute is the same as with the others
when_asked = [
    pytest.param(*pair, marks=[pytest.mark.slow] * (before[0] == pair[0] or pair[0] == ON_A_GRID))
    for before, pair in pairwise([("", ""), *every])
]
each_alternative_when_asked = pytest.mark.parametrize(("name", "alternative"), when_asked)
each_test = pytest.mark.parametrize(("name", "alternative"), [pair for pair in every if pair[1]])


def most_of(names):
    """These cases as parameters; with the one on a grid when everything is asked for."""
    return [pytest.param(name, marks=pytest.mark.slow) if name == ON_A_GRID else name for name in names]


@contextmanager
def told(*case):
    """What fails in one turn of a loop says in which."""
    try:
        yield
    except Exception as error:
        error.add_note(f"Of {', '.join(map(str, case))}.")
        raise


def assert_same(x, y):
    """Equal, up to the last digits where numpy sums a column and a table in different orders."""
    assert is_equal(x, y), (x, y)
