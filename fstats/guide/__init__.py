"""Which test, and how to report it."""
