"""The Bayesian Bradley-Terry model for wins, losses and ties of classifiers."""
