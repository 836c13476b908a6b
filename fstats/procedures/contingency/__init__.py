"""Tests of contingency tables of two classifiers.

The tables count right and wrong predictions on the same records.
"""
