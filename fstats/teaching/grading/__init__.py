"""Exercises with automatic feedback: questions about the steps of a test, individual data, and named mistakes."""
