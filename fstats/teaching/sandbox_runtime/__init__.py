"""Modules that run inside the sandbox, next to a student's code; they import nothing of the course."""
