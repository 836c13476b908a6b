"""Tests for comparing two classifiers over many data sets."""
