"""Scores of k classifiers on N data sets and their folds: from files and frames to tests, and to the table of a paper."""

from .results import Results

__all__ = ["Results"]
