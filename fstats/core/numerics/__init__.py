"""Numerical helpers: rounding noise, ties, division by zero, sums of squares, ranks."""
