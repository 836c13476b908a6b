"""Hints of increasing strength."""
