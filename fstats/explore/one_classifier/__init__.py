"""Explorers of one classifier."""
