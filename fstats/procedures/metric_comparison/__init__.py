"""Comparisons of two classifiers on the same records by any metric: bootstrap and permutation tests."""
