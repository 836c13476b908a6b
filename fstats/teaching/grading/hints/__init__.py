"""Hints after wrong answers; each further hint tells more."""
