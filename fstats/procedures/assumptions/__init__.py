"""Checks of the assumptions of tests, with plots and worked examples: normality, symmetry, outliers."""
