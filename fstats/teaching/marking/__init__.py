"""Automatic marking of student notebooks.

The notebooks run in a sandbox, and are judged outside of it.
"""
