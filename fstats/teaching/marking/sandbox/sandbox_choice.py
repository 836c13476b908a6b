"""Which wall stands between us and a submission: the strongest that is there, or the one that a lecturer names."""

from __future__ import annotations

from contextlib import nullcontext, suppress

from ...sandbox_runtime.landlock import landlock_version
from .allow_list import PACKAGE
from .bubblewrap_sandbox import BubblewrapSandbox, SandboxUnavailable, find_bubblewrap
from .notebook_session import Limits, SandboxBackend
from .sandbox_leak_check import check_sandbox, leak_targets
from .wasm_sandbox import WasmSandbox

SANDBOX_CHOICES = {  # what may be asked for, and what will do, the best first
    "strongest": ("bubblewrap", "wasm"),
    "bubblewrap": ("bubblewrap",),
    "wasm": ("wasm",),
    "both": ("bubblewrap", "wasm"),
    "weak": ("weak",),
    "any": ("bubblewrap", "wasm", "weak"),
}
BOTH_SANDBOXES = "bubblewrap and wasm"  # the isolation of a mark that two walls agree on, or not


def start_sandbox(limits: Limits, which: str = "strongest") -> SandboxBackend:
    """The first of these walls that stands; the error says why none does, and what to do."""
    reasons = []
    for one in SANDBOX_CHOICES[which]:
        try:
            found = WasmSandbox(limits) if one == "wasm" else BubblewrapSandbox(limits, one)
            if one == "weak" and not landlock_version():  # then it is the rights to files that have to keep another user from the course
                check_sandbox(found, leak_targets(PACKAGE.parent))
            return found
        except SandboxUnavailable as error:
            reasons.append(str(error))
    raise SandboxUnavailable(
        f"{'; '.join(reasons)}; submissions are programs of strangers: install a wall (Debian, Ubuntu: apt install bubblewrap), "
        "or allow weaker means with --allow-weak-isolation, after reading in solutions/GRADING.md what they do not stop"
    )


def start_sandboxes(limits: Limits, which: str = "strongest") -> list[SandboxBackend]:
    """The walls behind which each submission runs: one, or two of different kinds."""
    if which != "both":
        return [start_sandbox(limits, which)]
    first = start_sandbox(limits, "bubblewrap")
    try:
        return [first, start_sandbox(limits, "wasm")]
    except SandboxUnavailable:
        first.close()
        raise


def is_sufficient(isolation: str, which: str) -> bool:
    """Whether a mark that was made behind this wall, or behind none since nothing had to run, is as good as one behind that."""
    return not isolation or isolation in (
        (BOTH_SANDBOXES,) if which == "both" else (*SANDBOX_CHOICES[which], *[BOTH_SANDBOXES] * (which in ("strongest", "any")))
    )


def prepare_sandbox(which: str) -> None:
    """Have compiled what a wall needs, before several workers want it at once; one that was named must be there."""
    named = which in ("wasm", "both")
    if "wasm" in SANDBOX_CHOICES[which] and (named or not find_bubblewrap()):
        with nullcontext() if named else suppress(SandboxUnavailable):  # whether any of several is there, the workers say
            WasmSandbox(Limits(), compiles=True).close()
