"""Explorers of cross-validation."""
