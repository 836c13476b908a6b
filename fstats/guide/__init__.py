"""Recommendation of a test, and report of its result in a paper."""
