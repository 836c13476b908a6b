"""Data sources for simulations.

The module has the interface, and sources without training.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.value_types import Array
from ..procedures.resampling.split_plans.split_plan import Plan
from ..procedures.resampling.split_scores.split_scores import Scores
from .fixed_loss_scores import shuffled_split_scores


class ErrorRates(NamedTuple):
    """True error rates of two learners, averaged over training sets, with Monte Carlo standard errors (0 if there is a formula)."""

    a: float
    b: float
    se_a: float
    se_b: float
    # standard error of a - b; it does not follow from se_a and se_b, because both learners have the same training sets
    se_difference: float
    n: int  # number of records in a training set
    data_sets: int

    @property
    def difference(self) -> float:
        """Error rate of A minus error rate of B; 0 under H0."""
        return self.a - self.b

    @classmethod
    def of(cls, a: Any, b: Any, n: int) -> ErrorRates:
        """Return means and standard errors of the error rates after each training."""
        a, b = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
        return cls(float(a.mean()), float(b.mean()), _standard_error(a), _standard_error(b), _standard_error(a - b), n, len(a))


def _standard_error(x: Array) -> float:
    return float(x.std(ddof=1) / np.sqrt(len(x))) if len(x) > 1 else float("nan")


class Source(Protocol):
    """A source of data sets, with the scores of two learning algorithms on the splits of a plan.

    The ``repr`` of a source must name its settings, because the ``repr`` identifies stored results.
    """

    def draw(self, rng: np.random.Generator, repetitions: int) -> Any:
        """Draw data sets for :meth:`scores`."""

    def scores(self, data: Any, plan: Plan, needs: Collection[str], seed: np.random.SeedSequence) -> Scores:
        """Return the scores of all data sets as one batch, with all parts in `needs`; random numbers depend only on the seed.

        The scores hold the numbers of training and test records (`n_train`, `n_test`), because corrected tests use their ratio.
        """


class FixedLosses(ABC):
    """A source whose algorithms are right or wrong on each record independently of their training sets."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, repetitions: int) -> NDArray[np.bool]:
        """Draw whether A and B are right on each record of each data set, shape (2, n, repetitions)."""

    def scores(self, data: NDArray[np.bool], plan: Plan, needs: Collection[str], seed: np.random.SeedSequence) -> Scores:
        """Return the scores on the splits of a plan; the records are shuffled before each split or cross-validation of the plan."""
        return shuffled_split_scores(data, plan, needs, seed)


@dataclass(frozen=True)
class Epsilon(FixedLosses):
    """Dietterich's simulated losses: both algorithms err equally often; each one errs more often on the half on which the other errs less.

    Parameters
    ----------
    n : int
        Even number of records.
    epsilon : float
        Error rate of each algorithm, above 0 and at most 2/3.  In the first half of the records A errs with probability epsilon/2 and B
        with 3 epsilon/2; in the second half A errs with probability 3 epsilon/2 and B with epsilon/2.
    advantage : float
        Accuracy of A minus accuracy of B, which is added to all error rates of B.  With the value 0 of the paper, H0 is true; other
        values serve to compute power.

    Raises
    ------
    ValueError
        If the number of records is odd, or an error rate is outside 0 to 1.

    References
    ----------
    Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural Computation
    10, pages 1895 to 1923.  Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification
    algorithms, section 5.2, synthetic data set 1.

    Examples
    --------
    >>> Epsilon(n=4, epsilon=0.1).error_rates
    array([[0.05, 0.05, 0.15, 0.15],
           [0.15, 0.15, 0.05, 0.05]])
    """

    n: int = 300
    epsilon: float = 0.1
    advantage: float = 0.0

    def __post_init__(self) -> None:
        if self.n < 2 or self.n % 2:
            raise ValueError(f"`n` must be even (half of the records are easier for A); got {self.n}")
        if not 0 < self.epsilon <= 2 / 3:
            raise ValueError(f"`epsilon` must be above 0 and at most 2/3; got {self.epsilon!r}")
        if not (self.error_rates >= 0).all() or not (self.error_rates <= 1).all():
            raise ValueError(
                f"`advantage` must keep the error rates of B between 0 and 1; got advantage = {self.advantage!r} with epsilon = "
                f"{self.epsilon:g}"
            )

    @property
    def error_rates(self) -> NDArray[np.float64]:
        """Error rates of A and of B on each record."""
        low, high = np.full(self.n // 2, self.epsilon / 2), np.full(self.n // 2, 3 * self.epsilon / 2)
        return np.array([np.r_[low, high], np.r_[high, low] + self.advantage])

    def true_error_rates(self) -> ErrorRates:
        """Return the error rates of A and of B over all records; the rates are known without training."""
        a, b = self.error_rates.mean(1)
        return ErrorRates(float(a), float(b), 0.0, 0.0, 0.0, self.n, 0)

    def draw(self, rng: np.random.Generator, repetitions: int) -> NDArray[np.bool]:
        """Draw whether A and B are right, shape (2, n, repetitions)."""
        correct: NDArray[np.bool] = rng.random((2, self.n, repetitions)) >= self.error_rates[..., np.newaxis]
        return correct
