"""Recommendation of a statistical test, and report of the result of a test in a paper."""
