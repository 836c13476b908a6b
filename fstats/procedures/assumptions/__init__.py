"""Checks of the assumptions of statistical tests.

The checks are of normality, symmetry and outliers, with plots and worked examples.
"""
