"""Tests for two learning algorithms on one data set, compared by resampling."""
