"""Readers of worked rows, one module a medium: text, LaTeX, HTML, plain Python values, pictures."""
