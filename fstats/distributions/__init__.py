"""Null distributions of test statistics: continuous ones, and exact ones by counting."""
