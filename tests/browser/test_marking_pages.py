"""The marker's pages in a real Chromium: the form gives back what was filled in, and everything can be read by day and by night."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from class_of import EXERCISE, NOTEBOOK, ROOT, SECRET, only_judging, roster_file
from laboratory import browser_page
from looking import script, serious

from fstats.teaching.marking.grading_run import grade_class
from fstats.teaching.marking.marks.class_grades import GradingCourse
from fstats.teaching.marking.reports.mark_audit import audit_page
from fstats.teaching.marking.roster import read_roster

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
CONTRAST = script("contrast")


def test_the_form_and_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points and a comment with a comma, a quotation mark and a formula go from the form into the rows."""
    only_judging(monkeypatch)
    course = GradingCourse(read_roster(roster_file(tmp_path)), SECRET, {EXERCISE: ROOT / "exercises" / NOTEBOOK})
    for student in ("s1", "s3"):
        (tmp_path / "in" / student).mkdir(parents=True)
        said = {"reflections": {"reflection_q1": f"=I, {student}, say <b>no</b>"}}
        (tmp_path / "in" / student / NOTEBOOK).write_text(json.dumps(said))
    out = tmp_path / "out"
    grade_class([tmp_path / "in"], course, out, jobs=1)
    (appeal := tmp_path / "appeal.html").write_text(audit_page(out, "s1", EXERCISE, SECRET, ROOT / "exercises" / NOTEBOOK)[0], "utf-8")
    with browser_page() as page:
        complaints: list[str] = []
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for path in (*(out / f"{name}.html" for name in ("report", "by_hand", "alike", f"feedback/s1/{EXERCISE}")), appeal):
                page.goto(path.as_uri())
                least, where = page.evaluate(CONTRAST)
                assert least >= 4.5, f"{path.name}, {scheme}: {where}"  # as WCAG asks of text
                assert (page.locator("svg[role=img]:not([aria-label])").count(), serious(page)) == (0, [])
        page.goto((out / "by_hand.html").as_uri())
        page.get_by_label("Points, of 1").nth(0).fill("0.5")
        page.get_by_label("Comment").nth(0).fill('=well, "put"')
        with page.expect_download() as download:
            page.get_by_role("button", name="Save by_hand.csv").click()
        download.value.save_as(out / "by_hand.csv")
        assert complaints == []
    (line, empty) = csv.DictReader(io.StringIO((out / "by_hand.csv").read_text(encoding="utf-8-sig")))
    assert (line["points"], line["comment"], empty["points"]) == ("0.5", '\'=well, "put"', "")
    every, _ = grade_class([tmp_path / "in"], course, out, jobs=1)
    assert [(one.points, one.unmarked_texts) for one in every if one.marked] == [(10.5, 0), (10.0, 1)]
    assert re.search(r"<p>=well, &quot;put&quot;", (out / "feedback" / "s1" / f"{EXERCISE}.html").read_text(encoding="utf-8"))
