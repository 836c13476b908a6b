"""Exact power of the exact McNemar test.

The two systems guess.
"""

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

BLOCK = 1024  # number of critical values computed together
NEGLECTED_PROBABILITY = 1e-14  # maximum total probability of the terms that are left out of the sum


class RecordOutcome(NamedTuple):
    """Outcome probabilities of one record: only system II is right (`s`), only system I is right (`f`)."""

    s: float
    f: float

    @property
    def discordant(self) -> float:
        """Probability that exactly one of the two systems is right on a record."""
        return self.s + self.f

    @property
    def share(self) -> float:
        """Share of the discordant records on which system II is right."""
        return self.s / (self.s + self.f)


def record_outcome(r: float, classes: int) -> RecordOutcome:
    """Return the outcome probabilities if system I guesses, and system II guesses but knows the class with probability r.

    >>> one = record_outcome(0.0, 10)
    >>> round(one.s, 4), round(one.f, 4), one.share
    (0.09, 0.09, 0.5)
    """
    guess = 1 / classes
    return RecordOutcome((1 - guess) * (r + (1 - r) * guess), guess * (1 - r) * (1 - guess))


check_sample_sizes = check.count(1)


def check_forced_rates(value: Any, name: str) -> Any:
    """Check that values are probabilities (with which system II is forced to be right)."""
    x = check.numbers(value, name)
    if ((x < 0) | (x > 1)).any():
        wrong = x[(x < 0) | (x > 1)].flat[0]
        raise ValueError(f"`{name}` must be a share between 0 and 1, such as 0.03 for 3 %; got {wrong:g}")
    return x[()]


def check_scalar(value: Any, name: str) -> Any:
    """Check that a value is one number, not an array."""
    if np.ndim(value):
        raise ValueError(f"`{name}` must be one number; got {np.size(value)} numbers")
    return value


def check_class_count(value: Any, name: str) -> int:
    """Check that a value is one whole number, at least 2."""
    return int(check.count(2)(check_scalar(value, name), name))


alternatives = check.choice("two-sided", "greater", "less")


def tail_probability(alpha: float, alternative: str) -> float:
    """Return the largest allowed probability of each tail of the test."""
    return alpha / 2 if alternative == "two-sided" else alpha


def critical_losses(discordant: NDArray[np.int64], tail: float) -> NDArray[np.int64]:
    """Return, for each number of discordant records, on how many of these records the better system may be wrong if the test rejects.

    -1 means that no outcome rejects.  For a tail of 0.05, the better system may be wrong on none of 5 discordant records, and on one of 8
    discordant records: (1 + 8)/256 = 0.035.

    >>> critical_losses(np.array([0, 4, 5, 8]), 0.05)
    array([-1, -1,  0,  1])
    """
    first, last = int(discordant.min()) // BLOCK, int(discordant.max()) // BLOCK
    if first == last:
        return _critical_losses_block(first, tail)[discordant - first * BLOCK]
    blocks, which = np.unique(discordant // BLOCK, return_inverse=True)
    return np.array([_critical_losses_block(int(number), tail) for number in blocks])[which, discordant % BLOCK]


@lru_cache(maxsize=512)
def _critical_losses_block(number: int, tail: float) -> NDArray[np.int64]:
    lows = SymmetricBinomial(np.arange(number * BLOCK, (number + 1) * BLOCK)).low(tail)
    return np.maximum(lows, -1).astype(np.int64)


def exact_power(N: Any, r: Any, classes: Any = 10, alpha: float = 0.05, alternative: Alternative = "less") -> Any:
    r"""Compute the probability that the exact test distinguishes a knowing system from a guessing one, without simulation.

    System I guesses among the classes.  System II guesses too, but is additionally right with probability r.  Let only II be right on s
    records, and only I on f records.  Then :math:`s + f` is binomial, and s given :math:`s + f` is also binomial:

    .. math:: P(\text{reject}) = \sum_d P(s + f = d) \; P(s \geq d - k_d \mid s + f = d),

    where :math:`k_d` is the largest number of losses with which the test rejects.

    Parameters
    ----------
    N : int or array_like of int
        Number of records, at least 1; the function is designed for up to 1,000,000 records.
    r : float or array_like
        Probability, 0 to 1, that system II is forced to be right on a record.  N and r are broadcast against each other.
    classes : int
        Number of classes, from 2.
    alpha : float
        Level of the test.
    alternative : {"less", "two-sided", "greater"}
        Alternative as in :class:`fstats.McNemarExact` with A = system I: "less" claims that I is less accurate, so that II is better.

    Returns
    -------
    float or array
        Probability of rejection for each pair of N and r.

    Notes
    -----
    The sum contains only d near the mean of d; the left out terms have a probability below 1e-14 (by Bernstein's inequality).  For
    r = 0 the result is the true level of the test, which is below alpha because counts are whole numbers.

    Raises
    ------
    ValueError, TypeError
        For N below 1, r outside 0 to 1, fewer than 2 classes, an unknown alternative, a level outside (0, 1).

    References
    ----------
    The blog post "Comparing two classifiers using a contingency table, pt. 1", paragraph "Now we run some simulations": this function
    replaces its simulation.

    Examples
    --------
    With five records and r = 1, system II is right on all records; the test rejects if system I errs on all five records: 0.9 ** 5.

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
        got = f"the shapes {np.shape(N)} and {np.shape(r)}"
        raise ValueError(f"`N` and `r` must have shapes that can be combined, such as N[:, None] and r; got {got}") from None
    outcomes = {float(rate): record_outcome(float(rate), classes) for rate in np.unique(rates)}
    cells = [(int(n), outcomes[float(rate)]) for n, rate in zip(records.flat, rates.flat)]
    powers = np.array([_power(n, outcome, tail, alternative) for n, outcome in cells]).reshape(records.shape)
    return np.clip(powers, 0.0, 1.0)[()]


def _power(n: int, outcome: RecordOutcome, tail: float, alternative: str) -> float:
    d, weights = _discordant_counts(n, outcome.discordant)
    losses = critical_losses(d, tail)
    able = losses >= 0
    if not able.any():
        return 0.0
    d, weights, losses = d[able], weights[able], losses[able]
    power = 0.0
    if alternative != "greater":
        power += float(weights @ special.betainc(d - losses, losses + 1.0, outcome.share))
    if alternative != "less":
        power += float(weights @ special.betainc(d - losses, losses + 1.0, 1 - outcome.share))
    return power


def _discordant_counts(n: int, q: float) -> tuple[NDArray[np.int64], Array]:
    """Return the relevant numbers d of discordant records among n, and their probabilities; q is the probability for one record."""
    bound = np.log(2 / NEGLECTED_PROBABILITY)
    # half width of the relevant range of d, by Bernstein's inequality
    distance = bound / 3 + np.sqrt((bound / 3) ** 2 + 2 * bound * n * q * (1 - q))
    d = np.arange(max(0, int(np.floor(n * q - distance))), min(n, int(np.ceil(n * q + distance))) + 1)
    # logarithms of factorials of a million would lose eight digits, so each probability is computed from the previous one
    steps = np.log((n - d[:-1]) / (d[:-1] + 1.0)) + np.log(q / (1 - q))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    weights = np.exp(logs - logs.max())
    return d, weights / weights.sum()
