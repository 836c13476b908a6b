"""After a test for many classifiers: which of them differ?"""
