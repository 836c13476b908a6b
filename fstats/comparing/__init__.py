"""Comparison of scikit-learn models and of their scores."""
