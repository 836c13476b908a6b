"""Procedures for several p-values: published tables, plain loops, closed testing by brute force, and the rivals' errors."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.stats as st
from hypothesis import given
from hypothesis import strategies as some
from shortcuts import assert_each_raises, assert_raises, parametrize

import fstats
from fstats.procedures.posthoc.bergmann_hommel import bell_number, exhaustive_sets, partitions
from fstats.procedures.posthoc.posthoc_comparison import PostHocComparison
from fstats.procedures.posthoc.shaffer import true_counts

SEED = 40
ANY = [fstats.Holm, fstats.Hochberg, fstats.Hommel, fstats.Finner, fstats.Li]
LOGICAL = [fstats.Shaffer, fstats.BergmannHommel]
each = pytest.mark.parametrize("procedure", ANY + LOGICAL)
DEMSAR = {"n": 14, "k": 4, "mean_ranks": [3.143, 2.0, 2.893, 1.964], "labels": ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]}
NINE = ["PSO", "IPOP-CMA-ES", "CHC", "SSGA", "SS-BLX", "SS-Arit", "DE-Bin", "DE-Exp", "SaDE"]
DERRAC = {"n": 25, "k": 9, "mean_ranks": [7, 4.84, 6.28, 5.5, 4.64, 5.4, 4, 3.5, 3.84], "labels": NINE}


def random_pvalues(rng, *shape):
    """p-values of which many are small, some tie, and some are 1."""
    p = np.where(rng.random(shape) < 0.5, rng.random(shape) * 0.06, rng.random(shape))
    return np.where(rng.random(shape) < 0.2, np.ceil(p * 50) / 50, p)


def numbers(printed):
    return [float(number) for number in printed.split()]


# -- published answers --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("procedure", [fstats.Holm, fstats.Hochberg, fstats.Hommel])
def test_demsars_ladder(procedure):
    # section 3.2.2: z = 2.416, 2.342, .512; p = .016, .019, .607 (.6084, if the printed z is not rounded first)
    test = procedure.from_steps(**DEMSAR, control="C4.5")
    assert (test.se, test.z) == (pytest.approx(0.488, abs=5e-4), pytest.approx([2.342, 0.512, 2.416], abs=5e-4))
    assert [str(rung.pair) for rung in test.ladder] == ["C4.5+m+cf – C4.5", "C4.5+m – C4.5", "C4.5+cf – C4.5"]
    assert test.sorted_pvalues[:2] == pytest.approx([0.016, 0.019], abs=5e-4)
    assert (test.sorted_pvalues[2], [rung.reject for rung in test.ladder]) == (pytest.approx(0.607, abs=2e-3), [True, True, False])
    assert "C4.5+m is better than C4.5 by 1.143; C4.5+m+cf is better than C4.5 by 1.179." in test.conclusion
    assert procedure is fstats.Hommel or test.thresholds == pytest.approx([0.017, 0.025, 0.05], abs=5e-4)


def test_hommels_j_of_demsars_example():
    # he prints 2, but his own condition fails for j = 2 at k = 1: .019 is not above .05 / 2.  Both reject the same two
    test = fstats.Hommel.from_steps(**DEMSAR, control="C4.5")
    assert (test.j, test.thresholds.tolist()) == (1, [0.05] * 3)
    assert np.array_equal(test.pvalues <= 0.05 / 2, test.reject)


@pytest.mark.parametrize(("alpha", "j"), [(1e-9, 7), (1e-7, 6), (0.059, 6), (0.061, 5), (0.249, 5), (0.251, 4), (0.399, 4), (0.401, 3)])
def test_hommels_j_of_meijer_krebs_and_goeman(alpha, j):
    # without its last step, at 0.9, which is no level of a test
    # their example of "A shortcut for Hommel's procedure in linearithmic time" (2017)
    test = fstats.Hommel.from_pvalues([1e-8, 0.01, 0.08, 0.1, 0.5, 0.7, 0.9], alpha=alpha)
    assert (test.j, test.thresholds) == (j, pytest.approx([alpha / max(1, j)] * 7))
    assert not test.reject.all()


def test_demsars_tables():
    # ranked as printed they give other mean ranks than his; scikit-posthocs finds the same p-values
    test = fstats.Holm.from_steps(n=14, k=4, mean_ranks=np.array([44, 28, 41, 27]) / 14, control="A")
    assert test.pvalues == pytest.approx([0.0192, 0.6605, 0.0128], abs=5e-5)
    test = fstats.BonferroniDunn.from_steps(**DEMSAR, control="C4.5")
    assert test.q_alpha == pytest.approx(2.394, abs=5e-4)
    assert int(100 * test.cd) == 116  # printed 1.16, which is cut off
    assert (test.differences, test.reject.tolist()) == (pytest.approx([1.143, 0.25, 1.179], abs=1e-12), [False, False, True])
    assert test.conclusion.startswith(
        "Reject H0 at alpha = 0.05 for 1 of 3 comparisons of mean ranks: C4.5+m+cf is better than C4.5 by 1.179."
    )
    assert test.ci == (pytest.approx(test.differences - test.cd), pytest.approx(test.differences + test.cd))
    assert np.array_equal(test.reject, np.abs(test.differences) >= test.cd)
    assert np.array_equal(test.reject, (test.ci.low > 0) | (test.ci.high < 0))
    # his 2.724 for k = 9 at .05 is a misprint of 2.734
    at_5 = [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773]
    for alpha, row in ((0.05, at_5), (0.10, [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539])):
        ours = [fstats.BonferroniDunn.from_steps(n=10, k=k, alpha=alpha).q_alpha for k in range(2, 11)]
        assert ours == pytest.approx(row, abs=6e-4)
        assert ours == pytest.approx([st.norm.isf(alpha / 2 / (k - 1)) for k in range(2, 11)], rel=1e-12)


def test_garcia_and_herreras_pvalues():
    # their five classifiers on 30 data sets; p-values as scmamp's documentation prints them
    test = fstats.Shaffer.from_steps(
        n=30, k=5, mean_ranks=np.array([63, 97.5, 66, 130, 93.5]) / 30, labels=["C4.5", "1NN", "NB", "Kernel", "CN2"]
    )
    printed = (
        "4.848763e-03 8.064959e-01 4.486991e-08 1.276301e-02 1.011233e-02 7.963489e-03 7.439715e-01 1.736118e-07 2.474467e-02 2.880485e-03"
    )
    assert (test.pvalues, test.true_counts.tolist()) == (pytest.approx(numbers(printed), rel=5e-7), [0, 1, 2, 3, 4, 6, 10])
    assert test.most_true.tolist() == [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]


@parametrize(
    "procedure, printed",
    (fstats.BonferroniDunn, [0.000050, 0.002656, 0.078586, 0.113371, 0.669139, 1, 1, 1]),
    (fstats.Holm, [0.000050, 0.002324, 0.058940, 0.070857, 0.334569, 0.423278, 1, 1]),
    (fstats.Hochberg, [0.000050, 0.002324, 0.058940, 0.070857, 0.334569, 0.423278, 0.660706, 0.660706]),
    (fstats.Hommel, [0.000050, 0.002324, 0.049116, 0.070857, 0.282186, 0.423278, 0.660706, 0.660706]),
    (fstats.Finner, [0.000050, 0.001327, 0.025981, 0.028142, 0.130431, 0.183552, 0.566345, 0.660706]),
    (fstats.Li, [0.000018, 0.000978, 0.028137, 0.040093, 0.197766, 0.293707, 0.604506, 0.660706]),
)
def test_a_control_of_derrac_and_others(procedure, printed):
    # Derrac, Garcia, Molina and Herrera (2011), Swarm and Evolutionary Computation 1, Table 16: control DE-Exp
    test = procedure.from_steps(**DERRAC, control="DE-Exp")
    adjusted = test.pvalues if procedure is fstats.BonferroniDunn else test.adjusted
    assert np.sort(adjusted) == pytest.approx(printed, abs=5e-7)


HOLM_PRINTED = "0.000224 0.001579 0.003655 0.010956 0.052242 0.071713 0.097367 0.15354 0.275052 0.382627 0.834835 0.856006"
SHAFFER_PRINTED = (
    "0.000224 0.001263 0.00301 0.009296 0.045712 0.064773 0.090876 0.148246 0.275052 0.311771 0.706398 0.753286 0.855076 0.968322"
)
BERGMANN_PRINTED = (
    "0.000224 0.001263 0.002365 0.009296 0.034284 0.04164 0.051929 0.095301 0.216112 0.255085 0.513744 0.513744 "
    "0.621874 0.621874 0.63369 0.686498 0.756271 0.756271"
)


def test_derrac_and_others():
    # their Table 20: nine classifiers, 36 pairs.  Row 13 of Holm's column prints 1 where 24 * .038867 is .933
    holm, shaffer = (procedure.from_steps(**DERRAC).sorted_adjusted for procedure in (fstats.Holm, fstats.Shaffer))
    assert (holm[:12], holm[12]) == (pytest.approx(numbers(HOLM_PRINTED), abs=5e-7), pytest.approx(24 * 0.038867, abs=24 * 5e-7))
    assert (holm[13:] == 1).all()
    assert shaffer == pytest.approx(numbers(SHAFFER_PRINTED) + [1] * 22, abs=5e-7)
    # the same table, which prints the running maximum: rungs 12, 14, 16 and 18 repeat the one before
    test = fstats.BergmannHommel.from_steps(**DERRAC)
    ours = test.adjusted[np.lexsort((test.adjusted, test.pvalues.round(9)))]
    assert np.maximum.accumulate(ours) == pytest.approx(numbers(BERGMANN_PRINTED) + [1] * 18, abs=5e-7)
    assert (np.diff(ours) < -1e-3).nonzero()[0].tolist() == [10, 12, 16]
    assert np.array_equal(test.reject[test.order - 1], test.sorted_reject)
    assert test.reject.sum() == sum(p <= 0.05 for p in numbers(BERGMANN_PRINTED))


# -- what others get wrong ----------------------------------------------------------------------------------------------
@each
def test_adjusted_values_are_probabilities(procedure, rng):
    # the same rival prints up to 3.29
    ones, zeros, mixed = np.ones((10, 1)), np.zeros((10, 1)), np.repeat([0.0, 1.0], 5)
    for p in (random_pvalues(rng, 10, 500), ones, zeros, mixed, [0.82, 0.91, 0.97] + [1] * 7):
        adjusted = procedure.from_pvalues(p).adjusted
        assert ((adjusted >= p) & (adjusted <= 1)).all()  # and no nan
        assert (adjusted[np.equal(p, 0)] == 0).all()


def test_shaffer_runs_at_any_size(rng):
    # another rival's raises NameError
    for k in (2, 3, 10, 20):
        m = k * (k - 1) // 2
        assert (fstats.Shaffer.from_pvalues(rng.random(m)).most_true[[0, -1]] == [m, 1]).all()


def test_holm_keeps_the_level_where_an_impostor_does_not():
    # a default elsewhere, called Holm: alpha / (k - 1) for every pair, one-sided in the direction seen.  One bad classifier, five alike
    k, repetitions = 6, 1000
    scores = np.random.default_rng(41).normal(size=(30, k, repetitions))
    scores[:, 0] -= 6
    tests, ranks = fstats.Pairwise(scores), fstats.Friedman(scores).mean_ranks
    i, j = np.triu_indices(k, 1)
    alike = i > 0
    seen = np.sign(ranks[j] - ranks[i]) * np.sign(tests.effect_size)
    one_sided = np.where(seen >= 0, tests.pvalues / 2, 1 - tests.pvalues / 2)
    impostor = (one_sided <= 0.05 / (k - 1))[alike].any(0).mean()
    holm = fstats.Holm.from_test(tests).reject[alike].any(0).mean()
    spread = np.sqrt(0.05 * 0.95 / repetitions)
    assert holm <= 0.05 + 3 * spread
    assert impostor > 0.10 > 0.05 + 6 * spread


def test_a_control_is_compared_with_each_other_once():
    # not with all pairs: k - 1 hypotheses, and the level is shared by no more
    test = fstats.Holm.from_steps(**DEMSAR, control="C4.5+cf")
    assert [str(pair) for pair in test.pairs] == ["C4.5 – C4.5+cf", "C4.5+m – C4.5+cf", "C4.5+m+cf – C4.5+cf"]
    assert test.most_true.tolist() == [3, 2, 1]
    z = (2.893 - np.array([3.143, 2.0, 1.964])) / np.sqrt(4 * 5 / 6 / 14)
    assert test.pvalues == pytest.approx(2 * st.norm.sf(abs(z)), rel=1e-12)


# -- walking the ladder, as the sources describe it -----------------------------------------------------------------------
def step_down(p, levels):
    """How many of the sorted p-values are rejected before the first that is above its level."""
    rejected = 0
    while rejected < len(p) and p[rejected] <= levels[rejected]:
        rejected += 1
    return [r < rejected for r in range(len(p))]


def step_up(p, levels):
    """The largest p-value that is at most its level is rejected with all smaller ones."""
    last = max((r for r in range(len(p)) if p[r] <= levels[r]), default=-1)
    return [r <= last for r in range(len(p))]


def hommel(p, alpha):
    """Hommel's rule, word for word."""
    m = len(p)
    fits = [j for j in range(1, m + 1) if all(p[m - j + i - 1] > i * alpha / j for i in range(1, j + 1))]
    return [p[r] <= alpha / max(fits) for r in range(m)] if fits else [True] * m


