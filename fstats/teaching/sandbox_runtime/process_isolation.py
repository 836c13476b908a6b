"""Isolate the current process (namespaces, folders, resource limits, no privileges) before it runs untrusted code."""

from __future__ import annotations

import ctypes
import math
import os
import platform
import select
import signal
import struct
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from .seccomp_filter import MACHINES, exec_and_open_filter, seccomp_program, system_call_number

if sys.platform != "win32":  # Windows has no module `resource`; it imports this module, but calls none of its functions
    import resource

LINUX: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
PRIVATE_FOLDER = "/own"  # folder in which a submission may write if bubblewrap is used; /tmp links to it
POLL_MILLISECONDS = 50  # interval between two checks of the memory that a submission uses
# maximum number of attempts, one per millisecond, to kill all processes of a submission
# several attempts may be needed, because a process may start another one before it is killed
MAX_ROUNDS = 1000
# maximum number of pending signals and timers of a process; all programs of a user share a fixed number of them
SIGNALS_WAITING = 256
OUT_OF_TIME = 98  # exit status of a process whose computing time is used up
OUT_OF_MEMORY = 97  # exit status if all processes of a submission together use too much memory
ISOLATED = b'{"isolated": true}\n'  # first message of a process, sent after its isolation and before any untrusted code runs


def enter_namespaces(result: int, cpu: float) -> None:
    """Continue as process 1 of new namespaces: when this process ends, the kernel kills all processes that it started."""
    uid, gid = os.getuid(), os.getgid()
    _check_return(LINUX.unshare(0x10000000))  # CLONE_NEWUSER
    for name, line in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(line)
    # CLONE_NEWPID, CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWUTS
    _check_return(LINUX.unshare(0x20000000 | 0x00020000 | 0x08000000 | 0x40000000 | 0x04000000))
    pid = os.fork()
    if pid:
        os.close(result)
        os._exit(exit_status(pid, cpu))
    LINUX.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG: the kernel kills this process when its parent ends


def exit_status(pid: int, cpu: float, ours: bool = False) -> int:
    """Wait for a process; return 128 plus the signal that ended the process, `OUT_OF_TIME` if its time was used up, otherwise 0.

    An untrusted process can choose its exit status, so its status means nothing.  The status of a trusted process (`ours`) is returned.
    """
    _, status, usage = os.wait4(pid, 0)
    if os.WIFEXITED(status) and ours:
        return os.WEXITSTATUS(status)
    # the kernel limits the time by one clock and reports it by a slightly different one, so the factor 0.8 is a margin
    used_up = usage.ru_utime + usage.ru_stime > 0.8 * cpu
    if os.WIFEXITED(status):
        return OUT_OF_TIME if used_up and os.WEXITSTATUS(status) == OUT_OF_TIME else 0
    return OUT_OF_TIME if used_up else 128 + os.WTERMSIG(status)


def mount_private_folders(disk: int) -> None:
    """Mount empty writable folders in memory, and an empty /proc."""
    flags = 2 | 4  # MS_NOSUID, MS_NODEV; in the mounts below, 8 is MS_NOEXEC: no program in the folder can be run
    _check_return(LINUX.mount(None, b"/", None, 0x4000 | 0x40000, None))  # MS_REC, MS_PRIVATE
    _check_return(LINUX.mount(b"tmpfs", PRIVATE_FOLDER.encode(), b"tmpfs", flags | 8, f"size={disk}m,nr_inodes=4096,mode=0700".encode()))
    _check_return(LINUX.mount(b"tmpfs", b"/dev/shm", b"tmpfs", flags, b"size=1m,nr_inodes=64,mode=0700"))
    _check_return(LINUX.mount(b"tmpfs", b"/proc", b"tmpfs", flags | 1, b"size=0k,nr_inodes=2,mode=0555"))


def prefer_for_oom_kill() -> None:
    """Let the kernel kill this process first when the machine's memory runs out."""
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def address_space_used() -> int:
    """Return the address space that the libraries use, in bytes; 0 if the system does not report it."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def set_limits(limits: Mapping[str, Any]) -> None:
    """Let the kernel enforce the limits on this process and on all its child processes."""
    mib = 1 << 20
    _set(resource.RLIMIT_CORE, 0)
    signal.signal(signal.SIGXCPU, lambda *_: os._exit(OUT_OF_TIME))
    # a process can ignore SIGXCPU; the kernel kills it one second later
    _set(resource.RLIMIT_CPU, max(1, round(limits["all_cpu"])) + 1)
    if limits["room"]:
        _set(resource.RLIMIT_AS, limits["room"] + limits["memory"] * mib)
    _set(resource.RLIMIT_FSIZE, limits["disk"] * mib)
    _set(resource.RLIMIT_NOFILE, limits["files"])
    _set(resource.RLIMIT_NPROC, limits["processes"])
    if LINUX:
        _set(resource.RLIMIT_SIGPENDING, SIGNALS_WAITING)


def set_cpu_limit(seconds: float) -> None:
    """Limit the computing time of the next request; the kernel's limit for the whole run still applies."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (min(hard, math.ceil(time.process_time() + seconds)), hard))


