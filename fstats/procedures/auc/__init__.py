"""Tests of areas under ROC curves (AUC): does one classifier rank the records better than another?"""
