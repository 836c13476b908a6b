"""Which wall stands between us and a submission: the strongest that is there, or the one that a lecturer names."""

from __future__ import annotations

from contextlib import nullcontext, suppress

from ...sandbox_runtime.landlock import version as landlock
from .allow_list import PACKAGE
from .bubblewrap_sandbox import Sandbox, SandboxUnavailable, find_bubblewrap
from .notebook_session import Limits, Wall
from .sandbox_leak_check import check_wall, to_look_for
from .wasm_sandbox import Wasm

WALLS = {  # what may be asked for, and what will do, the best first
    "strongest": ("bubblewrap", "wasm"),
    "bubblewrap": ("bubblewrap",),
    "wasm": ("wasm",),
    "both": ("bubblewrap", "wasm"),
    "weak": ("weak",),
    "any": ("bubblewrap", "wasm", "weak"),
}
BOTH = "bubblewrap and wasm"  # the isolation of a mark that two walls agree on, or not


def wall(limits: Limits, which: str = "strongest") -> Wall:
    """The first of these walls that stands; the error says why none does, and what to do."""
    reasons = []
    for one in WALLS[which]:
        try:
            found = Wasm(limits) if one == "wasm" else Sandbox(limits, one)
            if one == "weak" and not landlock():  # then it is the rights to files that have to keep another user from the course
                check_wall(found, to_look_for(PACKAGE.parent))
            return found
        except SandboxUnavailable as error:
            reasons.append(str(error))
    raise SandboxUnavailable(
        f"{'; '.join(reasons)}; submissions are programs of strangers: install a wall (Debian, Ubuntu: apt install bubblewrap), "
        "or allow weaker means with --allow-weak-isolation, after reading in solutions/GRADING.md what they do not stop"
    )


def walls(limits: Limits, which: str = "strongest") -> list[Wall]:
    """The walls behind which each submission runs: one, or two of different kinds."""
    if which != "both":
        return [wall(limits, which)]
    first = wall(limits, "bubblewrap")
    try:
        return [first, wall(limits, "wasm")]
    except SandboxUnavailable:
        first.close()
        raise


def good_enough(isolation: str, which: str) -> bool:
    """Whether a mark that was made behind this wall, or behind none since nothing had to run, is as good as one behind that."""
    return not isolation or isolation in ((BOTH,) if which == "both" else (*WALLS[which], *[BOTH] * (which in ("strongest", "any"))))


def ready(which: str) -> None:
    """Have compiled what a wall needs, before several workers want it at once; one that was named must be there."""
    named = which in ("wasm", "both")
    if "wasm" in WALLS[which] and (named or not find_bubblewrap()):
        with nullcontext() if named else suppress(SandboxUnavailable):  # whether any of several is there, the workers say
            Wasm(Limits(), compiles=True).close()
