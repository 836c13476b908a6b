"""Two classifiers, one score for each data set."""
