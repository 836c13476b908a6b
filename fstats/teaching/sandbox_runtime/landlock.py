"""Restrict file access of a process with Linux Landlock.

Landlock needs Linux 5.13 or newer.

Source: docs.kernel.org, "Landlock: unprivileged access control".
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

CREATE, ADD, RESTRICT = 444, 445, 446  # numbers of the system calls, the same on all processor types
BENEATH = 1  # LANDLOCK_RULE_PATH_BENEATH: rule for a file, or for a folder with its contents
EXECUTE, WRITE, READ, LIST, TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
FILE_RIGHTS = EXECUTE | WRITE | READ | TRUNCATE  # rights that apply to files; all other rights apply to folders only
# rights on files, rights on ports, and scopes (abstract sockets, signals) for each version of Landlock
RIGHTS_BY_VERSION = {
    1: ((1 << 13) - 1, 0, 0),
    2: ((1 << 14) - 1, 0, 0),
    3: ((1 << 15) - 1, 0, 0),
    4: ((1 << 15) - 1, 3, 0),
    6: ((1 << 15) - 1, 3, 3),
}


def landlock_version() -> int:
    """Return the version of Landlock that this system has; 0 if it has none."""
    try:
        return max(0, int(ctypes.CDLL(None).syscall(CREATE, None, ctypes.c_size_t(0), 1)))
    except (OSError, AttributeError, TypeError):  # the system is not Linux
        return 0


def make_ruleset(reads: Iterable[str], writes: Iterable[str]) -> int:
    """Return rules as an open file: paths in `reads` may be read, paths in `writes` may also be changed, with all their contents.

    Raises
    ------
    OSError
        If the system has no Landlock.
    """
    system, handled = ctypes.CDLL(None, use_errno=True), _handled_rights()
    size = ctypes.c_size_t(8 * (3 if handled[2] else 2 if handled[1] else 1))
    ruleset = int(system.syscall(CREATE, struct.pack("3Q", *handled), size, 0))
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "this system has no Landlock, a part of Linux 5.13 or later that blocks access to files")
    add_rules(ruleset, reads, EXECUTE | READ | LIST)
    add_rules(ruleset, writes)
    return ruleset


def _handled_rights() -> tuple[int, int, int]:
    return RIGHTS_BY_VERSION[max((version for version in RIGHTS_BY_VERSION if version <= landlock_version()), default=1)]


def add_rules(ruleset: int, paths: Iterable[str], rights: int = -1) -> None:
    """Allow access to files, and to folders with all their contents; without given rights, every access is allowed."""
    system, handled = ctypes.CDLL(None, use_errno=True), _handled_rights()[0]
    for path in paths:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            allowed = rights & handled if os.path.isdir(path) else rights & handled & FILE_RIGHTS
            if system.syscall(ADD, ruleset, BENEATH, struct.pack("=Qi", allowed, descriptor), 0):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)
        finally:
            os.close(descriptor)


def restrict_self(ruleset: int) -> None:
    """Apply the rules to this process and to all its children; before that, the process must have given up the right to gain privileges."""
    system = ctypes.CDLL(None, use_errno=True)
    if system.syscall(RESTRICT, ruleset, 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
