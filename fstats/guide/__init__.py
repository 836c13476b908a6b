"""Recommendation of a statistical test, and report of its result in a paper."""
