"""Each notebook is a lesson that keeps to its minutes; the contents page and the page of words say what is."""

import ast
import json
import re
from pathlib import Path

import pytest

import fstats
from fstats.teaching import lesson
from fstats.teaching.lesson import FOLDED_TITLES, SHOWN, Lesson, LessonCell, contents_table, read_lessons, slide_types, spoken_words
from fstats.teaching.notebook_build import CONTENTS, COURSES
from fstats.teaching.polls import POLL

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LESSONS = read_lessons(NOTEBOOKS)
GLOSSARY = NOTEBOOKS / "glossary.ipynb"
WIDEST = 82  # characters of a line of code that JupyterLab shows at 1280 x 720 and 150 %, its file browser shut and its scrollbar seen
each = pytest.mark.parametrize("taught", LESSONS, ids=lambda taught: taught.name)
ALL_NOTEBOOKS = sorted(path for folder in ("notebooks", "solutions", "exercises") for path in (NOTEBOOKS.parent / folder).glob("*.ipynb"))
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


def test_what_answers_a_poll_never_joins_its_slide():
    made = [
        (cell("**The bet.** *How many?*", tags=["poll"]), "subslide"),
        (cell("<details>", tags=["answers"]), "notes"),
        (cell("import numpy as np", "code"), "skip"),
        (cell("test", "code"), "subslide"),
        (cell("test.plot()", "code"), "fragment"),
    ]
    assert slide_types([one for one, _ in made]) == [kind for _, kind in made]


def test_how_minutes_are_counted():
    words = " ".join(["word"] * lesson.WORDS_PER_MINUTE)
    made = [
        cell(words),  # a minute
        cell(f"<details>{words}</details>"),
        cell("$$x$$\n$$y$$"),
        cell(words, tags=["answers"]),
        cell(f"**The bet.** {words}", tags=["poll"]),
        cell("**Ask the room.** A **bet**?", tags=["poll"]),
        cell("**The bet.** Hands up.", tags=["speaker-notes"]),
        cell("1", "code"),
        cell("plot.null(test)", "code", shown=["image/png"]),
        cell("explore.paired_t(a, b)", "code", shown=["image/png"]),
        cell("## Appendix"),
        cell(words),
    ]
    taught = Lesson("made", tuple(map(LessonCell, made)))
    assert taught.minutes * 60 == pytest.approx(
        60 + 2 * lesson.FORMULA_SECONDS + 2 * lesson.POLL_SECONDS + 3 * lesson.RUN_SECONDS + lesson.LOOK_SECONDS + lesson.EXPLORER_SECONDS
    )
    assert len(spoken_words("don't, 0.05; [`a_b`](c.ipynb) $x$ **W**")) == 6


def test_a_first_cell_that_promises_nothing_is_named():
    with pytest.raises(ValueError, match="the first cell of made must contain a line of the form"):
        _ = Lesson("made", (LessonCell(cell("# Title")),)).announced_minutes


# -- every lesson ----------------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@each
def test_the_core_keeps_its_promise_and_numbers_its_steps(taught):
    assert taught.announced_minutes - 5 < taught.minutes <= taught.announced_minutes
    # What the notes give to each part, in minutes; what is counted fits into it.
    notes = next(one.source for one in taught.core if "speaker-notes" in one.tags)
    (given,) = re.findall(r"\*\*Time\.\*\* (.*?\.)(?:\s|$)", notes)
    assert sum(map(int, re.findall(r"(\d+)(?: minutes?)?(?=[,;.])", given))) == taught.announced_minutes, given
    # A lesson that numbers its steps numbers the five steps of every test, as the walk of lesson 00 does, and in its core.
    headings = [line for one in taught.cells if not one.is_code for line in one.source.splitlines() if re.match(r"#+ Steps? \d", line)]
    in_core = [line for one in taught.core if not one.is_code for line in one.source.splitlines() if re.match(r"#+ Steps? \d", line)]
    numbers = [int(number) for line in headings for number in re.findall(r"\d+", line.partition(".")[0])]
    assert (numbers or [1, 2, 3, 4, 5], headings) == ([1, 2, 3, 4, 5], in_core)
    assert all("hypotheses" in line for line in headings[:1])
    for one in taught.core:
        assert all(int(number) <= len(numbers) for number in re.findall(r"\bsteps? (\d)\b", one.source) if numbers), one.source


