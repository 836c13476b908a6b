"""Marking of student notebooks, which run in a sandbox and are judged outside of it."""
