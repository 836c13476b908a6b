"""Modules that run inside the sandbox, in the process of a student's code; they import nothing of the course."""