def block_exec_and_open() -> None:
    """Forbid this process to start processes, threads or programs, and to open files."""
    _set(resource.RLIMIT_NPROC, 0)
    if LINUX and platform.machine() in MACHINES:
        _install_filter(exec_and_open_filter())


def _install_filter(program: bytes) -> None:
    """Install a filter program, by which the kernel checks each system call in addition to earlier filters."""
    code = ctypes.create_string_buffer(program)
    descriptor = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    _check_return(LINUX.prctl(22, 2, ctypes.c_char_p(descriptor), 0, 0))  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER


def _set(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (most, most))


# -- rights ------------------------------------------------------------------------------------------------------------------------
def drop_user(uid: int, reads: bool) -> None:
    """Become a user who owns nothing (0: keep the current user); drop every capability except, if needed, the one to read."""
    if uid:
        if LINUX and reads:
            LINUX.prctl(8, 1, 0, 0, 0)  # PR_SET_KEEPCAPS: keep the capabilities for now; all except one are dropped below
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
    if LINUX:
        keep_read_capability(reads)
        if keys := system_call_number("keyctl"):
            LINUX.syscall(keys, 1, None)  # KEYCTL_JOIN_SESSION_KEYRING: use an empty keyring


def set_dumpable(visible: bool) -> None:
    """Allow or forbid other processes of the same user to inspect this process (by ptrace or in /proc)."""
    if LINUX:
        _check_return(LINUX.prctl(4, int(visible), 0, 0, 0))  # PR_SET_DUMPABLE


def keep_read_capability(reads: bool) -> None:
    """Drop all capabilities except the one to read, which is needed if Python is in a folder that only root may enter."""
    header = struct.pack("Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    only = (1 << 2) * reads  # CAP_DAC_READ_SEARCH
    _check_return(LINUX.capset(header, struct.pack("6I", only, only, 0, 0, 0, 0)))


def drop_capabilities(reads: bool, alone: bool, restrict: Callable[[], None]) -> None:
    """Forbid this process for good every capability, all files outside a list, and the system calls that no notebook needs."""
    for capability in range(64):
        LINUX.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP; the kernel refuses numbers that are larger than its last capability
    keep_read_capability(reads)
    _check_return(LINUX.prctl(38, 1, 0, 0, 0))  # PR_SET_NO_NEW_PRIVS
    restrict()
    if platform.machine() in MACHINES:
        _install_filter(seccomp_program(alone))


def _check_return(returned: int) -> None:
    if returned:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


# -- all processes of one submission together -------------------------------------------------------------------------------------
# The kernel limits each process separately. A control group could limit all processes together, but not every user may create one.
# Therefore the server checks the memory of all processes at regular intervals.
def descendants(root: int) -> list[int]:
    """Return the living processes that a process started, directly or indirectly; empty if the system has no /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdecimal():
            with suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as file:  # the process may have ended in the meantime
                # the program's name is in parentheses and may contain spaces and parentheses, so split after the last one
                state, parent = file.read().rpartition(b")")[2].split()[:2]
                if state not in b"ZX":  # Z and X are the states of processes that have ended
                    children.setdefault(int(parent), []).append(int(name))
    processes = [root]
    for process in processes:  # the loop also visits processes that it appends, and therefore finds children of children
        processes += children.pop(process, [])
    return processes[1:]


def memory_used(process: int) -> int:
    """Return the memory of a process in MiB, with swap, without files that the process only reads; 0 if the system has no /proc."""
    try:
        with open(f"/proc/{process}/status", "rb") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith((b"RssAnon:", b"RssShmem:", b"VmSwap:"))) >> 10
    except OSError:
        return 0


def wait_within_memory(process: int, most: int) -> bool:
    """Wait until a child process ends; kill all children, and return False, if all children together use more than `most` MiB.

    Memory that a child shares with this process since the fork is not counted; memory that children share is counted in each child.
    """
    me, ours = os.getpid(), memory_used(os.getpid())
    try:
        watched = os.pidfd_open(process)
    except (AttributeError, OSError):  # macOS, and Linux before 5.3, have no pidfd_open; there, only the limits of single processes apply
        return True
    try:
        ends = select.poll()
        ends.register(watched, select.POLLIN)
        while not ends.poll(POLL_MILLISECONDS):
            if sum(max(0, memory_used(child) - ours) for child in descendants(me)) > most:
                kill_descendants(me)
                return False
        return True
    finally:
        os.close(watched)


def kill_descendants(root: int) -> None:
    """Kill all processes that a process has started."""
    for _ in range(MAX_ROUNDS):
        children = descendants(root)
        for child in children:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        if not children:
            return
        time.sleep(0.001)
