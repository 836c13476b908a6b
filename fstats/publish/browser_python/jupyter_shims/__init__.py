"""What stands in the page's Python for libraries that talk to Jupyter; the page answers in its place."""
