"""Start JupyterLab with settings for lectures.

JupyterLab reads settings from the folder ``settings``: no question about news covers the first page (Jupyter searches ``labconfig`` in the
folders of ``JUPYTER_CONFIG_PATH``), links are underlined, printed lines do not break inside words, and pictures fit the screen of a lecture
hall. A small extension (Jupyter searches ``labextensions`` in the folders of ``JUPYTER_PATH``) does three things that have no setting: the
extension hides the file browser at the start, scrolls new output into view, and covers what answers a bet until the reader has chosen. In a
lecture nothing is covered, and the text is larger. All these settings are defaults: a reader's own settings take precedence, and the
arrangement of the page is stored under a separate name.

JupyterLab refuses to run as root, which is the usual user in a container; ``fstats lab`` starts JupyterLab as root, because the server
listens on this machine only and requires the token in its address. The address with the token is printed in a separate line, in case no
browser opens.

Jupyter's server uses Nagle's algorithm, by which a message after the kernel's "busy" message waits up to 40 ms for an
acknowledgement. With Nagle's algorithm, nearly every second key press on a slider would be delayed.
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
    """A kernel connection that sends each message immediately."""

    def connect(self) -> Any:
        """Open the connection, and switch Nagle's algorithm off."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


SETTINGS = Path(__file__).parent / "settings"


START_TIMEOUT, POLL_INTERVAL = 60.0, 0.25  # maximum waiting time for the server, and interval between two checks, in seconds


def first_page(lecture: bool, page: str = "") -> str:
    """Return the address of the page of contents, or of another page, in the stored workspace of the course or of the lecture."""
    return f"/lab/workspaces/fstats{'-lecture' * lecture}/tree/{page or 'notebooks/contents.ipynb'}"


def jupyterlab_command(folder: Path, options: Sequence[str] = (), lecture: bool = False, page: str = "") -> list[str]:
    """Return the command that starts JupyterLab in a folder, with the stored workspace of the course or of the lecture."""
    first = f"--LabApp.default_url={first_page(lecture, page)}"
    prompt = "--ServerApp.kernel_websocket_connection_class=fstats.teaching.jupyterlab_launcher.PromptConnection"
    style = ["--LabApp.custom_css=True", f"--ServerApp.tornado_settings=static_custom_path={SETTINGS / 'custom'}"]
    another = "--ServerApp.port_retries=50"  # JupyterLab tries the next ports if a port is in use, even if the user has chosen it
    as_root = ["--allow-root"] * is_root()
    # an option may occur only once, so an option of the user replaces the default
    named = {option.partition("=")[0] for option in options}
    defaults = [option for option in (first, prompt, *style, another, *as_root) if option.partition("=")[0] not in named]
    return [sys.executable, "-m", "jupyterlab", str(folder), *defaults, *options]


def check_options(options: Sequence[str]) -> None:
    """Raise ValueError for options that JupyterLab would reject with its usage text."""
    if not options:
        return
    with require_extra("lab", "fstats lab"):
        from jupyterlab.labapp import LabApp

    alone, valued = ({f"-{'-' * (len(name) > 1)}{name}" for name in names} for names in LabApp().flatten_flags())
    for before, option, after in zip(["", *options], options, [*options[1:], "-"], strict=False):
        name, given, _ = option.partition("=")
        if not name.startswith("-"):
            if before not in valued and ("." not in before or "=" in before):
                raise ValueError(f"the notebook must come before the options of JupyterLab. Write `fstats lab {option} ...`.")
        elif "." not in name and name not in {*alone, *valued, "--help-all", "--version"}:
            near = format_nearest_names(name, {*alone, *valued})
            raise ValueError(f"JupyterLab has no option {name}; {near}. Run `jupyter lab --help` for a list of all options.")
        elif name in valued - alone and not given and after.startswith("-"):
            raise ValueError(f"the option {name} needs a value. Write `{name}=VALUE`.")


def is_root() -> bool:
    """Whether the current user is root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def environment_variables(outside: Mapping[str, str], lecture: bool = False) -> dict[str, str]:
    """Return the environment of JupyterLab; a reader's own settings take precedence over the settings of the course."""
    added = {"JUPYTER_CONFIG_PATH": [str(SETTINGS / "lecture")] * lecture + [str(SETTINGS)], "JUPYTER_PATH": [str(SETTINGS)]}
    return {**outside} | {name: os.pathsep.join([*filter(None, [outside.get(name)]), *places]) for name, places in added.items()}


def run_jupyterlab(folder: Path, options: Sequence[str] = (), lecture: bool = False, page: str = "") -> int:
    """Start JupyterLab, print its address, and wait until it ends."""
    if is_root() and not any(option.startswith(("--ip", "--ServerApp.ip")) for option in options):
        print("You are root. JupyterLab listens on this machine only, and requires the token in its address.", flush=True)
    return serve(jupyterlab_command(folder, options, lecture, page), environment_variables(os.environ, lecture), first_page(lecture, page))


def serve(words: Sequence[str], around: Mapping[str, str], page: str) -> int:
    """Start a server, print its address, and wait until it ends."""
    with subprocess.Popen(words, env=around) as server:
        threading.Thread(target=print_address, args=(server, page), daemon=True).start()
        while True:
            try:
                # if a signal ended the server, the exit status is 128 plus the signal number, as in a shell
                return status if (status := server.wait()) >= 0 else 128 - status
            except KeyboardInterrupt:  # the Jupyter server itself handles Ctrl-C
                continue


def print_address(server: subprocess.Popen[bytes], page: str) -> None:
    """Print the address of the first page as soon as the server runs."""
    from jupyter_server.serverapp import list_running_servers

    deadline = time.monotonic() + START_TIMEOUT
    while server.poll() is None and time.monotonic() < deadline:
        for running in list_running_servers():
            if running["pid"] == server.pid:
                token = f"?token={running['token']}" if running.get("token") else ""
                print(f"\nThe course is open at\n\n    {running['url']}{page.removeprefix('/')}{token}\n", flush=True)
                return
        time.sleep(POLL_INTERVAL)
