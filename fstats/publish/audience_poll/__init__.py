"""Audience polls: the audience votes with phones at a server on the lecturer's laptop, and the slide shows the votes live."""
