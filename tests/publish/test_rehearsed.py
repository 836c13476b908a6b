"""How long a lecture took: noted while it is given, told section by section, written where the contents page finds it."""

import json
import shutil
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import pytest

from fstats.cli import main
from fstats.publish import lecture_timing
from fstats.publish.browser_python.file_server import serve_folder
from fstats.teaching.lesson import Lesson, contents_table, minutes_with_questions

LESSON = Path(__file__).parents[2] / "notebooks" / "01_paired_t.ipynb"


@pytest.fixture
def log(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    return lecture_timing.log_path("01_paired_t")


def given(log, *slides):
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as file:
        file.writelines(json.dumps(line) + "\n" for line in slides)


def test_sections_add_up_and_a_long_pause_begins_another_lecture(log):
    given(log, (0, "A"), (120, "B"), (300, "A"), (360, ""))
    given(log, (10_000, "A"), (10_240, "B"), (10_300, ""))
    given(log, (50_000, "A"), (50_010, "B"), (50_020, ""))  # somebody leafed through
    with log.open("a") as file:
        file.write("[60000, ")  # torn
    found = lecture_timing.read_lectures(log)
    assert (found, lecture_timing.median_minutes(found)) == ([{"A": 180, "B": 180}, {"A": 240, "B": 60}], {"A": 3.5, "B": 2.0})


def test_a_page_tells_and_nothing_else_is_taken(log, tmp_path):
    with serve_folder(
        tmp_path, post_handlers={f"/{lecture_timing.TIMES_PATH}": lambda told: lecture_timing.record_slide("01_paired_t", told)}
    ) as address:

        def post(path, body, **headers):
            connection = HTTPConnection(urlsplit(address).netloc)
            connection.request("POST", path, body, headers)
            return connection.getresponse().status

        assert post("/times", b'"The data"') == 204
        for body in (b"{}", b"no", b"", b'"' + b"x" * 5000 + b'"'):
            assert post("/times", body) == 404
        assert post("/other", b'"A"') == 404
        assert post("/times", b'"A"', **{"Content-Length": "many"}) == 404
    ((_, section),) = map(json.loads, log.read_text().splitlines())
    assert section == "The data"


def test_the_notebook_and_the_contents_page_learn_of_it(log, tmp_path, capsys):
    path = tmp_path / LESSON.name
    shutil.copyfile(LESSON, path)
    assert main(["lecture", str(path), "--rehearsed"]) == 1
    assert "there is no log of a lecture on 01_paired_t" in capsys.readouterr().err
    given(log, (0, "The data"), (600, "Step 1"), (1_200, ""))
    assert main(["lecture", str(path), "--rehearsed"]) == 0
    assert " 10.0  The data\n 10.0  Step 1\n01_paired_t.ipynb: 20.0 minutes, given once." in capsys.readouterr().out
    lesson, before = Lesson.read(path), Lesson.read(LESSON)
    assert lesson.cells[0].rehearsed_minutes == 20.0
    assert "| 15 (20 rehearsed) |" in contents_table([lesson])
    assert minutes_with_questions([lesson]) == pytest.approx(1.2 * 20)
    assert minutes_with_questions([before]) == pytest.approx(1.2 * before.minutes)
    changed = nbformat.read(path, as_version=4)
    del changed.cells[0].metadata["fstats"]
    assert changed == nbformat.read(LESSON, as_version=4)
