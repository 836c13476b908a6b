"""Interactive explorer of user-defined tests on paired scores."""

from __future__ import annotations

from typing import Any

from ...core.classifier_pair import TwoClassifierTest
from .paired_scores_explorer import PairedScoresExplorer


def of(
    test_class: type[TwoClassifierTest], a: Any, b: Any, *, n: int | None = None, alpha: float = 0.05, step: float = 1.0, **settings: Any
) -> PairedScoresExplorer:
    """Explore any test on paired scores, even your own test, with sliders for a score, the number of data sets, level and alternative.

    Parameters
    ----------
    test_class : type
        Test to explore: a subclass of :class:`fstats.core.classifier_pair.TwoClassifierTest` whose inputs a and b are paired scores.
    a, b, n, alpha, step
        Parameters of :func:`fstats.explore.paired_t`.
    **settings
        Further settings of the test, such as ``margin=2``, that stay constant.
    """
    if not (
        isinstance(test_class, type) and issubclass(test_class, TwoClassifierTest) and test_class.inputs.get("b", {}).get("like") == "a"
    ):
        name = getattr(test_class, "__name__", repr(test_class))
        rule = "a class that compares paired scores a and b (a subclass of ComparisonOfTwo), such as fstats.SignTest"
        raise TypeError(f"`test_class` must be {rule}; got {name}")
    return PairedScoresExplorer(test_class, a, b, n, alpha, step, **settings)
