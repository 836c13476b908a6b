"""Friedman, Iman-Davenport, Quade, Cochran: loops from the formulas, SciPy, full enumeration, Demsar's three chi-squareds."""

import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from shortcuts import assert_raises, parametrize

from fstats import CochranQ, Friedman, ImanDavenport, McNemar, Nemenyi, Quade, SignedRank
from fstats.distributions.continuous_distributions import FisherF
from fstats.procedures.multiple.friedman_null_distribution import MAX_RANK_SUMS
from fstats.procedures.multiple.many_classifiers import is_win_matrix

CASES = {case["name"]: case for case in json.loads((Path(__file__).parents[1] / "published" / "cases.json").read_text(encoding="utf-8"))}
DEMSAR = CASES["demsar2006_friedman_printed_scores"]
SCORES, LABELS = np.array(DEMSAR["data"]["scores"]), DEMSAR["data"]["labels"]
tables = st.tuples(st.integers(2, 8), st.integers(2, 5)).flatmap(lambda shape: arrays(float, shape, elements=st.integers(0, 4).map(float)))
tables = tables.filter(lambda scores: not is_win_matrix(scores))  # which are refused


def ranks_by_hand(scores):
    """Rank 1 for the best; equal scores share the mean of the places they take."""
    table = []
    for line in scores:
        ordered = sorted(line, reverse=True)
        table.append([np.mean([place for place, other in enumerate(ordered, 1) if other == x]) for x in line])
    return np.array(table)


RANKS_AS_PRINTED = ranks_by_hand(SCORES)  # Demsar (2006), Table 6; data set 13 from unrounded scores
RANKS_AS_PRINTED[12] = 4, 1, 2, 3


def friedman_by_hand(ranks):
    """Demsar's formula, term by term."""
    n, k = len(ranks), len(ranks[0])
    means = [sum(line[j] for line in ranks) / n for j in range(k)]
    return 12 * n / (k * (k + 1)) * (sum(mean**2 for mean in means) - k * (k + 1) ** 2 / 4)


def tie_correction_by_hand(scores):
    """SciPy's and Conover's form: sizes of the groups of equal scores."""
    n, k = np.shape(scores)
    lost = sum(count**3 - count for line in scores for count in np.unique(line, return_counts=True)[1])
    return 1 - lost / (n * k * (k**2 - 1))


# -- Demsar's Table 6, three answers -----------------------------------------------------------------------------------------
def test_demsar_with_ranks_and_with_scores_as_printed():
    # 9.28 and 3.69 are printed: ranks from unrounded scores, ties ignored.
    friedman = Friedman.from_steps(ranks=RANKS_AS_PRINTED, labels=LABELS, ties="ignore")
    assert friedman.statistic == pytest.approx(9.28, abs=0.005)
    assert friedman.mean_ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=0.0005)
    iman = ImanDavenport.from_steps(ranks=RANKS_AS_PRINTED, ties="ignore")
    assert iman.statistic == pytest.approx(3.69, abs=0.005)
    assert (iman.df, iman.df_error) == (3, 39)
    assert iman.critical_value == pytest.approx(2.85, abs=0.0051)  # 2.845, printed 2.85
    # Data set 13 has 0.975 twice, so its ranks tie: 9.857 and 3.987, ties ignored; 10.952 with the correction.
    assert Friedman(SCORES, ties="ignore").statistic == pytest.approx(9.857, abs=0.0005)
    assert ImanDavenport(SCORES, ties="ignore").statistic == pytest.approx(3.987, abs=0.0005)
    corrected = Friedman(SCORES)
    assert (corrected.statistic, corrected.pvalue) == (pytest.approx(10.952, abs=0.0005), pytest.approx(0.01199, abs=0.000005))
    assert corrected.mean_ranks == pytest.approx([3.143, 2.000, 2.929, 1.929], abs=0.0005)
    assert (np.array(RANKS_AS_PRINTED) != corrected.ranks).any(axis=1).nonzero()[0].tolist() == [12]
    # One package tests F = 4.586 with 2.857 and 37.14 degrees of freedom and gets .00872; Iman and Davenport's are 3 and 39.
    test = ImanDavenport(SCORES)
    assert (test.statistic, test.pvalue) == (pytest.approx(4.586, abs=0.0005), pytest.approx(0.00763, abs=0.000005))
    assert FisherF(3 - 2 / 14, (3 - 2 / 14) * 13).at_least(test.statistic) == pytest.approx(0.00872, abs=0.000005)


