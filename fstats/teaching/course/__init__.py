"""Exercises of the course: each exercise has a folder, named like its notebooks in `solutions/` and `exercises/`."""
