"""Methods with several runs (seeds) on many tasks: interquartile means, performance profiles and comparisons."""
