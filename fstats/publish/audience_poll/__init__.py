"""Live audience polls in lectures.

The audience votes by phone, and the lecturer's slide shows the votes.
"""
