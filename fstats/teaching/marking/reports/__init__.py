"""Reports on the results of a class."""
