"""Marking of a course: students' code delivers values in a sandbox, and the judge of `grading` judges them outside."""
