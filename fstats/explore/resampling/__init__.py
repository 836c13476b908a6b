"""Explorers of tests with resampling."""
