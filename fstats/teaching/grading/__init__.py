"""Exercises that give feedback: questions about the steps of a test, data for each student, and named mistakes."""
