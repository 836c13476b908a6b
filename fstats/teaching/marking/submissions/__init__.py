"""Read submissions: files, notebooks, cells, and what each answer depends on."""
