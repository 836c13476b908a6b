"""Input checks and their error messages."""
