"""Sampled answers and pass@k: plain loops, full enumeration, simulated laws, and what is refused."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats as st
from shortcuts import assert_raises, parametrize

from fstats import ClusteredDifference, OneSampleT, PairedT, PassAtK, QuestionsNeeded, SampledAnswers, WelchT


def drawn(seed, n, k, between=0.1, within=0.15, repetitions=()):
    """Scores with these variances."""
    rng = np.random.default_rng(seed)
    return rng.normal(0.5, between**0.5, (n, 1, *repetitions)) + rng.normal(0, within**0.5, (n, k, *repetitions))


@pytest.mark.parametrize(("n", "k"), [(2, 2), (7, 3), (3, 20)])
def test_the_parts_by_plain_loops(n, k):
    x = drawn(1, n, k)
    means = [sum(row) / k for row in x]
    mean = sum(means) / n
    within = sum((x[i, j] - means[i]) ** 2 for i in range(n) for j in range(k)) / (n * (k - 1))
    spread = sum((one - mean) ** 2 for one in means) / (n - 1)
    ours = SampledAnswers(x)
    assert (ours.mean, ours.within, ours.spread) == pytest.approx((mean, within, spread), rel=1e-12)
    assert ours.solved == pytest.approx(spread - within / k, rel=1e-9)
    f = st.f_oneway(*x)  # MS between / MS within, by another route
    assert k * ours.spread / ours.within == pytest.approx(f.statistic, rel=1e-10)


def test_the_interval_is_that_of_the_question_means():
    x = drawn(2, 9, 4)
    ours, theirs = SampledAnswers(x), OneSampleT(x.mean(1), 0.5)
    assert tuple(ours.ci) == pytest.approx(tuple(theirs.ci), rel=1e-12)


@pytest.mark.complete
def test_the_estimates_are_unbiased_and_the_plan_comes_true():
    ours = SampledAnswers(drawn(3, 30, 4, repetitions=(20_000,)))
    assert (ours.solved.mean(), ours.within.mean()) == (pytest.approx(0.1, rel=0.01), pytest.approx(0.15, rel=0.01))
    covered = (ours.ci.low <= 0.5) & (ours.ci.high >= 0.5)
    assert covered.mean() == pytest.approx(0.95, abs=0.005)
    truth = SampledAnswers.from_steps(between=0.1, within=0.15)
    assert truth.se_with(questions=30, answers=4) == pytest.approx(ours.mean.std(), rel=0.02)
    other = drawn(4, 60, 2, repetitions=(20_000,)).mean((0, 1))
    assert truth.se_with(questions=60, answers=2) == pytest.approx(other.std(), rel=0.02)


def test_differences_of_two_models_may_be_paired_in_any_order():
    rng = np.random.default_rng(5)
    a, b = drawn(5, 8, 3), drawn(6, 8, 3)
    once, other = SampledAnswers(a - b), SampledAnswers(a - rng.permuted(b, axis=1))
    assert (once.mean, once.se) == pytest.approx((other.mean, other.se), rel=1e-12)


@pytest.mark.parametrize(("m", "c", "k"), [(4, 1, 2), (5, 0, 3), (5, 5, 1), (6, 2, 5), (6, 2, 4), (7, 3, 3)])
def test_pass_at_k_by_full_enumeration(m, c, k):
    every = list(combinations([1] * c + [0] * (m - c), k))
    assert PassAtK([c, c], m, k=k).mean == pytest.approx(np.mean([max(one) for one in every]), abs=1e-15)


def test_pass_at_k_is_unbiased_also_of_thousands():
    correct = np.random.default_rng(7).binomial(10, 0.2, (2, 200_000))
    truth = 1 - 0.8**5
    assert PassAtK(correct, 10, k=5).mean.mean() == pytest.approx(truth, abs=0.002)
    assert np.mean(1 - (1 - correct / 10) ** 5) < truth - 0.03
    assert PassAtK([5_000, 1], 10_000, k=3_000).question_means == pytest.approx([1, 0.3], abs=1e-12)


@pytest.mark.parametrize("shape", [(3,), (3, 1), (1, 3)])
def test_answers_must_be_a_table(shape):
    assert_raises(lambda: SampledAnswers(np.zeros(shape)), r"must have the shape \(questions, answers\), both at least 2; .*OneSampleT")


def test_what_is_said():
    said = SampledAnswers(drawn(8, 40, 3)).conclusion
    assert said.startswith("The mean 0.4519 has a standard error of 0.06083; 34.2 % of the variance of an answer")
    assert "Twice as many answers would give" in said
    assert "the scores have no spread" in SampledAnswers(np.ones((3, 2))).conclusion
    assert "is below 0" in SampledAnswers([[0, 1], [1, 0], [0, 1]]).conclusion


# -- how many are needed -------------------------------------------------------------------------------------------------------------
def asked_of_both(rng, plan, trials):
    """Scores of two models with true difference delta on families of questions, `answers` to each: (questions, trials)."""
    families, m, k = int(plan.families), plan.family, plan.answers
    shared = plan.family_correlation**0.5 * rng.normal(size=(families, 1, trials))
    own = (1 - plan.family_correlation) ** 0.5 * rng.normal(size=(families, m, trials))
    true = plan.delta + plan.between**0.5 * (shared + own)
    sampling = np.sqrt((plan.sampling_a**2 + plan.sampling_b**2) / k)
    d = (true + sampling * rng.normal(size=true.shape)).reshape(-1, trials)
    return d, np.repeat(np.arange(families), m)


@pytest.mark.complete
@parametrize(
    "settings",
    {"correlation": 0.5},
    {"correlation": 0.3, "sampling_a": 0.3, "sampling_b": 0.4, "answers": 4},
    {"correlation": 0.5, "family": 5, "family_correlation": 0.4},
    ids=["paired", "sampled", "families"],
)
def test_the_test_that_is_planned_has_the_power(settings):
    plan = QuestionsNeeded(0.1, 0.4, 0.4, power=0.8, **settings)
    d, families = asked_of_both(np.random.default_rng(9), plan, 4000)
    assert ClusteredDifference(d, np.zeros_like(d), families).reject.mean() == pytest.approx(0.8, abs=0.025)


def test_two_models_and_sample_sizes():
    plan = QuestionsNeeded(0.1, 0.4, 0.3)
    rng = np.random.default_rng(10)
    n = int(plan.questions)
    rejected = WelchT(rng.normal(0.1, 0.4, (n, 4000)), rng.normal(0, 0.3, (n, 4000))).reject
    assert rejected.mean() == pytest.approx(0.8, abs=0.025)
    # n by Eq. 9, computed here from its letters, and statsmodels' z-test of one mean.
    power = pytest.importorskip("statsmodels.stats.power")
    omega2 = 0.4**2 + 0.3**2 - 2 * 0.6 * 0.4 * 0.3
    n = (1.959963984540054 + 0.8416212335729143) ** 2 * (omega2 + 0.2**2 / 3 + 0.25**2 / 3) / 0.05**2
    ours = QuestionsNeeded(0.05, 0.4, 0.3, correlation=0.6, sampling_a=0.2, sampling_b=0.25, answers=3)
    assert ours.questions == np.ceil(n)
    effect = 0.05 / ours.variance**0.5
    assert ours.questions == pytest.approx(np.ceil(power.normal_sample_size_one_tail(effect, 0.8, 0.025)), abs=1)


def test_a_variance_below_0_leaves_nothing_to_say_of_more():
    for scores in ([[1, 0], [0, 1], [1, 0], [1, 1]], [[1, 0], [0, 1]]):
        sampled = SampledAnswers(scores)
        assert sampled.solved < 0
        assert "is below 0, so the effect of more answers or questions cannot be estimated" in sampled.conclusion
        assert "Twice" not in sampled.conclusion
    ordinary = SampledAnswers([[1, 1], [0, 1], [0, 0], [1, 1]])
    assert ordinary.se_with(ordinary.n, ordinary.n_answers) == pytest.approx(ordinary.se)
    assert "Twice as many answers" in ordinary.conclusion


@pytest.mark.parametrize(("delta", "spread"), [(0.5, 0.4), (0.3, 0.4), (1.0, 0.3), (0.2, 0.5)])
def test_few_questions_are_counted_by_student(delta, spread):
    """By simulation, and by statsmodels where it is."""
    plan = QuestionsNeeded(delta, spread, spread, correlation=0.5)
    n = plan.by_student()
    assert plan.questions <= n <= plan.questions + 4

    def power(n):
        d = np.random.default_rng(0).normal(delta, plan.variance**0.5, (n, 20_000))
        return PairedT(d, np.zeros_like(d)).reject.mean()

    assert power(n) > 0.8 - 0.01
    assert n < 4 or power(n - 1) < 0.8 + 0.01
    assert plan.conclusion.startswith(f"{n} questions detect")
    assert f"The normal distribution gives {plan.questions:g}, but with so few the test is Student's t-test." in plan.conclusion


def test_many_questions_are_millers():
    plan = QuestionsNeeded(0.02, 0.4, 0.4, family=5, family_correlation=0.2)
    assert plan.conclusion.startswith(f"{plan.questions:.0f} questions in {plan.families:.0f} families detect")
    assert "Student" not in plan.conclusion