# -- by hand and by SciPy ----------------------------------------------------------------------------------------------------
@given(tables)
def test_friedman_is_the_formula_and_scipys_with_ties(scores):
    test = Friedman(scores, ties="ignore")
    np.testing.assert_array_equal(test.ranks, ranks_by_hand(scores))
    assert test.statistic == pytest.approx(friedman_by_hand(test.ranks), rel=1e-9, abs=1e-9)
    test = Friedman(scores)
    assert test.tie_correction == pytest.approx(tie_correction_by_hand(scores), abs=1e-12)
    if test.tie_correction == 0:
        assert (test.statistic, test.pvalue) == (0, 1)
    elif scores.shape[1] > 2:  # SciPy wants three
        expected = stats.friedmanchisquare(*scores.T)
        assert test.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
        assert test.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    assert 0 <= test.effect_size <= 1 + 1e-12
    k = scores.shape[1]
    np.testing.assert_array_equal(Friedman(scores, higher_is_better=False).ranks, k + 1 - Friedman(scores).ranks)
    assert Friedman(scores, higher_is_better=False).pvalue == pytest.approx(Friedman(scores).pvalue, rel=1e-9)


@given(tables)
def test_iman_davenport_is_the_analysis_of_variance_of_the_ranks(scores):
    test = ImanDavenport(scores)
    ranks = ranks_by_hand(scores)
    n, k = ranks.shape
    classifiers = n * ((ranks.mean(0) - (k + 1) / 2) ** 2).sum()
    error = ((ranks - ranks.mean(0) - ranks.mean(1)[:, None] + (k + 1) / 2) ** 2).sum()
    if error > 1e-9:
        f = (classifiers / (k - 1)) / (error / ((k - 1) * (n - 1)))
        assert test.statistic == pytest.approx(f, rel=1e-9, abs=1e-9)
        assert test.pvalue == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)), rel=1e-9)
    else:
        assert test.pvalue == (0 if classifiers > 1e-9 else 1)


@given(tables, st.randoms())
def test_only_the_order_within_a_data_set_matters(scores, random):
    places = list(range(len(scores)))
    random.shuffle(places)
    again = np.exp(scores[places]) * np.arange(1, len(scores) + 1)[:, None]
    assert Friedman(again).statistic == pytest.approx(Friedman(scores).statistic, rel=1e-9, abs=1e-12)


def test_many_columns_and_equal_scores_are_ranked():
    scores = np.random.default_rng(3).integers(0, 9, (6, 24)).astype(float)
    np.testing.assert_array_equal(Friedman(scores).ranks, ranks_by_hand(scores))
    scores = np.array([[0.1 + 0.2, 0.3, 0.5], [0.3, 0.1 + 0.2, 0.5]])
    assert scores[0, 0] != scores[0, 1]
    assert Friedman(scores).ranks.tolist() == [[2.5, 2.5, 1], [2.5, 2.5, 1]]


# -- the exact distribution --------------------------------------------------------------------------------------------------
def enumerated(scores, ties):
    """p-value by going through all permutations of every row."""
    ranks = ranks_by_hand(scores)
    correction = tie_correction_by_hand(scores) if ties == "correct" else 1
    observed = friedman_by_hand(ranks) / correction
    orders = [list(permutations(line)) for line in ranks]
    statistics = np.array([friedman_by_hand(np.array(table)) for table in product(*orders)]) / correction
    return (statistics >= observed - 1e-9).mean()


