"""Cross-validation and hold-out plans."""
