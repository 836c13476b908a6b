"""Omnibus tests for many classifiers: is there any difference among them?"""
