"""Tests that compare two learning algorithms on one data set by cross-validation or hold-out."""
