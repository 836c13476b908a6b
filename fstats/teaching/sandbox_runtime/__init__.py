"""Modules that run inside the sandbox, in the process of a student's code; these modules import nothing of the course."""
