"""What cells and libraries take from IPython: `display`, words in a markup, and that no shell runs."""

version_info = (8, 20, 0)


def get_ipython() -> None:
    """No shell runs here."""
