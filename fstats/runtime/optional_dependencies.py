"""What a part of the package needs beyond numpy and scipy, and how to install it where it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

DISTRIBUTION = "fstats-classifiers"  # its name where packages are published; `fstats` there is another project


@contextmanager
def require_extra(extra: str, what: str) -> Iterator[None]:
    """Import what an extra brings; where it is missing, the error says for what, and which extra has it.

    Examples
    --------
    >>> with require_extra("plot", "a picture"):
    ...     import no_such_library
    Traceback (most recent call last):
    ModuleNotFoundError: a picture needs no_such_library, which is not installed: pip install "fstats-classifiers[plot]"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "a library").partition(".")[0]
        if name == "fstats":  # a fault of ours, which no extra mends
            raise
        message = f'{what} needs {name}, which is not installed: pip install "{DISTRIBUTION}[{extra}]"'
        raise ModuleNotFoundError(message, name=error.name) from None
