"""Named mistakes, and the search for the formula that gives a wrong number."""
