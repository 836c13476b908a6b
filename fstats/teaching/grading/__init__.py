"""Exercises that give feedback: questions about worked tests, data for each student, and named mistakes."""
