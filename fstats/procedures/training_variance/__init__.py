"""Variance of repeated trainings (splits and seeds), and the probability that one model outperforms another."""
