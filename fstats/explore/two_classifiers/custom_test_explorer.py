"""Explorer of any test on paired scores, also of a user's own test."""

from __future__ import annotations

from typing import Any

from ...core.classifier_pair import TwoClassifierTest
from .paired_scores_explorer import PairedScoresExplorer


def of(
    test_class: type[TwoClassifierTest], a: Any, b: Any, *, n: int | None = None, alpha: float = 0.05, step: float = 1.0, **settings: Any
) -> PairedScoresExplorer:
    """Explore any test on paired scores, also your own, with sliders: move a score, the number of data sets, the level, the alternative.

    Parameters
    ----------
    test_class : type
        A subclass of :class:`fstats.core.classifier_pair.TwoClassifierTest` whose inputs a and b are paired scores.
    a, b, n, alpha, step
        Same as in :func:`fstats.explore.paired_t`.
    **settings
        Further settings of the test that do not change, such as ``margin=2``.
    """
    if not (
        isinstance(test_class, type) and issubclass(test_class, TwoClassifierTest) and test_class.inputs.get("b", {}).get("like") == "a"
    ):
        name = getattr(test_class, "__name__", repr(test_class))
        raise TypeError(f"test_class must be a ComparisonOfTwo of paired scores a and b, such as fstats.SignTest; got {name}")
    return PairedScoresExplorer(test_class, a, b, n, alpha, step, **settings)
