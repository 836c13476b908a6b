"""Statistical tests for comparing classifiers.

There is a folder for each kind of question and a module for each test.
"""
