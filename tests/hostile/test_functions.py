"""Functions that have others do their work, behind each wall: no ready-made test answers, by whatever door; honest ones are right."""

import json
import tomllib
from functools import cache
from pathlib import Path

import pytest
from class_of import ROOT

from fstats import exercise
from fstats.teaching.marking.marks.marker import Marker
from fstats.teaching.marking.marks.submission_mark import SubmissionMark
from fstats.teaching.sandbox_runtime.landlock import landlock_version as landlock

WALLS = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")),
    "weak",
    pytest.param("wasm", marks=[pytest.mark.needs("engine"), pytest.mark.needs("wasmtime")]),
]
TESTS = {  # what each function is to give, from whoever has it ready
    "ranks": "stats.rankdata(x)",
    "paired_t": "fstats.PairedT(x, y).statistic",
    "sign_test": "fstats.SignTest(x, y).pvalue",
    "signed_rank": "fstats.SignedRank(x, y).pvalue",
}
NAMES = {"ranks": "sizes"}
FOUR = "\n".join(
    f"def {name}({NAMES.get(name, 'a, b')}):\n    x, y = {'sizes, sizes' if name in NAMES else 'a, b'}\n"
    f"    import fstats\n    from scipy import stats\n    return through(lambda: {test})"
    for name, test in TESTS.items()
)
ANSWERS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
WAYS, TWINS, HONEST = ANSWERS["ways"], ANSWERS["twins"], ANSWERS["honest"]


@cache
def of_wall(wall: str) -> Marker:
    """One marker for all tests of a wall."""
    if wall == "weak" and not landlock():
        pytest.skip("the weaker isolation needs Landlock, of Linux from 5.13 on")
    return Marker(wall=wall)


def questions(wall: str, source: str) -> dict[str, tuple[str, str]]:
    """Verdict and first line of each function."""
    (path,) = (ROOT / "exercises").glob("*_write_your_own_test.ipynb")
    reference = json.loads(path.read_text(encoding="utf-8"))
    found = json.loads(path.read_text(encoding="utf-8"))
    place = next(k for k, cell in enumerate(found["cells"]) if "exercise(" in "".join(cell["source"]) and cell["cell_type"] == "code")
    for cell in found["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id", "").startswith("answer_"):
            cell["source"] = ""
    found["cells"].insert(place + 1, {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None})
    mark: SubmissionMark = of_wall(wall).mark(reference, json.dumps(found).encode(), exercise("write_your_own_test"), None, b"a seed")
    return {one.key: (one.verdict, " ".join(one.lines)) for one in mark.questions if one.kind == "function"}


@pytest.mark.complete
@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("way", WAYS)
def test_no_ready_made_test_answers(wall: str, way: str) -> None:
    found = questions(wall, f"{WAYS[way]}\n{FOUR}")
    assert len(found) == 4
    assert not [key for key, (verdict, _) in found.items() if verdict in ("right", "mistake", "digits", "carried")], found
    if way == "openly":
        assert all(said.startswith("Your function calls ") for _, said in found.values()), found


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("twin", TWINS)
def test_no_part_or_twin_of_one_answers(wall: str, twin: str) -> None:
    found = questions(wall, TWINS[twin])
    assert not [key for key, (verdict, _) in found.items() if verdict in ("right", "mistake", "digits", "carried")], found


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("kind", HONEST)
def test_honest_functions_are_right(wall: str, kind: str) -> None:
    assert questions(wall, HONEST[kind])["q1"][0] == "right", questions(wall, HONEST[kind])
