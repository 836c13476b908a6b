"""Tests that compare right and wrong predictions of two classifiers on the same records (contingency tables)."""
