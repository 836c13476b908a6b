"""Repeated training of models: variance of a difference due to splits and seeds, and the probability of outperforming."""
