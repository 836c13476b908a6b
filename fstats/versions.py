"""With which versions something was computed, for whoever wants to compute it again."""

from __future__ import annotations

import platform
from importlib.metadata import version


def versions(*libraries: str) -> dict[str, str]:
    """The versions of Python, of fstats, and of these libraries.

    Examples
    --------
    >>> sorted(versions("numpy"))
    ['fstats', 'numpy', 'python']
    """
    import fstats

    return {"python": platform.python_version(), "fstats": fstats.__version__, **{name: version(name) for name in libraries}}
