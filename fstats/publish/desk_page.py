"""Web page for the analysis of a results file.

``fstats desk FILE`` serves this results desk on this machine, and ``fstats site --live`` contains it.
"""

from __future__ import annotations

import json
import secrets
import webbrowser
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from string import Template
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from ..core.validation.keyword_arguments import with_suggestions
from .assets import fill_template, front_end
from .browser_python.file_server import LOCALHOST, serve

if TYPE_CHECKING:
    from ..explore.results_desk.desk import Desk

HERE = Path(__file__).parent
MAX_REQUEST = 100_000_000  # maximum number of bytes in a request, which may contain a table in Base64
MAX_DESKS = 8  # maximum number of tables on the server, without the table of the command line
PRIVACY = "Nothing leaves this machine: the page sends the table only to the Python that serves the page."


@with_suggestions
def desk(source: Any = None, **settings: Any) -> Desk:
    """Compare the classifiers in a table: the desk shows how the table is read, the recommended test, each step, and the paragraph.

    In a notebook the desk is displayed; everything that it shows can also be called, as ``desk.test`` or ``desk.files["table.tex"]``.  The
    same desk is a page of the web site, and ``fstats desk scores.csv`` opens it in a browser.

    Parameters
    ----------
    source : path, text, DataFrame, Results, or name of an example, optional
        The table: scores of classifiers on data sets, on the folds or with the seeds of one data set; or a row for each test record, with
        the true class and the prediction of each classifier, or with right and wrong answers.  The examples are "two classifiers on ten
        data sets", "eight classifiers on thirty data sets", "predictions of two models", "folds of one data set", "answers of two
        language models".
    **settings
        roles : dict
            Roles of columns, ``{"run": "seed"}``: "data set", "classifier", "fold", "seed", "score", "ignore", "spread", "true class",
            "prediction", "family" (such as the text to which a question belongs).
        reading : dict
            Arguments of :class:`fstats.Results` that say how the table is read, ``{"turned": True}``.
            For predictions, `spellings` may map their words to the true classes, ``{"spellings": {"0": "ham", "1": "spam"}}``.
        answers : dict
            Answers to the questions of :func:`fstats.which_test`, ``{"normal": "yes"}``.
        metric, test, follow_up : str
            The metric; and the names of the test and of the post-hoc test, if they are not to be the recommended ones.
        control : str
            The classifier with which the post-hoc test compares all others, chosen before the scores are seen; by default all pairs.
        alpha, alternative, margin, rope
            Settings of the tests, and the region of practical equivalence of a Bayesian comparison.

    Returns
    -------
    Desk
        A widget with the attributes `test`, `follow_up`, `bayesian`, `results`, `recommendation`, `conclusion`, `report`, `ranking`,
        `pictures`, `threats`, `files`, `code`; and the method `set`, which changes settings.

    Raises
    ------
    ValueError
        If the source is no table.  If a table can be read in several ways, the attributes raise an error with the question.

    Examples
    --------
    >>> import fstats
    >>> desk = fstats.desk("eight classifiers on thirty data sets", alpha=0.01)
    >>> type(desk.test).__name__, [*desk.files][:3]
    ('ImanDavenport', ['table.tex', 'paragraph.tex', 'paragraph.txt'])
    >>> desk.set(test="Friedman")
    >>> print(desk.report)
    We compared k = 8 classifiers on N = 30 data sets with the Friedman test (Friedman, 1937): χ²(7) = ..., p < 0.001, ...
    """
    from ..explore.results_desk.desk import Desk

    return Desk(source, **settings)


def add_desk_page(source: Path) -> None:
    """Write the page of a live site, in Markdown; a script fills the page."""
    from ..explore.results_desk.table_reading import example_names

    page = fill_template("desk.md.j2", examples=json.dumps(example_names()))
    (source / "desk.md").write_text(page, encoding="utf-8")


# -- the command fstats desk ---------------------------------------------------------------------------------------------------------
def run_desk(asked: Namespace) -> None:
    """Serve the desk to this machine until Ctrl-C."""
    widget = desk(asked.file)
    with serve_desk(widget, asked.port) as address:
        print(f"{address} (stop with Ctrl-C)", flush=True)
        if not asked.no_browser:
            webbrowser.open(address)
        with suppress(KeyboardInterrupt):
            Event().wait()


@contextmanager
def serve_desk(widget: Desk, port: int = 0) -> Iterator[str]:
    """Context in which a desk is served to this machine only; the value is the address, which holds a secret."""
    # each table has its own lock, so that no table waits for another
    path, desks = f"/{secrets.token_urlsafe(16)}/", {"": (widget, Lock())}
    widget.privacy = PRIVACY
    page = _page(widget).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply(page, "text/html") if self.path == path else self.send_error(404)

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            if self.path != path or not 0 < size <= MAX_REQUEST:
                self.send_error(404)
                return
            request = json.loads(self.rfile.read(size))
            if (key := str(request.get("key", ""))) not in desks and len(desks) > MAX_DESKS:
                # remove the oldest table except the first, which is the table of the command line; a page can send its table again
                del desks[[*desks][1]]
            used, lock = desks.setdefault(key, (type(widget)(), Lock()))
            with lock:
                used.request = request
                self._reply(json.dumps(used.view).encode(), "application/json")

        def _reply(self, content: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            with suppress(ConnectionError):  # the page may be closed before it has received the reply
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Do nothing, because requests are not logged."""

    with serve(Handler, port) as used:
        yield f"http://{LOCALHOST}:{used}{path}"


def _page(widget: Desk) -> str:
    """Return the page that shows a desk and sends requests to the server."""
    state = json.dumps({"view": widget.view, "privacy": PRIVACY, "linked": True}).replace("<", "\\u003c")
    model = (HERE / "desk_page.js").read_text(encoding="utf-8").replace("/* the state */", f"const state = {state};")
    script = front_end("const fstatsDesk", widget) + model
    page = Template((HERE / "desk_page.html").read_text(encoding="utf-8"))
    return page.substitute(style=widget._css, script=script)
