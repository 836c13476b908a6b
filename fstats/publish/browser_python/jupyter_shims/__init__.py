"""Replacements for Jupyter libraries in the page's Python: the page does what Jupyter would do."""
