"""Replacement for IPython in a web page: `display` and text in markup languages, but no shell."""

version_info = (8, 20, 0)


def get_ipython() -> None:
    """Return None, because a web page has no shell."""
