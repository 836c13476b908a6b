"""Audience polls: the audience votes by phone, and the lecturer's slide shows the votes live."""
