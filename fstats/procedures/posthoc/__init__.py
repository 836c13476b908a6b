"""Post hoc tests after a test for many classifiers: which classifiers differ?"""
