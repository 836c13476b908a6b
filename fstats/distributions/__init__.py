"""Null distributions of test statistics.

They are continuous, or exact by counting.
"""
