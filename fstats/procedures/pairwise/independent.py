"""What the tests of two independent samples share: each classifier was scored on data sets of its own."""

from __future__ import annotations

from ...core import pairing
from ...core.pair import ComparisonOfTwo


class IndependentSamples(ComparisonOfTwo):
    """A test of two classifiers by samples of any sizes, with the same repetitions behind."""

    scored = ("x", "y")

    def __post_init__(self) -> None:
        pairing.same_columns(self.__dict__.get("x"), self.__dict__.get("y"), ("x", "y"))
        super().__post_init__()
        pairing.same_repetitions(self, "x", "y")
