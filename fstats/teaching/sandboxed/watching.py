"""One function in a process of its own, watched from before it is made until the process ends.

Neither the profile function nor the audit hook can be reached or switched off without an audited event, on which the process ends.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import Any

from .calling import HIDING, watcher

# audited events by which a function would leave the watcher: other threads, processes and programs, or another watcher
ENDS = {"sys.setprofile", "sys.settrace", "gc.get_objects", "gc.get_referrers", "gc.get_referents", "_thread.start_new_thread"}
ENDS |= {"_thread.start_joinable_thread", "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.system", "subprocess.Popen"}
ENDS |= {"cpython.PyInterpreterState_New", "cpython.PyInterpreterState_Clear"}
CODE = ("__code__", "__defaults__", "__kwdefaults__")  # of a function
ABSENT = ("ctypes", "_ctypes", "_xxsubinterpreters", "_interpreters", "_testcapi", "_testinternalcapi", "_testlimitedcapi")


def watch(ready: Collection[str], tell: Callable[[str], None]) -> None:
    """Watch this process from now on.

    Parameters
    ----------
    ready : collection of str
        Names of functions that are not to be called, besides the ready-made tests.
    tell : callable
        ``tell(what)``: says what was called, ends the process, and does not return.
    """

    def heard(event: str, arguments: tuple[Any, ...], ends: frozenset[str] = frozenset(ENDS), tell: Any = tell) -> None:
        if event in ends or event.startswith("ctypes.") or (event == "object.__setattr__" and arguments[1] in CODE):
            tell(event + HIDING)

    enter, set_profile = watcher(ready, tell), sys.setprofile
    for name in ABSENT:
        if sys.modules.get(name) is not None:
            vars(sys.modules[name]).clear()  # others may have it under names of their own
        sys.modules[name] = None  # type: ignore[assignment]
    set_profile(enter)
    sys.addaudithook(heard)
