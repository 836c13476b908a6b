"""Exercises that answer: questions about worked tests, data for each student, mistakes that have names."""
