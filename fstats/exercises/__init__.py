"""The exercises of the course, one file each, named as its notebooks in `solutions/` and `exercises/`."""
