"""Two classifiers, right or wrong on each record."""
