"""JupyterLab as ``fstats lab`` starts it: on the notebooks, and without a delay behind each slider.

Jupyter's server leaves Nagle's algorithm on, so that an update which follows the kernel's "busy" waits up to 40 ms for an
acknowledgement.  Nearly every second key press on a slider would feel it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .extras import needs

with needs("lab", "fstats lab"):
    from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """A kernel connection that sends each message at once."""

    def connect(self) -> Any:
        """Open the connection with Nagle's algorithm off."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


def command(folder: Path, options: Sequence[str] = ()) -> list[str]:
    """The command that starts JupyterLab on a folder."""
    prompt = "--ServerApp.kernel_websocket_connection_class=fstats.lab.PromptConnection"
    return [sys.executable, "-m", "jupyterlab", str(folder), prompt, *options]


def run(folder: Path, options: Sequence[str] = ()) -> int:
    """Start JupyterLab and wait for its end."""
    try:
        return subprocess.call(command(folder, options))
    except KeyboardInterrupt:
        return 0
