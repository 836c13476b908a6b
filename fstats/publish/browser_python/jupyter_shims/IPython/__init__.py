"""Minimal replacement for IPython in the browser.

It has `display` and markup, but no shell.
"""

version_info = (8, 20, 0)


def get_ipython() -> None:
    """Return None, because a web page has no shell."""
