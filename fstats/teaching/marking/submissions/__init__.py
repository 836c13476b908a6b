"""Read submissions: files, notebooks, cells, and the dependencies of each answer."""
