"""Assumptions of the tests, as worked objects for inspection: normality, symmetry, outliers."""
