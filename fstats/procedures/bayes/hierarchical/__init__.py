"""The Bayesian hierarchical model."""
