"""Cross-validation plans, and the requirements that their splits must meet."""
