"""Which files a process may open: those on a list, and no others, as the kernel holds it (Landlock, in Linux from 5.13 on).

Source: docs.kernel.org, "Landlock: unprivileged access control".
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

CREATE, ADD, RESTRICT = 444, 445, 446  # system calls, by the same numbers on every machine
BENEATH = 1  # the kind of rule that names a file, or a folder and all that is in it
EXECUTE, WRITE, READ, LIST, TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
FILE_RIGHTS = EXECUTE | WRITE | READ | TRUNCATE  # the other rights are those of folders
# by the version of Landlock: rights on files, rights on ports, and two worlds that end at the process: sockets without a file, signals
RIGHTS_BY_VERSION = {
    1: ((1 << 13) - 1, 0, 0),
    2: ((1 << 14) - 1, 0, 0),
    3: ((1 << 15) - 1, 0, 0),
    4: ((1 << 15) - 1, 3, 0),
    6: ((1 << 15) - 1, 3, 3),
}


def landlock_version() -> int:
    """Which version of Landlock this system has; 0 for none."""
    try:
        return max(0, int(ctypes.CDLL(None).syscall(CREATE, None, ctypes.c_size_t(0), 1)))
    except (OSError, AttributeError, TypeError):  # no Linux
        return 0


def make_ruleset(reads: Iterable[str], writes: Iterable[str]) -> int:
    """Rules as an open file: what may be read, with all that is in it, and what may be changed as well.

    Raises
    ------
    OSError
        Where the system has no Landlock.
    """
    system, handled = ctypes.CDLL(None, use_errno=True), _handled_rights()
    made = int(system.syscall(CREATE, struct.pack("3Q", *handled), ctypes.c_size_t(8 * (3 if handled[2] else 2 if handled[1] else 1)), 0))
    if made < 0:
        raise OSError(ctypes.get_errno(), "this system has no Landlock, which keeps a process from files (Linux has it from 5.13 on)")
    add_rules(made, reads, EXECUTE | READ | LIST)
    add_rules(made, writes)
    return made


def _handled_rights() -> tuple[int, int, int]:
    return RIGHTS_BY_VERSION[max((one for one in RIGHTS_BY_VERSION if one <= landlock_version()), default=1)]


def add_rules(made: int, paths: Iterable[str], rights: int = -1) -> None:
    """Allow more by these rules: files, and folders with all that is in them; everything if no rights are named."""
    system, handled = ctypes.CDLL(None, use_errno=True), _handled_rights()[0]
    for path in paths:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            may = rights & handled if os.path.isdir(path) else rights & handled & FILE_RIGHTS
            if system.syscall(ADD, made, BENEATH, struct.pack("=Qi", may, place), 0):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)
        finally:
            os.close(place)


def restrict_self(made: int) -> None:
    """Hold this process, and all that it starts, to these rules; it must have given up new privileges before."""
    system = ctypes.CDLL(None, use_errno=True)
    if system.syscall(RESTRICT, made, 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
