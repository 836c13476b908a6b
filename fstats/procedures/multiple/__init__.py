"""Omnibus tests for comparing many classifiers."""
