"""Renderers of worked examples (plain text, HTML, LaTeX, JSON values), and their tables, line breaks and escaping."""
