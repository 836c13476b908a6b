"""What two models scored on the splits of a plan: the one thing that passes between models, files, simulations and tests."""

from __future__ import annotations

from dataclasses import dataclass

from ..null import Array
from .plans import Plan


@dataclass(frozen=True, eq=False)
class Scores:
    """Results of two models on the splits of a plan.

    The leading axes are those of the plan, ``plan.shape``; further axes are independent repetitions.
    """

    plan: Plan
    score_a: Array  # (*plan.shape, ...), higher is better
    score_b: Array
    tables: Array | None = None  # (*plan.shape, 2, 2, ...): records by [A wrong, A right] and [B wrong, B right] in each test set
    record_difference: Array | None = None  # (n, ...): right (1) or wrong (0) of A less that of B, where each record is tested once
    record_fold: Array | None = None  # (n, ...) or (n,): the fold that tested it
    halves: Array | None = None  # (10, 2, ...): mean differences on the halves of Nadeau and Bengio's conservative Z
    replicates: Array | None = None  # (15, R, ...): differences after resampling each split's training and test set

    @property
    def difference(self) -> Array:
        """Score of A less score of B on each split; positive where A is better."""
        return self.score_a - self.score_b
