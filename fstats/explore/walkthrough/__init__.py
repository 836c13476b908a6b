"""Walk of a test: one step at a time, with the formula and the picture together."""
