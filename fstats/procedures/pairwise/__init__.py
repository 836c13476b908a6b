"""Tests of two classifiers with one score for each data set."""
