"""Charts, one module for each kind."""
