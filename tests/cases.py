"""Every test class with data of its own: batches that hold everything from one extreme to the other, with ties and zeros.

A new class joins by one line of CASES, and one of steps_in_order.toml.
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


def proportions(seed, **more):
    """Counts of right answers to 20 questions."""
    return dict(zip(("correct_a", "correct_b"), discordant(seed).values(), strict=True), n=np.full(R, 20), **more)


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


# tests for one number of splits: longer columns are refused
FIXED = (
    *(fstats.CorrectedRepeatedKFoldT, fstats.FiveByTwoT, fstats.CombinedFiveByTwoF, fstats.BlockedThreeByTwoT),
    *(fstats.BlockedFiveByTwoMcNemar, fstats.BlockedFiveByTwoT, fstats.TablePosteriors),
)
# name: (class, data, settings)
CASES = {
    "PairedT": (fstats.PairedT, scores(9, 1), {}),
    "ClusteredDifference": (
        fstats.ClusteredDifference,
        scores(12, 41) | {"clusters": np.stack([np.roll([1, 1, 2, 2, 2, 3, 4, 4, 4, 4, 5, 5], r) for r in range(R)], axis=1)},
        {},
    ),
    "OneSampleT": (fstats.OneSampleT, {"x": independent(9, 9, 10)["x"], "mu": 0.8}, {}),
    "TwoSampleT": (fstats.TwoSampleT, independent(9, 7, 11), {}),
    "WelchT": (fstats.WelchT, independent(6, 9, 12), {}),
    "EquivalenceT": (fstats.EquivalenceT, scores(9, 13), {"margin": 0.02}),
    "EquivalenceSignedRank": (fstats.EquivalenceSignedRank, scores(9, 25), {"margin": 0.02}),
    "SignedRank drop exact": (fstats.SignedRank, scores(9, 2), {}),
    "SignedRank drop normal": (fstats.SignedRank, scores(9, 3), {"method": "normal"}),
    "SignedRank pratt exact": (fstats.SignedRank, scores(9, 4), {"zeros": "pratt"}),
    "SignedRank pratt normal": (fstats.SignedRank, scores(9, 5), {"zeros": "pratt", "method": "normal"}),
    "SignedRank split exact": (fstats.SignedRank, scores(9, 6), {"zeros": "split"}),
    "SignedRank split normal": (fstats.SignedRank, scores(9, 7), {"zeros": "split", "method": "normal"}),
    "RankSum exact": (fstats.RankSum, independent(5, 6, 14), {}),
    "RankSum normal": (fstats.RankSum, independent(6, 5, 15), {"method": "normal"}),
    "SignTest drop": (fstats.SignTest, scores(9, 16), {}),
    "SignTest split": (fstats.SignTest, scores(9, 17), {"zeros": "split"}),
    **{
        f"BinomialProportion {method}": (
            fstats.BinomialProportion,
            {"right": np.array([0, 3, 9, 14, 16, 19, 20]), "n": np.full(R, 20), "share": 0.7},
            {"method": method},
        )
        for method in ("wilson", "clopper-pearson", "jeffreys")
    },
    "McNemarExact": (fstats.McNemarExact, discordant(8), {}),
    "McNemarMidP": (fstats.McNemarMidP, discordant(18), {}),
    "McNemar": (fstats.McNemar, discordant(19), {}),
    "McNemar uncorrected": (fstats.McNemar, discordant(20), {"correction": False}),
    "DifferenceOfProportions": (fstats.DifferenceOfProportions, proportions(21), {}),
    "DifferenceOfProportions of different records": (fstats.DifferenceOfProportions, proportions(21, n_b=np.arange(20, 20 + R)), {}),
    "DeLong": (fstats.DeLong, ranked_records(18, 94), {}),
    "UnpairedDeLong": (fstats.UnpairedDeLong, unpaired_records(22, 95), {}),
    "PairedBootstrap": (fstats.PairedBootstrap, classified(30, 104), {"draws": 400}),
    "PairedBootstrap BCa": (fstats.PairedBootstrap, ranked_records(30, 105), {"draws": 400, "metric": "auc", "interval": "BCa"}),
    "PairedPermutation": (fstats.PairedPermutation, classified(30, 106), {"metric": "balanced_accuracy"}),
    "PairedPermutation by draws": (fstats.PairedPermutation, ranked_records(30, 107), {"draws": 400, "metric": "auc"}),
    "Friedman": (fstats.Friedman, table(6, 4, 30), {}),
    "Friedman ties ignored": (fstats.Friedman, table(6, 4, 31), {"ties": "ignore"}),
    "Friedman exact": (fstats.Friedman, table(5, 3, 32), {"method": "exact"}),
    "Friedman exact ties ignored": (fstats.Friedman, table(5, 3, 33), {"method": "exact", "ties": "ignore", "higher_is_better": False}),
    "ImanDavenport": (fstats.ImanDavenport, table(6, 4, 34), {}),
    "ImanDavenport ties ignored": (fstats.ImanDavenport, table(6, 4, 35), {"ties": "ignore"}),
    "Quade": (fstats.Quade, table(6, 4, 36), {}),
    "FriedmanAligned": (fstats.FriedmanAligned, table(6, 4, 90), {}),
    "FriedmanAligned ties ignored": (fstats.FriedmanAligned, table(6, 4, 91), {"ties": "ignore", "higher_is_better": False}),
    "CochranQ": (fstats.CochranQ, right_or_wrong(9, 4, 37), {}),
    "OneWayAnova": (fstats.OneWayAnova, table(8, 4, 40), {}),
    "RepeatedAnova": (fstats.RepeatedAnova, table(9, 4, 41), {}),
    "RepeatedAnova Greenhouse-Geisser": (fstats.RepeatedAnova, table(9, 4, 42), {"sphericity": "greenhouse-geisser"}),
    "RepeatedAnova Huynh-Feldt": (fstats.RepeatedAnova, table(9, 3, 43), {"sphericity": "huynh-feldt"}),
    "TukeyHSD repeated": (fstats.TukeyHSD, table(9, 4, 44), {}),
    "TukeyHSD independent": (fstats.TukeyHSD, table(8, 3, 45), {"design": "independent"}),
    "TukeyKramer": (TukeyKramer, table(8, 3, 46), {}),
    "Nemenyi": (fstats.Nemenyi, table(6, 4, 38), {}),
    "BonferroniDunn": (fstats.BonferroniDunn, table(6, 4, 50), {"control": "B"}),
    "Holm": (fstats.Holm, table(6, 4, 51), {}),
    "Holm with a control": (fstats.Holm, table(6, 4, 52), {"control": "C"}),
    "BenjaminiHochberg": (fstats.BenjaminiHochberg, table(6, 4, 59), {}),
    "BenjaminiYekutieli": (fstats.BenjaminiYekutieli, table(6, 4, 60), {}),
    "Hochberg": (fstats.Hochberg, table(6, 4, 53), {}),
    "Hommel": (fstats.Hommel, table(6, 4, 54), {}),
    "Finner": (fstats.Finner, table(6, 4, 55), {}),
    "Li": (fstats.Li, table(6, 4, 56), {}),
    "Shaffer": (fstats.Shaffer, table(6, 4, 57), {}),
    "BergmannHommel": (fstats.BergmannHommel, table(6, 4, 58), {}),
    "PairwiseAligned": (fstats.PairwiseAligned, table(6, 4, 92), {}),
    "PairwiseAligned with a control": (fstats.PairwiseAligned, table(6, 4, 93), {"higher_is_better": False, "control": "C"}),
    "Pairwise": (fstats.Pairwise, table(6, 4, 59), {}),
    "Pairwise errors": (fstats.Pairwise, table(6, 4, 60), {"higher_is_better": False, "using": fstats.PairedT, "control": "A"}),
    "BlockedFiveByTwoMcNemar": (fstats.BlockedFiveByTwoMcNemar, {"tables": contingency((5, 2), 40, 61)}, {}),
    "BlockedFiveByTwoMcNemar, other correlations": (
        fstats.BlockedFiveByTwoMcNemar,
        {"tables": contingency((5, 2), 40, 62)},
        {"rho1": 0.1, "rho2": 0.3, "lam": 0.5},
    ),
    "TablePosteriors": (fstats.TablePosteriors, {"table": contingency((), 40, 63)}, {}),
    "ResampledT": (fstats.ResampledT, {"d": differences((15,), 70)}, {}),
    "KFoldT": (fstats.KFoldT, {"d": differences((10,), 71)}, {}),
    "CorrectedResampledT": (fstats.CorrectedResampledT, {"d": differences((15,), 72), "test_train_ratio": 1 / 9}, {}),
    "CorrectedRepeatedKFoldT": (fstats.CorrectedRepeatedKFoldT, {"d": differences((10, 10), 73)}, {}),
    "FiveByTwoT": (fstats.FiveByTwoT, {"d": differences((5, 2), 74)}, {}),
    "CombinedFiveByTwoT": (fstats.CombinedFiveByTwoT, {"d": differences((5, 2), 75)}, {}),
    "CombinedFiveByTwoF": (fstats.CombinedFiveByTwoF, {"d": differences((5, 2), 76)}, {}),
    "CalibratedFiveByTwoF": (fstats.CalibratedFiveByTwoF, {"d": differences((5, 2), 77)}, {}),
    "BlockedThreeByTwoT": (fstats.BlockedThreeByTwoT, {"d": differences((3, 2), 78)}, {}),
    "PseudoBootstrapT": (fstats.PseudoBootstrapT, {"d": differences((15,), 79), "replicates": differences((15, 6), 80)}, {}),
    "CorrectedPseudoBootstrapT": (
        fstats.CorrectedPseudoBootstrapT,
        {"d": differences((15,), 81), "replicates": differences((15, 6), 82), "test_train_ratio": 1 / 9},
        {},
    ),
    "ConservativeZ": (fstats.ConservativeZ, {"d": differences((15,), 83), "halves": differences((10, 2), 84)}, {}),
    "BlockedFiveByTwoT": (fstats.BlockedFiveByTwoT, {"tables": contingency((5, 2), 40, 61)}, {}),
    "CrossValidatedZ out": (fstats.CrossValidatedZ, of_records(60, 5, 85), {}),
    "CrossValidatedZ in": (fstats.CrossValidatedZ, of_records(60, 5, 86), {"variance": "in"}),
    "ProportionalZ": (fstats.ProportionalZ, proportions(21), {}),
    "HoldOutMcNemar": (fstats.HoldOutMcNemar, discordant(19), {}),
    "NaiveKFoldMcNemar zero": (fstats.NaiveKFoldMcNemar, of_folds(10, 87), {}),
    "NaiveKFoldMcNemar drop": (fstats.NaiveKFoldMcNemar, of_folds(10, 88), {"empty": "drop"}),
    "BayesianSignTest": (fstats.BayesianSignTest, scores(9, 90), {"rope": 0.02}),
    "BayesianSignTest, prior of B": (fstats.BayesianSignTest, scores(9, 91), {"rope": 0.01, "prior": 0.5, "place": "worse"}),
    "BayesianSignTest, prior of A": (fstats.BayesianSignTest, scores(9, 92), {"rope": 0.01, "place": "better"}),
    "BayesianSignedRank": (fstats.BayesianSignedRank, scores(9, 93), {"rope": 0.02, "draws": 500}),
    "BayesianCorrelatedT": (fstats.BayesianCorrelatedT, {"d": differences((10,), 94), "rho": 0.1}, {"rope": 0.01}),
    "BayesianHierarchical": (fstats.BayesianHierarchical, {"d": mirrored((5, 4), 95), "rho": 0.2}, {"rope": 0.01, "nodes": 3}),
    "BayesianHierarchical, prior stated": (
        fstats.BayesianHierarchical,
        {"d": mirrored((5, 3), 96), "rho": 0.2},
        {"rope": 0.02, "reach": 1.0, "shape": (1, 2), "rate": (0.01, 0.1), "nodes": 3},
    ),
    "BradleyTerry": (fstats.BradleyTerry, table(6, 4, 110), {"points": 2**10}),
    "BayesianMultilevel": (fstats.BayesianMultilevel, table(6, 4, 112), {"rope": 0.01}),
    "BayesianMultilevel, losses": (fstats.BayesianMultilevel, table(5, 3, 113), {"rope": 0.0, "prior": 0.5, "higher_is_better": False}),
    "BradleyTerry, independent": (
        fstats.BradleyTerry,
        table(7, 3, 111),
        {"points": 2**10, "counted": "independent", "higher_is_better": False},
    ),
    "Normality": (fstats.Normality, {"x": scores(9, 22)["a"]}, {}),
    "Symmetry": (fstats.Symmetry, {"x": scores(9, 23)["a"]}, {}),
    "Outliers": (fstats.Outliers, {"x": scores(9, 24)["a"]}, {}),
    "VarianceParts": (fstats.VarianceParts, {"d": differences((5, 3), 97)}, {}),
    "VariancePartsOfDataSets": (fstats.VariancePartsOfDataSets, {"d": differences((5, 3, 2), 98)}, {}),
    "SampledAnswers": (fstats.SampledAnswers, {"scores": differences((6, 4), 101)}, {}),
    "PassAtK": (fstats.PassAtK, right_answers(8, 102), {"k": 3}),
    "QuestionsNeeded": (
        fstats.QuestionsNeeded,
        {name: np.linspace(low, high, R) for name, low, high in (("delta", 0.02, 0.2), ("spread_a", 0.0, 0.5), ("spread_b", 0.4, 0.2))},
        {"correlation": 0.4, "sampling_a": 0.3, "sampling_b": 0.2, "answers": 3, "family": 4, "family_correlation": 0.2},
    ),
    "ProbabilityOfOutperforming": (fstats.ProbabilityOfOutperforming, scores(9, 99), {}),
    "InterquartileMean": (fstats.InterquartileMean, {"scores": differences((4, 3), 103)}, {"draws": 300, "target": 0.02}),
    "DifferenceOfInterquartileMeans": (
        fstats.DifferenceOfInterquartileMeans,
        {"a": differences((5, 3), 109), "b": -differences((5, 4), 110)},
        {"draws": 300},
    ),
    "ProbabilityOfImprovement": (
        fstats.ProbabilityOfImprovement,
        {"a": differences((5, 3), 104), "b": -differences((5, 4), 105)},
        {"draws": 300},
    ),
    "PerformanceProfile": (
        fstats.PerformanceProfile,
        {"scores": differences((4, 3), 106), "thresholds": np.linspace(-0.03, 0.03, 5)[:, None] + np.zeros(R)},
        {},
    ),
    "AlmostStochasticOrder": (fstats.AlmostStochasticOrder, {"a": differences((5,), 107), "b": -differences((4,), 108)}, {"draws": 300}),
    "PairedTable": (fstats.PairedTable, predictions(9), {}),
}


@cache
def make(name, alternative):
    """The batch of a case: one for all tests that look at it, since it never changes, and each of its steps is computed once."""
    cls, data, settings = CASES[name]
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
