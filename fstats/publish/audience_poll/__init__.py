"""Audience polls: a small server on the lecturer's laptop; the audience votes with phones, and the slide shows the votes live."""
