"""Bayesian comparison of classifiers."""
