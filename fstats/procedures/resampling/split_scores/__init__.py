"""Scores of two classifiers on the splits of one data set."""
