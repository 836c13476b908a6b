"""Read scores of classifiers from files and DataFrames."""

from .results import Results

__all__ = ["Results"]
