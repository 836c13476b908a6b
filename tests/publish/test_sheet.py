"""The sheet for students: everything to be filled in stands on it, and nothing that it is filled in with."""

import re
from html import unescape
from pathlib import Path

import nbformat
import pytest

from fstats import PairedT
from fstats.cli import main
from fstats.publish import worksheet
from fstats.publish.notebook_content import read_notebook
from fstats.teaching.lesson import Lesson

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("[0-9]*.ipynb"))


def test_the_data_and_the_formulas_stand_there_and_no_result(tmp_path, monkeypatch):
    monkeypatch.setattr("fstats.publish.printable_page.find_browser", lambda: "")
    assert main(["print", "--sheet", "01_paired_t", "--to", str(tmp_path)]) == 0
    page = (tmp_path / "01_paired_t_sheet.html").read_text(encoding="utf-8")
    said = unescape(re.sub(r"<[^>]+>", " ", page.partition("<main")[2].partition("<script")[0]))
    for row in PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]).worked():
        if row.kind == "step" and row.formula and not row.aside:
            assert row.formula.replace(" ", "") in re.sub(r"\s|\$(\\displaystyle)?", "", said)
    for word in ("85", "87", "70", "68"):
        assert word in said.split()
    for value in ("-0.6", "3.578", "1.6", "0.375", "0.7267", "2.776", "3.842", "0.1677"):
        assert value not in said
    assert "Is one of them better, or is the difference luck?" in said


def test_a_sheet_has_a_plain_picture_and_places_for_answers():
    test = PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])
    other = PairedT([85, 70, 79, 78, 93], [87, 68, 85, 75, 83])
    assert worksheet.empty_null_distribution(test) == worksheet.empty_null_distribution(other)  # the same null distribution

    def cells(words, answer):
        return [
            nbformat.v4.new_markdown_cell(words, metadata={"tags": ["poll"]}),
            nbformat.v4.new_markdown_cell(f"<details><summary>Answer</summary>\n\n{answer}\n\n</details>", metadata={"tags": ["answers"]}),
        ]

    (guess,) = worksheet.find_polls(cells("**The bet.** How many?", "**67**: count them"))
    (choice,) = worksheet.find_polls(cells("**Ask the room.** *Which?*\n\n* one\n* two", "* wrong: no\n* **right**"))
    assert worksheet.poll_text(guess).startswith("**The bet.** How many? My guess: ____")
    assert worksheet.poll_text(choice) == "**A question to all.** *Which?*\n\n* ☐ one\n* ☐ two"
    assert "67" not in worksheet.poll_text(guess)


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_sheet_is_a_page_of_questions_and_a_page_of_steps(path, tmp_path):
    _, pdf = worksheet.write_worksheet(path, tmp_path)
    has_test = worksheet.first_test(read_notebook(path).cells[: len(Lesson.read(path).core)]) is not None
    assert len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes())) == 1 + has_test
    assert ('class="fstats-strip"' in worksheet.worksheet_page(path)) == has_test
