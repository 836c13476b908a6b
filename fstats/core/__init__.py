"""Base classes of all procedures (steps, rows, hypothesis tests), number formats and input checks."""
