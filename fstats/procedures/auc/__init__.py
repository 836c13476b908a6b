"""Tests of areas under ROC curves (AUC)."""
