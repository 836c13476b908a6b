"""Choice of a statistical test and report of its result."""
