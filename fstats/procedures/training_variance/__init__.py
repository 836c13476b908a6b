"""Variance of scores over repeated trainings of models.

The trainings differ in splits and seeds.
"""
