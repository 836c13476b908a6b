"""Comparison of methods with repeated runs on many tasks."""