def li(p, alpha):
    """Li's two steps."""
    if p[-1] <= alpha:
        return [True] * len(p)
    return [p[r] <= (1 - p[-1]) / (1 - alpha) * alpha for r in range(len(p) - 1)] + [False]


def most_true(k, left):
    """The largest number of pairs, at most `left`, that are true when the classifiers fall into groups: by trying all groupings."""
    return max(size for size in (sum(g * (g - 1) // 2 for g in np.bincount(groups)) for groups in partitions(k)) if size <= left)


def walk(procedure, p, alpha):
    """Decisions for sorted p-values, from the source's own words."""
    m = len(p)
    if procedure is fstats.Holm:
        return step_down(p, [alpha / (m - r) for r in range(m)])
    if procedure is fstats.Hochberg:
        return step_up(p, [alpha / (m - r) for r in range(m)])
    if procedure is fstats.Finner:
        return step_down(p, [1 - (1 - alpha) ** ((r + 1) / m) for r in range(m)])
    if procedure is fstats.Shaffer:
        return step_down(p, [alpha / most_true(5, m - r) for r in range(m)])
    return hommel(p, alpha) if procedure is fstats.Hommel else li(p, alpha)


@pytest.mark.complete
@pytest.mark.parametrize("procedure", [*ANY, fstats.Shaffer])
def test_walking_decides_as_the_adjusted_values_do(procedure, rng):
    for _ in range(150):
        p = np.sort(random_pvalues(rng, 10))
        alpha = float(rng.uniform(0.001, 0.5))
        assert procedure.from_pvalues(p, alpha=alpha).reject.tolist() == walk(procedure, p, alpha)


@pytest.mark.complete
@each
def test_the_thresholds_shown_decide_the_same(procedure, rng):
    walk_thresholds = {fstats.Holm: step_down, fstats.Finner: step_down, fstats.Shaffer: step_down, fstats.Hochberg: step_up}.get(procedure)
    for _ in range(150):
        test = procedure.from_pvalues(random_pvalues(rng, 10), alpha=float(rng.uniform(0.001, 0.5)))
        p, levels = test.sorted_pvalues, test.thresholds
        decided = walk_thresholds(p, levels) if walk_thresholds else (p <= levels).tolist()
        if procedure is fstats.Li and p[-1] <= levels[-1]:  # the first step
            decided = [True] * 10
        assert test.sorted_reject.tolist() == decided == [rung.reject for rung in test.ladder]
        assert np.array_equal(test.sorted_reject, test.reject[test.order - 1])


# -- closed testing, by brute force ---------------------------------------------------------------------------------------
def closed_test(p, local, closure=lambda chosen: chosen):
    """The largest local p-value of all intersections that contain each hypothesis (of all 2^m sets, closed under logic)."""
    adjusted = np.zeros(len(p))
    for size in range(1, len(p) + 1):
        for chosen in combinations(range(len(p)), size):
            implied = list(closure(chosen))
            adjusted[implied] = np.maximum(adjusted[implied], min(1, local(p[implied])))
    return adjusted


def bonferroni(p):
    return len(p) * p.min()


def simes(p):
    return (len(p) * np.sort(p) / np.arange(1, len(p) + 1)).min()


def transitive(k):
    """What follows from some equalities among k classifiers: A = B and B = C give A = C."""
    pairs = list(combinations(range(k), 2))

    def closure(chosen):
        group = list(range(k))
        for i, j in (pairs[h] for h in chosen):
            group = [group[i] if g == group[j] else g for g in group]
        return [h for h, (i, j) in enumerate(pairs) if group[i] == group[j]]

    return closure


@pytest.mark.parametrize(("procedure", "local"), [(fstats.Holm, bonferroni), (fstats.Hommel, simes)])
def test_closed_testing(procedure, local, rng):
    for m in (1, 2, 3, 5, 6):
        for _ in range(10):
            p = random_pvalues(rng, m)
            assert procedure.from_pvalues(p).adjusted == pytest.approx(closed_test(p, local), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_bergmann_hommel_is_the_closed_test_of_related_hypotheses(k, rng):
    m = k * (k - 1) // 2
    for _ in range(20):
        p = random_pvalues(rng, m)
        expected = pytest.approx(closed_test(p, bonferroni, transitive(k)), rel=1e-12, abs=1e-300)
        assert fstats.BergmannHommel.from_pvalues(p).adjusted == expected


def test_what_can_be_true_at_once():
    closure = transitive(5)
    closed = {tuple(closure(chosen)) for size in range(11) for chosen in combinations(range(10), size)}
    assert {len(one) for one in closed} == true_counts(5)
    pairs = fstats.Shaffer.from_pvalues(np.ones(10)).pairs
    assert {tuple(line.nonzero()[0]) for line in exhaustive_sets(pairs)} == closed - {()}
    assert [bell_number(k) for k in range(11)] == [1, 1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975]
    for k in range(1, 10):
        assert len(np.unique(partitions(k), axis=0)) == len(partitions(k)) == bell_number(k)
        assert {int(size) for size in exhaustive_sizes(k)} | {0} == true_counts(k)


def exhaustive_sizes(k):
    """Numbers of pairs in the exhaustive sets of k classifiers."""
    return exhaustive_sets(fstats.Shaffer.from_pvalues(np.ones(k * (k - 1) // 2)).pairs).sum(1) if k > 1 else []


# -- how they compare -----------------------------------------------------------------------------------------------------
def test_who_rejects_more(rng):
    p = random_pvalues(rng, 15, 500)
    holm, hochberg, hommel_, shaffer, bergmann = (
        c.from_pvalues(p).adjusted for c in (fstats.Holm, fstats.Hochberg, fstats.Hommel, fstats.Shaffer, fstats.BergmannHommel)
    )
    for stricter, bolder in ((holm, hochberg), (hochberg, hommel_), (holm, shaffer), (shaffer, bergmann), (15 * p, holm)):
        assert (stricter >= bolder * (1 - 1e-12)).all()
        assert (stricter > bolder * 1.001).any()


@pytest.mark.parametrize("procedure", [*ANY, fstats.Shaffer])
def test_adjusted_values_grow_along_the_ladder(procedure, rng):
    test = procedure.from_pvalues(random_pvalues(rng, 10, 500))
    assert (np.diff(test.sorted_pvalues, axis=0) >= 0).all()
    assert (np.diff(test.sorted_adjusted, axis=0) >= -1e-15).all()


def test_those_of_bergmann_and_hommel_need_not():
    # in the order 12, 13, 14, 23, 24, 34; {1, 2, 3} and {1, 2, 4} weigh on 12, but 34 is only in sets that 14 and 24 settle
    test = fstats.BergmannHommel.from_pvalues([0.01, 0.5, 0.0001, 0.5, 0.0001, 0.0101], labels=list("1234"))
    assert test.adjusted[[0, 5]] == pytest.approx([0.03, 0.02], abs=3e-4)
    assert [str(rung.pair) for rung in test.ladder if rung.adjusted <= 0.025] == ["1 – 4", "2 – 4", "3 – 4"]


@each
def test_a_batch_equals_its_repetitions(procedure, rng):
    p = random_pvalues(rng, 6, 4, 5)
    batch = procedure.from_pvalues(p, alpha=0.1)
    assert batch.adjusted.shape == batch.reject.shape == (6, 4, 5)
    for r in np.ndindex(4, 5):
        one, alone = batch.at(*r), procedure.from_pvalues(p[:, *r], alpha=0.1)
        assert one.adjusted == pytest.approx(alone.adjusted, rel=1e-14)
        assert np.array_equal(batch.adjusted[:, *r], one.adjusted)
        assert [rung.pair for rung in one.ladder] == [rung.pair for rung in alone.ladder]
        assert one.thresholds == pytest.approx(alone.thresholds, rel=1e-14)
    message = r"a batch of shape \(4, 5\) has no single ladder. Choose one repetition, such as test.at\(0, 0\).ladder"
    assert_raises(lambda: batch.ladder, message)


@each
@given(data=some.data())
def test_the_order_of_the_hypotheses_does_not_matter(procedure, data):
    p = np.array(data.draw(some.lists(some.floats(0, 1), min_size=6, max_size=6)))
    shuffled = data.draw(some.permutations(range(6)))
    test = procedure.from_pvalues(p, labels=[*combinations("ABCD", 2)])
    again = procedure.from_pvalues(p[shuffled], labels=[test.pairs[h] for h in shuffled])
    assert again.adjusted == pytest.approx(test.adjusted[shuffled], rel=1e-13, abs=1e-300)
    assert again.pairs.tolist() == [test.pairs[h] for h in shuffled]


@pytest.mark.parametrize("procedure", LOGICAL)
@given(data=some.data())
def test_nor_does_that_of_the_classifiers(procedure, data):
    p = dict(zip(combinations("ABCD", 2), data.draw(some.lists(some.floats(0, 1), min_size=6, max_size=6)), strict=True))
    names = data.draw(some.permutations("ABCD"))
    test = procedure.from_pvalues([*p.values()])
    again = procedure.from_pvalues([p[tuple(sorted(pair))] for pair in combinations(names, 2)], labels=names)
    expected = dict(zip(p, test.adjusted, strict=True))
    assert again.adjusted == pytest.approx([expected[tuple(sorted(pair))] for pair in again.pairs], rel=1e-13, abs=1e-300)


# -- ways in --------------------------------------------------------------------------------------------------------------
@each
def test_from_scores_from_ranks_and_from_a_test(procedure, rng):
    scores = rng.normal(size=(12, 4)).round(1)
    test = procedure(scores, labels=["a", "b", "c", "d"], alpha=0.1)
    ranks = np.array([st.rankdata(-line) for line in scores]).mean(0)
    i, j = np.triu_indices(4, 1)
    z = (ranks[j] - ranks[i]) / np.sqrt(4 * 5 / 6 / 12)
    assert test.pvalues == pytest.approx(2 * st.norm.sf(abs(z)), rel=1e-12)
    friedman = fstats.Friedman(scores, labels=["a", "b", "c", "d"], alpha=0.1)
    errors = fstats.ImanDavenport(-scores, labels=["a", "b", "c", "d"], higher_is_better=False)
    summary = fstats.ImanDavenport.from_steps(n=12, k=4, mean_ranks=friedman.mean_ranks, labels=["a", "b", "c", "d"], alpha=0.1)
    bare = procedure.from_pvalues(test.pvalues, labels=test.pairs, alpha=0.1)
    for other in (procedure.from_test(friedman), procedure.from_test(errors, alpha=0.1), procedure.from_test(summary), bare):
        assert (other.alpha, other.adjusted) == (0.1, pytest.approx(test.adjusted, rel=1e-12))
        assert other.pairs.tolist() == test.pairs.tolist()
    assert [row.name for row in bare.worked()][:1] == ["alpha"]
    assert {"scores", "labels", "higher_is_better", "control"}.isdisjoint(row.name for row in bare.worked())
    assert np.array_equal(procedure.from_test(friedman).scores, scores)


def test_from_tests_and_bare_pvalues(rng):
    friedman = fstats.Friedman(rng.normal(size=(12, 4)))
    assert np.array_equal(fstats.Holm.from_test(friedman, control="C").adjusted, fstats.Holm(friedman.scores, control="C").adjusted)
    assert fstats.Holm.from_test(friedman).alpha == 0.05
    a, b = rng.normal(size=(2, 9, 5))
    batch = fstats.SignedRank(a, b, alpha=0.1)
    test = fstats.Holm.from_test(batch)
    assert np.array_equal(test.adjusted, fstats.Holm.from_pvalues(batch.pvalue).adjusted)
    assert (test.alpha, fstats.Holm.from_test(batch, alpha=0.2).alpha) == (0.1, 0.2)
    assert list(test.pairs) == ["H1", "H2", "H3", "H4", "H5"]
    assert list(fstats.Holm.from_pvalues([0.1, 0.2], labels=["speed", "size"]).pairs) == ["speed", "size"]
    assert [str(pair) for pair in fstats.Shaffer.from_pvalues([0.1] * 3, labels=["x", "y", "z"]).pairs] == ["x – y", "x – z", "y – z"]
    swapped = fstats.BergmannHommel.from_pvalues([0.1] * 3, labels=[("z", "y"), ("x", "y"), ("x", "z")])
    assert [str(pair) for pair in swapped.pairs] == ["z – y", "x – y", "x – z"]


def test_a_ladder_is_a_table():
    test = fstats.Holm.from_pvalues([0.02, 0.5, 0.01], labels=["a", "b", "c"])
    text = repr(test)
    head = next(line for line in text.splitlines() if "rungs" in line)
    assert head.split() == ["rungs", "order", "sorted_pvalues", "most_true", "thresholds", "sorted_adjusted", "sorted_reject"]
    assert [line.split()[0] for line in text.partition(head)[2].splitlines()[1:4]] == ["c", "a", "b"]
    assert test.ladder[0] == ("c", 0.01, pytest.approx(0.05 / 3), 0.03, True)
    assert test.ladder[2]._fields == ("pair", "pvalue", "threshold", "adjusted", "reject")
    assert "most_true" in repr(fstats.Holm.from_pvalues(np.full((3, 2), 0.5)))


def test_conclusions():
    some_false = fstats.Holm.from_pvalues([0.001, 0.5, 0.9])
    assert some_false.conclusion == (
        "Reject H0 at alpha = 0.05 for 1 of 3 hypotheses: H1. Fail to reject H0 for the other 2, which is not evidence that they are true."
    )
    none = fstats.Holm.from_pvalues([0.2, 0.5])
    assert none.conclusion == "Fail to reject H0 for every hypothesis at alpha = 0.05, which is not evidence that they are true."
    assert fstats.Shaffer.from_pvalues([0.001, 0.001, 0.9]).conclusion.startswith(
        "Reject H0 at alpha = 0.05 for 2 of 3 comparisons: A and B differ; A and C differ. Fail to reject H0 for the remaining one,"
    )


@each
def test_identical_classifiers(procedure):
    same = np.repeat(np.arange(6.0)[:, None], 3, axis=1)
    test = procedure(same)
    assert (test.pvalues == 1).all()
    assert (test.adjusted == 1).all()
    assert test.conclusion.startswith("Fail to reject H0 for every pair")
    one_apart = procedure(same + np.array([0, 0, 1]))
    assert one_apart.adjusted[0] == 1
    assert np.isfinite(one_apart.adjusted).all()


def test_ladders_take_finite_z_but_no_adjusted_tests(rng):
    assert 0 < fstats.Holm(rng.normal([9, 0], size=(3000, 2))).pvalues[0] < 1e-300
    scores = rng.normal(size=(8, 3))
    for adjusted in (fstats.Nemenyi(scores), fstats.Holm(scores), fstats.BonferroniDunn(scores, control="A")):
        words = f"unadjusted p-values; got {type(adjusted).__name__}, which adjusts its p-values. Use only one"
        with pytest.raises(TypeError, match=words):
            fstats.Hochberg.from_test(adjusted)


# -- refusals -------------------------------------------------------------------------------------------------------------
def test_other_things_are_refused(rng):
    scores = rng.normal(size=(8, 3, 2))
    message = r"`test` must have several p-values; got PairedT with one p-value, .* fstats.Pairwise\(scores\)"
    assert_raises(lambda: fstats.Holm.from_test(fstats.PairedT(scores[:, 0, 0], scores[:, 1, 0])), message)
    assert_raises(lambda: fstats.Holm.from_test(fstats.Quade(scores[..., 0])), "`test` must have several p-values.* got Quade")
    assert_raises(lambda: fstats.Holm.from_test(fstats.PairedT(scores, 0 * scores)), r"along one axis.*shape \(3, 2\).*from_pvalues")
    with pytest.raises(TypeError, match=r"`control` must be left out for PairedT, which has none; got 'A'"):
        fstats.Holm.from_test(fstats.PairedT(scores[:, 0], scores[:, 1]), control="A")


@pytest.mark.parametrize("labels", [5, "abc", object()])
def test_labels_that_are_no_list_are_refused(labels):
    for kind in (fstats.Holm, *LOGICAL, fstats.Nemenyi, fstats.Pairwise):
        with pytest.raises((TypeError, ValueError), match="`labels` must be a list of"):
            kind.from_steps(labels=labels)
    words = "`labels` must be a list of names, or of pairs of names; got "
    assert_each_raises(lambda kind: kind.from_pvalues([0.1] * 3, labels=labels), (fstats.Holm, *LOGICAL), words, TypeError)


@pytest.mark.parametrize("procedure", LOGICAL)
def test_all_pairs_are_needed(procedure, rng):
    scores = rng.normal(size=(8, 4))
    for attempt in (lambda: procedure(scores, control="A"), lambda: procedure.from_test(fstats.Friedman(scores), control="A")):
        assert_raises(
            attempt,
            rf"`control` must be left out for {procedure.__name__}, which .*; got control='A'\. With a control, use fstats.Holm",
        )
    assert_raises(lambda: procedure.from_pvalues([0.1] * 4), r"k \(k - 1\) / 2 = 1, 3, 6, 10, .* p-values, one for each pair .*; got 4")
    with pytest.raises(ValueError, match="needs all 3 pairs of 3 classifiers, each once; got the pairs a – b, a – c, c – d"):
        procedure.from_pvalues([0.1] * 3, labels=[("a", "b"), ("a", "c"), ("c", "d")])
    assert_raises(lambda: procedure.from_steps(pvalues=[0.1] * 3, pairs=["a", "b", "c"]), "needs all 3 pairs")
    with pytest.raises(ValueError, match="`labels` must be a list of 3 names, one for each classifier; got a, b"):
        procedure.from_pvalues([0.1] * 3, labels=["a", "b"])


def test_of_equal_pvalues_the_first_comes_first(rng):
    p = rng.integers(0, 3, 300) / 10
    assert fstats.Holm.from_pvalues(p).order.tolist() == [h + 1 for h in sorted(range(300), key=lambda h: p[h])]


def test_the_limit_of_bergmann_and_hommel(rng):
    assert fstats.BergmannHommel(rng.normal(size=(5, 9))).adjusted.shape == (36,)
    words = r"at most 9 classifiers; got 10 classifiers, with 115,975 partitions to examine. Use `fstats.Shaffer"
    assert_raises(lambda: fstats.BergmannHommel(rng.normal(size=(5, 10))), words)
    assert_raises(lambda: fstats.BergmannHommel.from_pvalues([0.1] * 45), words)


@each
def test_pvalues_are_probabilities(procedure):
    assert_raises(lambda: procedure.from_pvalues([0.1, 1.2, 0.3]), r"`p` must be between 0 and 1; got 1\.2 at position 1")
    assert_raises(lambda: procedure.from_pvalues([0.1, 0.2, np.nan]), "`p` must hold finite numbers; got nan at position 2")
    assert_raises(lambda: procedure.from_pvalues(0.1), "`p` must be a list of at least 1 numbers; got a single number")


@pytest.mark.parametrize("procedure", [*ANY, fstats.BonferroniDunn])
def test_an_unknown_control(procedure, rng):
    assert_raises(lambda: procedure(rng.normal(size=(8, 3)), control="D"), "`control` must be one of the labels A, B, C; got 'D'")


def test_bonferroni_dunn_by_the_formula(rng):
    assert_raises(lambda: fstats.BonferroniDunn(rng.normal(size=(8, 3))), "control", TypeError)
    with pytest.raises(ValueError, match=r"`control` must be one of the labels; got None. To compare all pairs, use fstats.Nemenyi"):
        fstats.BonferroniDunn(rng.normal(size=(8, 3)), control=None)
    scores = rng.normal(size=(10, 5, 20)) + np.arange(5)[:, None] / 2
    test = fstats.BonferroniDunn(scores, control="B")
    ranks = st.rankdata(-scores, axis=1).mean(0)
    z = (ranks[1] - ranks[[0, 2, 3, 4]]) / np.sqrt(5 * 6 / 6 / 10)
    assert test.pvalues == pytest.approx(np.minimum(1, 4 * 2 * st.norm.sf(abs(z))), rel=1e-12)
    assert np.array_equal(test.reject, np.abs(test.differences) >= test.cd)
    assert {True, False} == set(test.reject.ravel().tolist())
    assert (fstats.Holm(scores, control="B").adjusted <= test.pvalues * (1 + 1e-12)).all()
    assert (fstats.BonferroniDunn(np.ones((4, 3)), control="B").pvalues == 1).all()


# -- p-values that others computed -------------------------------------------------------------------------------------------
COMPARED = [one for name in fstats.__all__ if isinstance(one := getattr(fstats, name), type) and issubclass(one, PostHocComparison)]
MATRIX = pd.DataFrame([[1, 0.01, 0.2], [0.01, 1, 0.03], [0.2, 0.03, 1]], list("XYZ"), list("XYZ"))


def test_the_family_is_whole():
    assert {*ANY, *LOGICAL, fstats.BonferroniDunn, fstats.Nemenyi, fstats.TukeyHSD} <= {*COMPARED}


@pytest.mark.parametrize("test", COMPARED, ids=lambda test: test.__name__)
@parametrize(
    "p",
    [0.01, 0.02, 0.03],
    np.array([0.01, 0.02, 0.03]),
    pd.Series([0.01, 0.02, 0.03], list("abc")),
    {("A", "B"): 0.01},
    MATRIX,
    ids=["list", "array", "series", "mapping", "matrix"],
)
def test_pvalues_in_the_place_of_scores_are_told_their_door(test, p):
    settings = {"control": "X"} if test is fstats.BonferroniDunn else {}
    door = test.__name__ if hasattr(test, "from_pvalues") else "Holm"
    assert_raises(lambda: test(p, **settings), rf"`scores` must be a table .*\. If these are p-values, write {door}\.from_pvalues\(p\)")
    if not settings and not isinstance(p, dict):
        assert_raises(lambda: fstats.apply_test(test, p), rf"write {door}\.from_pvalues\(p\)")


@pytest.mark.parametrize("test", [*ANY, *LOGICAL], ids=lambda test: test.__name__)
def test_tests_and_pvalues_bring_their_names(test, rng):
    friedman = fstats.Friedman(rng.random((5, 3)))
    assert_raises(lambda: test(friedman), rf"got the test Friedman\. Write `{test.__name__}\.from_test\(test\)", TypeError)
    pairs = [("X", "Y"), ("X", "Z"), ("Y", "Z")]
    expected = test.from_pvalues([0.01, 0.2, 0.03], pairs)
    half = MATRIX.where(np.triu(np.ones((3, 3))) > 0)
    series = pd.Series([0.01, 0.2, 0.03], pd.MultiIndex.from_tuples(pairs))
    for p in (MATRIX, half, half.T, dict(zip(pairs, [0.01, 0.2, 0.03])), series):
        found = test.from_pvalues(p)
        assert (found.adjusted.tolist(), found.pairs.tolist()) == (expected.adjusted.tolist(), expected.pairs.tolist())


def test_names_of_hypotheses_and_matrices_that_are_refused():
    assert fstats.Holm.from_pvalues({"left": 0.1, "right": 0.2}).pairs.tolist() == ["left", "right"]
    assert fstats.Holm.from_pvalues(pd.Series([0.1, 0.2], ["left", "right"]), ["a", "b"]).pairs.tolist() == ["a", "b"]
    assert fstats.Holm.from_pvalues(pd.Series([0.1, 0.2])).pairs.tolist() == ["H1", "H2"]
    with pytest.raises(ValueError, match=r"must be symmetric, or have one half empty; got 0.5 for X and Y, but 0.01 for Y and X. Write"):
        fstats.Holm.from_pvalues(MATRIX.replace({"Y": {0.01: 0.5}}))
    with pytest.raises(ValueError, match=r"`labels` must be left out .*; got labels=.* and a matrix with the names X, Y, Z"):
        fstats.Holm.from_pvalues(MATRIX, ["a", "b", "c"])
