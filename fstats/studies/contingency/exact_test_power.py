"""The exact test on two guessing systems: how often it rejects, as a sum instead of a simulation."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ...core.hypothesis import Alternative
from ...core.validation import check
from ...core.value_types import Array
from ...distributions.symmetric_binomial import SymmetricBinomial

BLOCK = 1024  # numbers of discordant records whose critical values are looked up together
NEGLECTED_PROBABILITY = 1e-14  # probability that may lie outside the window of the sum


class RecordOutcome(NamedTuple):
    """What becomes of one record: only II is right (`s`), only I is right (`f`), or else they agree on right or wrong."""

    s: float
    f: float

    @property
    def discordant(self) -> float:
        """Probability that exactly one system is right."""
        return self.s + self.f

    @property
    def share(self) -> float:
        """Of the discordant records, the share on which it is system II."""
        return self.s / (self.s + self.f)


def record_outcome(r: float, classes: int) -> RecordOutcome:
    """System I guesses; system II guesses too, but knows the class of a record with probability r.

    >>> one = record_outcome(0.0, 10)
    >>> round(one.s, 4), round(one.f, 4), one.share
    (0.09, 0.09, 0.5)
    """
    guess = 1 / classes
    return RecordOutcome((1 - guess) * (r + (1 - r) * guess), guess * (1 - r) * (1 - guess))


def check_sample_sizes(value: Any, name: str) -> Any:
    """Whole numbers, at least 1."""
    return check.count(1)(value, name)


def check_forced_rates(value: Any, name: str) -> Any:
    """Probabilities that system II is forced to be right."""
    x = check.numbers(value, name)
    if ((x < 0) | (x > 1)).any():
        wrong = x[(x < 0) | (x > 1)].flat[0]
        raise ValueError(f"{name} must lie between 0 and 1, a share of the records and not a percentage (0.03 for 3 %); got {wrong:g}")
    return x[()]


def check_scalar(value: Any, name: str) -> Any:
    """One number, not several."""
    if np.ndim(value):
        raise ValueError(f"{name} must be one number; got {np.size(value)} of them")
    return value


def check_class_count(value: Any, name: str) -> int:
    """One whole number, at least 2."""
    return int(check.count(2)(check_scalar(value, name), name))


alternatives = check.choice("two-sided", "greater", "less")


def tail_probability(alpha: float, alternative: str) -> float:
    """The probability that each tail of the test may have."""
    return alpha / 2 if alternative == "two-sided" else alpha


def critical_losses(discordant: NDArray[np.int64], tail: float) -> NDArray[np.int64]:
    """For each number of discordant records, on how many of them the better system may be the wrong one for the test to reject.

    -1 where no outcome rejects.  With 5 discordant records and a tail of 0.05 none may be lost, with 8 one: (1 + 8)/256 = 0.035.

    >>> critical_losses(np.array([0, 4, 5, 8]), 0.05)
    array([-1, -1,  0,  1])
    """
    blocks, which = np.unique(discordant // BLOCK, return_inverse=True)
    return np.array([_critical_losses_block(int(number), tail) for number in blocks])[which, discordant % BLOCK]


@lru_cache(maxsize=512)
def _critical_losses_block(number: int, tail: float) -> NDArray[np.int64]:
    lows = SymmetricBinomial(np.arange(number * BLOCK, (number + 1) * BLOCK)).low(tail)
    return np.maximum(lows, -1).astype(np.int64)


def exact_power(N: Any, r: Any, classes: Any = 10, alpha: float = 0.05, alternative: Alternative = "less") -> Any:
    r"""How probable is it that the exact test tells the knowing system from the guessing one?  Without simulation.

    System I guesses among the classes, system II guesses too but is right with probability r more.  With s records on which only II
    is right and f on which only I is, :math:`s + f` is binomial, and so is s given :math:`s + f`:

    .. math:: P(\text{reject}) = \sum_d P(s + f = d) \; P(s \geq d - k_d \mid s + f = d),

    where :math:`k_d` is the largest number of losses with which the test rejects.

    Parameters
    ----------
    N : int or array_like of int
        Records, from 1; made for up to 1,000,000.
    r : float or array_like
        Probability, 0 to 1, that system II is forced to be right on a record.  N and r are broadcast against each other.
    classes : int
        Number of classes, from 2.
    alpha : float
        Level of the test.
    alternative : {"less", "two-sided", "greater"}
        As in :class:`fstats.McNemarExact` with A = system I: "less" claims that I is less accurate, so that II is better.

    Returns
    -------
    float or array
        Probability of rejecting, one for each pair of N and r.

    Notes
    -----
    The sum runs over a window of d around its mean outside of which there is less than 1e-14 of the probability (by Bernstein's
    inequality).  For r = 0 it is the true level of the test: below alpha, since counts come in steps.

    Raises
    ------
    ValueError, TypeError
        For N below 1, r outside 0 to 1, fewer than 2 classes, an unknown alternative, a level outside (0, 1).

    References
    ----------
    The blog post "Comparing two classifiers using a contingency table, pt. 1", whose simulation this replaces, in the paragraph
    "Now we run some simulations".

    Examples
    --------
    With five records and r = 1 system II is right on all; the test rejects if I errs on all: 0.9 ** 5.

    >>> print(round(exact_power(5, 1.0), 5), round(0.9 ** 5, 5))
    0.59049 0.59049
    >>> exact_power([300, 350], 0.05).round(3)
    array([0.467, 0.522])
    """
    N, r, classes = check_sample_sizes(N, "N"), check_forced_rates(r, "r"), check_class_count(classes, "classes")
    alpha, tail = check.level(alpha, "alpha"), tail_probability(check.level(alpha, "alpha"), alternatives(alternative, "alternative"))
    try:
        records, rates = np.broadcast_arrays(N, r)
    except ValueError:
        raise ValueError(f"N and r must fit together, such as N[:, None] and r; got shapes {np.shape(N)} and {np.shape(r)}") from None
    laws = {float(rate): record_outcome(float(rate), classes) for rate in np.unique(rates)}
    cells = [(int(n), laws[float(rate)]) for n, rate in zip(records.flat, rates.flat)]
    found = np.array([_power(n, one, tail, alternative) for n, one in cells]).reshape(records.shape)
    return np.clip(found, 0.0, 1.0)[()]


def _power(n: int, one: RecordOutcome, tail: float, alternative: str) -> float:
    d, weights = _discordant_counts(n, one.discordant)
    losses = critical_losses(d, tail)
    able = losses >= 0
    if not able.any():
        return 0.0
    d, weights, losses = d[able], weights[able], losses[able]
    found = 0.0
    if alternative != "greater":
        found += float(weights @ special.betainc(d - losses, losses + 1.0, one.share))
    if alternative != "less":
        found += float(weights @ special.betainc(d - losses, losses + 1.0, 1 - one.share))
    return found


def _discordant_counts(n: int, q: float) -> tuple[NDArray[np.int64], Array]:
    """All d that matter among n records of which each is discordant with probability q, and their probabilities."""
    bound = np.log(2 / NEGLECTED_PROBABILITY)
    away = bound / 3 + np.sqrt((bound / 3) ** 2 + 2 * bound * n * q * (1 - q))  # Bernstein's inequality
    d = np.arange(max(0, int(np.floor(n * q - away))), min(n, int(np.ceil(n * q + away))) + 1)
    # From each probability to the next it is one factor; logarithms of factorials of a million would cost eight digits.
    steps = np.log((n - d[:-1]) / (d[:-1] + 1.0)) + np.log(q / (1 - q))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    weights = np.exp(logs - logs.max())
    return d, weights / weights.sum()
