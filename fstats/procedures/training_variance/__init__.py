"""Repeated training of two models: how much of the variance comes from splits and seeds, and how probable is it that one model wins?"""
