"""Notebooks in their normal form: what `fstats build` writes, what it refuses, and that nothing has drifted from it."""

import json
import os
import subprocess
import sys
from asyncio import CancelledError
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from shortcuts import assert_raises, parametrize

from fstats import cli
from fstats.teaching import jupyterlab_launcher
from fstats.teaching.notebook_build import (
    KERNEL,
    WIDGET,
    UnpublishableNotebook,
    as_text,
    build,
    comparable,
    execute,
    is_up_to_date,
    normal_form,
)

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for folder in ("notebooks", "solutions") for path in (ROOT / folder).glob("*.ipynb"))
NOTEBOOKS = SOURCES + sorted((ROOT / "exercises").glob("*.ipynb"))
STATE = "application/vnd.jupyter.widget-state+json"


# -- the normal form, on notebooks made in memory ----------------------------------------------------------------------------
def shown(**data: Any) -> Any:
    """An output of a cell: ``shown(text="...")``, with the data by the last part of their mime type."""
    mime = {"text": "text/plain", "html": "text/html", "png": "image/png", "widget": WIDGET}
    return new_output("display_data", data={mime[name]: value for name, value in data.items()})


def test_ids_stay_or_are_made_the_same_each_time(tmp_path: Path) -> None:
    # An id is kept, so that a difference between two versions shows only the cells that changed.
    cells = [new_markdown_cell("# Title", id="first"), new_code_cell("1", id="twice"), new_code_cell("2", id="twice"), new_code_cell("3")]
    del cells[3]["id"]
    notebook = new_notebook()
    notebook.cells = cells
    ids = [cell.id for cell in normal_form(deepcopy(notebook), "a.ipynb").cells]
    assert (ids[:2], len(set(ids))) == (["first", "twice"], 4)
    assert ids == [cell.id for cell in normal_form(deepcopy(notebook), "a.ipynb").cells]
    # Files written before format 4.5 have no ids at all.
    old = {"cells": [{"cell_type": "markdown", "metadata": {}, "source": "a"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (tmp_path / "old.ipynb").write_text(json.dumps(old))
    texts = {as_text(normal_form(nbformat.read(tmp_path / "old.ipynb", as_version=4), "old.ipynb")) for _ in range(2)}
    assert (len(texts), json.loads(texts.pop())["nbformat_minor"]) == (1, 5)


def test_what_changes_with_each_run_is_dropped() -> None:
    """Widget states, execution times, trusted and collapsed cells, the versions of kernel and language."""
    cell = new_code_cell("x", metadata={"execution": {"iopub.execute_input": "now"}, "trusted": True, "tags": ["keep"], "slideshow": {}})
    cell.execution_count = 17
    cell.outputs = [shown(widget={"model_id": "4f"}, png="AAAA", text="a slider")]
    cell.outputs[0].metadata = {"image/png": {"width": 640}, "isolated": True}
    notebook = new_notebook(
        cells=[cell], metadata={"widgets": {STATE: {"state": {}}}, "language_info": {"name": "python", "version": "3.99"}, "toc": {}}
    )
    result = normal_form(notebook, "a.ipynb")
    assert result.metadata == {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    assert result.cells[0].metadata == {"tags": ["keep"]}
    assert result.cells[0].outputs[0].data == {"image/png": "AAAA", "text/plain": "a slider"}
    assert result.cells[0].outputs[0].metadata == {}


def test_the_normal_form_counts_cells_and_keeps_words() -> None:
    cells = [new_code_cell("1", execution_count=8), new_markdown_cell("text"), new_code_cell("2", execution_count=3)]
    cells[0].outputs = [new_output("execute_result", data={"text/plain": "1"}, execution_count=8)]
    result = normal_form(new_notebook(cells=cells), "a.ipynb")
    assert ([cell.get("execution_count") for cell in result.cells], result.cells[0].outputs[0].execution_count) == ([1, None, 2], 1)
    cell = new_code_cell("picture", outputs=[shown(png="AAAA", text="[picture]")])
    cell.outputs[0].metadata = {"image/png": {"alt": "Two curves."}}
    assert normal_form(new_notebook(cells=[cell]), "a.ipynb").cells[0].outputs[0].metadata == {"image/png": {"alt": "Two curves."}}
    # Normalising twice changes nothing more, and the file ends with one line break.
    once = normal_form(new_notebook(cells=[new_code_cell("1"), new_markdown_cell("text")]), "a.ipynb")
    assert as_text(normal_form(deepcopy(once), "a.ipynb")) == as_text(once)
    assert as_text(once).endswith("}\n")


REFUSED = {
    "an error": (
        [new_output("error", ename="ZeroDivisionError", evalue="division by zero")],
        r"cell 2 of a\.ipynb raises ZeroDivisionError: division by zero",
    ),
    "a widget alone": ([shown(widget={"model_id": "4f"}, text="slider")], r"a widget in cell 2 of a\.ipynb must have a static picture"),
    "an address in text": (
        [shown(text="<object object at 0x7ffa45c1f250>")],
        r"cell 2 of a\.ipynb .* memory address.*got at 0x7ffa45c1f250",
    ),
    "an address in HTML": ([shown(html="<b>at 0x7ffa45c1f250</b>")], r"cell 2 of a\.ipynb .* memory address"),
    "a printed address": (
        [new_output("stream", name="stdout", text="function f at 0x7ffa45c1f250")],
        r"cell 2 of a\.ipynb .* memory address",
    ),
}


@pytest.mark.parametrize(("outputs", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(outputs: list[Any], message: str) -> None:
    with pytest.raises(UnpublishableNotebook, match=message):
        normal_form(new_notebook(cells=[new_markdown_cell("text"), new_code_cell("1", outputs=outputs)]), "a.ipynb")


def test_something_printed_inside_an_output_widget_is_refused() -> None:
    inside = {"model_name": "OutputModel", "state": {"outputs": [{"output_type": "stream", "name": "stdout", "text": "hidden"}]}}
    notebook = new_notebook(cells=[new_code_cell("1")], metadata={"widgets": {STATE: {"state": {"4f": inside}}}})
    assert_raises(lambda: normal_form(notebook, "a.ipynb"), r"a cell of a\.ipynb prints inside an Output widget", UnpublishableNotebook)


def test_comparable_is_blind_for_the_bytes_of_pictures_only() -> None:
    """Another version of matplotlib draws other bytes; a picture that is missing, or another text, is a difference."""

    def notebook(source: str = "plot", **data: str) -> Any:
        return normal_form(new_notebook(cells=[new_code_cell(source, id="one", outputs=[shown(**data)])]), "a.ipynb")

    one = comparable(notebook(png="AAAA", text="curve"))
    assert one == comparable(notebook(png="BBBB", text="curve"))
    assert one != comparable(notebook(png="AAAA", text="line"))
    assert one != comparable(notebook(text="curve"))
    assert one != comparable(notebook("plot2", png="AAAA", text="curve"))


# -- execution ---------------------------------------------------------------------------------------------------------------
TINY = [
    new_markdown_cell("# A tiny notebook"),
    new_code_cell("from fstats import PairedT\ntest = PairedT([85, 70, 79], [87, 68, 85])\ntest"),
    new_code_cell("print('first', flush=True)\nimport time; time.sleep(0.3)\nprint('second')"),  # two messages from the kernel
    new_code_cell("test.plot()"),
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook as JupyterLab saves it, built once."""
    path = tmp_path_factory.mktemp("notebooks") / "tiny.ipynb"
    nbformat.write(new_notebook(cells=deepcopy(TINY)), path)
    assert build(path), "a notebook that was never run is not what build writes"
    return path


@pytest.mark.slow
def test_building_twice_gives_the_same_file(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte, pictures included; and the second build says that there was nothing to do."""
    before = tiny.read_bytes()
    again = execute(tiny)
    assert as_text(again).encode() == before
    monkeypatch.setattr("fstats.teaching.notebook_build.execute", lambda _: again)
    assert not build(tiny)
    assert tiny.read_bytes() == before


@pytest.mark.complete
def test_the_outputs_are_those_of_the_cells(tiny: Path) -> None:
    """The text of the worked example, what was printed in one piece, the picture with its words."""
    cells = nbformat.read(tiny, as_version=4).cells
    assert cells[1].outputs[0].data["text/plain"].startswith("PairedT: do two classifiers differ")
    assert [output.text for output in cells[2].outputs] == ["first\nsecond\n"]
    assert cells[3].outputs[0].data["text/plain"] == "[picture: " + cells[3].outputs[0].metadata["image/png"]["alt"] + "]"


def test_a_cell_that_raises_is_refused(tmp_path: Path) -> None:
    """With the name of the notebook, the cell's source and the error; the file stays as it was."""
    path = tmp_path / "broken.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("sum_of_nothing = 1 / 0")]), path)
    before = path.read_bytes()
    with pytest.raises(UnpublishableNotebook, match=r"(?s)broken\.ipynb: a cell raises .*sum_of_nothing = 1 / 0.*ZeroDivisionError"):
        build(path)
    assert path.read_bytes() == before


# -- the notebooks of this repository ----------------------------------------------------------------------------------------
@pytest.mark.complete
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name} {path.name}")
def test_notebook_is_in_normal_form(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), "not every cell was run: fstats build"
    assert path.read_text(encoding="utf-8") == as_text(normal_form(notebook, path.name)), "not in normal form: fstats build"


@pytest.mark.slow
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_notebook_is_what_build_writes(path: Path) -> None:
    """A fresh kernel gives what is committed, to the last alternative text (pictures' bytes apart), exercises included."""
    assert is_up_to_date(path), "drifted: fstats build"


# -- the command line --------------------------------------------------------------------------------------------------------
@pytest.fixture
def as_executed(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Let the command line believe that executing a notebook gives this."""
    return lambda outcome: monkeypatch.setattr("fstats.teaching.notebook_build.execute", lambda _: outcome)


def test_check_says_whether_a_notebook_is_up_to_date(
    tiny: Path, as_executed: Callable[[Any], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 0 and nothing written; 1 as soon as an output differs."""
    before = tiny.read_bytes()
    as_executed(nbformat.read(tiny, as_version=4))
    assert (cli.main(["build", "--check", str(tiny)]), capsys.readouterr().out) == (0, f"{tiny}: up to date\n")
    other = nbformat.read(tiny, as_version=4)
    other.cells[2].outputs[0].text = "third\n"
    as_executed(other)
    assert cli.main(["build", "--check", str(tiny)]) == 1
    assert (capsys.readouterr().out, tiny.read_bytes()) == (f"{tiny}: not as fstats build writes it\n", before)


def test_check_notices_a_file_that_is_not_in_normal_form(tiny: Path, tmp_path: Path, as_executed: Callable[[Any], None]) -> None:
    as_executed(nbformat.read(tiny, as_version=4))
    other = tmp_path / "tiny.ipynb"
    other.write_text(json.dumps(json.loads(tiny.read_text(encoding="utf-8"))), encoding="utf-8")
    assert cli.main(["build", "--check", str(other)]) == 1


def test_build_writes_and_says_so(
    tiny: Path, tmp_path: Path, as_executed: Callable[[Any], None], capsys: pytest.CaptureFixture[str]
) -> None:
    as_executed(nbformat.read(tiny, as_version=4))
    path = tmp_path / "tiny.ipynb"
    nbformat.write(new_notebook(cells=deepcopy(TINY)), path)
    assert (cli.main(["build", str(path)]), cli.main(["build", str(path)])) == (0, 0)
    assert (capsys.readouterr().out, path.read_bytes()) == (f"{path}: written\n{path}: unchanged\n", tiny.read_bytes())


def test_build_names_what_is_not_fit_and_goes_on(tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse_the_first(path: Path) -> Any:
        if path.name == "broken.ipynb":
            raise UnpublishableNotebook("broken.ipynb: a cell raises an error")
        return nbformat.read(path, as_version=4)

    monkeypatch.setattr("fstats.teaching.notebook_build.execute", refuse_the_first)
    broken = tiny.with_name("broken.ipynb")
    broken.write_bytes(tiny.read_bytes())
    assert cli.main(["build", str(broken), str(tiny)]) == 1
    told = capsys.readouterr()
    assert (told.err, told.out) == ("broken.ipynb: a cell raises an error\n", f"{tiny}: unchanged\n")


@pytest.mark.parametrize("error", [CancelledError, AssertionError], ids=["asleep", "twice"])
def test_ctrl_c_while_a_notebook_runs_ends_with_a_line(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever nbclient makes of it; the file stays as it was."""

    def cancelled(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("nbclient.NotebookClient.execute", cancelled)
    path = tmp_path / "some.ipynb"
    path.write_text(nbformat.writes(new_notebook(cells=[new_code_cell("1")])))
    before = path.read_bytes()
    assert cli.main(["build", str(path)]) == 130
    assert capsys.readouterr().err == "Interrupted. Finished work is kept: the same command continues with the rest.\n"
    assert (path.read_bytes(), [*tmp_path.iterdir()]) == (before, [path])


def test_a_server_that_a_signal_ends_has_a_status_of_the_shell() -> None:
    """143 is the end by SIGTERM, 130 that by Ctrl-C."""
    end = [sys.executable, "-S", "-c", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"]
    assert jupyterlab_launcher.serve(end, os.environ, "") == 143


def test_lab_hands_its_options_to_jupyterlab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(jupyterlab_launcher, "serve", lambda command, *_: started.append(command) or 3)
    monkeypatch.setattr(jupyterlab_launcher, "is_root", lambda: False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "contents.ipynb").touch()
    assert cli.main(["lab", "--no-browser", "--port", "9000", "--ip=127.0.0.1"]) == 3
    (command,) = started
    assert command[1:4] == ["-m", "jupyterlab", str(tmp_path)]  # so that links lead from exercises to notebooks
    assert "--LabApp.default_url=/lab/workspaces/fstats/tree/notebooks/contents.ipynb" in command
    assert (Path(__file__).parents[2] / "notebooks/contents.ipynb").exists()
    assert command[-3:] == ["--port=9000", "--ip=127.0.0.1", "--no-browser"]


@parametrize(
    "words, said",
    ("--nosuch=3", "JupyterLab has no option --nosuch; the nearest names are '--no-"),
    ("01 --debug --certfile", "the option --certfile needs a value. Write `--certfile=VALUE`.\n"),
    ("--debug 01", "the notebook must come before the options of JupyterLab. Write `fstats lab 01 ...`."),
    ("--debug -y --log-level 50 --watch --ServerApp.token=x --ServerApp.port_retries 3", ""),
)
def test_a_wrong_option_of_lab_is_told_before_anything_is_copied(
    words: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    worked: list[str] = []
    monkeypatch.setattr(cli, "_copy_course", lambda *_: worked.append("copied") or Path())
    monkeypatch.setattr(cli, "BUNDLED_COURSE", cli.course_folder())  # as of a wheel
    monkeypatch.setattr(cli, "has_lessons", lambda _: False)
    monkeypatch.setattr(jupyterlab_launcher, "serve", lambda command, *_: worked.append(command[-1]) or 0)
    assert cli.main(["lab", *words.split()]) == bool(said)
    assert capsys.readouterr().err.startswith(said)
    assert worked == ([] if said else ["copied", "3"])


def test_lab_command_switches_the_delay_off_and_brings_its_style(monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings that make sliders prompt and links look like links, before the options of the caller, who has the last word."""
    monkeypatch.setattr(jupyterlab_launcher, "is_root", lambda: False)
    command = jupyterlab_launcher.jupyterlab_command(Path("somewhere"), ["--no-browser"])
    prompt = "--ServerApp.kernel_websocket_connection_class=fstats.teaching.jupyterlab_launcher.PromptConnection"
    style = ["--LabApp.custom_css=True", f"--ServerApp.tornado_settings=static_custom_path={jupyterlab_launcher.SETTINGS / 'custom'}"]
    assert command[5:] == [prompt, *style, "--ServerApp.port_retries=50", "--no-browser"]  # a port that is taken does no harm
    expected = [prompt, *style, "--ServerApp.port_retries=0"]
    assert jupyterlab_launcher.jupyterlab_command(Path("somewhere"), ["--ServerApp.port_retries=0"])[5:] == expected
    assert (jupyterlab_launcher.SETTINGS / "custom" / "custom.css").exists()


def test_root_gets_jupyterlab_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """As in every container; it is said who can reach the server, unless somebody opened it to others."""
    monkeypatch.setattr(jupyterlab_launcher, "serve", lambda *_: 0)
    for root, options, allowed, told in ((True, [], 1, True), (True, ["--allow-root", "--ip=0.0.0.0"], 1, False), (False, [], 0, False)):
        monkeypatch.setattr(jupyterlab_launcher, "is_root", lambda root=root: root)
        assert jupyterlab_launcher.jupyterlab_command(Path("somewhere"), options).count("--allow-root") == allowed
        assert jupyterlab_launcher.run_jupyterlab(tmp_path, options) == 0
        assert ("listens on this machine only, and requires the token" in capsys.readouterr().out) == told


def test_the_address_stands_in_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """As soon as the server is there; of other servers nothing is said."""
    found: list[list[dict[str, Any]]] = [[], [{"pid": -1, "url": "http://else/", "token": "x"}]]

    def running() -> list[dict[str, Any]]:
        return found.pop(0) if found else [{"pid": server.pid, "url": "http://localhost:8888/", "token": "secret"}]

    monkeypatch.setattr("jupyter_server.serverapp.list_running_servers", running)
    monkeypatch.setattr(jupyterlab_launcher, "POLL_INTERVAL", 0.01)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as server:
        jupyterlab_launcher.print_address(server, jupyterlab_launcher.first_page(lecture=True))
        server.kill()
    address = "http://localhost:8888/lab/workspaces/fstats-lecture/tree/notebooks/contents.ipynb?token=secret"
    assert capsys.readouterr().out.split("\n")[-3] == f"    {address}"


def test_the_settings_of_the_reader_stand_before_those_of_the_course() -> None:
    """Jupyter reads the folders of a path from the first to the last; the news are off unless somebody has asked for them."""
    ours = str(jupyterlab_launcher.SETTINGS)
    assert jupyterlab_launcher.environment_variables({"A": "b"}) == {"A": "b", "JUPYTER_CONFIG_PATH": ours, "JUPYTER_PATH": ours}
    for name in ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH"):
        assert jupyterlab_launcher.environment_variables({name: "own"})[name] == f"own{os.pathsep}{ours}"
    large = jupyterlab_launcher.environment_variables({"JUPYTER_CONFIG_PATH": "own"}, lecture=True)["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    assert large == ["own", str(jupyterlab_launcher.SETTINGS / "lecture"), ours]
    off = json.loads((jupyterlab_launcher.SETTINGS / "labconfig" / "page_config.json").read_text(encoding="utf-8"))["disabledExtensions"]
    assert off == {"@jupyterlab/apputils-extension:announcements": True}


def test_an_unknown_option_of_build_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert_raises(lambda: cli.main(["build", "--chekc"]), "2", SystemExit)
    assert "--chekc" in capsys.readouterr().err
