"""Numerical functions for ranks, ties, rounding errors and sums of squares."""
