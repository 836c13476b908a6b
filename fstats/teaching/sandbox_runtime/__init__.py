"""Code that runs inside the grading sandbox.

The modules run in the process of a student's code, and import nothing of the course.
"""
