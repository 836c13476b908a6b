"""Render worked examples as text, HTML, LaTeX and JSON."""
