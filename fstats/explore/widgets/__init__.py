"""Base classes and controls of interactive explorers."""
