"""One module a medium: worked rows as text, HTML, LaTeX and plain Python values, pictures by matplotlib and as SVG."""
