"""Comparison of two language models on one benchmark.

The results show the effects of pairing, of families of questions and of repeated answers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from ...core.number_format import format_plain, format_pvalue
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, Integers, Interval
from ...procedures.pairwise.clustered_difference import ClusteredDifference
from ...procedures.pairwise.paired_t import PairedT
from ...procedures.pairwise.two_sample_t import WelchT

BENCHMARKS, MOST = 1000, 800  # number of simulated benchmarks on which both models are equally good; maximum number of questions
UNEQUAL_ACCURACIES, EQUAL_ACCURACIES = (0.73, 0.70), (0.70, 0.70)  # true accuracies of A and B in the displayed benchmark, and under H0
# standard deviation of the difficulty, and correlation within a family of questions, on the scale of a latent normal variable
DIFFICULTY_SD, FAMILY_CORRELATION = 1.5, 0.8
FAMILIES = (1, 2, 5, 10, 20)


class Answered(NamedTuple):
    """Scores of two models, the mean of the answers to each question, (n,) or (n, benchmarks), and the family of each question."""

    a: Array
    b: Array
    families: Integers


@lru_cache(2)
def _random_effects(draw: int, benchmarks: int) -> tuple[Array, Array, dict[str, Any]]:
    """Draw the effects of families and single questions for the largest size; also return the generator's state after the draws."""
    rng = np.random.default_rng([draw, benchmarks])
    shared, own = (rng.standard_normal((3, MOST, benchmarks or 1)) for _ in range(2))
    return shared, own, dict(rng.bit_generator.state)


@lru_cache(64)
def answered(n: int, correlation: float, family: int, samples: int, draw: int, benchmarks: int = 0) -> Answered:
    """Simulate a benchmark on which A is better (`benchmarks` = 0), or many benchmarks on which both models are equally good.

    For each model, question i has the probability Phi(mu + 1.5 u_i) of a right answer. The effects u_i are standard normal, with the
    correlation `correlation` between the models and 0.8 between two questions of a family; mu is chosen for the required mean.
    """
    shared, own, state = _random_effects(draw, benchmarks)
    rng = np.random.default_rng()
    rng.bit_generator.state = state
    families = np.arange(n) // family
    both, *single = np.sqrt(FAMILY_CORRELATION) * shared[:, families] + np.sqrt(1 - FAMILY_CORRELATION) * own[:, :n]
    scores = []
    for mean, alone in zip(EQUAL_ACCURACIES if benchmarks else UNEQUAL_ACCURACIES, single, strict=True):
        u = np.sqrt(correlation) * both + np.sqrt(1 - correlation) * alone
        chance = special.ndtr(np.sqrt(1 + DIFFICULTY_SD**2) * special.ndtri(mean) + DIFFICULTY_SD * u)
        score = rng.binomial(samples, chance) / samples
        score.setflags(write=False)
        scores.append(score if benchmarks else score[:, 0])
    return Answered(scores[0], scores[1], families)


@lru_cache(64)
def type_one_error_rates(n: int, correlation: float, family: int, samples: int, alpha: float) -> tuple[float, float, float]:
    """Return the share of benchmarks with equal models on which Welch's test, the paired t-test and the test on families reject."""
    a, b, families = answered(n, correlation, family, samples, 1, BENCHMARKS)
    return tuple(float(np.mean(test.reject)) for test in _three_tests(a, b, families, alpha))  # type: ignore[return-value]


def _three_tests(a: Array, b: Array, families: Integers, alpha: float) -> tuple[WelchT, PairedT, ClusteredDifference]:
    return WelchT(a, b, alpha=alpha), PairedT(a, b, alpha=alpha), ClusteredDifference(a, b, families, alpha=alpha)


