"""Cross-validation scores of two classifiers on one data set."""
