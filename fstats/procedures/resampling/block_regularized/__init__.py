"""Tests on block-regularized 3x2 and 5x2 cross-validation."""
