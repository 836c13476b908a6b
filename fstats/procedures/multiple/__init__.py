"""Omnibus tests for many classifiers, which ask whether any classifiers differ."""
