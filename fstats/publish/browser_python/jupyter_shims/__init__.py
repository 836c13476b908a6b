"""Replacements for Jupyter libraries in a web page that runs Python."""
