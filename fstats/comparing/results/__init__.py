"""Read scores of classifiers on data sets from files and DataFrames, for tests and publication tables."""

from .results import Results

__all__ = ["Results"]
