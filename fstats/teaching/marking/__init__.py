"""Marking of a course: students' code delivers values in a sandbox; code of `grading` outside the sandbox judges the values."""
