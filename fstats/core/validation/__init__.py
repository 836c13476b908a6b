"""Checks of inputs and stated values, with their error messages."""
