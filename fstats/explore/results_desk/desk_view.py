"""Message from Python to the front end of the desk, with everything that the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import Any

from ...core.mathematics_in_names import plain_name
from ...guide.decision_questions import QUESTIONS
from ...guide.procedure_citation import names_in_words, procedure_title
from ...guide.recommendation import Recommendation, public_class
from ...plot import critical_difference
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import DEFAULT_SIZE, PictureSize
from ...render import html
from .comparison import Comparison
from .question_buttons import answer_text, question_view
from .table_facts import ROLES, SETTINGS
from .table_reading import example_names, reading_notes, role_of

PREVIEW_ROWS, MAX_CELL = 4, 40  # maximum number of rows in the preview; maximum number of characters in a cell
UNCHANGED = {"code", "call", "reading", "roles", "value", "name"}  # parts of the view in which "data set" is not replaced
NARROW = 430  # in a narrower view, as on a phone, pictures are higher, and a critical difference diagram is upright
MIN_DIAGRAM_WIDTH = 520  # minimum width in pixels of a critical difference diagram that is not upright
MAX_HEADS = 60  # maximum number of columns in the preview
EMPTY: dict[str, Any] = {"examples": example_names(), "settings": {}, "error": ""}


def comparison_view(comparison: Comparison, width: float) -> dict[str, Any]:
    """Return the view of a comparison; a table that cannot be compared gives a view with a sentence."""
    view = preview(comparison, is_read=True)
    view["settings"] = {name: value for name, value in comparison.settings.items() if value != SETTINGS[name]}
    view |= in_unit_words(comparison, question_view(comparison))
    if "kind" in vars(comparison) and comparison.kind != "none":  # the table could be read, so show the questions of the guide
        view |= in_unit_words(comparison, _choice_view(comparison))
    if comparison.problem is None:
        view |= result_view(comparison, width)
    return view


def in_unit_words(comparison: Comparison, shown: Any) -> Any:
    """Return a part of the view whose texts have the word of the table, such as "queries", in the place of "data sets"."""
    if isinstance(shown, dict):
        return {name: each if name in UNCHANGED else in_unit_words(comparison, each) for name, each in shown.items()}
    if isinstance(shown, (list, tuple)):
        return type(shown)(in_unit_words(comparison, each) for each in shown)
    return comparison.with_unit_words(shown) if isinstance(shown, str) else shown


def _title(name: str) -> str:
    """Return the name of a test in the words of the field, by the name of its class."""
    return procedure_title(public_class(name))


def preview(comparison: Comparison, is_read: bool = False) -> dict[str, Any]:
    """Return the view of a table: its first rows, and the roles of its columns if they are known."""
    sheet, stated = comparison.sheet, comparison.settings["roles"] if is_read else {}
    heads, count = sheet.heads[:MAX_HEADS], len(sheet.columns[0]) if sheet.columns else 0
    known = [(head, *(role_of(comparison, head) if is_read else ("", "")), stated.get(head, "")) for head in heads]
    return EMPTY | {
        "name": sheet.name,
        "size": f"{count:,} row{'s' * (count != 1)}, {len(sheet.heads)} column{'s' * (len(sheet.heads) != 1)}",
        "columns": [dict(zip(("head", "role", "reason", "stated"), column)) for column in known],
        "rows": [[str(cell)[:MAX_CELL] for cell in row] for row in zip(*(column[:PREVIEW_ROWS] for column in sheet.columns[:MAX_HEADS]))],
        "roles": ROLES,
        "notes": [*map(comparison.with_unit_words, reading_notes(comparison))] if is_read and comparison.problem is None else [],
        "stated": [(name, answer_text({name: value})) for name, value in comparison.settings["reading"].items()] if is_read else [],
    }


def _choice_view(comparison: Comparison) -> dict[str, Any]:
    """Return the questions of the guide, the recommendation and the settings of the test."""
    if comparison.reading_error is not None:  # no advice before an answer, but offer other metrics
        return {"controls": _dicts_of(_menus(comparison)), "numbers": []} if len(comparison.metrics) > 1 else {}
    rule, used, aim = comparison.rule, comparison.used_test, comparison.answers["aim"]
    recommended = comparison.candidates[0] if comparison.candidates else ""
    chosen = "" if recommended == used else f" You chose this test; the guide recommends {recommended}."
    unit = "" if comparison.records else f"{comparison.results.metric}, in the unit of the table"
    region = f"± {unit}" if len(comparison.classifiers) == 2 else "largest distance of a share of wins from 0.5"
    margin_matters = aim == "equivalence" or (comparison.settings["margin"] is not None and comparison.compares_interval)
    margin = f"Margin of equivalence, ± {unit}" * margin_matters
    rope = f"Region of practical equivalence (rope) for a Bayesian comparison: {region}" if comparison.kind == "data sets" else ""
    numbers = {"alpha": "alpha", "margin": margin, "rope": rope}
    also_fits = " and ".join(Recommendation(rule, comparison.answers).also_fits)
    facts = {question.text: comparison.fact_text(question) for question in QUESTIONS if question.name in comparison.facts}
    return {
        "controls": _dicts_of(_menus(comparison)),
        "numbers": [{"name": name, "label": label, "value": comparison.settings[name]} for name, label in numbers.items() if label],
        "facts": [f"{question} {fact}" for question, fact in facts.items() if fact],
        "advice": {
            "test": _title(used) if used else "no test fits",
            "name": f"fstats.{used}" * bool(used),
            "why": names_in_words(f"{comparison.reason}{chosen}"),
            "report": names_in_words(comparison.report_advice),
            "after": names_in_words(rule.after) if comparison.follow_ups else "",
            "also": [f"{_title(name)} (fstats.{name}, {kind})" for name, kind in re.findall(r"fstats\.(\w+) \((\w+)\)", also_fits)],
            "not": [f"{_title(test)}: {names_in_words(reason)}" for test, reason in comparison.reasons_against.items()],
        },
    }


# group, name and label of a setting; possible values with their labels; current value
Menu = tuple[str, str, str, list[tuple[Any, str]], Any]


def _dicts_of(menus: Iterator[Menu]) -> list[dict[str, Any]]:
    return [dict(zip(("group", "name", "label", "options", "value"), menu)) for menu in menus]


def _menus(comparison: Comparison) -> Iterator[Menu]:
    """Yield the menus of the settings that this table allows."""
    settings, follow_ups = comparison.settings, comparison.follow_ups
    if len(comparison.metrics) > 1:
        yield "", "metric", "Metric", [(name, name) for name in comparison.metrics], comparison.results.metric
    if not comparison.records:
        direction = comparison.results.reading.directions[comparison.results.metric].partition(":")[0]
        several, metric = len(comparison.metrics) > 1, comparison.results.metric
        directions = [({metric: one} if several else one, f"{word} is better") for one, word in ((True, "higher"), (False, "lower"))]
        options = [("", f"as read: {direction}"), *directions]
        yield "reading", "higher_is_better", "Scores", options, settings["reading"].get("higher_is_better", "")
    if comparison.reading_error is not None:
        return
    for question in QUESTIONS:
        if question.name in comparison.open_questions:
            answers = [(name, text.partition(":")[0]) for name, text in question.answers.items()]
            text = question.text.replace(
                "differences (unpaired: scores)", "the scores" if comparison.answers["paired"] == "no" else "the differences"
            )
            yield "answers", question.name, text, answers, comparison.answers[question.name]
    if comparison.candidates:
        tests = [(name, _title(name) + " (recommended)" * (k == 0)) for k, name in enumerate(comparison.candidates)]
        yield "", "test", "Test", tests, comparison.test_name
    if follow_ups:
        yield "", "follow_up", "Post-hoc test, if H0 is rejected", [(name, _title(name)) for name in sorted(follow_ups)], follow_ups[0]
    if follow_ups and comparison.test_name != "OneWayAnova":
        controls = [("", "all pairs")] + [(name, f"all others with {plain_name(name)}") for name in comparison.classifiers]
        yield "", "control", "Post-hoc comparisons, chosen before the scores are seen", controls, comparison.control
    if len(comparison.classifiers) == 2 and comparison.answers["aim"] != "equivalence":
        first, second = map(plain_name, comparison.classifiers)
        sides = [("greater", f"{first} is better than {second}"), ("less", f"{second} is better than {first}")]
        yield "", "alternative", "Claim", [("two-sided", "a difference in either direction"), *sides], settings["alternative"]


def result_view(comparison: Comparison, width: float) -> dict[str, Any]:
    """Return the parts of the page that show the result of a comparison."""
    size, pictures = picture_size(width), comparison.pictures
    if comparison.follow_up and width < NARROW:
        pictures = [critical_difference(comparison.follow_up, upright=True), *pictures[1:]]
    named = [(f" of {' and '.join(pair)}", test) for pair, test in comparison.shown_pair_tests.items()]
    note = f"<p>Steps and pictures of {len(named)} of {len(comparison.pair_tests)} pairs, those with the smallest p.</p>" if named else ""
    steps = [
        f"<details><summary>{html.escape_prose(procedure_title(type(test)) + pair)}: the worked steps</summary>"
        f"{html.rows_html((row for row in test.worked() if row.kind != 'conclusion'), html.mathml)}</details>"
        for pair, test in [*named, *(("", test) for test in comparison.tests)]
    ]
    shown = {
        "conclusions": [html.escape_prose(re.sub(r"(\de-)(\d)", "\\1\u2060\\2", one)) for one in comparison.conclusions],
        "direction": comparison.direction,
        "pictures": [_picture_svg(picture, size) for picture in pictures],
        "ranking": comparison.ranking._repr_html_() + (comparison.contingency._repr_html_() if comparison.contingency else ""),
        "steps": note + "".join(steps),
        "paragraph": comparison.report.text,
        "references": [*map(plain_name, comparison.report.references)],
        "threats": [html.escape_prose(names_in_words(threat)) for threat in comparison.threats],
        "can_multiverse": comparison.kind == "data sets" and len(comparison.classifiers) == 2,
        "files": [*comparison.files],
        "code": comparison.code,
    }
    return dict(in_unit_words(comparison, shown))


def picture_size(width: float) -> PictureSize:
    """Return the size of pictures for a page with this space."""
    return PictureSize(width, (0.8 if width < NARROW else 0.62) * width, 13 if width < 460 else 15, 2 * width)


def _picture_svg(picture: Picture, size: PictureSize) -> str:
    """Return a picture as SVG; a picture in pixels is laid out again, so that its text is as high as that of the other pictures."""
    if picture.redraw_for_width is None:
        return picture.svg(size)
    broad = NARROW <= size.width < MIN_DIAGRAM_WIDTH
    size = size._replace(width=MIN_DIAGRAM_WIDTH if broad else size.width, most=inf)
    drawn = picture.redraw_for_width(size.width * DEFAULT_SIZE.text / size.text)
    svg = str(replace(drawn, title=names_in_words(drawn.title)).svg(size))
    return svg.replace("<svg ", '<svg class="fstats-broad" ', 1) if broad else svg
