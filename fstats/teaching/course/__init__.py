"""Exercises of the course, each in a folder with the name of its notebooks in `solutions/` and `exercises/`."""
