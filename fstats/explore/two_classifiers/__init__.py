"""Explorers of tests of two classifiers."""
