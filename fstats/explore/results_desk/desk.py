"""Desk: a widget that compares the classifiers in a table, for notebooks, web pages and the command line."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any

import anywidget
import traitlets

from ..widgets.explorer import Explorer
from .comparison import Comparison
from .desk_view import EMPTY, comparison_view, picture_size, preview, result_view
from .question_buttons import plain_message
from .table_facts import SETTINGS

HERE = Path(__file__).parent
WIDTH = 560  # width of pictures in pixels, until the front end sends the available width


class Desk(anywidget.AnyWidget):
    """Widget that compares the classifiers in a table; it shows each step, and has the same results as attributes.

    `test`, `follow_up`, `bayesian`, `results`, `recommendation`, `conclusion`, `report`, `ranking`, `pictures`, `threats`, `files`,
    `code` and `question` are those of the current :class:`Comparison`, the attribute `comparison`.
    """

    _esm = HERE / "desk.js"
    _css = f"{Explorer._css}\n{(HERE / 'desk.css').read_text(encoding='utf-8')}"
    _ipython_display_ = None  # None hides an inherited method, with which ipywidgets 7 would show the widget without its text
    privacy = traitlets.Unicode("The table stays with the Python of this notebook.").tag(sync=True)
    request = traitlets.Dict().tag(sync=True, echo_update=False)  # message from the front end: table and settings
    view = traitlets.Dict().tag(sync=True)  # message to the front end: everything that it shows

    def __init__(self, source: Any = None, **settings: Any) -> None:
        super().__init__()
        self._table_key = ""  # identifier of the current table in the messages of the front end
        self._former: Comparison | None = None  # the last comparison with a result
        self._comparison: Comparison | None = None if source is None else Comparison(source, **settings)
        self._update_view({})
        self.observe(self._on_request, "request")

    # -- calls -------------------------------------------------------------------------------------------------------------------
    @property
    def comparison(self) -> Comparison:
        """The current comparison."""
        if self._comparison is None:
            raise ValueError("the desk has no table. Drop a file on the desk, or write fstats.desk('scores.csv').")
        return self._comparison

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not (hasattr(Comparison, name) or name == "settings"):
            raise AttributeError(f"Desk has no attribute {name!r}")
        if (problem := self.comparison.problem) is not None and name not in ("question", "problem", "reading", "records", "settings"):
            raise problem
        return getattr(self.comparison, name)

    def set(self, **settings: Any) -> None:
        """Change settings, such as ``desk.set(alpha=0.01)``; the display shows the change."""
        self._comparison = self.comparison.with_settings(**settings)
        self._update_view({})

    # -- messages ----------------------------------------------------------------------------------------------------------------
    def _on_request(self, change: Mapping[str, Any]) -> None:
        request = change["new"]
        try:
            if not self._take_table(request):
                self._show({**EMPTY, "needs": True}, request)
            elif request.get("only_table"):
                self._show({**preview(self.comparison), "only_table": True}, request)
            else:
                settings = SETTINGS | {name: value for name, value in (request.get("settings") or {}).items() if name in SETTINGS}
                if self._comparison is not None and settings != self._comparison.settings:
                    self._comparison = self._comparison.with_settings(**settings)
                self._update_view(request)
        except Exception as error:  # show every error as a message in the page
            self._update_view({"number": request.get("number", 0)}, plain_message(f"{error}" or type(error).__name__))

    def _take_table(self, request: Mapping[str, Any]) -> bool:
        """Read the table of a request: an example, a pasted text, or the content of a file in Base64; return False if it has none."""
        if request.get("key", "") == self._table_key:
            return True
        if not {"example", "text", "data"} & {*request}:  # Python was restarted and has no table: the page must send the table again
            return False
        if "data" not in request:  # add a line feed, so that the text is not taken for a path
            comparison = Comparison(request["example"] if "example" in request else request["text"] + "\n")
        else:
            with TemporaryDirectory() as place:
                file = Path(place) / (PurePath(request["name"].replace("\\", "/")).name or "table.csv")
                file.write_bytes(b64decode(request["data"]))
                comparison = Comparison(file)
        self._comparison, self._former, self._table_key = comparison, None, request["key"]
        return True

    def _update_view(self, request: Mapping[str, Any], error: str = "") -> None:
        view = dict(EMPTY)
        if error:
            view |= {"error": error, "refused": self._comparison is not None}
        elif self._comparison is not None:
            width = float(request.get("width") or WIDTH)
            view = comparison_view(self._comparison, width)
            if self._comparison.problem is None:
                self._former = self._comparison
            elif self._former is not None and not self._comparison.question:  # the new setting is wrong: show the former result again
                view |= {**result_view(self._former, width), "stale": "The result below is that of the former settings.", "files": []}
            if request.get("file"):
                content = self.files[request["file"]]
                view["file"] = {"name": request["file"], "data": b64encode(content).decode()}
            if request.get("multiverse"):
                analyses = self._comparison.multiverse()
                view["multiverse"] = f"{analyses.plot().svg(picture_size(width))}{analyses._repr_html_()}"
        self._show(view, request)

    def _show(self, view: Mapping[str, Any], request: Mapping[str, Any]) -> None:
        self.view = {**view, "number": request.get("number", 0), "key": self._table_key}

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live widget; without a kernel, a notebook shows the conclusion."""
        live = super()._repr_mimebundle_(**kwargs)
        data = dict(live[0] if isinstance(live, tuple) else live or {})
        shown = self._comparison is not None and self._comparison.problem is None
        told = f"{self.comparison.conclusion} {self.comparison.direction}".strip() if shown else ""
        return data | {"text/plain": told or "The desk: compare the classifiers in a table"}, {}


def desk(source: Any = None, **settings: Any) -> Desk:
    """Compare the classifiers in a table: reading, recommended test, steps, pictures and paragraph; see :func:`fstats.desk`."""
    return Desk(source, **settings)
