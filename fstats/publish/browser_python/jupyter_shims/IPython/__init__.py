"""Replacement for IPython: `display`, text in markup languages, and no shell."""

version_info = (8, 20, 0)


def get_ipython() -> None:
    """Return None: there is no shell in a page."""
