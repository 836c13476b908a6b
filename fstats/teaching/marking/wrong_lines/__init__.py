"""Find common errors in the code of a class."""
