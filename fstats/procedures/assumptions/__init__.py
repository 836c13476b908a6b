"""What the tests take for granted, as worked objects to look at: normality, symmetry, outliers."""
