"""Automatic grading of exercises, with feedback for students."""
