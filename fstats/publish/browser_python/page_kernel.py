"""The page's side that is Python: cells run and widgets answer, in the engine; the page hears of it by messages.

Whatever builds the engine gives `answer` a message and a way to tell, both in JSON; nothing here knows which engine it is.
"""

from __future__ import annotations

import ast
import io
import json
import linecache
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
SEND_INTERVAL = 0.05  # seconds after which what was printed is told
MAX_CHARACTERS, MAX_OUTPUTS = 1_000_000, 200  # characters that a cell prints, and outputs that it shows: more of them no page can hold
KINDS = ("text/html", "text/latex", "image/svg+xml", "text/markdown", "image/png")
PICTURE_DPI = 160  # dots per inch of a picture that the page shows at half its size, sharp
LIBRARIES = "Python's own library, numpy, scipy, scikit-learn, matplotlib, pandas and fstats"

warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")  # what pyplot holds is shown when a cell has run

INITIAL_NAMES = {"__name__": "__main__", "__builtins__": __builtins__}
page_namespace: dict[str, Any] = {**INITIAL_NAMES}
"""What the cells of the page share; an explorer that begins by itself has names of its own."""
execution_counter = count(1)
cell_filenames: set[str] = set()
"""As what the cells that have run stand in an error."""
MOST_PLACES = 12  # that an error names: a function that calls itself without an end has thousands
ERROR_ADVICE: tuple[tuple[type[BaseException], Callable[[Any], bool], str], ...] = (
    (NameError, lambda _: True, "No cell above binds it: look for a slip in the name, or whether a cell below is meant to come first."),
    (EOFError, lambda _: True, "A page asks nothing with input(): write the value into the cell."),
    (
        SyntaxError,
        lambda error: (error.text or "").lstrip().startswith(("%", "!")),
        "A page knows Python alone: lines that begin with % or ! are Jupyter's. Leave them out.",
    ),
    (
        OSError,
        lambda error: "unknown url type" in str(error),
        "A page reaches no other address: OpenML and the web need Python on your own machine.",
    ),
)
"""What is said of an error beside Python's words: its kind, whether it is meant, the sentence."""


class MessageStream(io.TextIOBase):
    """Where a cell prints to; `other` is its second stream, of which what came before is told before."""

    def __init__(self, name: str, tell: SendMessage, other: MessageStream | None = None) -> None:
        self.name, self.told, self.waiting, self.last, self.room, self.other = name, tell, "", 0.0, MAX_CHARACTERS, other
        if other is not None:
            other.other = self

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, words: str) -> int:
        """Keep words until it is time to tell them, as long as there is room."""
        if self.other is not None:
            self.other.flush()
        if self.room > 0:
            self.waiting += words[: self.room]
            self.room -= len(words)
            if self.room < 0:
                self.waiting += f"\n... (a page shows {MAX_CHARACTERS:,} characters of what a cell prints; the rest is left out)\n"
        if time.monotonic() - self.last > SEND_INTERVAL:
            self.flush()
        return len(words)

    def flush(self) -> None:
        """Tell what waits."""
        if self.waiting:
            self.told({"stream": self.name, "text": self.waiting})
            self.waiting, self.last = "", time.monotonic()


def handle_message(message: str, post: Callable[[str], None]) -> None:
    """Do what a message of the page asks for; everything told is marked by its number, and the last of it says `done`."""
    asked = json.loads(message)

    def tell(told: dict[str, Any]) -> None:
        post(json.dumps({"number": asked["number"], **told}))

    done = {"run": _run_cell, "set": _update_widget, "file": _write_file, "stand": _progress, "needs": _dependencies}[asked["do"]](
        asked, tell
    )
    tell({"done": True, **done})


def _update_widget(asked: dict[str, Any], _: SendMessage) -> dict[str, Any]:
    """The page has moved a widget: what follows from it."""
    widget = sys.modules["anywidget"].AnyWidget.made[asked["key"]]
    widget.take(asked["state"])
    return {"state": widget.told()}


def _write_file(asked: dict[str, Any], _: SendMessage) -> dict[str, Any]:
    """A file of the student: it lies where his cells look for files."""
    with open(PurePath(asked["name"]).name, "wb") as file:
        file.write(b64decode(asked["data"]))
    return {}


def _progress(asked: dict[str, Any], _: SendMessage) -> dict[str, Any]:
    """Where a student stands on a page: what its cells say, as `fstats.progress` counts it on the pages that JupyterLab saves."""
    from ...teaching.grading.course_progress import SavedPage, last_replies

    page = SavedPage(Path(), "", tuple(last_replies(asked["cells"])))
    return {"right": page.right, "of": len(page.replies), "marks": page.symbols}


def _dependencies(asked: dict[str, Any], _: SendMessage) -> dict[str, Any]:
    """Which of these cells another needs before it can run."""
    from .cell_dependencies import cells_needed

    return {"needs": cells_needed(asked["above"], asked["source"])}


