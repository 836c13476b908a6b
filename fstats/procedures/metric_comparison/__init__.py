"""Paired bootstrap and permutation tests for any metric."""
