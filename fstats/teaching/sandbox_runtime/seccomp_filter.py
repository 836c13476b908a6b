"""Seccomp filter (Linux): a program for the kernel that refuses the system calls that no notebook needs.

The allowed system calls serve computing: memory, files, own processes, local sockets.
"""

from __future__ import annotations

import os
import platform
import struct

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
SYSTEM_CALLS = {  # refused system calls: name, and numbers on x86_64 and on aarch64
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "syslog": (103, 116),
    "personality": (135, 92),
    "fanotify_init": (300, 262),
    "memfd_create": (319, 279),  # memfd_create and the calls after it allocate memory that no limit of a process counts
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mlock": (149, 228),
    "mlockall": (151, 230),
    "vmsplice": (278, 75),  # puts memory into a pipe, where it stays after its owner has released it
    "mq_open": (240, 180),
    "inotify_init1": (294, 26),  # keeps unread events in the kernel, and uses up the few watchers that all programs of a user share
    "landlock_create_ruleset": (444, 444),  # rules occupy memory of the kernel
    "io_setup": (206, 0),  # creates a context; the whole machine has few contexts
}
OLD_CALLS = {"inotify_init": 253}  # exists on x86_64 only
FILE_OWNER_CALLS = {  # system calls that change rights, times or priorities of other files and processes of the same user
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "socket": (41, 198),  # creates sockets, which can get a name; socket pairs have no name
}
OLD_FILE_OWNER_CALLS = (90, 92, 94, 132, 235, 261)  # chmod, chown, lchown, utime, utimes, futimesat: exist on x86_64 only
PRLIMIT = (302, 261)  # prlimit64, which is refused if it concerns another process
PROGRAMS = ((59, 221), (322, 281))  # execve, execveat
OPENS = ((257, 56), (437, 437), (2, 56), (85, 56))  # openat, openat2; open and creat exist on x86_64 only
CLONE, CLONE3, SOCKET, MMAP = (56, 220), (435, 435), (41, 198), (9, 222)
SIGNALS = ((62, 129), (200, 130), (234, 131), (129, 138), (297, 240))  # kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo
NEW_NAMESPACES = 0x7E020080  # mask of all flags CLONE_NEW...
AF_UNIX = 1
ANONYMOUS_MAPPING = 0x21  # MAP_SHARED, MAP_ANONYMOUS: one page in use keeps all pages of the mapping, which count for no process
ARGUMENT_RULES = {  # system calls that are refused for some values of an argument: numbers, position of the argument, refused values
    # SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE: allocate memory that no limit of a process counts
    "setsockopt": ((54, 208), 2, (7, 8, 32, 33)),
    # F_SETOWN, F_SETSIG, F_SETOWN_EX: send a signal to any process; F_SETPIPE_SZ: uses more memory
    "fcntl": ((72, 25), 1, (8, 10, 15, 1031)),
    "ioctl": ((16, 29), 1, (0x8901, 0x8902)),  # FIOSETOWN, SIOCSPGRP: send a signal to any process
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
    # results of the filter; `refuse` gives the error EPERM, and `unknown` gives ENOSYS
    allow, refuse, unknown = 0x7FFF0000, 0x00050001, 0x00050026
    lines: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),  # load the kind of the machine to which the numbers belong
        (equal, 1, 0, machine),
        (give, 0, 0, refuse),
        (load, 0, 0, 0),  # load the number of the system call
        (at_least, 0, 1, 0x40000000),  # numbers from 0x40000000 on belong to another table
        (give, 0, 0, refuse),
        (equal, 0, 1, CLONE3[column]),  # a filter cannot see the flags of clone3; if clone3 is unknown, libraries use clone
        (give, 0, 0, unknown),
    ]
    old = [] if column else [*OLD_CALLS.values(), *(() if alone else OLD_FILE_OWNER_CALLS)]
    for call in [*old, *(numbers[column] for numbers in (SYSTEM_CALLS if alone else SYSTEM_CALLS | FILE_OWNER_CALLS).values())]:
        lines += [(equal, 0, 1, call), (give, 0, 0, refuse)]
    lines += [(equal, 0, 4, CLONE[column]), (load, 0, 0, 16), (any_bit, 0, 1, NEW_NAMESPACES), (give, 0, 0, refuse), (give, 0, 0, allow)]
    lines += [(equal, 0, 4, SOCKET[column]), (load, 0, 0, 16), (equal, 1, 0, AF_UNIX), (give, 0, 0, refuse), (give, 0, 0, allow)]
    lines += [
        (equal, 0, 5, MMAP[column]),
        (load, 0, 0, 40),
        (keep, 0, 0, ANONYMOUS_MAPPING),
        (equal, 0, 1, ANONYMOUS_MAPPING),
        (give, 0, 0, refuse),
    ]
    lines += [(give, 0, 0, allow)]
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
