"""Interactive explorers of tests for two classifiers."""
