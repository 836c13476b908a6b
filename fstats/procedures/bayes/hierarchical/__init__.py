"""Bayesian hierarchical comparison of two classifiers over many data sets."""
