"""Explorers of tests of many classifiers."""
