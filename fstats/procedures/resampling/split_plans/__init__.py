"""Plans of cross-validation, and the requirements that splits must meet."""
