"""Charts of tests and simulations; each kind of chart has its own module."""
