"""Hints after wrong answers, each more detailed than the one before."""
