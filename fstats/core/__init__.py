"""Base classes of statistical tests, number formats and input checks."""
