"""Tests of two classifiers on right and wrong predictions of the same records (contingency tables)."""
