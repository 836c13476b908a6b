"""JupyterLab as ``fstats lab`` starts it: on the page of contents, without a delay behind each slider, and without a pop-up.

What JupyterLab reads from files lies in the folder ``settings``: no question about news stands over the first page (Jupyter looks for
``labconfig`` in the folders of ``JUPYTER_CONFIG_PATH``), links are underlined, and printed lines do not break inside words.

Jupyter's server leaves Nagle's algorithm on, so that an update which follows the kernel's "busy" waits up to 40 ms for an
acknowledgement.  Nearly every second key press on a slider would feel it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..running.extras import needs

with needs("lab", "fstats lab"):
    from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """A kernel connection that sends each message at once."""

    def connect(self) -> Any:
        """Open the connection with Nagle's algorithm off."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


SETTINGS = Path(__file__).parent / "settings"


def command(folder: Path, options: Sequence[str] = ()) -> list[str]:
    """The command that starts JupyterLab on a folder."""
    prompt = "--ServerApp.kernel_websocket_connection_class=fstats.teaching.lab.PromptConnection"
    style = ["--LabApp.custom_css=True", f"--ServerApp.tornado_settings=static_custom_path={SETTINGS / 'custom'}"]
    return [sys.executable, "-m", "jupyterlab", str(folder), prompt, *style, *options]


def surroundings(outside: Mapping[str, str]) -> dict[str, str]:
    """The environment in which it starts: a setting of the reader's own stands before those of the course."""
    places = [*filter(None, [outside.get("JUPYTER_CONFIG_PATH")]), str(SETTINGS)]
    return {**outside, "JUPYTER_CONFIG_PATH": os.pathsep.join(places)}


def run(folder: Path, options: Sequence[str] = ()) -> int:
    """Start JupyterLab and wait for its end."""
    try:
        return subprocess.call(command(folder, options), env=surroundings(os.environ))
    except KeyboardInterrupt:
        return 0
