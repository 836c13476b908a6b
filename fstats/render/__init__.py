"""Output of worked examples: plain text, HTML, LaTeX and Python values for JSON; tables, line breaks of formulas, escaping."""
