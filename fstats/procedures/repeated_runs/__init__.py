"""Comparisons of methods with several runs (seeds) on many tasks: interquartile means and performance profiles."""
