"""Mistakes: those with names, and the search for the formula behind a wrong number."""
