"""Analysis of the line of code that computed an answer: its place in the notebook, its parts, and the wrong part."""
