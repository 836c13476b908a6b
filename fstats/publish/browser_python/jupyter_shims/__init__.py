"""Replacements for Jupyter libraries when Python runs in a web page: the page itself does the work of Jupyter."""
