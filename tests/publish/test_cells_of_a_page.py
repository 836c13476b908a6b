"""The page's Python answers messages, here without an engine or a browser; in both it is tests/browser that looks."""

import importlib.util
import json
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fstats.publish.browser_python import page_kernel

GUEST = Path(page_kernel.__file__).parent / "jupyter_shims" / "IPython"
Ask = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ask:
    """Sends a message and gives all that is told, the last of it done; cells import of IPython what a page has of it."""
    for name, file in {"IPython": "__init__.py", "IPython.display": "display.py"}.items():
        spec = importlib.util.spec_from_file_location(name, GUEST / file)
        assert spec is not None
        assert spec.loader is not None
        spec.loader.exec_module(made := importlib.util.module_from_spec(spec))
        monkeypatch.setitem(sys.modules, name, made)
    sys.modules["IPython"].display = made  # type: ignore[attr-defined]
    monkeypatch.setattr(page_kernel, "page_namespace", {**page_kernel.INITIAL_NAMES})
    monkeypatch.setattr(page_kernel, "SEND_INTERVAL", float("inf"))  # what is printed is told when it must be
    monkeypatch.chdir(tmp_path)

    def asked(do: str, **what: Any) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = []
        page_kernel.handle_message(json.dumps({"number": 7, "do": do, **what}), lambda said: told.append(json.loads(said)))
        assert {one["number"] for one in told} == {7}
        assert told[-1]["done"]
        return told

    return asked


def test_the_last_value_of_a_cell_is_shown_and_names_are_kept(ask: Ask) -> None:
    first = ask("run", name="cell 1", source="x = 2\nx + 1")
    assert first[:-1] == [{"number": 7, "output": {"text/plain": "3"}, "is_value": True}]
    assert [output["output_type"] for output in first[-1]["outputs"]] == ["execute_result"]
    assert ask("run", name="cell 2", source="x * 10")[0]["output"] == {"text/plain": "20"}
    assert (ask("run", name="cell 3", source="x;")[:-1], ask("run", name="cell 4", source="y = x")[:-1]) == ([], [])
    assert ask("run", name="cell 5", source="")[:-1] == []
    assert [ask("run", name="apart", source="x", apart=True)[-1]["count"], ask("run", name="cell 6", source="1")[-1]["count"] > 0] == [
        0,
        True,
    ]
    assert ask("run", name="apart", source="x", apart=True)[-1]["error"].startswith("apart, line 1:\n    x\nNameError: name 'x'")


def test_what_is_printed_and_shown_comes_in_its_order(ask: Ask) -> None:
    source = "import sys\nfrom IPython.display import HTML, Latex, Markdown\nprint('a')\nprint('b', file=sys.stderr)\n"
    source += "display(HTML('<b>c</b>'))\nprint('d')\ndisplay(Markdown('*e*'), Latex('$f$'))"
    told = ask("run", name="cell", source=source)[:-1]
    assert [(one.get("stream"), one.get("text"), [*one.get("output", {}).values()][:1]) for one in told] == [
        ("stdout", "a\n", []),
        ("stderr", "b\n", []),
        (None, None, ["<b>c</b>"]),
        ("stdout", "d\n", []),
        (None, None, ["*e*"]),
        (None, None, ["$f$"]),
    ]
    expected = ["text/html", "text/markdown", "text/latex"]
    assert [next(key for key in one["output"] if key != "text/plain") for one in told if "output" in one] == expected
    many = ask("run", name="cell", source="for k in range(250):\n    display(k)")[:-1]
    assert len(many) == page_kernel.MAX_OUTPUTS + 1
    assert many[-1]["output"]["text/plain"].startswith("... (a page shows 200 outputs")


def test_an_error_names_the_lines_of_the_student(ask: Ask) -> None:
    ask("run", name="cell 1", source="def half(x):\n    return x / 0")
    told = ask("run", name="cell 2", source="print('before')\nhalf(3)\nprint('after')")
    assert [one.get("text") for one in told[:-1]] == ["before\n"]
    assert told[-1]["error"] == ("cell 2, line 2:\n    half(3)\ncell 1, line 2:\n    return x / 0\nZeroDivisionError: division by zero")
    assert told[-1]["outputs"][-1]["evalue"] == "division by zero"
    for source, said in {
        "nobody": "No cell above defines this name",
        "%timeit 1": "A page runs only Python",
        "import torch_is_not_here": "ModuleNotFoundError: this page has no 'torch_is_not_here'",
    }.items():
        assert said in ask("run", name="cell", source=source)[-1]["error"]
    deep = ask("run", name="cell", source="def f(k):\n    return f(k)\nf(1)")[-1]["error"]
    assert " more lines ..." in deep
    assert deep.count("cell, line") == page_kernel.MOST_PLACES


def test_figures_and_files_of_cells(ask: Ask, tmp_path: Path) -> None:
    made = "import matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt\nfig, ax = plt.subplots()\n"
    for last in ("", "fig"):
        told = ask("run", name="cell", source=made + last)[:-1]
        assert [sorted(one["output"]) for one in told] == [["image/png", "sharp", "text/plain"]]
        assert ask("run", name="cell", source="plt.get_fignums()")[0]["output"]["text/plain"] == "[]"
    ask("file", name="../scores.csv", data=b64encode(b"a,b\n").decode())
    assert (tmp_path / "scores.csv").read_bytes() == b"a,b\n"
    assert ask("needs", above=["x = 1", "z = 2", "y = x"], source="y + 1")[-1]["needs"] == [0, 2]


def test_a_reply_on_a_page_reads_the_line_from_its_cells(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_kernel, "page_cells", [])
    monkeypatch.setattr(page_kernel, "page_failures", {})
    ask(
        "run", name="cell 1", source="from fstats import exercise\ntask = exercise('paired_t_by_hand')\nd = task.data['a'] - task.data['b']"
    )
    ask("run", name="cell 2", source="sd = d.std()")
    ask("run", name="apart", source="sd = 7 * d.std()", apart=True)
    said = ask("run", name="cell 3", source="task.check('q3', sd)")[0]["output"]
    assert "sd = d.std()\n         ^^^^^^^\n" in said["text/plain"]
    assert "<mark>d.std()</mark>" in said["text/html"]
