"""Verdicts on answers, and the feedback that students read."""