def _run_cell(asked: dict[str, Any], tell: SendMessage) -> dict[str, Any]:
    """Run a cell as a notebook does: the value of its last line is shown, and an error says where it arose.

    At last the page hears the cell's number and its outputs as a notebook stores them, and the error in words.
    """
    from IPython import display

    name = f"<{asked['name']}>"
    cell_filenames.add(name)
    source: str = asked["source"]
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    told: list[dict[str, Any]] = []

    def note(one: dict[str, Any]) -> None:
        told.append(one)
        tell(one)

    out = MessageStream("stdout", note)
    err = MessageStream("stderr", note, out)

    shown = 0

    def show(thing: Any, is_value: bool = False) -> None:
        nonlocal shown
        out.flush()
        err.flush()
        shown += 1
        if shown <= MAX_OUTPUTS:
            note({"output": mime_bundle(thing), "is_value": is_value})
        elif shown == MAX_OUTPUTS + 1:
            note({"output": {"text/plain": f"... (a page shows {MAX_OUTPUTS} outputs of a cell; the rest is left out)"}})

    space, number = ({**INITIAL_NAMES}, 0) if asked.get("apart") else (page_namespace, next(execution_counter))
    display.display_hooks[:] = [show]  # type: ignore[attr-defined]  # in the folder guest
    space["display"] = display.display
    with redirect_stdout(out), redirect_stderr(err):
        try:
            *body, last = ast.parse(source, name).body or [ast.Pass()]
            valued = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
            exec(compile(ast.Module(body if valued else [*body, last], []), name, "exec"), space)
            value = eval(compile(ast.Expression(last.value), name, "eval"), space) if isinstance(last, ast.Expr) and valued else None
            if value is not None:
                show(value, is_value=True)
            failed = ""
            _show_open_figures(show, value)
        except BaseException as error:  # whatever a student's code raises is an answer to him
            failed = error_text(error)
            words = traceback.format_exception_only(error)[-1].partition(": ")[2].strip()
            failure = {"ename": type(error).__name__, "evalue": words, "traceback": [failed]}
    out.flush()
    err.flush()
    if failed:
        told.append({"failed": failure})
    return {"count": number, "outputs": notebook_outputs(told, number)} | ({"error": failed} if failed else {})


def error_text(error: BaseException) -> str:
    """An error in the student's own lines, and its words; what went on inside libraries helps nobody here."""
    lines = [line for line in traceback.extract_tb(error.__traceback__) if line.filename in cell_filenames]
    places = [f"{line.filename.strip('<>')}, line {line.lineno}:\n    {line.line}\n" for line in lines]
    if len(places) > MOST_PLACES:
        ends = MOST_PLACES // 2
        places[ends:-ends] = [f"... and {len(places) - 2 * ends} lines more ...\n"]
    if isinstance(error, ModuleNotFoundError) and error.name:  # what Python says here is about installing
        return "".join(places) + f"ModuleNotFoundError: there is no {error.name!r} in this page, which has {LIBRARIES}"
    words = "".join(places) + "".join(traceback.format_exception_only(error)).strip()
    for kind, means, says in ERROR_ADVICE:
        if isinstance(error, kind) and means(error):
            return f"{words}\n{says}"
    return words


def mime_bundle(thing: Any) -> dict[str, Any]:
    """How a thing shows itself: by kind, what Jupyter would store."""
    if "anywidget" in sys.modules and isinstance(thing, sys.modules["anywidget"].AnyWidget):
        return {"widget": thing.key, "state": thing.told(everything=True)}
    found: dict[str, Any] = {}
    if hasattr(thing, "_repr_mimebundle_"):
        made = thing._repr_mimebundle_()
        found |= made[0] if isinstance(made, tuple) else made or {}
    for kind in KINDS:
        shows = getattr(thing, f"_repr_{kind.rpartition('/')[2].removesuffix('+xml')}_", None)
        if kind not in found and callable(shows) and not isinstance(thing, type) and (made := shows()) is not None:
            found[kind] = made[0] if isinstance(made, tuple) else made
    if hasattr(thing, "savefig") and not found:
        found |= {"image/png": _figure_png(thing), "sharp": 2}
    if isinstance(found.get("image/png"), bytes):
        found["image/png"] = b64encode(found["image/png"]).decode()
    words = repr(thing) if not hasattr(thing, "savefig") else "a picture"
    if len(words) > MAX_CHARACTERS:
        words = f"{words[:MAX_CHARACTERS]}\n... (a page shows {MAX_CHARACTERS:,} characters of a value; the rest is left out)"
    return {"text/plain": words, **found}


def _figure_png(figure: Any) -> bytes:
    """A figure of matplotlib."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=PICTURE_DPI, bbox_inches="tight", transparent=True)
    return buffer.getvalue()


def _show_open_figures(show: Callable[[Any], None], but: Any) -> None:
    """Show the figures that pyplot holds, and close them."""
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        for number in pyplot.get_fignums():
            if (figure := pyplot.figure(number)) is not but:
                show(figure)
        pyplot.close("all")
