"""Exercises of the course.

Each exercise is a folder with the name of its notebooks in `solutions/` and `exercises/`.
"""
