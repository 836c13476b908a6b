"""From two estimators and data to a worked answer; the door to scikit-learn's models."""

from .apply_test import apply_test
from .every_test import compare_all
from .one_test import compare, scores_on

__all__ = ["apply_test", "compare", "compare_all", "scores_on"]
