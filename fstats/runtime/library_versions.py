"""With which versions something was computed, for whoever wants to compute it again."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version

IMPORTED_AS = {"scikit-learn": "sklearn"}


def versions(*libraries: str) -> dict[str, str]:
    """The versions of Python, of fstats, and of these libraries.

    Examples
    --------
    >>> sorted(versions("numpy"))
    ['fstats', 'numpy', 'python']
    """
    import fstats

    return {"python": platform.python_version(), "fstats": fstats.__version__, **{name: _version(name) for name in libraries}}


def _version(name: str) -> str:
    """What a library that is loaded says itself, for it costs nothing; otherwise what is installed."""
    loaded = getattr(sys.modules.get(IMPORTED_AS.get(name, name)), "__version__", None)
    return loaded if isinstance(loaded, str) else version(name)
