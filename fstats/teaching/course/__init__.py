"""What the exercises of the course ask: a folder each, named as its notebooks in `solutions/` and `exercises/`."""
