"""How a process keeps itself apart, before it runs what a stranger wrote: its own processes, folders, limits, and no rights."""

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

if sys.platform != "win32":  # where nothing of this runs; but the names are read there, too
    import resource

LINUX: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
PRIVATE_FOLDER = "/own"  # behind bubblewrap: where a submission may write; the name /tmp leads there
POLL_MILLISECONDS = 50  # milliseconds from one look to the next
MAX_ROUNDS = 1000  # of ending everybody, a millisecond each: whoever is being ended may have started another one
SIGNALS_WAITING = 256  # at the same time, timers included: the kernel has so many for all programs of a user
OUT_OF_TIME = 98  # how it ends when its computing time is used up
OUT_OF_MEMORY = 97  # and when all its processes together take too much
ISOLATED = b'{"isolated": true}\n'  # what it says once it is; no stranger's code has run before


def enter_namespaces(result: int, cpu: float) -> None:
    """Go on as process 1 of namespaces of one's own: when it ends, the kernel ends all that it started."""
    uid, gid = os.getuid(), os.getgid()
    _check_return(LINUX.unshare(0x10000000))  # CLONE_NEWUSER
    for name, line in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(line)
    _check_return(
        LINUX.unshare(0x20000000 | 0x00020000 | 0x08000000 | 0x40000000 | 0x04000000)
    )  # CLONE_NEWPID, NEWNS, NEWIPC, NEWNET, NEWUTS
    pid = os.fork()
    if pid:
        os.close(result)
        os._exit(exit_status(pid, cpu))
    LINUX.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG


def exit_status(pid: int, cpu: float, ours: bool = False) -> int:
    """Wait for a process: 128 and the signal that ended it, `OUT_OF_TIME` if its time was used up, and else 0.

    What status a stranger's process gives itself means nothing, since it may give itself any; that of a process of `ours` is told on.
    """
    _, status, usage = os.wait4(pid, 0)
    if os.WIFEXITED(status) and ours:
        return os.WEXITSTATUS(status)
    used_up = usage.ru_utime + usage.ru_stime > 0.8 * cpu  # two clocks of the kernel, which nearly agree
    if os.WIFEXITED(status):
        return OUT_OF_TIME if used_up and os.WEXITSTATUS(status) == OUT_OF_TIME else 0
    return OUT_OF_TIME if used_up else 128 + os.WTERMSIG(status)


def mount_private_folders(disk: int) -> None:
    """Empty folders in memory where one may write; nothing to see in /proc."""
    flags = 2 | 4  # MS_NOSUID, MS_NODEV; and 8, MS_NOEXEC, where one may write: no program of one's own
    _check_return(LINUX.mount(None, b"/", None, 0x4000 | 0x40000, None))  # MS_REC, MS_PRIVATE
    _check_return(LINUX.mount(b"tmpfs", PRIVATE_FOLDER.encode(), b"tmpfs", flags | 8, f"size={disk}m,nr_inodes=4096,mode=0700".encode()))
    _check_return(LINUX.mount(b"tmpfs", b"/dev/shm", b"tmpfs", flags, b"size=1m,nr_inodes=64,mode=0700"))
    _check_return(LINUX.mount(b"tmpfs", b"/proc", b"tmpfs", flags | 1, b"size=0k,nr_inodes=2,mode=0555"))


