"""Training that strays: what two tests make of the same ten tables, and how often each of them rejects a true H0."""

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
REMEMBERED = 64  # simulations, so that a slider which comes back shows at once what it showed


@lru_cache(4)
def _chance(n: int) -> tuple[Array, Array]:
    """What chance decides for every data set: the leans of its ten trainings, in standard deviations, and a number for each record.

    The numbers of each block stand in order, and each block's begin at the next whole number, so that all are one ordered list.
    """
    rng = np.random.default_rng(1500)
    leans = rng.standard_normal((DATA_SETS, REPETITIONS, 2))
    numbers = np.sort(rng.random((DATA_SETS * BLOCKS, n // BLOCKS)), axis=1) + np.arange(DATA_SETS * BLOCKS)[:, np.newaxis]
    return leans, numbers.ravel()


@lru_cache(REMEMBERED)
def tables(n: int, e: float, strays: float) -> Array:
    """Ten tables of each of the data sets, shape (5, 2, 2, 2, data sets): H0 is true in all of them.

    Every record has a number, uniform between 0 and 1 and drawn once.  Those below e are discordant, whatever was trained: exactly one of
    the two is right.  A training that leans to A by delta makes A right on those below (e + delta)/2, B on the others up to e (at most
    on all, at least on none), so that its true accuracies differ by delta.  Leans are normal around 0 with the standard deviation
    `strays` (in percentage points), another one in each of the ten trainings.  All records that are not discordant both get right.
    """
    leans, numbers = _chance(n)
    rows, size = np.arange(DATA_SETS * BLOCKS).reshape(DATA_SETS, BLOCKS), n // BLOCKS

    def below(limit: Any) -> Array:
        """Records of each data set and block whose number lies below a limit."""
        return np.searchsorted(numbers, rows + limit) - rows * size

    found = np.zeros((REPETITIONS, 2, 2, 2, DATA_SETS))
    discordant = below(e)
    for j, folds in enumerate(half_blocks(REPETITIONS)):
        for k, blocks in enumerate(folds):
            won = below(np.clip((e + strays / 100 * leans[:, j, k, np.newaxis]) / 2, 0, e))
            a, both = won[:, blocks].sum(1), discordant[:, blocks].sum(1)
            found[j, k, 1, 0], found[j, k, 0, 1], found[j, k, 1, 1] = a, both - a, n / 2 - both
    found.setflags(write=False)
    return found


@lru_cache(REMEMBERED)
def levels(n: int, e: float, strays: float, alpha: float) -> tuple[float, float]:
    """Share of the data sets in which either test rejects."""
    of_all = tables(n, e, strays)
    return tuple(float(np.mean(test(of_all, alpha=alpha).reject)) for test in (BlockedFiveByTwoMcNemar, BlockedFiveByTwoT))  # type: ignore[return-value]


def whole_blocks(value: Any, name: str) -> int:
    """A number of records that eight blocks share evenly."""
    number = int(check.count(BLOCKS)(value, name))
    if number % BLOCKS:
        raise ValueError(f"{name} must be a multiple of {BLOCKS}, the number of blocks; got {number}")
    return number


class UnstableTraining(Procedure):
    """Training that strays: ten tables of two learners that are equally good, and how often two tests reject though H0 is true.

    Simulated: 400 data sets.  Which records are discordant is drawn once for each, and who wins them hinges on a lean that is drawn anew
    in each of the ten trainings.
    """

    n: int = input_field("n", "Number of records.", check=whole_blocks)
    share: float = input_field("e", "Share of the records on which exactly one is right.", check=check.level)
    strays: float = input_field(
        r"\sigma", "How far the accuracy difference of a training strays from 0, in percentage points.", check=check.nonnegative
    )
    draw: int = input_field("i", "Which of the data sets is shown.", check=check.count(1, DATA_SETS, "as many data sets as are drawn"))
    alpha: float = input_field(r"\alpha", "Level of the tests.", check=check.level, default=0.05, kw_only=True)

    @step(r"\bar d", r"\text{mean of ten accuracy differences} <- $n, $share, $strays, $draw, $alpha")
    def mean(self) -> float:
        """Mean difference of the accuracies; the true one is 0."""
        return float(self.t_test.mean)

    @step("E", r"\text{share of discordant records in ten tables} <- $n, $share, $strays, $draw, $alpha")
    def e(self) -> float:
        """Disagreement in this data set."""
        return float(self.t_test.e)

    @step(r"\hat\varphi", r"\text{scatter of the ten tables} <- $n, $share, $strays, $draw, $alpha")
    def scatter(self) -> float:
        """How many times as much the two folds of a repetition differ as chance among records explains."""
        return float(self.mcnemar.scatter)

    @step(r"\mathrm{CI}_\varphi", r"\text{interval of the scatter} <- $n, $share, $strays, $draw, $alpha")
    def scatter_interval(self) -> Interval:
        """Where the scatter may lie: five differences say little of it."""
        return self.mcnemar.scatter_interval

    @step(r"\mathrm{SE}_M", r"\sqrt{\frac{11}{10}\,\frac{$e}{$n}}")
    def mcnemar_se(self) -> float:
        """Standard error that McNemar's test takes the mean difference to have, whatever the tables scatter."""
        return float(np.sqrt(11 / 10 * self.e / self.n))

    @step("p_M", r"p \text{ of McNemar's test} <- $n, $share, $strays, $draw, $alpha")
    def mcnemar_p(self) -> float:
        """The p-value of the 5x2 BCV McNemar's test on these tables."""
        return float(self.mcnemar.pvalue)

    @step("s_J", r"\text{spread of the five repetitions} <- $n, $share, $strays, $draw, $alpha")
    def repetition_sd(self) -> float:
        """How far the means of the five repetitions lie apart."""
        return float(self.t_test.repetition_sd)

    @step(r"\mathrm{SE}_t", r"\sqrt{\frac{$e}{$n} + \left(\frac{1}{5} + \frac{1}{7}\right) $repetition_sd^2}")
    def t_se(self) -> float:
        """Standard error of the blocked t-test: records, and training."""
        return float(np.sqrt(self.e / self.n + (1 / 5 + 1 / 7) * self.repetition_sd**2))

    @step(r"\nu", r"\text{degrees of freedom by Satterthwaite's rule} <- $n, $share, $strays, $draw, $alpha")
    def df(self) -> float:
        """Degrees of freedom of the blocked t-test."""
        return float(self.t_test.df)

    @step("p_t", r"p \text{ of the blocked t-test} <- $n, $share, $strays, $draw, $alpha")
    def t_p(self) -> float:
        """The p-value of the blocked t-test on these tables."""
        return float(self.t_test.pvalue)

    @step("P_M", r"P(\text{McNemar's test rejects}) <- $n, $share, $strays, $alpha")
    def mcnemar_level(self) -> float:
        """Share of all the data sets in which McNemar's test rejects the true H0."""
        return levels(self.n, self.share, self.strays, self.alpha)[0]

    @step("P_t", r"P(\text{blocked t-test rejects}) <- $n, $share, $strays, $alpha")
    def t_level(self) -> float:
        """The same for the blocked t-test."""
        return levels(self.n, self.share, self.strays, self.alpha)[1]

    @property
    def mcnemar(self) -> BlockedFiveByTwoMcNemar:
        """McNemar's test on the ten tables that are shown."""
        return BlockedFiveByTwoMcNemar(self._shown, alpha=self.alpha)

    @property
    def t_test(self) -> BlockedFiveByTwoT:
        """The blocked t-test on them."""
        return BlockedFiveByTwoT(self._shown, alpha=self.alpha)

    @property
    def _shown(self) -> Array:
        return tables(self.n, self.share, self.strays)[..., self.draw - 1]

    @property
    def conclusion(self) -> str:
        """What both tests make of these tables, and of all data sets of this law."""
        low, high = self.scatter_interval

        def told(se: float, p: float) -> str:
            rejects = "rejects" if p <= self.alpha else "fails to reject"
            return f"takes {format_plain(100 * se, 2)} points for its standard error and {rejects} ({format_pvalue(p, self.alpha)})"

        return (
            f"The two folds of a repetition differ {format_plain(self.scatter, 2)} times as much as chance among records explains "
            f"({format_plain(low, 2)} to {format_plain(high, 2)}). McNemar's test {told(self.mcnemar_se, self.mcnemar_p)}; the blocked t-test "
            f"{told(self.t_se, self.t_p)}. H0 is true: of {DATA_SETS} such data sets the one rejects it in "
            f"{100 * self.mcnemar_level:.0f} %, the other in {100 * self.t_level:.0f} %. (Monte Carlo standard error: at most 2.5 points.)"
        )
