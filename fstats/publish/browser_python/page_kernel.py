"""Kernel for a web page, which runs cells and updates widgets when the page sends a message.

`handle_message` gets a message and a function that sends replies; messages and replies are JSON. The module does not depend on the engine.
"""

from __future__ import annotations

import ast
import io
import json
import linecache
import re
import sys
import time
import traceback
import warnings
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from itertools import count
from pathlib import Path, PurePath
from typing import Any

from .notebook_outputs import notebook_outputs

SendMessage = Callable[[dict[str, Any]], None]
SEND_INTERVAL = 0.05  # seconds between two messages with printed text
# maximum number of printed characters and of outputs of a cell, because more would make the page slow
MAX_CHARACTERS, MAX_OUTPUTS = 1_000_000, 200
KINDS = ("text/html", "text/latex", "image/svg+xml", "text/markdown", "image/png")
# resolution of pictures; pages show them at half of their size, so that they are sharp on every screen
PICTURE_DPI = 160
LIBRARIES = "Python's standard library, numpy, scipy, scikit-learn, matplotlib, pandas and fstats"

# a page shows the figures of pyplot after each cell, so this warning is wrong here
warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")

INITIAL_NAMES = {"__name__": "__main__", "__builtins__": __builtins__}
page_namespace: dict[str, Any] = {**INITIAL_NAMES}
"""Global names that all cells of the page share; an explorer that starts by itself has its own global names."""
# cells of the page in the order in which they ran; a reply uses them to find the line that computed an answer
page_cells: list[str] = []
# maps an index of `page_cells` to the number of the line that failed (0 if no line ran) and to the error
page_failures: dict[int, tuple[int, str]] = {}
execution_counter = count(1)
cell_filenames: set[str] = set()
"""File names of the executed cells in tracebacks."""
MOST_PLACES = 12  # maximum number of calls that a traceback shows, because an endless recursion has thousands
ERROR_ADVICE: tuple[tuple[type[BaseException], str, str], ...] = (
    (NameError, "", "No cell above defines this name. Check the spelling, or first run the cell that defines it."),
    (EOFError, "", "input() does not work in a page: write the value into the cell."),
    (SyntaxError, r"^\s*[%!]", "A page runs only Python. Remove the lines that begin with % or !, which are commands of Jupyter."),
    (OSError, "unknown url type", "A page cannot load data from the internet: OpenML and the web need Python on your own machine."),
)
"""Advice that is shown below an error message: type of the error, pattern of its source or message, sentence."""


