"""Identify the mistake behind a wrong answer."""
