"""Tests of areas under ROC curves (AUC), which measure how well a classifier ranks records."""
