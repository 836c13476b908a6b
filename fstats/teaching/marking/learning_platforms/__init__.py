"""Gradebooks and feedback for Moodle, Canvas, Gradescope and nbgrader."""
