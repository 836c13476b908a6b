"""Bayesian Bradley-Terry model for paired comparisons of classifiers."""
