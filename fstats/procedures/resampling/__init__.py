"""Cross-validation and hold-out tests for comparing two learning algorithms."""