@pytest.mark.complete
@pytest.mark.parametrize("ties", ["correct", "ignore"])
@pytest.mark.parametrize(("n", "k", "seed"), [(2, 3, 0), (3, 3, 1), (4, 3, 2), (5, 3, 3), (2, 4, 4), (3, 4, 5), (6, 2, 6)])
def test_exact_is_full_enumeration(n, k, seed, ties):
    scores = np.random.default_rng(seed).integers(0, 5, (n, k)).astype(float)
    if np.ptp(scores, axis=1).any():
        assert Friedman(scores, method="exact", ties=ties).pvalue == pytest.approx(enumerated(scores, ties), abs=1e-12)


@parametrize(
    "n, k, statistic, p",
    (3, 3, 6.0, 0.028),
    (4, 3, 6.5, 0.042),
    (5, 3, 6.4, 0.039),
    (6, 3, 7.0, 0.029),
    (3, 4, 7.4, 0.033),
    (4, 4, 7.8, 0.036),
)
def test_exact_p_values_of_the_tables(n, k, statistic, p):
    """Friedman (1937), tables V and VI, as reprinted in Siegel (1956), table N."""
    base = np.tile(np.arange(1.0, k + 1), (n, 1))
    assert Friedman.from_steps(ranks=base, method="exact").null.at_least(statistic) == pytest.approx(p, abs=0.00051)


def test_exact_large_tables():
    # (4!)^14 tables; a simulation agrees within four standard errors.
    exact = Friedman(SCORES, method="exact")
    ranks = exact.ranks[..., None] + np.zeros(20_000)
    shuffled = np.random.default_rng(5).permuted(np.moveaxis(ranks, 1, -1), axis=-1)
    share = (Friedman.from_steps(ranks=np.moveaxis(shuffled, -1, 1)).statistic >= exact.statistic - 1e-9).mean()
    assert share == pytest.approx(exact.pvalue, abs=4 * np.sqrt(exact.pvalue / 20_000))
    scores = np.random.default_rng(0).normal(size=(30, 8))
    message = rf"the exact distribution of 30 x 8 ranks needs more than {MAX_RANK_SUMS:,} rank sums after \d+ rows. Use fstats.Iman"
    assert_raises(lambda: Friedman(scores, method="exact").pvalue, message)


def test_exact_distribution_adds_up():
    null = Friedman(SCORES[:6], method="exact").null
    values, chances = null.atoms()
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    assert (np.diff(values) > 0).all()
    assert null.at_most(values[0]) + null.at_least(values[1]) == pytest.approx(1, abs=1e-12)
    assert null.at_least(null.high(0.05)) <= 0.05 < null.at_least(values[values < null.high(0.05)][-1])
    assert (null.high(1e-9), null.low(1e-9)) == (np.inf, -np.inf)


# -- Quade and Cochran -------------------------------------------------------------------------------------------------------
def quade_by_hand(scores):
    """Conover's section 5.8, term by term (rank 1 = smallest there; the square does not care)."""
    n, k = scores.shape
    ranks, ranges = ranks_by_hand(scores), [max(line) - min(line) for line in scores]
    weights = [np.mean([place for place, other in enumerate(sorted(ranges), 1) if other == mine]) for mine in ranges]
    s = [[weights[i] * (ranks[i][j] - (k + 1) / 2) for j in range(k)] for i in range(n)]
    a = sum(x**2 for line in s for x in line)
    b = sum(sum(line[j] for line in s) ** 2 for j in range(k)) / n
    return a, b, (n - 1) * b / (a - b) if a - b > 1e-9 else (np.inf if b > 1e-9 else 0.0)


@given(tables)
@example(np.array([[0.0, 1.0], [0.0, 1.0]]))  # all agree: F is infinite
def test_quade_is_conovers_formula(scores):
    test = Quade(scores)
    a, b, f = quade_by_hand(scores)
    assert (test.total, test.treatments) == pytest.approx((a, b), rel=1e-9, abs=1e-9)
    assert test.statistic == pytest.approx(f, rel=1e-9, abs=1e-9)
    n, k = scores.shape
    p = stats.f.sf(f, k - 1, (k - 1) * (n - 1)) if np.isfinite(f) else len(set(permutations(ranks_by_hand(scores)[0]))) ** (1.0 - n)
    assert test.pvalue == pytest.approx(p, rel=1e-9, abs=1e-300)


