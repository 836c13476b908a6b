"""Plots that show statistical tests step by step.

Each mark of a plot appears together with the step of the test that it shows.
"""
