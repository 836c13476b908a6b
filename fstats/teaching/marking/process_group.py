"""All processes of one submission together: which they are, how much memory they take, and their end.

The kernel's limits hold each process by itself.  A control group would hold them together, but not everybody may make one, so somebody
looks again and again.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from contextlib import suppress

EVERY = 50  # milliseconds from one look to the next
ROUNDS = 1000  # of ending everybody, a millisecond each: whoever is being ended may have started another one


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


def memory_of(process: int) -> int:
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
    me, ours = os.getpid(), memory_of(os.getpid())
    try:
        watched = os.pidfd_open(process)
    except (AttributeError, OSError):  # macOS, or Linux before 5.3: there only each process has its limit
        return True
    try:
        ends = select.poll()
        ends.register(watched, select.POLLIN)
        while not ends.poll(EVERY):
            if sum(max(0, memory_of(one) - ours) for one in descendants(me)) > most:
                kill_descendants(me)
                return False
        return True
    finally:
        os.close(watched)


def kill_descendants(root: int) -> None:
    """End whatever a process has started."""
    for _ in range(ROUNDS):
        there = descendants(root)
        for one in there:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        if not there:
            return
        time.sleep(0.001)
