"""Interactive explorers of cross-validation and resampling tests."""
