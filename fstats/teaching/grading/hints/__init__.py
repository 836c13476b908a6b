"""Hints for students after wrong answers."""
