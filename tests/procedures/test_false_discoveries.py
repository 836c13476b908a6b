"""Benjamini-Hochberg and Benjamini-Yekutieli: SciPy's values, the walk of thresholds, and the rate that they promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fstats import BenjaminiHochberg, BenjaminiYekutieli, Friedman, Holm, Pairwise

PAIRS = [(BenjaminiHochberg, "bh"), (BenjaminiYekutieli, "by")]
# The 15 p-values of Benjamini and Hochberg (1995), section 3.2: of them 4 are rejected at 0.05 (Bonferroni's procedure rejects 3)
THEIRS = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]


@pytest.mark.parametrize(("procedure", "method"), PAIRS)
@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=30), alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_scipys_values_and_the_walk(procedure, method, p, alpha):
    test = procedure.from_pvalues(p, alpha=alpha)
    assert test.adjusted == pytest.approx(stats.false_discovery_control(p, method=method), rel=1e-12, abs=1e-300)
    below = np.flatnonzero(test.sorted_pvalues <= test.thresholds * (1 - 1e-12))  # what lies on a threshold is left to rounding
    certain = test.sorted_reject[: below[-1] + 1] if len(below) else []
    assert np.all(certain)
    assert test.reject.sum() <= (test.sorted_pvalues <= test.thresholds * (1 + 1e-12)).nonzero()[0].max(initial=-1) + 1


def test_the_example_of_the_source():
    assert (BenjaminiHochberg.from_pvalues(THEIRS).reject.sum(), Holm.from_pvalues(THEIRS).reject.sum()) == (4, 3)
    assert BenjaminiHochberg.from_pvalues(THEIRS).thresholds[:4] == pytest.approx([0.05 / 15, 0.1 / 15, 0.01, 0.2 / 15])


def test_what_they_control_and_what_not():
    """Of 20 independent hypotheses 10 are true: the rate of false discoveries keeps its level; that of any false one is higher."""
    rng, trials = np.random.default_rng(4), 20_000
    z = rng.normal(size=(20, trials)) + np.repeat([0, 3], 10)[:, None]
    p = 2 * stats.norm.sf(np.abs(z))
    for procedure, least, most in ((BenjaminiHochberg, 0.02, 0.025), (BenjaminiYekutieli, 0.003, 0.0085)):
        reject = procedure.from_pvalues(p).reject
        share = reject[:10].sum(0) / np.maximum(1, reject.sum(0))
        error = 4 * share.std() / np.sqrt(trials)
        assert least - error <= share.mean() <= most + error  # alpha times the share of true ones, over c
    assert BenjaminiHochberg.from_pvalues(p).reject[:10].any(0).mean() > 0.15
    assert Holm.from_pvalues(p).reject[:10].any(0).mean() < 0.05 + 4 * np.sqrt(0.05 * 0.95 / trials)


@pytest.mark.parametrize("procedure", [BenjaminiHochberg, BenjaminiYekutieli])
def test_the_sentence_says_so(procedure):
    scores = np.random.default_rng(1).normal([0, 1, 5], 0.2, (12, 3))
    for test in (procedure(scores), procedure.from_test(Pairwise(scores)), procedure.from_test(Friedman(scores), control="A")):
        assert "On average at most 5 % of such rejections are false (false discovery rate)" in test.conclusion
        assert "Holm's procedure would control the probability that any rejection is false, but this procedure does not" in test.conclusion
    assert "false discovery" not in procedure.from_pvalues([0.5, 0.9]).conclusion