def prefer_for_oom_kill() -> None:
    """Where the machine's memory runs out, let it end this process, and no other."""
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def address_space_used() -> int:
    """How much of the address space the libraries take; 0 where nobody says."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def set_limits(limits: Mapping[str, Any]) -> None:
    """Let the kernel hold this process, and all that it starts, to its limits."""
    mib = 1 << 20
    _set(resource.RLIMIT_CORE, 0)
    signal.signal(signal.SIGXCPU, lambda *_: os._exit(OUT_OF_TIME))
    _set(resource.RLIMIT_CPU, max(1, round(limits["all_cpu"])) + 1)  # the kernel ends what does not listen
    if limits["room"]:
        _set(resource.RLIMIT_AS, limits["room"] + limits["memory"] * mib)
    _set(resource.RLIMIT_FSIZE, limits["disk"] * mib)
    _set(resource.RLIMIT_NOFILE, limits["files"])
    _set(resource.RLIMIT_NPROC, limits["processes"])
    if LINUX:
        _set(resource.RLIMIT_SIGPENDING, SIGNALS_WAITING)


def set_cpu_limit(seconds: float) -> None:
    """Let what comes next compute as long as that; never longer than the rest of the time of all, which the kernel holds."""
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (min(most, math.ceil(time.process_time() + seconds)), most))


def block_exec_and_open() -> None:
    """From now on no other process, thread or program, and no file that is not open yet."""
    _set(resource.RLIMIT_NPROC, 0)
    if LINUX and platform.machine() in MACHINES:
        _install_filter(exec_and_open_filter())


def _install_filter(program: bytes) -> None:
    """Have the kernel look at each system call by this program, besides those that it has."""
    code = ctypes.create_string_buffer(program)
    described = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    _check_return(LINUX.prctl(22, 2, ctypes.c_char_p(described), 0, 0))  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER


def _set(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (most, most))


# -- rights ------------------------------------------------------------------------------------------------------------------------
def drop_user(uid: int, reads: bool) -> None:
    """Become a user who owns nothing (0: remain who one is), without any rights but, perhaps, to read."""
    if uid:
        if LINUX and reads:
            LINUX.prctl(8, 1, 0, 0, 0)  # PR_SET_KEEPCAPS, of which one is kept below
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
    if LINUX:
        keep_read_capability(reads)
        if keys := system_call_number("keyctl"):
            LINUX.syscall(keys, 1, None)  # KEYCTL_JOIN_SESSION_KEYRING: an empty one


def set_dumpable(seen: bool) -> None:
    """Let others of the same user look into this process (by ptrace, in /proc), or nobody."""
    if LINUX:
        _check_return(LINUX.prctl(4, int(seen), 0, 0, 0))  # PR_SET_DUMPABLE


def keep_read_capability(reads: bool) -> None:
    """Give up all capabilities but one: that to read, where Python itself lies in a folder that only root may enter."""
    header = struct.pack("Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    only = (1 << 2) * reads  # CAP_DAC_READ_SEARCH
    _check_return(LINUX.capset(header, struct.pack("6I", only, only, 0, 0, 0, 0)))


def drop_capabilities(reads: bool, alone: bool, restrict: Callable[[], None]) -> None:
    """Give up every capability for good, all files but those of a list, and the system calls of no use to a notebook."""
    for capability in range(64):
        LINUX.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP; those beyond the kernel's last one are refused
    keep_read_capability(reads)
    _check_return(LINUX.prctl(38, 1, 0, 0, 0))  # PR_SET_NO_NEW_PRIVS
    restrict()
    if platform.machine() in MACHINES:
        _install_filter(seccomp_program(alone))


def _check_return(returned: int) -> None:
    if returned:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


# -- all processes of one submission together -------------------------------------------------------------------------------------
# The kernel's limits hold each process by itself.  A control group would hold them together, but not everybody may make one, so
# somebody looks again and again.
def descendants(root: int) -> list[int]:
    """The processes that one has started and that they have started, as far as they live; none where the system has no /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdecimal():
            with suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as file:  # it may have ended meanwhile
                state, parent = file.read().rpartition(b")")[2].split()[:2]  # what stands before may hold any letters
                if state not in b"ZX":  # has ended
                    children.setdefault(int(parent), []).append(int(name))
    found = [root]
    for one in found:  # which grows on the way
        found += children.pop(one, [])
    return found[1:]


def memory_used(process: int) -> int:
    """MiB of memory that a process takes, on the disk, too, without files that it only reads; 0 where the system has no /proc."""
    try:
        with open(f"/proc/{process}/status", "rb") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith((b"RssAnon:", b"RssShmem:", b"VmSwap:"))) >> 10
    except OSError:
        return 0


def wait_within_memory(process: int, most: int) -> bool:
    """Wait until a process of ours ends, and end all that we have started if together they take more MiB than that.

    What each has from us since it was forked is not counted; what they have from each other is, in each.
    """
    me, ours = os.getpid(), memory_used(os.getpid())
    try:
        watched = os.pidfd_open(process)
    except (AttributeError, OSError):  # macOS, or Linux before 5.3: there only each process has its limit
        return True
    try:
        ends = select.poll()
        ends.register(watched, select.POLLIN)
        while not ends.poll(POLL_MILLISECONDS):
            if sum(max(0, memory_used(one) - ours) for one in descendants(me)) > most:
                kill_descendants(me)
                return False
        return True
    finally:
        os.close(watched)


def kill_descendants(root: int) -> None:
    """End whatever a process has started."""
    for _ in range(MAX_ROUNDS):
        there = descendants(root)
        for one in there:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        if not there:
            return
        time.sleep(0.001)
