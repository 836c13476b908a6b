"""The Bayesian Bradley-Terry model."""
