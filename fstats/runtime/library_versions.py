"""Versions of Python and libraries, recorded with results for reproducibility."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version

IMPORTED_AS = {"scikit-learn": "sklearn"}


def versions(*libraries: str) -> dict[str, str]:
    """Return the versions of Python, fstats and these libraries.

    Examples
    --------
    >>> sorted(versions("numpy"))
    ['fstats', 'numpy', 'python']
    """
    import fstats

    return {"python": platform.python_version(), "fstats": fstats.__version__, **{name: _version(name) for name in libraries}}


def _version(name: str) -> str:
    """Return the version of a library; read `__version__` of a loaded library, because reading metadata is slow."""
    loaded = getattr(sys.modules.get(IMPORTED_AS.get(name, name)), "__version__", None)
    return loaded if isinstance(loaded, str) else version(name)
