"""Interactive explorers of tests for one classifier."""