def shown_before(taught, end):
    """What the cells before one say and show in words, without what is folded."""
    found = [one.source + " " + one.printed_text for one in taught.cells[:end] if not one.is_folded]
    return " ".join(found).lower()


@pytest.mark.every_case
@each
def test_the_core_ends_with_what_it_has_shown_and_the_rooms_own_numbers(taught):
    # Its names (of people, tests and learners), its code and the words of the glossary have stood above it.
    end = next(place for place, one in enumerate(taught.cells) if one.source.startswith("## In five sentences"))
    sentences = re.split(r"\n\n\*\*", taught.cells[end].source)[0].split("\n\n", 1)[1]
    assert re.findall(r"^\d(?=\. )", sentences, re.MULTILINE) == list("12345")
    page = shown_before(taught, end)
    names = set(re.findall(r"(?<![.:?] )\b[A-Z][\wı-]+", sentences)) | set(re.findall(r"`([^`]+)`", sentences))
    terms = re.findall(r"^\* \*\*(.+?)\*\*:", "".join(cells(GLOSSARY)[1]["source"]), re.MULTILINE)
    said = {term.lower() for term in terms if re.search(rf"\b{re.escape(term.lower())}", sentences.lower())}
    assert [name for name in sorted(names | said) if name.lower() not in page] == []
    assert "appendix" not in sentences
    heading, last = taught.core[-2:]
    assert heading.source.startswith("## Your own numbers")
    assert last.is_code
    assert re.search(r"\bapply_test\(", last.source)
    assert last.output_kinds, "a picture or a table"


@pytest.mark.every_case
@each
def test_slides_notes_and_appendix(taught):
    path = NOTEBOOKS / f"{taught.name}.ipynb"
    found = [one.slide for one in taught.cells]
    assert found == slide_types(cells(path)), "fstats build"
    core = found[: len(taught.core)]
    assert core[0] == "slide"
    assert set(core) <= {*SHOWN, "notes", "skip"}
    assert [one.source for one in taught.core if one.slide == "skip" and not one.has_only_imports] == []
    assert len(taught.core) < len(taught.cells), "no appendix"
    assert set(found[len(taught.core) :]) <= {"skip", "notes"}


@pytest.mark.every_case
@each
def test_folded_cells_and_explorers_have_words(taught):
    for before, one in zip((taught.cells[0], *taught.cells), taught.cells):
        for tag in one.tags & set(FOLDED_TITLES):
            name = "Answer" if POLL in before.tags else FOLDED_TITLES[tag]
            assert one.source.startswith(f"<details><summary>{name}</summary>\n\n")
            assert one.source.endswith("\n\n</details>")
        assert one.source.count("<details>") == one.source.count("</details>")
    for place, one in enumerate(taught.cells):
        if one.is_explorer:
            followed = taught.cells[place + 1 : place + 3]
            assert any("answers" in other.tags for other in followed), "an explorer without answers"
            if one in taught.core:
                assert any("speaker-notes" in other.tags for other in followed), "an explorer without words for it"


NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}


