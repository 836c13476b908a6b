"""Bootstrap and permutation tests that compare two classifiers by any metric on the same records."""
