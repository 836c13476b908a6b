"""Tests for many classifiers: do they differ at all?"""
