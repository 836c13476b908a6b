"""From two estimators and data to a worked answer; the only door to scikit-learn's models."""

from .one import compare, scores_on
from .together import compare_all

__all__ = ["compare", "compare_all", "scores_on"]
