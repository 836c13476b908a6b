"""Hints in rising strength after wrong answers."""
