"""Posteriors with a region of practical equivalence: how probable is it that one classifier is better, and that it does not matter?"""
