"""Front ends without a screen: a kernel that is asked by Jupyter's protocol, as VS Code does; JupyterLab, asked by its own addresses."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from jupyter_server.serverapp import list_running_servers
from websocket import create_connection

PATIENCE = 60  # seconds until a start is given up, on a slow machine
LONGEST = 300  # seconds that a cell may take there


def cells(notebook: Path) -> list[Any]:
    """The cells of code in a notebook."""
    return [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def bundles(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What a cell shows, each thing in the kinds from which a front end takes the one that it can show; an error is raised."""
    told = list(messages)
    for content in (one["content"] for one in told if one["msg_type"] == "error"):
        raise RuntimeError(f"{content['ename']}: {content['evalue']}")
    return [one["content"]["data"] for one in told if one["msg_type"] in ("display_data", "execute_result")]


class Kernel:
    """A kernel and who asks it; `widgets` holds what a page would know of each widget."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.widgets: dict[str, dict[str, Any]] = {}

    def run(self, code: str) -> list[dict[str, Any]]:
        """Run a cell; what it shows."""
        told: list[dict[str, Any]] = []
        self.client.execute_interactive(code, output_hook=told.append, timeout=LONGEST, allow_stdin=False)
        self._keep(told)
        return bundles(told)

    def move(self, widget: str, **positions: int) -> None:
        """Move controls of an explorer, as its page does."""
        state = {"positions": {**self.widgets[widget]["positions"], **positions}}
        content = {"comm_id": widget, "data": {"method": "update", "state": state, "buffer_paths": []}}
        message = self.client.session.msg("comm_msg", content)
        self.client.shell_channel.send(message)
        told: list[dict[str, Any]] = []
        while not (told and told[-1]["msg_type"] == "status" and told[-1]["content"]["execution_state"] == "idle"):
            one = self.client.get_iopub_msg(timeout=PATIENCE)
            told += [one] * (one["parent_header"].get("msg_id") == message["header"]["msg_id"])
        bundles(told)
        self._keep(told)

    def _keep(self, told: Iterable[Mapping[str, Any]]) -> None:
        for content in (one["content"] for one in told if one["msg_type"] in ("comm_open", "comm_msg")):
            self.widgets.setdefault(content["comm_id"], {}).update(content["data"].get("state", {}))

    def value(self, expression: str) -> str:
        """What an expression is, as text."""
        (shown,) = self.run(expression)
        return str(shown["text/plain"])


@contextmanager
def kernel(folder: Path, environment: Mapping[str, str], python: str | Path = sys.executable) -> Iterator[Kernel]:
    """A kernel of some Python, started in the folder of a notebook."""
    specs = folder / ".kernels"
    (specs / "own").mkdir(parents=True)
    spec = {"argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "own", "language": "python"}
    (specs / "own" / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    manager = KernelManager(kernel_name="own", kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(specs)]))
    manager.start_kernel(cwd=str(folder), env=dict(environment), stderr=subprocess.DEVNULL)
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=PATIENCE)
        yield Kernel(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.context.destroy()


class Lab:
    """JupyterLab while it runs, by its address."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self.token = token

    def ask(self, path: str, method: str = "GET", /, **content: Any) -> Any:
        """Its reply to a question of the page that a browser shows."""
        body = json.dumps(content).encode() if content else None
        asked = Request(f"{self.address}{path}", body, {"Authorization": f"token {self.token}"}, method=method)
        with urlopen(asked, timeout=PATIENCE) as reply:
            text = reply.read()
        return json.loads(text) if text else None

    @contextmanager
    def session(self, path: str) -> Iterator[LabSession]:
        """A notebook that is open."""
        opened = self.ask("api/sessions", "POST", path=path, name=path, type="notebook", kernel={"name": "python3"})
        address = f"{self.address.replace('http', 'ws', 1)}api/kernels/{opened['kernel']['id']}/channels?token={self.token}"
        with closing(create_connection(address, timeout=LONGEST)) as socket:
            yield LabSession(socket)
        self.ask(f"api/sessions/{opened['id']}", "DELETE")


class LabSession:
    """The websocket by which an open notebook reaches its kernel."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket

    def run(self, code: str) -> list[dict[str, Any]]:
        """Run a cell; what it shows."""
        asked = uuid.uuid4().hex
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
        header = {"msg_id": asked, "msg_type": "execute_request", "version": "5.3", "username": "", "session": "page", "date": ""}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell", "buffers": []}
        self.socket.send(json.dumps(message))
        told = []
        while True:
            frame = self.socket.recv()
            if isinstance(frame, bytes):  # a message with buffers begins with where its parts begin
                end = int.from_bytes(frame[8:12], "big") if int.from_bytes(frame[:4], "big") > 1 else None
                frame = frame[int.from_bytes(frame[4:8], "big") : end].decode()
            one = json.loads(frame)
            if one["channel"] == "iopub" and one["parent_header"].get("msg_id") == asked:
                told.append(one)
                if one["msg_type"] == "status" and one["content"]["execution_state"] == "idle":
                    return bundles(told)


@contextmanager
def jupyterlab(folder: Path, environment: Mapping[str, str], python: str | Path = sys.executable) -> Iterator[Lab]:
    """JupyterLab as anybody starts it in a folder, without `fstats lab`."""
    runtime = folder / ".runtime"
    words = [
        str(python),
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    surroundings = {**environment, "JUPYTER_RUNTIME_DIR": str(runtime)}
    with (folder / ".log").open("w+", encoding="utf-8") as log:
        server = subprocess.Popen(words, cwd=folder, env=surroundings, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            give_up = time.monotonic() + PATIENCE
            while not (running := list(list_running_servers(str(runtime)))):
                if server.poll() is not None or time.monotonic() > give_up:
                    log.seek(0)
                    raise RuntimeError(f"JupyterLab did not start:\n{log.read()[-4000:]}")
                time.sleep(0.1)
            yield Lab(running[0]["url"], running[0]["token"])
        finally:
            server.terminate()
            server.wait(PATIENCE)
