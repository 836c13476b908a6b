"""5x2 cross-validation tests of Dietterich and Alpaydin."""
