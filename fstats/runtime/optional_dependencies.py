"""Import optional dependencies.

If an extra is missing, an error message says how to install it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

DISTRIBUTION = "fstats-classifiers"  # name on PyPI, where `fstats` is another package


@contextmanager
def require_extra(extra: str, what: str) -> Iterator[None]:
    """Run imports that need an extra; if a library is missing, the error says which feature needs the library and which extra installs it.

    Examples
    --------
    >>> with require_extra("plot", "a picture"):
    ...     import no_such_library
    Traceback (most recent call last):
    ModuleNotFoundError: a picture needs no_such_library, which is not installed. Run `pip install "fstats-classifiers[plot]"`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "a library").partition(".")[0]
        # a missing module of fstats is a bug, and no extra installs it
        if name == "fstats":
            raise
        message = f'{what} needs {name}, which is not installed. Run `pip install "{DISTRIBUTION}[{extra}]"`.'
        raise ModuleNotFoundError(message, name=error.name) from None
