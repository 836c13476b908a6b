"""Replacements for Jupyter libraries in the Python of a web page, because the page does the work of Jupyter."""
