"""Checks of inputs and of values that the user states, with their error messages."""
