"""Charts of tests and simulations, with a module for each kind of chart."""
