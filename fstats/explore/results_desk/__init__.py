"""Desk, a widget that compares the classifiers in a table of scores or predictions, step by step."""
