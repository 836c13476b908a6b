"""Lessons, exercises, grading and lecture demonstrations of the course."""