def test_quade_of_two_classifiers_is_a_monotone_function_of_the_signed_ranks():
    """With k = 2, S_i is half the signed rank, so F depends on W+ - W- alone."""
    scores = np.random.default_rng(8).normal(size=(9, 2, 50))
    test, ranks = Quade(scores), SignedRank(scores[:, 0], scores[:, 1])
    imbalance = abs(ranks.w_plus - ranks.w_minus)
    assert (np.diff(test.statistic[np.argsort(imbalance, kind="stable")]) >= -1e-12).all()
    b = imbalance**2 / 2 / 9
    a = (np.arange(1, 10) ** 2).sum() / 2
    np.testing.assert_allclose(test.statistic, 8 * b / (a - b), rtol=1e-9)


right_or_wrong = st.tuples(st.integers(2, 12), st.integers(2, 5)).flatmap(lambda shape: arrays(np.int8, shape, elements=st.integers(0, 1)))


@given(right_or_wrong)
def test_cochrans_q_is_friedmans_test_and_mcnemars_of_two(correct):
    test = CochranQ(correct)
    k = correct.shape[1]
    g, total, below = correct.sum(0).astype(int), int(correct.sum()), k * int(correct.sum()) - int((correct.sum(1).astype(int) ** 2).sum())
    expected = (k - 1) * (k * sum(int(x) ** 2 for x in g) - total**2) / below if below else 0
    assert test.statistic == pytest.approx(expected, rel=1e-12)
    assert test.statistic == pytest.approx(Friedman(correct).statistic, rel=1e-9, abs=1e-9)
    assert test.effect_size == pytest.approx(Friedman(correct).effect_size, rel=1e-9, abs=1e-9)
    a, b = correct[:, 0], correct[:, 1]
    mcnemar = McNemar(int(((a == 0) & (b == 1)).sum()), int(((a == 1) & (b == 0)).sum()), correction=False)
    two = CochranQ(correct[:, :2])
    assert (two.statistic, two.pvalue) == (pytest.approx(mcnemar.statistic, rel=1e-12), pytest.approx(mcnemar.pvalue, rel=1e-12))


# -- degenerate tables -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("scores", [[[1, 0]] * 4, [[3, 2, 1]] * 5], ids=["two", "three"])
def test_complete_agreement(scores):
    """All data sets alike: W is 1, chi-squared is finite, F is infinite and says why; the exact p is 1 / (k!)^(N - 1)."""
    n, k = np.shape(scores)
    friedman, iman, quade = Friedman(scores), ImanDavenport(scores), Quade(scores)
    assert friedman.effect_size == pytest.approx(1, abs=1e-12)
    assert friedman.pvalue > 0
    exact = float(np.prod(np.arange(1, k + 1))) ** (1 - n)
    assert Friedman(scores, method="exact").pvalue == pytest.approx(exact, rel=1e-9)
    assert np.isinf(iman.statistic)
    assert np.isinf(quade.statistic)
    for test in (iman, quade):  # F tends to infinity whatever the probability is: it would reject two data sets that agree by chance
        assert test.pvalue == pytest.approx(exact, rel=1e-12)
        assert f"the exact probability of this event is {exact:.4g}" in test.conclusion
        assert "formally" not in test.conclusion


def test_two_data_sets_that_agree_prove_nothing():
    """Of two equal classifiers, two data sets rank both alike half of the time; in a batch each repetition has its own p."""
    rng = np.random.default_rng(12)
    for n, k in ((2, 2), (3, 2), (2, 3)):
        scores = rng.normal(size=(n, k, 4000))
        for cls in (ImanDavenport, Quade):
            test = cls(scores)
            assert test.reject.mean() <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 4000)
            alike = int(np.argmax(np.isinf(test.statistic)))
            assert test.pvalue[alike] == test.at(alike).pvalue > 0


