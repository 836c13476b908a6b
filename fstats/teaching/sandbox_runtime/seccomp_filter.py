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
# refused system calls: name -> numbers on x86_64 and on aarch64
SYSTEM_CALLS, FILE_OWNER_CALLS = REFUSED["always"], REFUSED["file_owner"]
OLD_CALLS = {"inotify_init": 253}  # refused system calls of x86_64 only
OLD_FILE_OWNER_CALLS = (90, 92, 94, 132, 235, 261)  # chmod, chown, lchown, utime, utimes, futimesat, on x86_64 only
PRLIMIT = (302, 261)  # prlimit64, refused for other processes
PROGRAMS = ((59, 221), (322, 281))  # calls that start programs: execve, execveat
# calls that open files: openat, openat2, open, creat (the last two on x86_64 only)
OPENS = ((257, 56), (437, 437), (2, 56), (85, 56))
CLONE, CLONE3, SOCKET, MMAP = (56, 220), (435, 435), (41, 198), (9, 222)
# calls that send signals: kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo
SIGNALS = ((62, 129), (200, 130), (234, 131), (129, 138), (297, 240))
NEW_NAMESPACES = 0x7E020080  # all CLONE_NEW... flags together
AF_UNIX = 1
ANONYMOUS_MAPPING = 0x21  # MAP_SHARED, MAP_ANONYMOUS: refused; one page in use keeps all pages in memory, and these count for no process
ARGUMENT_RULES = {  # calls that are refused for some values of an argument: numbers, position of the argument, refused values
    # SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE: memory that counts for no process
    "setsockopt": ((54, 208), 2, (7, 8, 32, 33)),
    # F_SETOWN, F_SETSIG, F_SETOWN_EX: signals to any process; F_SETPIPE_SZ: more memory
    "fcntl": ((72, 25), 1, (8, 10, 15, 1031)),
    "ioctl": ((16, 29), 1, (0x8901, 0x8902)),  # FIOSETOWN, SIOCSPGRP: signals to any process
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
    # results of the filter: `refuse` fails with EPERM, `unknown` with ENOSYS
    allow, refuse, unknown = 0x7FFF0000, 0x00050001, 0x00050026
    lines: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),  # load the architecture, on which the numbers of system calls depend
        (equal, 1, 0, machine),
        (give, 0, 0, refuse),
        (load, 0, 0, 0),  # load the number of the system call
        (at_least, 0, 1, 0x40000000),  # numbers from 0x40000000 on are another table of system calls
        (give, 0, 0, refuse),
        (equal, 0, 1, CLONE3[column]),  # a filter cannot read the flags of clone3; after ENOSYS, libraries use clone instead
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
