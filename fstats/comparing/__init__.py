"""Compare scikit-learn models, or scores of models, with any test of the package."""

from .apply_test import apply_test
from .compare import compare, scores_on
from .compare_all import compare_all

__all__ = ["apply_test", "compare", "compare_all", "scores_on"]
