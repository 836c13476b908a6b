"""Compare scikit-learn models, or scores of models, with any test of the package."""
