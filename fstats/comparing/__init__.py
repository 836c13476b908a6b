"""From two estimators and data to a worked answer; the door to scikit-learn's models."""

from .every_test import compare_all
from .one_test import compare, scores_on
from .your_own import your_own

__all__ = ["compare", "compare_all", "scores_on", "your_own"]
