"""What must hold for any data: hypothesis looks for counterexamples.

Scores are hundredths, as accuracies are printed.  Two tests agree on such a grid about what ties; arbitrary floats would
probe the twelfth digit, where rounding decides (test_signed_rank.py has that).
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fstats import McNemarExact, PairedT, PairedTable, SignedRank
from fstats.core.numerics.average_ranks import average_ranks

MIRRORED = {"two-sided": "two-sided", "less": "greater", "greater": "less"}
hundredths = st.integers(0, 300)
pairs = st.lists(st.tuples(hundredths, hundredths), min_size=2, max_size=10)  # one score of A and one of B for each data set
counts = st.integers(0, 200)
alternatives = st.sampled_from(list(MIRRORED))
zero_rules = st.sampled_from(["drop", "pratt", "split"])
levels = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.2])


def scores(both):
    """The two columns of a list of pairs, as scores."""
    a, b = np.array(both).T / 100
    return a, b


# -- swapping the classifiers mirrors the test --------------------------------------------------------------------------------
@given(pairs, alternatives)
def test_swapping_mirrors_paired_t(both, alternative):
    a, b = scores(both)
    test, mirror = PairedT(a, b, alternative=alternative), PairedT(b, a, alternative=MIRRORED[alternative])
    assert (mirror.statistic, mirror.pvalue, mirror.effect_size) == (-test.statistic, test.pvalue, -test.effect_size)
    assert (mirror.ci.low, mirror.ci.high) == (-test.ci.high, -test.ci.low)


@given(pairs, alternatives, zero_rules, st.sampled_from(["exact", "normal"]))
def test_swapping_mirrors_signed_rank(both, alternative, zeros, method):
    a, b = scores(both)
    test = SignedRank(a, b, alternative=alternative, zeros=zeros, method=method)
    mirror = SignedRank(b, a, alternative=MIRRORED[alternative], zeros=zeros, method=method)
    assert (mirror.w_plus, mirror.w_minus) == (test.w_minus, test.w_plus)
    assert (mirror.statistic, mirror.critical_value, mirror.pvalue) == (test.statistic, test.critical_value, test.pvalue)
    assert mirror.effect_size == -test.effect_size


@given(counts, counts, alternatives)
def test_swapping_mirrors_mcnemar(n01, n10, alternative):
    test, mirror = McNemarExact(n01, n10, alternative=alternative), McNemarExact(n10, n01, alternative=MIRRORED[alternative])
    assert (mirror.statistic, mirror.critical_value, mirror.pvalue) == (test.statistic, test.critical_value, test.pvalue)
    assert mirror.effect_size == -test.effect_size


# -- what does not matter -----------------------------------------------------------------------------------------------------
@given(pairs.flatmap(lambda both: st.tuples(st.just(both), st.permutations(both))), alternatives, zero_rules)
def test_the_order_of_data_sets_does_not_matter(orders, alternative, zeros):
    one, other = (scores(both) for both in orders)
    assert PairedT(*one, alternative=alternative).pvalue == pytest.approx(PairedT(*other, alternative=alternative).pvalue, rel=1e-9)
    ranked = [SignedRank(a, b, alternative=alternative, zeros=zeros) for a, b in (one, other)]
    assert (ranked[0].pvalue, ranked[0].critical_value) == (ranked[1].pvalue, ranked[1].critical_value)


@given(pairs, st.integers(-10_000, 10_000), st.integers(1, 1000), alternatives, zero_rules)
def test_shift_and_scale_do_not_matter(both, shift, scale, alternative, zeros):
    a, b = scores(both)
    moved = (np.array(both).T + shift) * scale / 100  # whole numbers first, so that each score is rounded once
    assert SignedRank(*moved, alternative=alternative, zeros=zeros).pvalue == SignedRank(a, b, alternative=alternative, zeros=zeros).pvalue
    # the noise of one rounding, 1e-16 of a score of 100, in differences of at least .01
    assert PairedT(*moved, alternative=alternative).pvalue == pytest.approx(PairedT(a, b, alternative=alternative).pvalue, rel=1e-8)


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=30), st.permutations("wxyz"))
def test_the_names_of_the_classes_do_not_matter(records, names):
    table = PairedTable(*np.array(records).T)
    renamed = PairedTable(*np.array(list(names))[np.array(records).T])
    assert (renamed.table.tolist(), table.table.sum()) == (table.table.tolist(), len(records))


@given(pairs, st.integers(1, 5), alternatives)
def test_zeros_that_are_dropped_do_not_matter(both, zeros, alternative):
    a, b = scores(both)
    test, half = SignedRank(a, b, alternative=alternative), [0.5] * zeros
    more = SignedRank(np.r_[a, half], np.r_[b, half], alternative=alternative)
    assert (more.n, more.statistic, more.pvalue) == (test.n, test.statistic, test.pvalue)


# -- p-values -----------------------------------------------------------------------------------------------------------------
@given(pairs, alternatives)
def test_p_of_paired_t_is_0_only_without_spread(both, alternative):
    test = PairedT(*scores(both), alternative=alternative)
    assert 0 <= test.pvalue <= 1
    differences = {x - y for x, y in both}
    no_spread = len(differences) == 1 and differences != {0}
    assert (test.sd == 0, np.isinf(test.statistic)) == (len(differences) == 1, no_spread)
    assert test.pvalue > 0 or no_spread
    assert not np.isnan([test.statistic, test.effect_size, *test.ci]).any()


@given(pairs, zero_rules, st.sampled_from(["exact", "normal"]), alternatives)
def test_p_of_signed_rank_is_never_0(both, zeros, method, alternative):
    test = SignedRank(*scores(both), zeros=zeros, method=method, alternative=alternative)
    assert 0 < test.pvalue <= 1
    assert -1 <= test.effect_size <= 1


@given(st.integers(0, 10**6), st.integers(0, 10**6), alternatives)
def test_p_of_mcnemar_is_never_0(n01, n10, alternative):
    test = McNemarExact(n01, n10, alternative=alternative)
    assert 0 < test.pvalue <= 1
    assert -0.5 <= test.effect_size <= 0.5


@given(pairs, zero_rules)
def test_one_sided_p_values_of_signed_rank_share_the_observed_value(both, zeros):
    less, greater = (SignedRank(*scores(both), zeros=zeros, alternative=alternative) for alternative in ("less", "greater"))
    chance_of_this_value = less.null.at_most(less.w_plus) - less.null.at_most(less.w_plus - 0.25)
    assert less.pvalue + greater.pvalue == 1 + chance_of_this_value  # both tails include it
    assert SignedRank(*scores(both), zeros=zeros).pvalue == min(1, 2 * min(less.pvalue, greater.pvalue))


@given(counts, counts)
def test_one_sided_p_values_of_mcnemar_sum_to_at_least_1(n01, n10):
    less, greater = (McNemarExact(n01, n10, alternative=alternative).pvalue for alternative in ("less", "greater"))
    assert less + greater >= 1
    assert McNemarExact(n01, n10).pvalue == min(1, 2 * min(less, greater))


# -- more evidence, smaller p ---------------------------------------------------------------------------------------------------
@given(pairs, st.data())
def test_a_better_a_is_never_less_significant_in_signed_rank(both, data):
    # W+ counts the pairs i <= j with d_i + d_j > 0, and the null is the same for all data without ties and zeros;
    # with them it is conditional on them, and the sentence is no theorem
    d = np.array([x - y for x, y in both])
    raised = d + data.draw(st.lists(st.integers(0, 300), min_size=len(d), max_size=len(d)))
    for differences in (d, raised):
        assume(len(set(abs(differences))) == len(d) and 0 not in differences)
    test, better = (SignedRank(x / 100, 0 * x, alternative="greater") for x in (d, raised))
    assert better.w_plus >= test.w_plus
    assert better.pvalue <= test.pvalue


@given(pairs, st.integers(1, 300))
def test_raising_all_scores_of_a_is_never_less_significant_in_paired_t(both, shift):
    a, b = scores(both)
    test, better = PairedT(a, b, alternative="greater"), PairedT((np.array(both)[:, 0] + shift) / 100, b, alternative="greater")
    assert better.pvalue <= test.pvalue * (1 + 1e-9)


@given(counts, st.integers(1, 200))
def test_a_record_won_is_never_less_significant_in_mcnemar(n01, n10):
    before = McNemarExact(n01, n10 - 1, alternative="greater").pvalue
    rounding = 1 + 1e-12
    assert McNemarExact(n01, n10, alternative="greater").pvalue <= before * rounding  # one more that only A gets right
    assert McNemarExact(n01 + 1, n10 - 1, alternative="greater").pvalue * rounding >= before  # one more that only B gets right


# -- three ways to the same decision --------------------------------------------------------------------------------------------
@given(pairs, alternatives, zero_rules, st.floats(0.001, 0.5))
def test_the_critical_value_of_signed_rank_decides(both, alternative, zeros, level):
    test = SignedRank(*scores(both), alternative=alternative, zeros=zeros, alpha=level)
    assert test.reject == (test.statistic <= test.critical_value)
    if np.isfinite(test.critical_value):  # it is a sum that can occur, and the last that rejects
        values, _ = test.null.atoms()
        assert test.critical_value in values
        assert test.assuming(statistic=test.critical_value).reject
        assert not test.assuming(statistic=test.critical_value + 0.5).reject or test.critical_value + 0.5 not in values


@given(counts, counts, alternatives, st.floats(0.001, 0.5))
def test_the_critical_value_of_mcnemar_decides(n01, n10, alternative, level):
    test = McNemarExact(n01, n10, alternative=alternative, alpha=level)
    assert test.reject == (test.statistic <= test.critical_value)


# -- ranks ----------------------------------------------------------------------------------------------------------------------
@given(st.lists(hundredths, min_size=1, max_size=20))
def test_average_ranks_by_counting(x):
    # a rank is the number of smaller values, plus the middle of the equal ones
    assert average_ranks(x).tolist() == [sum(other < value for other in x) + (x.count(value) + 1) / 2 for value in x]
