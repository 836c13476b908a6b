"""Replacements for Jupyter libraries in the browser."""
