"""Decide whether answers are right, and write feedback."""
