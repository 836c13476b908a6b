"""Scores of k classifiers on N data sets (and on folds), read from files and DataFrames, for tests and publication tables."""

from .results import Results

__all__ = ["Results"]
