"""Simulation of type I error rates under random training."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...core.number_format import format_plain, format_pvalue
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, Interval
from ...procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar
from ...procedures.resampling.block_regularized.blocked_five_by_two_t import BlockedFiveByTwoT
from ...procedures.resampling.split_plans.block_regularized_cv import half_blocks

DATA_SETS, BLOCKS, REPETITIONS = 400, 8, 5
CACHE_SIZE = 64  # maximum number of cached simulations; a slider returns to a cached position at once


@lru_cache(4)
def _random_effects(n: int) -> tuple[Array, Array]:
    """Draw the random effects of each data set: how far each training favours A, in standard deviations, and a number for each record.

    The numbers of each block are sorted, and each block starts at the next integer, so that all numbers form one sorted array.
    """
    rng = np.random.default_rng(1500)
    leans = rng.standard_normal((DATA_SETS, REPETITIONS, 2))
    numbers = np.sort(rng.random((DATA_SETS * BLOCKS, n // BLOCKS)), axis=1) + np.arange(DATA_SETS * BLOCKS)[:, np.newaxis]
    return leans, numbers.ravel()


@lru_cache(CACHE_SIZE)
def tables(n: int, e: float, strays: float) -> Array:
    """Simulate the ten tables of each data set, shape (5, 2, 2, 2, data sets); H0 is true in all data sets.

    Every record has one number, uniform between 0 and 1. Records with numbers below e are discordant in every training: exactly one of
    the two learners is right. In a training with lean delta, A is right on the records with numbers below (e + delta)/2 (limited to the
    range from 0 to e), and B on the other discordant records, so that the true accuracies differ by delta. Leans are normal with mean 0
    and standard deviation `strays` (in percentage points), independent in the ten trainings. Both learners get all other records right.
    """
    leans, numbers = _random_effects(n)
    rows, size = np.arange(DATA_SETS * BLOCKS).reshape(DATA_SETS, BLOCKS), n // BLOCKS

    def below(limit: Any) -> Array:
        """Count the records with a number below a limit, in each data set and block."""
        return np.searchsorted(numbers, rows + limit) - rows * size

    result = np.zeros((REPETITIONS, 2, 2, 2, DATA_SETS))
    discordant = below(e)
    for j, folds in enumerate(half_blocks(REPETITIONS)):
        for k, blocks in enumerate(folds):
            won = below(np.clip((e + strays / 100 * leans[:, j, k, np.newaxis]) / 2, 0, e))
            a, both = won[:, blocks].sum(1), discordant[:, blocks].sum(1)
            result[j, k, 1, 0], result[j, k, 0, 1], result[j, k, 1, 1] = a, both - a, n / 2 - both
    result.setflags(write=False)
    return result


@lru_cache(CACHE_SIZE)
def levels(n: int, e: float, strays: float, alpha: float) -> tuple[float, float]:
    """Return the share of the data sets in which each test rejects."""
    simulated = tables(n, e, strays)
    return tuple(float(np.mean(test(simulated, alpha=alpha).reject)) for test in (BlockedFiveByTwoMcNemar, BlockedFiveByTwoT))  # type: ignore[return-value]


def whole_blocks(value: Any, name: str) -> int:
    """Check that a number of records is a multiple of eight, the number of blocks."""
    number = int(check.count(BLOCKS)(value, name))
    if number % BLOCKS:
        raise ValueError(f"`{name}` must be a multiple of {BLOCKS}, the number of blocks; got {number}")
    return number


class UnstableTraining(Procedure):
    """Unstable training: ten tables of two learners that are equally good, and the share of true H0 that two tests reject.

    The 400 data sets are simulated. The discordant records of a data set are drawn once; the learner that is right on a discordant
    record depends on a lean, which is drawn again in each of the ten trainings.
    """

    n: int = input_field("n", "Number of records.", check=whole_blocks)
    share: float = input_field("e", "Share of the records on which exactly one learner is right.", check=check.level)
    strays: float = input_field(
        r"\sigma", "Standard deviation of the accuracy difference between trainings, in percentage points.", check=check.nonnegative
    )
    draw: int = input_field("i", "Number of the displayed data set.", check=check.count(1, DATA_SETS, "as many data sets as are drawn"))
    alpha: float = input_field(r"\alpha", "Level of the tests.", check=check.level, default=0.05, kw_only=True)

    @step(r"\bar d", r"\text{mean of ten accuracy differences} <- $n, $share, $strays, $draw, $alpha")
    def mean(self) -> float:
        """Mean difference of the accuracies; the true difference is 0."""
        return float(self.t_test.mean)

    @step("E", r"\text{share of discordant records in ten tables} <- $n, $share, $strays, $draw, $alpha")
    def e(self) -> float:
        """Share of the discordant records in this data set."""
        return float(self.t_test.e)

    @step(r"\hat\varphi", r"\text{scatter of the ten tables} <- $n, $share, $strays, $draw, $alpha")
    def scatter(self) -> float:
        """Scatter: squared differences between the two folds of a repetition, relative to the size that chance among records explains."""
        return float(self.mcnemar.scatter)

    @step(r"\mathrm{CI}_\varphi", r"\text{interval of the scatter} <- $n, $share, $strays, $draw, $alpha")
    def scatter_interval(self) -> Interval:
        """Confidence interval of the scatter, which is wide because it comes from only five differences."""
        return self.mcnemar.scatter_interval

    @step(r"\mathrm{SE}_M", r"\sqrt{\frac{11}{10}\,\frac{$e}{$n}}")
    def mcnemar_se(self) -> float:
        """Standard error of the mean difference in McNemar's test, which does not depend on the scatter."""
        return float(np.sqrt(11 / 10 * self.e / self.n))

    @step("p_M", r"p \text{ of McNemar's test} <- $n, $share, $strays, $draw, $alpha")
    def mcnemar_p(self) -> float:
        """p-value of the 5x2 BCV McNemar's test on these tables."""
        return float(self.mcnemar.pvalue)

    @step("s_J", r"\text{spread of the five repetitions} <- $n, $share, $strays, $draw, $alpha")
    def repetition_sd(self) -> float:
        """Standard deviation of the means of the five repetitions."""
        return float(self.t_test.repetition_sd)

    @step(r"\mathrm{SE}_t", r"\sqrt{\frac{$e}{$n} + \left(\frac{1}{5} + \frac{1}{7}\right) $repetition_sd^2}")
    def t_se(self) -> float:
        """Standard error of the blocked t-test, from records and training."""
        return float(np.sqrt(self.e / self.n + (1 / 5 + 1 / 7) * self.repetition_sd**2))

    @step(r"\nu", r"\text{degrees of freedom by Satterthwaite's rule} <- $n, $share, $strays, $draw, $alpha")
    def df(self) -> float:
        """Degrees of freedom of the blocked t-test."""
        return float(self.t_test.df)

    @step("p_t", r"p \text{ of the blocked t-test} <- $n, $share, $strays, $draw, $alpha")
    def t_p(self) -> float:
        """p-value of the blocked t-test on these tables."""
        return float(self.t_test.pvalue)

    @step("P_M", r"P(\text{McNemar's test rejects}) <- $n, $share, $strays, $alpha")
    def mcnemar_level(self) -> float:
        """Share of all data sets in which McNemar's test rejects the true H0."""
        return levels(self.n, self.share, self.strays, self.alpha)[0]

    @step("P_t", r"P(\text{blocked t-test rejects}) <- $n, $share, $strays, $alpha")
    def t_level(self) -> float:
        """Share of all data sets in which the blocked t-test rejects the true H0."""
        return levels(self.n, self.share, self.strays, self.alpha)[1]

    @property
    def mcnemar(self) -> BlockedFiveByTwoMcNemar:
        """McNemar's test on the ten displayed tables."""
        return BlockedFiveByTwoMcNemar(self._shown, alpha=self.alpha)

    @property
    def t_test(self) -> BlockedFiveByTwoT:
        """The blocked t-test on the ten displayed tables."""
        return BlockedFiveByTwoT(self._shown, alpha=self.alpha)

    @property
    def _shown(self) -> Array:
        return tables(self.n, self.share, self.strays)[..., self.draw - 1]

    @property
    def conclusion(self) -> str:
        """Results and type I errors of both tests, in words."""
        low, high = self.scatter_interval

        def describe(se: float, p: float) -> str:
            rejects = "rejects" if p <= self.alpha else "fails to reject"
            return f"has a standard error of {format_plain(100 * se, 2)} points and {rejects} ({format_pvalue(p, self.alpha)})"

        return (
            f"The two folds of a repetition differ {format_plain(self.scatter, 2)} times as much as chance among records explains "
            f"({format_plain(low, 2)} to {format_plain(high, 2)}). McNemar's test {describe(self.mcnemar_se, self.mcnemar_p)}; "
            f"the blocked t-test {describe(self.t_se, self.t_p)}. H0 is true: on {DATA_SETS} such data sets McNemar's test rejects H0 in "
            f"{100 * self.mcnemar_level:.0f} %, the t-test in {100 * self.t_level:.0f} %. (Monte Carlo standard error: at most 2.5 points.)"
        )
