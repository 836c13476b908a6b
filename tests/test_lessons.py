"""Each notebook is a lesson that keeps to its minutes; the contents page and the page of words say what is."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pytest

import fstats
from fstats import lesson
from fstats.build import CONTENTS
from fstats.lesson import BESIDE, SHOWN, Lesson, Passage, contents, lessons, slide_types, spoken

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
LESSONS = lessons(NOTEBOOKS)
GLOSSARY = NOTEBOOKS / "glossary.ipynb"
WIDEST = 82  # characters of a line of code that JupyterLab shows at 1280 x 720 and 150 %, its file browser shut and its scrollbar seen
each = pytest.mark.parametrize("taught", LESSONS, ids=lambda taught: taught.name)
PROJECTED = sorted([*NOTEBOOKS.glob("*.ipynb"), *(NOTEBOOKS.parent / "solutions").glob("*.ipynb")])


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def cell(source, kind="markdown", tags=(), slide="", shown=()):
    outputs = [{"data": {name: ""}} for name in shown]
    metadata = {"tags": list(tags)} | ({"slideshow": {"slide_type": slide}} if slide else {})
    return {"cell_type": kind, "source": [source], "metadata": metadata} | ({"outputs": outputs} if kind == "code" else {})


# -- the rules, on cells made here -----------------------------------------------------------------------------------------------
def test_what_each_cell_is_among_the_slides():
    made = [
        (cell("# Title"), "slide"),
        (cell("import numpy as np\nfrom fstats import (\n    PairedT,\n    plot,\n)", "code"), "skip"),
        (cell("words", slide="slide"), "slide"),
        (cell("words", slide="notes"), "subslide"),  # nothing is hidden without its tag
        (cell("test", "code"), "fragment"),
        (cell("## Section"), "slide"),
        (cell("from fstats import plot\nplot.null(test)", "code"), "fragment"),
        (cell("<details>", tags=["answers"], slide="slide"), "notes"),
        (cell("## Appendix: more"), "skip"),
        (cell("## What can go wrong", slide="slide"), "skip"),
        (cell("<details>", tags=["speaker-notes"]), "notes"),
    ]
    assert slide_types([one for one, _ in made]) == [kind for _, kind in made]


def test_how_minutes_are_counted():
    words = " ".join(["word"] * lesson.WORDS)
    made = [
        cell(words),  # a minute
        cell(f"<details>{words}</details>"),
        cell("$$x$$\n$$y$$"),
        cell(words, tags=["answers"]),
        cell("**The bet.** Hands up.\n\n**Poll, later.** A **bet**?", tags=["speaker-notes"]),
        cell("**The bet.** None.", tags=["answers"]),
        cell("1", "code"),
        cell("plot.null(test)", "code", shown=["image/png"]),
        cell("explore.paired_t(a, b)", "code", shown=["image/png"]),
        cell("## Appendix"),
        cell(words),
    ]
    taught = Lesson("made", tuple(map(Passage, made)))
    assert taught.minutes * 60 == pytest.approx(60 + 2 * lesson.FORMULA + 2 * lesson.ASKED + 3 * lesson.RUN + lesson.LOOK + lesson.EXPLORER)
    assert len(spoken("don't, 0.05; [`a_b`](c.ipynb) $x$ **W**")) == 6


def test_a_first_cell_that_promises_nothing_is_named():
    with pytest.raises(ValueError, match="made: the first cell says nothing of the form"):
        _ = Lesson("made", (Passage(cell("# Title")),)).promised


# -- every lesson ----------------------------------------------------------------------------------------------------------------
@each
def test_the_core_keeps_its_promise(taught):
    """What is promised is what is counted, rounded up to five minutes."""
    assert taught.promised - 5 < taught.minutes <= taught.promised


@each
def test_slides_notes_and_appendix(taught):
    path = NOTEBOOKS / f"{taught.name}.ipynb"
    found = [one.slide for one in taught.cells]
    assert found == slide_types(cells(path)), "fstats build"
    core = found[: len(taught.core)]
    assert core[0] == "slide"
    assert set(core) <= {*SHOWN, "notes", "skip"}
    assert [one.source for one in taught.core if one.slide == "skip" and not one.only_imports] == []
    assert len(taught.core) < len(taught.cells), "no appendix"
    assert set(found[len(taught.core) :]) <= {"skip", "notes"}


@each
def test_what_is_folded_opens_with_a_click(taught):
    for one in taught.cells:
        for tag in one.tags & set(BESIDE):
            assert one.source.startswith(f"<details><summary>{BESIDE[tag]}</summary>\n\n")
            assert one.source.endswith("\n\n</details>")
        assert one.source.count("<details>") == one.source.count("</details>")


@each
def test_the_lecturer_has_a_bet_a_poll_and_words_for_each_explorer(taught):
    notes = [one for one in taught.core if "speaker-notes" in one.tags]
    assert "**The bet.**" in notes[0].source
    assert re.search(r"\*\*Poll", notes[0].source)
    assert len(re.findall(r"\(wrong", notes[0].source)) >= 2, "a poll needs wrong answers, and why they are wrong"
    assert "(right" in notes[0].source
    for place, one in enumerate(taught.cells):
        if one.is_explorer:
            followed = taught.cells[place + 1 : place + 3]
            assert any("answers" in other.tags for other in followed), "an explorer without answers"
            if one in taught.core:
                assert any("speaker-notes" in other.tags for other in followed), "an explorer without words for it"


@each
def test_the_core_ends_with_the_rooms_own_numbers(taught):
    heading, last = taught.core[-2:]
    assert heading.source.startswith("## Your own numbers")
    assert last.is_code
    assert re.search(r"\byour_own\(", last.source)
    assert last.shown, "a picture or a table"


def test_each_lesson_leads_to_the_next():
    names = [taught.name for taught in LESSONS]
    for taught, after in zip(LESSONS, [*names[1:], CONTENTS]):
        assert taught.links("Next")[0] == after
        assert taught.links("Now you") or taught.name == "09_which_test"
        assert set(taught.links("Before")) <= set(names)
        assert CONTENTS in {link for word in ("Next", "Now you", "All lessons") for link in taught.links(word)} or (
            f"({CONTENTS}.ipynb)" in "".join(one.source for one in taught.core)
        )


@pytest.mark.parametrize("path", PROJECTED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_lines_of_code_fit_a_projected_page(path):
    code = [line for one in map(Passage, cells(path)) if one.is_code for line in one.source.splitlines()]
    assert [line for line in code if len(line) > WIDEST] == []


@each
def test_the_core_begins_with_its_own_names_only(taught):
    """What only the appendix needs is fetched where that begins: the first screen of a lecture is not a list of names."""
    places = [place for place, one in enumerate(taught.cells) if one.only_imports]
    imported = [
        (name.asname or name.name).partition(".")[0]
        for place in places
        if place < len(taught.core)
        for one in ast.walk(ast.parse(taught.cells[place].source))
        if isinstance(one, (ast.Import, ast.ImportFrom))
        for name in one.names
    ]
    code = "\n".join(one.source for one in taught.core if one.is_code)
    used = {one.id for one in ast.walk(ast.parse(code)) if isinstance(one, ast.Name)}
    assert imported
    assert [name for name in imported if name not in used] == []
    assert set(places) <= {places[0], len(taught.core) + 1}, "names are fetched at the beginning, and below the heading of the appendix"


@each
def test_a_long_cell_says_what_it_does(taught):
    """More than a dozen lines in one cell: a comment or a docstring tells what for.  Printed figures beside ours say it themselves."""
    for one in taught.cells:
        lines = one.source.splitlines()
        if one.is_code and len(lines) > 12 and not one.only_imports and "PrintedBesideOurs(" not in one.source:
            assert re.search(r"#|\"\"\"", one.source), one.source


@each
def test_nobody_is_told_to_focus_a_slider(taught):
    """One drags a mark, presses a button, or goes there by Tab; "focus" is a word of programmers."""
    assert not re.search(r"\b[Ff]ocus a\b", "\n".join(one.source for one in taught.cells))


@each
def test_sources_have_their_addresses(taught):
    sources = taught.cells[-1].source
    assert "## Sources" in sources
    assert "https://doi.org/" in sources


# -- the contents page and the page of words -------------------------------------------------------------------------------------
def test_the_contents_page_says_what_the_lessons_say():
    (listed,) = ["".join(one["source"]) for one in cells(NOTEBOOKS / f"{CONTENTS}.ipynb") if CONTENTS in one["metadata"].get("tags", [])]
    assert listed == contents(LESSONS), "fstats build notebooks/contents.ipynb"
    for taught in LESSONS:
        assert f"({taught.name}.ipynb) | {taught.question} | {taught.promised} |" in listed


TERMS = """null hypothesis, alternative hypothesis, p-value, level alpha, type I error, power, statistic, critical value, null distribution,
paired, independent, degrees of freedom, standard error, confidence interval, effect size, rank, tie, exact, equivalence, McNemar's table,
discordant, fold, cross-validation, one-sided, two-sided, outlier, normality, analysis of variance, sphericity, mean rank, post-hoc test,
critical difference, adjusted p-value, familywise error, resampling plan, block-regularized, effective table, margin, studentized range,
liberal, conservative, mid-p, continuity correction, signed-rank test, rank-sum test, sign test, hold-out, seed, partition, leak, learner,
parametric, non-parametric, posterior, stratified, symmetric, odds, control, mean square, grand mean, Monte Carlo standard error"""


def test_the_glossary_has_the_words_of_the_lessons():
    text = next("".join(one["source"]) for one in cells(GLOSSARY) if "## Glossary" in "".join(one["source"]))
    entries = re.findall(r"^\* \*\*(.+?)\*\*: (.+) \[`(\w+)`\]\(\3\.ipynb\)$", text, re.MULTILINE)
    terms = [term for term, _, _ in entries]
    assert len(terms) == len({term.lower() for term in terms}) == text.count("\n* ")
    assert terms == sorted(terms, key=str.lower)
    assert set(terms) >= {term.strip() for term in TERMS.replace("\n", " ").split(",")}
    pages = {taught.name: bare((NOTEBOOKS / f"{taught.name}.ipynb").read_text(encoding="utf-8")) for taught in LESSONS}
    for term, _, name in entries:
        lost = [word for word in bare(term).split() if word not in ("test", "the", "of") and word.rstrip("s") not in pages[name]]
        assert lost == [], f"{term} is not in {name}"


def bare(text):
    return re.sub(r"['’]", "", text.lower())


def test_a_word_that_a_lesson_explains_is_in_the_glossary():
    """Whatever a lesson makes bold at the head of a definition ("**p-value.** How probable ...")."""
    known = "".join(cells(GLOSSARY)[1]["source"]).lower()
    for taught in LESSONS[:1]:
        for term in re.findall(r"^\*\*([A-Za-z -]+)\.\*\* [A-Z$]", "\n".join(one.source for one in taught.core if not one.is_beside), re.M):
            assert f"**{term.lower()}" in known, term


def test_the_notation_is_that_of_the_tests():
    """Each symbol of the sheet is the one under which the named steps show it."""
    lines = [line.split("|")[1:-1] for line in "".join(cells(GLOSSARY)[2]["source"]).splitlines() if line.startswith("| $")]
    assert len(lines) > 15
    seen = set()
    for symbols, _, places in lines:
        shown = {plain(symbol) for symbol in re.findall(r"\$([^$]+)\$", symbols)}
        for test, name in re.findall(r"`(\w+)\.(\w+)`", places):
            known = getattr(fstats, test)
            symbol = known.steps[name].symbol if name in known.steps else known.inputs[name]["symbol"]
            assert plain(symbol) in shown, f"{test}.{name} is {symbol}"
            seen.add((test, name))
    assert len(seen) == sum(len(re.findall(r"`\w+\.\w+`", places)) for _, _, places in lines), "a step stands twice"


def plain(symbol):
    return symbol.replace(" ", "").replace("{", "").replace("}", "")


@pytest.mark.parametrize("name", ["contents", "glossary"])
def test_links_of_the_pages_without_code_lead_somewhere(name):
    text = "".join("".join(one["source"]) for one in cells(NOTEBOOKS / f"{name}.ipynb"))
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert (NOTEBOOKS / link).exists(), link


def test_sorted_by_number_and_letter():
    numbers = [taught.name.partition("_")[0] for taught in LESSONS]
    assert numbers == sorted(numbers)
    assert np.all([re.fullmatch(r"\d\d[a-z]?", number) for number in numbers])
