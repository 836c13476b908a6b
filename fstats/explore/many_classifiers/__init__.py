"""Interactive explorers of tests for many classifiers."""
