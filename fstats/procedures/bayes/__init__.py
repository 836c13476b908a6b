"""Bayesian comparisons of classifiers with a region of practical equivalence (ROPE)."""
