"""Read submissions: files, notebooks, cells, and dependencies of answers."""
