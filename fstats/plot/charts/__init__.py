"""Charts of statistical tests and simulations.

There is a module for each kind of chart.
"""
