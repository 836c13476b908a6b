"""Read the notebooks that students submit."""
