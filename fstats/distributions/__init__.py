"""Null distributions of test statistics: continuous distributions, and exact distributions by counting."""
