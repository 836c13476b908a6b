"""JupyterLab as ``fstats lab`` starts it: on the page of contents, without a delay behind each slider, and without a pop-up.

What JupyterLab reads from files lies in the folder ``settings``: no question about news stands over the first page (Jupyter looks for
``labconfig`` in the folders of ``JUPYTER_CONFIG_PATH``), links are underlined, printed lines do not break inside words, and pictures fit a
hall's screen.  What no setting says, a small extension does (Jupyter looks for ``labextensions`` in the folders of ``JUPYTER_PATH``): the
file browser begins away, and what a cell has shown is wholly in view.  For a lecture the words are larger.  All these are defaults: what
readers have set themselves stands before them, and how they have arranged the page is kept under a name of the course's own.

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


def command(folder: Path, options: Sequence[str] = (), lecture: bool = False) -> list[str]:
    """The command that starts JupyterLab on a folder, arranged as the course, or its lecture, was left."""
    first = f"--LabApp.default_url=/lab/workspaces/fstats{'-lecture' * lecture}/tree/notebooks/contents.ipynb"
    prompt = "--ServerApp.kernel_websocket_connection_class=fstats.teaching.lab.PromptConnection"
    style = ["--LabApp.custom_css=True", f"--ServerApp.tornado_settings=static_custom_path={SETTINGS / 'custom'}"]
    return [sys.executable, "-m", "jupyterlab", str(folder), first, prompt, *style, *options]


def surroundings(outside: Mapping[str, str], lecture: bool = False) -> dict[str, str]:
    """The environment in which it starts: a setting of the reader's own stands before those of the course."""
    ours = {"JUPYTER_CONFIG_PATH": [str(SETTINGS / "lecture")] * lecture + [str(SETTINGS)], "JUPYTER_PATH": [str(SETTINGS)]}
    return {**outside} | {name: os.pathsep.join([*filter(None, [outside.get(name)]), *places]) for name, places in ours.items()}


def run(folder: Path, options: Sequence[str] = (), lecture: bool = False) -> int:
    """Start JupyterLab and wait for its end."""
    try:
        return subprocess.call(command(folder, options, lecture), env=surroundings(os.environ, lecture))
    except KeyboardInterrupt:
        return 0