def test_constant_columns_and_labels():
    # A data set on which all are equal says nothing; a classifier that never changes is ranked like any other.
    scores = np.array([[0.9, 0.8, 0.7], [0.8, 0.8, 0.9], [0.5, 0.8, 0.6], [0.9, 0.8, 0.4]])
    more = np.vstack([scores, np.full((1, 3), 0.5)])
    assert Quade(more).statistic != Quade(scores).statistic  # N grows
    assert Friedman(more).statistic == pytest.approx(Friedman(scores).statistic, rel=1e-12)  # the correction takes it out
    assert CochranQ(np.vstack([np.eye(3), np.ones((2, 3))])).statistic == CochranQ(np.eye(3)).statistic
    frame = pd.DataFrame(SCORES, columns=LABELS)
    assert (Friedman(frame).labels.tolist(), Friedman(SCORES).labels.tolist()) == (LABELS, ["A", "B", "C", "D"])
    assert Friedman(frame, ["w", "x", "y", "z"]).labels.tolist() == ["w", "x", "y", "z"]
    assert Friedman(np.random.default_rng(1).normal(size=(3, 27))).labels[[0, 26]].tolist() == ["C1", "C27"]
    assert "C4.5+m+cf" in repr(Friedman(frame))
    assert '<th scope="col">C4.5+m+cf</th>' in Friedman(frame)._repr_html_()


# -- Nemenyi -----------------------------------------------------------------------------------------------------------------
def test_nemenyi_of_demsars_example_with_infinite_degrees_of_freedom():
    # 1.254 and 1.118 for Demsar's example; one rival reads the table of k + 1 (1.331), another takes df = k (N - 1) (1.295).
    half, tenth = Nemenyi.from_steps(n=14, k=4), Nemenyi.from_steps(n=14, k=4, alpha=0.1)
    assert (half.cd, tenth.cd) == pytest.approx((1.2536, 1.1181), abs=0.00005)
    assert stats.studentized_range.ppf(0.95, 5, np.inf) / np.sqrt(2) * half.se == pytest.approx(1.331, abs=0.0005)
    assert stats.studentized_range.ppf(0.95, 4, 52) / np.sqrt(2) * half.se == pytest.approx(1.295, abs=0.0005)
    apart = Nemenyi.from_steps(n=14, k=4, mean_ranks=np.array([1.35, 2.65, 3.0, 3.0]))
    assert apart.reject[0]  # 1.30 is more than the critical difference
    # At .10 C4.5 differs from C4.5+m and from C4.5+m+cf, at .05 nothing does.
    ours = Nemenyi.from_steps(ranks=RANKS_AS_PRINTED, labels=LABELS, alpha=0.1)
    assert [tuple(pair) for pair, reject in zip(ours.pairs, ours.reject) if reject] == [("C4.5", "C4.5+m"), ("C4.5", "C4.5+m+cf")]
    assert not Nemenyi.from_steps(ranks=RANKS_AS_PRINTED, labels=LABELS).reject.any()
    assert "C4.5+m is better than C4.5 by 1.143; C4.5+m+cf is better than C4.5 by 1.179" in ours.conclusion


@given(tables)
def test_nemenyi_p_values_are_those_of_scipys_distribution(scores):
    test = Nemenyi(scores)
    n, k = scores.shape
    means = ranks_by_hand(scores).mean(0)
    for pair, p, low, high in zip(test.pairs, test.pvalues, *test.ci):
        i, j = (test.labels.tolist().index(name) for name in pair)
        z = abs(means[i] - means[j]) / np.sqrt(k * (k + 1) / (6 * n))
        if k == 2:
            assert p == pytest.approx(2 * stats.norm.sf(z), abs=1e-9)
        assert (p <= 0.05) == (z >= test.q_alpha) or z == pytest.approx(test.q_alpha, rel=1e-9)
        assert (low, high) == pytest.approx((means[j] - means[i] - test.cd, means[j] - means[i] + test.cd), abs=1e-9)


def test_nemenyi_keeps_the_familywise_level():
    """Six classifiers alike on 20 data sets: any rejection in at most 5 of 100 tables (4 standard errors)."""
    test = Nemenyi(np.random.default_rng(12).normal(size=(20, 6, 4000)))
    assert test.reject.any(0).mean() < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 4000)