def data_sets_of(source):
    """How many data sets each call of `apply_test` in a cell takes: models by their data, lists by their length; without names of files."""
    tree = ast.parse(source)
    lists = {node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "apply_test":
            data = next((one.value for one in call.keywords if one.arg == "data"), call.args[-1])
            data = lists.get(data.id, data) if isinstance(data, ast.Name) else data
            if isinstance(data, ast.List):
                yield len(data.elts)


@pytest.mark.every_case
@each
def test_the_closing_example_obeys_the_lesson(taught):
    """It takes more data sets than the lesson calls few, could have rejected, and uses no test that the lesson warns of."""
    last = taught.core[-1]
    few = re.findall(rf"\b({'|'.join(NUMBERS)}) data sets are few", "".join(one.source for one in taught.core).lower())
    assert all(many > NUMBERS[number] for number in few for many in data_sets_of(last.source))
    assert "no outcome could have rejected" not in last.printed_text
    if taught.name != "11_fold_hacking":  # which counts how often this one errs
        assert not re.search(r"\b(KFoldT|ResampledT|NaiveKFoldMcNemar)\b", last.source)


def test_each_lesson_leads_to_the_next():
    names = [taught.name for taught in LESSONS]
    for taught, after in zip(LESSONS, [*names[1:], CONTENTS]):
        assert taught.links("Next")[0] == after
        assert taught.links("Now you") or taught.name == "09_which_test"
        assert set(taught.links("Before")) <= set(names)
        assert CONTENTS in {link for word in ("Next", "Now you", "All lessons") for link in taught.links(word)} or (
            f"({CONTENTS}.ipynb)" in "".join(one.source for one in taught.core)
        )


@pytest.mark.every_case
@pytest.mark.parametrize("path", PROJECTED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_lines_of_code_fit_a_projected_page(path):
    code = [line for one in map(LessonCell, cells(path)) if one.is_code for line in one.source.splitlines()]
    assert [line for line in code if len(line) > WIDEST] == []


@pytest.mark.every_case
@each
def test_the_core_begins_with_its_own_names_only(taught):
    """What only the appendix needs is fetched where that begins: the first screen of a lecture is not a list of names."""
    places = [place for place, one in enumerate(taught.cells) if one.has_only_imports]
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


@pytest.mark.every_case
@each
def test_a_long_cell_says_what_it_does(taught):
    """More than a dozen lines in one cell: a comment or a docstring tells what for.  Printed figures beside ours say it themselves."""
    for one in taught.cells:
        lines = one.source.splitlines()
        if one.is_code and len(lines) > 12 and not one.has_only_imports and "PrintedBesideOurs(" not in one.source:
            assert re.search(r"#|\"\"\"", one.source), one.source


@pytest.mark.parametrize("path", ALL_NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_number_and_its_percent_sign_stay_on_one_line(path):
    """In prose a no-break space (U+00A0) stands between them; in code and formulas, which have ways of their own, none does."""
    for one in map(LessonCell, cells(path)):
        if one.is_code:
            assert "\u00a0" not in one.source, one.source
        else:
            verbatim = re.findall(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", one.source, re.DOTALL)
            assert not any("\u00a0" in part for part in verbatim), one.source
            prose = re.sub(r"```.*?```|`[^`]*`", "", one.source, flags=re.DOTALL)
            assert re.findall(r".{20}[ \t\n]%", prose) == [], "write a no-break space before %"


@pytest.mark.every_case
@each
def test_sliders_and_sources(taught):
    # One drags a mark, presses a button, or goes there by Tab; "focus" is a word of programmers.
    assert not re.search(r"\b[Ff]ocus a\b", "\n".join(one.source for one in taught.cells))
    sources = taught.cells[-1].source
    assert "## Sources" in sources
    assert "https://doi.org/" in sources


# -- the contents page and the page of words -------------------------------------------------------------------------------------
def test_the_contents_page_says_what_the_lessons_say():
    (listed,) = ["".join(one["source"]) for one in cells(NOTEBOOKS / f"{CONTENTS}.ipynb") if CONTENTS in one["metadata"].get("tags", [])]
    assert listed == contents_table(LESSONS), "fstats build notebooks/contents.ipynb"
    for taught in LESSONS:
        assert f"({taught.name}.ipynb) | {taught.question} | {taught.announced_minutes} |" in listed


def test_each_planned_lecture_keeps_to_its_minutes():
    """The minutes of its lessons and a fifth for questions: not more than it has, and not much less."""
    (planned,) = ["".join(one["source"]) for one in cells(NOTEBOOKS / f"{CONTENTS}.ipynb") if COURSES in one["metadata"].get("tags", [])]
    assert planned == lesson.course_tables(LESSONS), "fstats build notebooks/contents.ipynb"
    order = [taught.name.partition("_")[0] for taught in LESSONS]
    tables = re.split(r"^\*\*(.+)\*\*$", planned, flags=re.M)[1:]
    for words, table in zip(tables[::2], tables[1::2], strict=True):
        lectures, minutes = re.fullmatch(r"(\w+) lectures? of (\d+) minutes", words).groups()
        rows = re.findall(r"^\| \d+ \| (.+) \| (\d+) \|$", table, re.M)
        assert len(rows) == ({"One": 1} | {name.title(): many for name, many in NUMBERS.items()})[lectures]
        shown = []
        for links, promised in rows:
            names = re.findall(r"\((\w+)\.ipynb\)", links)
            taken = sum(taught.minutes for taught in LESSONS if taught.name in names)
            assert round(1.2 * taken) == int(promised)
            assert 0.6 * int(minutes) < 1.2 * taken <= int(minutes), names
            shown += [name.partition("_")[0] for name in names]
        assert shown == [number for number in order if number in shown], "in the order of the course"


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
        for term in re.findall(r"^\*\*([A-Za-z -]+)\.\*\* [A-Z$]", "\n".join(one.source for one in taught.core if not one.is_folded), re.M):
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


LETTER = re.compile(r"\\mathrm\{[A-Z]+\}|\\(?:alpha|epsilon|theta|lambda|mu|nu|pi|rho|sigma|chi|omega)|(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])")
NO_SYMBOL = re.compile(
    r"_(?:\{[^{}]*\}|\\?\w+)|\\(?:text|mathrm\{(?:Var|Bin|Beta|Be|E|Dirichlet)\}|begin|end)(?:\{[^}]*\})?|\\(?:bar|hat|tilde)"
)


def letters(formula):
    """What a formula calculates with, without indices, accents and words."""
    return set(LETTER.findall(NO_SYMBOL.sub(" ", formula)))


def formulas(text):
    return ["".join(pair) for pair in re.findall(r"\$\$(.+?)\$\$|\$([^$]+)\$", text, re.DOTALL)]


@pytest.mark.every_case
@each
def test_each_letter_of_a_lesson_stands_on_the_sheet(taught):
    known = letters(" ".join(formulas("".join(cells(GLOSSARY)[2]["source"]))))
    used = set().union(*(letters(formula) for one in taught.cells if not one.is_code for formula in formulas(one.source)))
    assert used - known == set()


def test_letters_of_a_formula():
    expected = {"s", r"\mathrm{MS}", "n", "t", "x"}
    assert letters(r"\bar s_{ij} + \frac{\mathrm{MS}_E}{n_1} \sim t_\nu, \text{reject } \mathrm{Var}(x)") == expected


def plain(symbol):
    return symbol.replace(" ", "").replace("{", "").replace("}", "")


@pytest.mark.parametrize("name", ["contents", "glossary"])
def test_links_of_the_pages_without_code_lead_somewhere(name):
    text = "".join("".join(one["source"]) for one in cells(NOTEBOOKS / f"{name}.ipynb"))
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert (NOTEBOOKS / link).exists(), link


def test_lessons_come_by_their_numbers_but_one():
    """What a hunter of seeds does needs the folds of lesson 06 and nothing that comes later."""
    numbers = [taught.name.partition("_")[0] for taught in LESSONS]
    assert numbers[numbers.index("11") - 1] == "06"
    others = [number for number in numbers if number != "11"]
    assert others == sorted(others)
    assert all(re.fullmatch(r"\d\d[a-z]?", number) for number in numbers)
