"""Exercises of the course: one folder for each, with the name of its notebooks in `solutions/` and `exercises/`."""
