"""JupyterLab as ``fstats lab`` starts it: on the page of contents, without a delay behind each slider, and without a pop-up.

What JupyterLab reads from files lies in the folder ``settings``: no question about news stands over the first page (Jupyter looks for
``labconfig`` in the folders of ``JUPYTER_CONFIG_PATH``), links are underlined, printed lines do not break inside words, and pictures fit a
hall's screen.  What no setting says, a small extension does (Jupyter looks for ``labextensions`` in the folders of ``JUPYTER_PATH``): the
file browser begins away, and what a cell has shown is wholly in view.  For a lecture the words are larger.  All these are defaults: what
readers have set themselves stands before them, and how they have arranged the page is kept under a name of the course's own.

Whoever is root, as everybody is in most containers, gets JupyterLab too, which refuses him by itself: the server listens on this machine
only, and asks for the token in its address.  That address is printed in a line of its own, for where no browser opens.

Jupyter's server leaves Nagle's algorithm on, so that an update which follows the kernel's "busy" waits up to 40 ms for an
acknowledgement.  Nearly every second key press on a slider would feel it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.validation.name_suggestions import format_nearest_names
from ..runtime.optional_dependencies import require_extra

with require_extra("lab", "fstats lab"):
    from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """A kernel connection that sends each message at once."""

    def connect(self) -> Any:
        """Open the connection with Nagle's algorithm off."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


SETTINGS = Path(__file__).parent / "settings"


START_TIMEOUT, POLL_INTERVAL = 60.0, 0.25  # seconds to wait for the server, and between two looks


def first_page(lecture: bool, page: str = "") -> str:
    """The page of contents, or another one, arranged as the course, or its lecture, was left."""
    return f"/lab/workspaces/fstats{'-lecture' * lecture}/tree/{page or 'notebooks/contents.ipynb'}"


def jupyterlab_command(folder: Path, options: Sequence[str] = (), lecture: bool = False, page: str = "") -> list[str]:
    """The command that starts JupyterLab on a folder, arranged as the course, or its lecture, was left."""
    first = f"--LabApp.default_url={first_page(lecture, page)}"
    prompt = "--ServerApp.kernel_websocket_connection_class=fstats.teaching.jupyterlab_launcher.PromptConnection"
    style = ["--LabApp.custom_css=True", f"--ServerApp.tornado_settings=static_custom_path={SETTINGS / 'custom'}"]
    another = "--ServerApp.port_retries=50"  # where a port is taken, whoever has named it, the next
    as_root = ["--allow-root"] * is_root()
    said = {option.partition("=")[0] for option in options}  # a reader's own stands for ours: each may be given once
    ours = [option for option in (first, prompt, *style, another, *as_root) if option.partition("=")[0] not in said]
    return [sys.executable, "-m", "jupyterlab", str(folder), *ours, *options]


def check_options(options: Sequence[str]) -> None:
    """Refuse what JupyterLab would answer with its usage."""
    if not options:
        return
    with require_extra("lab", "fstats lab"):
        from jupyterlab.labapp import LabApp

    alone, valued = ({f"-{'-' * (len(name) > 1)}{name}" for name in names} for names in LabApp().flatten_flags())
    for before, option, after in zip(["", *options], options, [*options[1:], "-"], strict=False):
        name, given, _ = option.partition("=")
        if not name.startswith("-"):
            if before not in valued and ("." not in before or "=" in before):
                raise ValueError(f"say what to open before the options of JupyterLab: fstats lab {option} ...")
        elif "." not in name and name not in {*alone, *valued, "--help-all", "--version"}:
            near = format_nearest_names(name, {*alone, *valued})
            raise ValueError(f"JupyterLab has no option {name}; {near}; jupyter lab --help lists all")
        elif name in valued - alone and not given and after.startswith("-"):
            raise ValueError(f"{name} needs a value: {name}=VALUE")


def is_root() -> bool:
    """Whether this is the user who may do everything."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def environment_variables(outside: Mapping[str, str], lecture: bool = False) -> dict[str, str]:
    """The environment in which it starts: a setting of the reader's own stands before those of the course."""
    ours = {"JUPYTER_CONFIG_PATH": [str(SETTINGS / "lecture")] * lecture + [str(SETTINGS)], "JUPYTER_PATH": [str(SETTINGS)]}
    return {**outside} | {name: os.pathsep.join([*filter(None, [outside.get(name)]), *places]) for name, places in ours.items()}


def run_jupyterlab(folder: Path, options: Sequence[str] = (), lecture: bool = False, page: str = "") -> int:
    """Start JupyterLab, tell its address, and wait for its end."""
    if is_root() and not any(option.startswith(("--ip", "--ServerApp.ip")) for option in options):
        print("You are root. JupyterLab listens on this machine only, and asks for the token in its address.", flush=True)
    return serve(jupyterlab_command(folder, options, lecture, page), environment_variables(os.environ, lecture), first_page(lecture, page))


def serve(words: Sequence[str], around: Mapping[str, str], page: str) -> int:
    """Start a server, tell its address, and wait for its end."""
    with subprocess.Popen(words, env=around) as server:
        threading.Thread(target=print_address, args=(server, page), daemon=True).start()
        while True:
            try:
                return status if (status := server.wait()) >= 0 else 128 - status  # as a shell calls the end by a signal
            except KeyboardInterrupt:  # which Jupyter answers with a question, or by ending
                continue


def print_address(server: subprocess.Popen[bytes], page: str) -> None:
    """Print where the first page is, as soon as the server says that it is there."""
    from jupyter_server.serverapp import list_running_servers

    until = time.monotonic() + START_TIMEOUT
    while server.poll() is None and time.monotonic() < until:
        for one in list_running_servers():
            if one["pid"] == server.pid:
                token = f"?token={one['token']}" if one.get("token") else ""
                print(f"\nThe course is open at\n\n    {one['url']}{page.removeprefix('/')}{token}\n", flush=True)
                return
        time.sleep(POLL_INTERVAL)