class TwoModels(Procedure):
    """Two models on one benchmark: is the difference more than chance, with or without families of questions?

    The answers are simulated with :func:`answered`: the true accuracy of model A is 0.73, that of model B 0.70.
    """

    n: int = input_field("n", "Number of questions.", check=check.count(2))
    correlation: float = input_field(
        r"\rho", "Correlation of the questions' difficulty for the two models.", check=check.number_between(0, 1)
    )
    family: int = input_field("m", "Number of questions in a family.", check=check.count(1))
    samples: int = input_field("K", "Number of answers to each question.", check=check.count(1))
    draw: int = input_field("i", "Number of the displayed benchmark.", check=check.count(1))
    alpha: float = input_field(r"\alpha", "Level of the tests.", check=check.level, default=0.05, kw_only=True)

    @step(r"\bar s_A", r"\text{mean score of A} <- $n, $correlation, $family, $samples, $draw")
    def mean_a(self) -> float:
        """Share of right answers of A; the true share is 0.73."""
        return float(self.shown.a.mean())

    @step(r"\bar s_B", r"\text{mean score of B} <- $n, $correlation, $family, $samples, $draw")
    def mean_b(self) -> float:
        """Share of right answers of B; the true share is 0.70."""
        return float(self.shown.b.mean())

    @step(r"\mathrm{SE}_A", r"\text{standard deviation of A's scores} / \sqrt{n} <- $n, $correlation, $family, $samples, $draw")
    def se_a(self) -> float:
        """Standard error of A's accuracy, as if questions were independent; leaderboards print this standard error."""
        return float(np.std(self.shown.a, ddof=1) / np.sqrt(self.n))

    @step(r"\mathrm{SE}_B", r"\text{standard deviation of B's scores} / \sqrt{n} <- $n, $correlation, $family, $samples, $draw")
    def se_b(self) -> float:
        """Standard error of B's accuracy, as if questions were independent."""
        return float(np.std(self.shown.b, ddof=1) / np.sqrt(self.n))

    @step("D", "$mean_a - $mean_b")
    def difference(self) -> float:
        """Difference of the two accuracies; the true difference is 0.03."""
        return self.mean_a - self.mean_b

    @step(r"\mathrm{SE}_1", r"\sqrt{$se_a^2 + $se_b^2}")
    def unpaired_se(self) -> float:
        """Standard error of the difference, as if each model had its own questions."""
        return float(np.hypot(self.se_a, self.se_b))

    @step(r"\mathrm{SE}_2", r"\text{standard error of the paired t-test} <- $n, $correlation, $family, $samples, $draw")
    def paired_se(self) -> float:
        """Standard error of the difference with paired questions: difficulty that is common to both models cancels."""
        return float(self.families.naive_se)

    @step(r"\mathrm{SE}_3", r"\text{standard error with families as what is independent} <- $n, $correlation, $family, $samples, $draw")
    def family_se(self) -> float:
        """Standard error of the difference with paired questions and independent families."""
        return float(self.families.se)

    @step("p_1", r"p \text{ of Welch's t-test} <- $n, $correlation, $family, $samples, $draw")
    def unpaired_p(self) -> float:
        """p-value of the test without pairs."""
        return float(WelchT(self.shown.a, self.shown.b).pvalue)

    @step("p_2", r"p \text{ of the paired t-test} <- $n, $correlation, $family, $samples, $draw")
    def paired_p(self) -> float:
        """p-value of the paired t-test."""
        return float(PairedT(self.shown.a, self.shown.b).pvalue)

    @step("p_3", r"p \text{ of ClusteredDifference} <- $n, $correlation, $family, $samples, $draw")
    def family_p(self) -> float:
        """p-value of the test with pairs and independent families."""
        return float(self.families.pvalue)

    @step("n_e", r"\text{as many independent questions} <- $n, $correlation, $family, $samples, $draw")
    def effective_n(self) -> float:
        """Number of independent questions with the same standard error."""
        return float(self.families.effective_n)

    @step("P_1", r"P(\text{Welch's test rejects a true } H_0) <- $n, $correlation, $family, $samples, $alpha")
    def unpaired_level(self) -> float:
        """Share of 1,000 benchmarks with equal models on which the test without pairs rejects."""
        return type_one_error_rates(self.n, self.correlation, self.family, self.samples, self.alpha)[0]

    @step("P_2", r"P(\text{paired t-test rejects a true } H_0) <- $n, $correlation, $family, $samples, $alpha")
    def paired_level(self) -> float:
        """Share of 1,000 benchmarks with equal models on which the paired t-test rejects."""
        return type_one_error_rates(self.n, self.correlation, self.family, self.samples, self.alpha)[1]

    @step("P_3", r"P(\text{ClusteredDifference rejects a true } H_0) <- $n, $correlation, $family, $samples, $alpha")
    def family_level(self) -> float:
        """Share of 1,000 benchmarks with equal models on which the test on families rejects."""
        return type_one_error_rates(self.n, self.correlation, self.family, self.samples, self.alpha)[2]

    @property
    def shown(self) -> Answered:
        """Scores of the displayed benchmark."""
        return answered(self.n, self.correlation, self.family, self.samples, self.draw)

    @property
    def families(self) -> ClusteredDifference:
        """Test of the displayed benchmark with independent families."""
        return ClusteredDifference(*self.shown)

    @property
    def intervals(self) -> list[Interval]:
        """Confidence intervals of the difference by the three tests."""
        return [test.ci for test in _three_tests(*self.shown, self.alpha)]

    @property
    def conclusion(self) -> str:
        """Verdicts and type I errors of the three tests, in words."""

        def describe(name: str, se: float, p: float) -> str:
            rejects = "rejects" if p <= self.alpha else "fails to reject"
            return f"{name} has a standard error of {format_plain(100 * se, 2)} points and {rejects} ({format_pvalue(p, self.alpha)})"

        return (
            f"A - B = {format_plain(100 * self.difference, 3)} points. "
            f"{describe('The test without pairs', self.unpaired_se, self.unpaired_p)}; "
            f"{describe('the paired t-test', self.paired_se, self.paired_p)}; "
            f"{describe('the test on families', self.family_se, self.family_p)}. On {BENCHMARKS:,} benchmarks with equal models "
            f"the three tests reject in {', '.join(f'{100 * level:.0f} %' for level in (self.unpaired_level, self.paired_level))} "
            f"and {100 * self.family_level:.0f} %. "
            "(Monte Carlo standard error: at most 1.6 points.)"
        )


def pilot(n: int = 100, samples: int = 10, correlation: float = 0.8, draw: int = 1) -> tuple[Array, Array]:
    """Simulate ten answers to each question by both models, as in :func:`answered`: tables of (questions, answers).

    >>> a, b = pilot()
    >>> a.shape, bool(set(a.ravel()) == {0.0, 1.0})
    ((100, 10), True)
    >>> import fstats
    >>> fstats.SampledAnswers(a - b).n_answers
    10
    """
    rng = np.random.default_rng([draw, n, samples])
    both, *single = rng.standard_normal((3, n))
    tables = []
    for mean, alone in zip(UNEQUAL_ACCURACIES, single, strict=True):
        u = np.sqrt(correlation) * both + np.sqrt(1 - correlation) * alone
        chance = special.ndtr(np.sqrt(1 + DIFFICULTY_SD**2) * special.ndtri(mean) + DIFFICULTY_SD * u)
        tables.append((rng.random((n, samples)) < chance[:, None]).astype(float))
    return tables[0], tables[1]
