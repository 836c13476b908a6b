"""Plots of post hoc tests.

They are critical difference diagrams and comparison matrices.
"""
