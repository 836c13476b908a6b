"""Seccomp filter (Linux), which refuses the system calls that no notebook needs.

The allowed system calls serve computing: memory, files, own processes, local sockets.
"""

from __future__ import annotations

import os
import platform
import struct
import tomllib
from pathlib import Path

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
REFUSED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
# numbers of each refused system call on x86_64 and on aarch64, by its name
SYSTEM_CALLS, FILE_OWNER_CALLS = REFUSED["always"], REFUSED["file_owner"]
OLD_CALLS = {"inotify_init": 253}  # refused system calls that exist only on x86_64
# numbers of chmod, chown, lchown, utime, utimes and futimesat, which exist only on x86_64
OLD_FILE_OWNER_CALLS = (90, 92, 94, 132, 235, 261)
PRLIMIT = (302, 261)  # numbers of prlimit64; a process may not change the limits of other processes
PROGRAMS = ((59, 221), (322, 281))  # numbers of the calls that start programs: execve, execveat
# numbers of the calls that open files: openat, openat2, open, creat (the last two exist only on x86_64)
OPENS = ((257, 56), (437, 437), (2, 56), (85, 56))
CLONE, CLONE3, SOCKET, MMAP = (56, 220), (435, 435), (41, 198), (9, 222)
# numbers of the calls that send signals: kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo
SIGNALS = ((62, 129), (200, 130), (234, 131), (129, 138), (297, 240))
NEW_NAMESPACES = 0x7E020080  # all CLONE_NEW... flags combined
AF_UNIX = 1
# MAP_SHARED | MAP_ANONYMOUS: refused, because a single page in use keeps all pages in memory, and no process is charged for them
ANONYMOUS_MAPPING = 0x21
# numbers of a system call, position of an argument, values of this argument for which the call is refused
ARGUMENT_RULES = {
    # SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE: no process is charged for this memory
    "setsockopt": ((54, 208), 2, (7, 8, 32, 33)),
    # F_SETOWN, F_SETSIG, F_SETOWN_EX send signals to any process; F_SETPIPE_SZ takes more memory
    "fcntl": ((72, 25), 1, (8, 10, 15, 1031)),
    "ioctl": ((16, 29), 1, (0x8901, 0x8902)),  # FIOSETOWN and SIOCSPGRP send signals to any process
}


def system_call_number(name: str) -> int | None:
    """Return the number of a system call on this machine; None if the table has no numbers for the machine."""
    machine = MACHINES.get(platform.machine())
    return SYSTEM_CALLS[name][machine[1]] if machine else None


def seccomp_program(alone: bool) -> bytes:
    """Return a program for the kernel that checks each system call: most calls are allowed, and the others fail with EPERM or ENOSYS.

    Parameters
    ----------
    alone : bool
        Whether namespaces already hide other processes and files.  Otherwise the process may send signals to itself only, and may change
        nothing that belongs to other processes.
    """
    machine, column = MACHINES[platform.machine()]
    load, equal, at_least, any_bit, keep, give = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
    # results of the filter: `refuse` gives the error EPERM, `unknown` gives ENOSYS
    allow, refuse, unknown = 0x7FFF0000, 0x00050001, 0x00050026
    lines: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),  # load the architecture, because the numbers of system calls depend on it
        (equal, 1, 0, machine),
        (give, 0, 0, refuse),
        (load, 0, 0, 0),  # load the number of the system call
        (at_least, 0, 1, 0x40000000),  # numbers from 0x40000000 on belong to another table of system calls
        (give, 0, 0, refuse),
        (equal, 0, 1, CLONE3[column]),  # a filter cannot read the flags of clone3; after the error ENOSYS, libraries use clone instead
        (give, 0, 0, unknown),
    ]
    old = [] if column else [*OLD_CALLS.values(), *(() if alone else OLD_FILE_OWNER_CALLS)]
    for call in [*old, *(numbers[column] for numbers in (SYSTEM_CALLS if alone else SYSTEM_CALLS | FILE_OWNER_CALLS).values())]:
        lines += [(equal, 0, 1, call), (give, 0, 0, refuse)]
    lines += [(equal, 0, 4, CLONE[column]), (load, 0, 0, 16), (any_bit, 0, 1, NEW_NAMESPACES), (give, 0, 0, refuse), (give, 0, 0, allow)]
    lines += [(equal, 0, 4, SOCKET[column]), (load, 0, 0, 16), (equal, 1, 0, AF_UNIX), (give, 0, 0, refuse), (give, 0, 0, allow)]
    lines += [(equal, 0, 5, MMAP[column]), (load, 0, 0, 40), (keep, 0, 0, ANONYMOUS_MAPPING)]
    lines += [(equal, 0, 1, ANONYMOUS_MAPPING), (give, 0, 0, refuse), (give, 0, 0, allow)]
    for numbers, argument, orders in ARGUMENT_RULES.values():
        lines += [(equal, 0, 3 + len(orders), numbers[column]), (load, 0, 0, 16 + 8 * argument)]
        lines += [(equal, len(orders) - k, 0, order) for k, order in enumerate(orders)]
        lines += [(give, 0, 0, allow), (give, 0, 0, refuse)]
    for numbers in () if alone else SIGNALS:
        lines += [(equal, 0, 4, numbers[column]), (load, 0, 0, 16), (equal, 1, 0, os.getpid()), (give, 0, 0, refuse), (give, 0, 0, allow)]
    if not alone:
        lines += [(equal, 0, 5, PRLIMIT[column]), (load, 0, 0, 16), (equal, 2, 0, 0), (equal, 1, 0, os.getpid()), (give, 0, 0, refuse)]
        lines += [(give, 0, 0, allow)]
    lines += [(give, 0, 0, allow)]
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def exec_and_open_filter() -> bytes:
    """Return a filter program for the kernel that forbids to run another program and to open files."""
    column = MACHINES[platform.machine()][1]
    lines = [(0x20, 0, 0, 0)]
    for call in dict.fromkeys((*PROGRAMS, *OPENS)):
        lines += [(0x15, 0, 1, call[column]), (0x06, 0, 0, 0x00050001)]
    return b"".join(struct.pack("HBBI", *line) for line in [*lines, (0x06, 0, 0, 0x7FFF0000)])