class MessageStream(io.TextIOBase):
    """Output stream of a cell; `other` is the second stream of the cell, whose earlier text must be sent first."""

    def __init__(self, name: str, send: SendMessage, other: MessageStream | None = None) -> None:
        self.name, self.send, self.waiting, self.last_sent, self.remaining, self.other = name, send, "", 0.0, MAX_CHARACTERS, other
        if other is not None:
            other.other = self

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, text: str) -> int:
        """Collect text until the next message is due, up to the maximum number of characters."""
        if self.other is not None:
            self.other.flush()
        if self.remaining > 0:
            self.waiting += text[: self.remaining]
            self.remaining -= len(text)
            if self.remaining < 0:
                self.waiting += f"\n... (a page shows {MAX_CHARACTERS:,} characters of what a cell prints; the rest is left out)\n"
        if time.monotonic() - self.last_sent > SEND_INTERVAL:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Send the collected text."""
        if self.waiting:
            self.send({"stream": self.name, "text": self.waiting})
            self.waiting, self.last_sent = "", time.monotonic()


def handle_message(message: str, post: Callable[[str], None]) -> None:
    """Execute the request in a message of the page; each reply has the number of the request, and the last reply has `done`."""
    request = json.loads(message)

    def send(reply: dict[str, Any]) -> None:
        post(json.dumps({"number": request["number"], **reply}))

    actions = {"run": _run_cell, "set": _update_widget, "file": _write_file, "stand": _progress, "needs": _dependencies}
    send({"done": True, **actions[request["do"]](request, send)})


def _update_widget(request: dict[str, Any], _: SendMessage) -> dict[str, Any]:
    """Apply a change that a reader made to a widget in the page, and return the changes of the widget that follow."""
    widget = sys.modules["anywidget"].AnyWidget.made[request["key"]]
    widget.take(request["state"])
    return {"state": widget.pop_changes()}


def _write_file(request: dict[str, Any], _: SendMessage) -> dict[str, Any]:
    """Write a file of the student into the working folder of the cells."""
    with open(PurePath(request["name"]).name, "wb") as file:
        file.write(b64decode(request["data"]))
    return {}


def _progress(request: dict[str, Any], _: SendMessage) -> dict[str, Any]:
    """Return the progress of a student, from the replies on a page; `fstats.progress` counts replies in the same way."""
    from ...teaching.grading.course_progress import SavedPage, last_replies

    page = SavedPage(Path(), "", tuple(last_replies(request["cells"])))
    return {"right": page.right, "of": len(page.replies), "marks": page.symbols}


def _dependencies(request: dict[str, Any], _: SendMessage) -> dict[str, Any]:
    """Return the indices of the cells above that a cell needs."""
    from .cell_dependencies import cells_needed

    return {"needs": cells_needed(request["above"], request["source"])}


def _run_cell(request: dict[str, Any], send: SendMessage) -> dict[str, Any]:
    """Run a cell as a notebook does: show the value of the last line, and name the line in the text of an error.

    The result contains the number of the cell, its outputs in the format of a notebook, and the text of an error.
    """
    from IPython import display

    name = f"<{request['name']}>"
    cell_filenames.add(name)
    source: str = request["source"]
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    messages: list[dict[str, Any]] = []

    def record(message: dict[str, Any]) -> None:
        messages.append(message)
        send(message)

    out = MessageStream("stdout", record)
    err = MessageStream("stderr", record, out)

    shown = 0

    def show(thing: Any, is_value: bool = False) -> None:
        nonlocal shown
        out.flush()
        err.flush()
        shown += 1
        if shown <= MAX_OUTPUTS:
            record({"output": mime_bundle(thing), "is_value": is_value})
        elif shown == MAX_OUTPUTS + 1:
            record({"output": {"text/plain": f"... (a page shows {MAX_OUTPUTS} outputs of a cell; the rest is left out)"}})

    if not request.get("apart"):
        page_cells.append(source)
    namespace, number = ({**INITIAL_NAMES}, 0) if request.get("apart") else (page_namespace, next(execution_counter))
    display.display_hooks[:] = [show]  # type: ignore[attr-defined]  # jupyter_shims/IPython/display.py
    namespace["display"] = display.display
    with redirect_stdout(out), redirect_stderr(err):
        try:
            *body, last = ast.parse(source, name).body or [ast.Pass()]
            valued = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
            exec(compile(ast.Module(body if valued else [*body, last], []), name, "exec"), namespace)
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace) if isinstance(last, ast.Expr) and valued else None
            if value is not None:
                show(value, is_value=True)
            error_message = ""
            _show_open_figures(show, value)
        except BaseException as error:  # the code of a student may raise any exception, and the page shows all of them
            error_message = error_text(error)
            text = traceback.format_exception_only(error)[-1].partition(": ")[2].strip()
            failure = {"ename": type(error).__name__, "evalue": text, "traceback": [error_message]}
            if not request.get("apart"):
                lines = [number for frame, number in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == name]
                page_failures[len(page_cells) - 1] = (lines[0] if lines else 0, f"{failure['ename']}: {text}".strip(": "))
    out.flush()
    err.flush()
    if error_message:
        messages.append({"failed": failure})
    return {"count": number, "outputs": notebook_outputs(messages, number)} | ({"error": error_message} if error_message else {})


def error_text(error: BaseException) -> str:
    """Return the text of an error: the lines of the student's code and the message of Python, without the lines of libraries."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in cell_filenames]
    places = [f"{frame.filename.strip('<>')}, line {frame.lineno}:\n    {frame.line}\n" for frame in frames]
    if len(places) > MOST_PLACES:
        ends = MOST_PLACES // 2
        places[ends:-ends] = [f"... and {len(places) - 2 * ends} more lines ...\n"]
    # Python's message recommends an installation, which is impossible in a page
    if isinstance(error, ModuleNotFoundError) and error.name:
        return "".join(places) + f"ModuleNotFoundError: this page has no {error.name!r}; it has {LIBRARIES}"
    text = "".join(places) + "".join(traceback.format_exception_only(error)).strip()
    for kind, pattern, advice in ERROR_ADVICE:
        if isinstance(error, kind) and re.search(pattern, getattr(error, "text", None) or str(error)):
            return f"{text}\n{advice}"
    return text


def mime_bundle(thing: Any) -> dict[str, Any]:
    """Return the representations of an object by MIME type, as Jupyter would store them."""
    if "anywidget" in sys.modules and isinstance(thing, sys.modules["anywidget"].AnyWidget):
        return {"widget": thing.key, "state": thing.pop_changes(everything=True)}
    bundle: dict[str, Any] = {}
    if hasattr(thing, "_repr_mimebundle_"):
        result = thing._repr_mimebundle_()
        bundle |= result[0] if isinstance(result, tuple) else result or {}
    for kind in KINDS:
        represent = getattr(thing, f"_repr_{kind.rpartition('/')[2].removesuffix('+xml')}_", None)
        if kind not in bundle and callable(represent) and not isinstance(thing, type) and (result := represent()) is not None:
            bundle[kind] = result[0] if isinstance(result, tuple) else result
    if hasattr(thing, "savefig") and not bundle:
        bundle |= {"image/png": _figure_png(thing), "sharp": 2}
    if isinstance(bundle.get("image/png"), bytes):
        bundle["image/png"] = b64encode(bundle["image/png"]).decode()
    text = repr(thing) if not hasattr(thing, "savefig") else "a picture"
    if len(text) > MAX_CHARACTERS:
        text = f"{text[:MAX_CHARACTERS]}\n... (a page shows {MAX_CHARACTERS:,} characters of a value; the rest is left out)"
    return {"text/plain": text, **bundle}


def _figure_png(figure: Any) -> bytes:
    """Return a figure of matplotlib as PNG."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=PICTURE_DPI, bbox_inches="tight", transparent=True)
    return buffer.getvalue()


def _show_open_figures(show: Callable[[Any], None], except_figure: Any) -> None:
    """Show and close the open figures of pyplot, except the figure `except_figure`, which has already been shown."""
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        for number in pyplot.get_fignums():
            if (figure := pyplot.figure(number)) is not except_figure:
                show(figure)
        pyplot.close("all")
