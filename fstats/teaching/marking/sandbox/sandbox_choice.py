"""Select the sandbox for submissions.

The default is the strongest sandbox available.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress

from ...sandbox_runtime.landlock import landlock_version
from .allow_list import PACKAGE
from .bubblewrap_sandbox import BubblewrapSandbox, SandboxUnavailable, find_bubblewrap
from .notebook_session import Limits, SandboxBackend
from .sandbox_leak_check import check_sandbox, leak_targets
from .wasm_sandbox import WasmSandbox

SANDBOX_CHOICES = {  # permitted sandboxes for each value of --wall, the best one first
    "strongest": ("bubblewrap", "wasm"),
    "bubblewrap": ("bubblewrap",),
    "wasm": ("wasm",),
    "both": ("bubblewrap", "wasm"),
    "weak": ("weak",),
    "any": ("bubblewrap", "wasm", "weak"),
}
BOTH_SANDBOXES = "bubblewrap and wasm"  # isolation of a mark that two sandboxes computed


def start_sandbox(limits: Limits, which: str = "strongest") -> SandboxBackend:
    """Start the first available sandbox of a choice; if no sandbox starts, the error says why, and what to do."""
    reasons = []
    for name in SANDBOX_CHOICES[which]:
        try:
            sandbox = WasmSandbox(limits) if name == "wasm" else BubblewrapSandbox(limits, name)
            # without Landlock, only file permissions protect the course, so a scan for leaks is needed
            if name == "weak" and not landlock_version():
                check_sandbox(sandbox, leak_targets(PACKAGE.parent))
            return sandbox
        except SandboxUnavailable as error:
            reasons.append(str(error).rstrip("."))
    raise SandboxUnavailable(
        f"submissions are untrusted programs and need a sandbox: {'; '.join(reasons)}. Install a sandbox (Debian, Ubuntu: apt install "
        "bubblewrap), or allow weaker isolation with --allow-weak-isolation, after you have read its limits in solutions/GRADING.md"
    )


def start_sandboxes(limits: Limits, which: str = "strongest") -> list[SandboxBackend]:
    """Start the sandboxes in which each submission runs: one sandbox, or two sandboxes of different kinds."""
    if which != "both":
        return [start_sandbox(limits, which)]
    first = start_sandbox(limits, "bubblewrap")
    try:
        return [first, start_sandbox(limits, "wasm")]
    except SandboxUnavailable:
        first.close()
        raise


def is_sufficient(isolation: str, which: str) -> bool:
    """Return whether a mark made with an isolation satisfies the choice; an empty isolation means that nothing had to run."""
    return not isolation or isolation in (
        (BOTH_SANDBOXES,) if which == "both" else (*SANDBOX_CHOICES[which], *[BOTH_SANDBOXES] * (which in ("strongest", "any")))
    )


def prepare_sandbox(which: str) -> None:
    """Compile the code of a sandbox before several workers start; raise an error if a named sandbox is missing."""
    named = which in ("wasm", "both")
    if "wasm" in SANDBOX_CHOICES[which] and (named or not find_bubblewrap()):
        # if no sandbox was named, the workers will report a missing sandbox
        with nullcontext() if named else suppress(SandboxUnavailable):
            WasmSandbox(Limits(), compiles=True).close()
