"""Bayesian hierarchical comparison of two classifiers on many data sets."""
