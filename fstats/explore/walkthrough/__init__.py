"""Step-by-step presentation of a statistical test.

Such a presentation is called a walk.
"""
