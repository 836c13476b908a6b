"""Post hoc tests for comparing many classifiers."""
