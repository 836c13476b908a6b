"""The walk of a test: its frames are the steps, its pictures show the numbers of the steps, and nothing that stays is drawn elsewhere."""

import json
import re
import xml.etree.ElementTree as ET
from html import escape, unescape
from itertools import pairwise

import numpy as np
import pytest
from cases import CASES, ON_A_GRID, make
from plot.drawn_boxes import svg_marks, violations

import fstats
from fstats.core.mathematics_in_names import plain_powers
from fstats.core.number_format import format_plain
from fstats.explore.walkthrough.walk import SIZES, Walk
from fstats.explore.walkthrough.walk_files import _formulas
from fstats.explore.walkthrough.walk_lines import DECISIONS, MAX_FORMULAS, MAX_JOINED, MAX_SPOKEN, column_entries, line_html
from fstats.explore.walkthrough.walk_strip import walk_strip
from fstats.plot.drawing.picture_marks import Cells, PictureSize, Points
from fstats.plot.walkthrough.step_picture import END
from fstats.plot.walkthrough.step_pictures import FAMILIES, step_pictures
from fstats.publish.walk_pages import walk_data
from fstats.render.formula_line_breaks import break_piece, has_condition
from fstats.render.html import escape_prose, mathjax
from fstats.render.latex import equation_parts, latex_number

A, B = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]
WIDTHS = (320, 420, 530, 616, 960)
EVERY = [name for name in CASES if name != ON_A_GRID]


def test_the_lines_of_the_slide_come_one_by_one():
    walk = fstats.PairedT(A, B).walk()
    assert [frame.name for frame in walk.frames] == (
        ["data", "d", "n, mean", "sd", "se", "statistic", "df, null", "pvalue", "critical_value", "reject", "ci", "effect_size"]
    )
    assert walk.frames[5].sentence == "Mean difference divided by the standard error."
    assert walk.frames[9].sentence.startswith("Fail to reject H0 at alpha = 0.05 (p = 0.7267)")
    assert "statistic = -0.375" in walk.stored_text


def test_a_walk_may_be_a_part():
    test = fstats.PairedT(A, B)
    assert [frame.name for frame in test.walk(upto="se").frames] == ["data", "d", "n, mean", "sd", "se"]
    part = test.walk(start="null", upto="reject")
    assert [frame.name for frame in part.frames] == ["data", "null", "pvalue", "critical_value", "reject"]
    assert [row.name for row in part.frames[0].rows] == ["alternative", "alpha", "statistic", "df"]
    assert part.frames[0].sentence == r"So far: $t$ = -0.375; $\nu$ = 4."
    with pytest.raises(ValueError, match=r"`upto` must be a step of PairedT: d, n, mean, .*; got 'z'"):
        test.walk(upto="z")
    with pytest.raises(ValueError, match="the step `upto` must not come before the step `start`; got start='se' and upto='mean'"):
        test.walk(start="se", upto="mean")


@pytest.mark.parametrize("name", EVERY)
def test_a_continued_walk_opens_with_what_its_steps_use(name):
    """Neither details nor values of which no later line speaks are in the opening, and each number has its symbol only once."""
    whole = walk_of(name)
    steps = [frame.rows[0].name for frame in whole.frames[2:] if frame.rows]
    for start in steps[:: max(1, len(steps) // 3)]:
        opening, *frames = Walk(whole.test, start).frames
        used = {slot for frame in frames for row in frame.rows for slot in whole.test.steps.get(row.name, fstats.PairedTable.n01).slots}
        assert {row.name for row in opening.rows} <= used | {"alternative", "claim", "alpha"}
        assert not any(row.is_table or row.aside for row in opening.rows)
        assert not any(row.formula for row in opening.rows if row.kind == "step" and latex_number(row))
        assert opening.sentence != whole.frames[0].sentence


@pytest.mark.parametrize("name", EVERY)
def test_no_bare_equals_sign_follows_a_condition(name):
    """After "x = y with i = 1", a bare "= 3" would say i = 3; and a decision never displays a comparison that is false."""
    for row in walk_of(name).test.worked():
        parts = equation_parts(row)
        if has_condition(row.formula) and row.relation == "=":
            assert not any(part.startswith("=") for part in parts[1:]), (row.name, parts)
        if found := re.fullmatch(r"(-?[\d.]+) (\\leq|>|<|\\geq) (-?[\d.]+)", row.substituted) if row.name.startswith("reject") else None:
            compared = {r"\leq": np.less_equal, ">": np.greater, "<": np.less, r"\geq": np.greater_equal}[found[2]]
            assert compared(float(found[1]), float(found[3])), row.substituted


@pytest.mark.parametrize("name", ["RepeatedAnova", "DeLong", "BlockedFiveByTwoMcNemar", "BayesianHierarchical"])
def test_a_long_walk_joins_steps_of_one_kind_and_divides_a_long_conclusion(name):
    walk = walk_of(name)
    assert len(walk.frames) <= 20
    assert max(len(frame.sentence) for frame in walk.frames) <= 280
    said = " ".join(frame.sentence for frame in walk.frames)
    assert plain_powers(walk.test.conclusion) in said
    assert all(row.sentence in said for frame in walk.frames[1:] for row in frame.rows if row.name != "reject")


def test_steps_after_the_last_one_are_not_drawn():
    shown = fstats.PairedT(A, B).walk(upto="sd")
    last = len(shown.frames) - 1
    assert [picture.title for picture in shown.pictures_at(last)] == ["The scores", "The differences"]
    marks = [mark for picture in shown.pictures_at(last) for mark in picture.marks]
    assert not any(getattr(mark, "words", "") for mark in marks)  # neither t nor the interval


def test_a_walk_of_stated_summaries_begins_with_them():
    stated = fstats.PairedT.from_steps(n=5, mean=-0.6, sd=3.5777)
    assert [row.name for row in stated.walk().frames[0].rows] == ["alternative", "alpha", "n", "mean", "sd"]
    assert next(frame.name for frame in fstats.Friedman.from_steps(mean_ranks=[1, 2, 3], n=4, k=3).walk().frames) == "data"


def test_a_batch_has_no_walk():
    with pytest.raises(ValueError, match=r"no single walk. .* such as test.at\(0\).walk\(\)"):
        fstats.PairedT(np.ones((5, 2)), np.zeros((5, 2))).walk()


def numbers_of(test):
    """Every number that a step, an input or an entry of one has, as it is written, without sign."""
    values = []
    for row in test.worked():
        parts = row.value if isinstance(row.value, tuple) else [row.value]
        values += [number for part in parts if not isinstance(part, str) for number in np.ravel(np.asarray(part, dtype=object))]
    written = set()
    for value in values:
        if isinstance(value, int | float | np.number | np.bool):
            for digits in (2, 3, 4, 5, 6):
                written.add(format_plain(abs(float(value)), digits).lstrip("-"))
    return written


@pytest.mark.parametrize("name", EVERY)
def test_every_test_has_a_walk(name):
    """Each line has something; a number in a picture is one of a step; the frames differ by what they add."""
    for k in (0, 3, 6):
        test = make(name, next(iter(getattr(CASES[name][0], "tails", {"": 0})), "")).at(k)
        walk = Walk(test)
        frames = walk.frames
        assert all(line for frame in walk.view["frames"] for line in frame["lines"]), name
        assert "nan" not in json.dumps(walk.view["pictures"])
        assert [row.name for frame in frames for row in frame.rows] == [
            row.name for row in test.worked() if not row.aside and not row.is_names and row.kind != "conclusion" and row.value is not None
        ]
        for part in step_pictures(test):
            assert {mark.since for mark in part.parts} | {mark.until for mark in part.parts} <= {"", *test.steps, *test.inputs}, name
            assert {part.since, part.until} <= {"", *test.steps}


def times_of(walk):
    """For each slot that a step picture covers, the slot, and the first and the last frame that show the picture."""
    order = walk.frame_numbers(walk.test)
    parts = [(part, part.slot + row) for part in step_pictures(walk.test) for row in range(part.rows)]
    return [(slot, *part.frames_of(part.since, part.until, order)) for part, slot in parts]


def walk_of(name):
    """The walk of a case, or of a test of ranks with so many data sets."""
    if isinstance(name, str):
        return Walk(make(name, next(iter(getattr(CASES[name][0], "tails", {"": 0})), "")).at(0))
    test, lines = name
    return Walk(test(np.random.default_rng(lines).random((lines, 9)).round(3)))


LINES = [(test, lines) for test in (fstats.Friedman, fstats.Nemenyi, fstats.Holm) for lines in (9, 10, 15, 16)]


@pytest.mark.parametrize("name", [*EVERY, *LINES])
def test_two_pictures_are_never_at_one_place(name):
    for (slot, _, end), (other, start, _) in pairwise(sorted(times_of(walk_of(name)))):
        assert slot != other or end <= start, name


@pytest.mark.parametrize(("test", "lines"), LINES)
def test_each_rank_of_a_table_that_has_room_is_written(test, lines):
    walk = walk_of((test, lines))
    order = walk.frame_numbers(walk.test)
    grids = [walk.pictures_at(order[name])[0] for name in ("ranks", "mean_ranks")]
    seen = ["".join(mark.words) for grid in grids for mark in grid.marks if isinstance(mark, Cells)]
    written = "".join(map(format_plain, walk.test.ranks.ravel()))
    assert seen == [written * (lines <= 15), written * (lines <= 9)]


def at_frame(drawn, number):
    """The SVG of a step picture with the marks of one frame only."""
    root = ET.fromstring(drawn)
    for parent in list(root.iter()):
        for group in [one for one in parent if one.get("data-from")]:
            if not int(group.get("data-from")) <= number < int(group.get("data-until", END)):
                parent.remove(group)
    return ET.tostring(root, encoding="unicode")


@pytest.mark.parametrize("name", [*EVERY, *LINES])
def test_no_word_of_a_frame_is_on_a_line_or_a_word(name):
    walk = walk_of(name)
    order = walk.frame_numbers(walk.test)
    for part in step_pictures(walk.test):
        first, end = part.frames_of(part.since, part.until, order)
        times = {number for mark in part.parts for number in part.frames_of(mark.since, mark.until, order)}
        changes = {first, *(number for number in times if first < number < end)}
        for name_of_size, size in SIZES.items():
            drawn = part.svg(order, size)
            for number in changes:
                assert violations(*svg_marks(at_frame(drawn, number))) == [], (name, name_of_size, number)


@pytest.mark.parametrize("name", EVERY)
def test_each_key_before_the_decision_changes_a_picture(name):
    """Except that lines without a picture stay apart if one frame has no room for them; the decision, and what follows, are lines."""
    walk = walk_of(name)
    order, parts = walk.frame_numbers(walk.test), step_pictures(walk.test)
    if len(parts) < 2:  # one plot of the whole test, or of its null distribution
        assert all(not part.since for part in parts)
        return
    drawn = [part.svg(order) for part in parts]
    seen = [
        [re.sub(r"<g[^>]*></g>", "", at_frame(svg, k)) * (part.at_frame(k, order) is not None) for svg, part in zip(drawn, parts)]
        for k in range(len(walk.frames))
    ]
    for k, (frame, later) in enumerate(pairwise(walk.frames[1:]), 1):
        names, rows = {row.name for row in frame.rows}, frame.rows + later.rows
        if not frame.rows or names & {*DECISIONS}:
            break
        is_long = len(rows) > MAX_JOINED or sum(len(row.formula) for row in rows) > MAX_FORMULAS
        is_long |= len(f"{frame.sentence} {later.sentence}") > MAX_SPOKEN
        assert seen[k] != seen[k - 1] or is_long or later.name in DECISIONS, frame.name


@pytest.mark.parametrize("name", EVERY)
def test_sentences_are_those_of_a_reader(name):
    """No marks of code; and only an infinite critical value is told to be infinite."""
    for row in walk_of(name).test.worked():
        assert not re.search(r"`|:\w+:", row.sentence), row.sentence
        if row.name == "critical_value":
            assert ("infinite" in row.sentence) == (not np.isfinite(row.value).all())


@pytest.mark.parametrize("name", ["SignTest drop", "SignedRank drop exact", "McNemarExact", "McNemarMidP"])
def test_a_null_distribution_names_what_is_drawn(name):
    """The statistic is the smaller one of two counts or sums; drawn is the distribution of one of them, to its largest value."""
    test = walk_of(name).test
    picture = test.plot()
    drawn = "A rank sum" if "Rank" in name else "The number of heads"
    symbol = test.steps["null"].symbol.replace("_0", "₀")
    assert (picture.title, picture.xlabel) == (f"{drawn} when H0 is true", symbol)
    assert picture.xlim[1] > 2 * test.statistic
    assert f"Null distribution of {drawn[0].lower()}{drawn[1:]}" in picture.text


@pytest.mark.parametrize("name", EVERY)
def test_no_square_hides_a_dot(name):
    """An open square is filled with white, so a dot at the same place is drawn after it, and is smaller."""
    walk = walk_of(name)
    for picture in (picture for number in range(len(walk.frames)) for picture in walk.pictures_at(number)):
        points = [mark for mark in picture.marks if isinstance(mark, Points)]
        places = [set(zip(np.ravel(mark.x).tolist(), np.ravel(mark.y).tolist())) for mark in points]
        for k, mark in enumerate(points):
            hidden = [one for one, place in zip(points[:k], places) if mark.open and not one.open and place & places[k]]
            assert not hidden, (name, picture.title)


def labels_at(walk, name, title):
    """Labels and words in cells of a picture, in the frame of a step."""
    picture = next(one for one in walk.pictures_at(walk.frame_numbers(walk.test)[name]) if one.title == title)
    return [word for mark in picture.marks for word in np.ravel(getattr(mark, "words", ""))]


def test_a_statistic_in_standard_errors_has_a_picture_of_its_own():
    """The mean and the standard error are bars on one axis with their values, not parts of the picture of the differences."""
    assert {"-0.6", "SE = 1.6", "-0.375 SE"} <= set(labels_at(fstats.PairedT(A, B).walk(), "statistic", "The mean difference"))
    titles = [part.picture.title for part in step_pictures(fstats.EquivalenceT(A, B, margin=1))]
    assert "The mean difference" not in titles  # its t is measured from a margin


@pytest.mark.parametrize("names", [["A", "B", "C"], ["gradient boosting", "random forest", "nearest neighbours"]])
@pytest.mark.parametrize("lines", [4, 9, 15])
def test_each_column_of_ranks_has_its_name_or_its_number(names, lines):
    walk = fstats.Friedman(np.random.default_rng(1).random((lines, 3)).round(3), labels=names).walk()
    grid = walk.pictures_at(1)[0]
    heads = names if names[0] == "A" else ["1", "2", "3"]
    assert labels_at(walk, "ranks", "The ranks")[-3:] == heads
    assert names[0] == "A" or grid.xlabel == "1 gradient boosting, 2 random forest, 3 nearest neighbours"


def test_ordered_differences_keep_the_number_of_their_data_set():
    words = labels_at(fstats.SignedRank(A, B).walk(), "ranks", "The differences and their ranks")
    assert [word for word in words if word][:4] == ["1", "2", "4", "3"]


def numbers_in(html):
    """Numbers that are read or heard on a page; a digit of a name or of an index is none."""
    texts = [*re.findall(r'aria-label="([^"]*)"', html), re.sub(r"<[^>]*>", " ", html)]
    return set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?", unescape(" ".join(texts))))


@pytest.mark.parametrize("name", EVERY)
def test_a_strip_has_the_value_of_each_step_and_a_blank_strip_has_none(name):
    walk = Walk(make(name, next(iter(getattr(CASES[name][0], "tails", {"": 0})), "")).at(0))
    strip, blank = walk_strip(walk.content), walk_strip(walk.content, blank=True)
    rows = [row for frame in walk.frames for row in frame.rows]
    assert ", ".join(re.findall("<b>(.*?)</b>", strip)) == ", ".join(frame.name for frame in walk.frames)
    for row in rows:
        if row.kind == "step":
            assert escape_prose(column_entries(row)) in strip
            assert row.is_column or all(escape(part, quote=False) in strip for part in break_piece(latex_number(row))), row.name
        else:
            blank = blank.replace(line_html(row, mathjax), "")  # inputs are printed
    assert numbers_in(blank) <= numbers_in(" ".join(row.formula for row in rows))
    assert len(re.findall("<circle", blank)) <= len(re.findall("<circle", walk_strip(walk.content._replace(frames=walk.frames[:1]))))
    for drawn in re.findall(r"<svg.*?</svg>", strip + blank):
        assert violations(*svg_marks(drawn)) == []


@pytest.mark.complete
@pytest.mark.parametrize("width", WIDTHS)
def test_no_word_of_a_walk_of_the_course_is_on_a_line_or_a_word(width):
    for part in step_pictures(fstats.PairedT(A, B)):
        drawn = part.picture.svg(PictureSize(width, round(0.42 * width), 13 if width < 460 else 18))
        assert violations(*svg_marks(drawn)) == []


def test_the_picture_shows_the_numbers_of_the_steps():
    test = fstats.PairedT(A, B)
    known = numbers_of(test)
    for part in step_pictures(test):
        for mark in part.parts:
            for text in (getattr(mark.mark, "label", ""), getattr(mark.mark, "words", "")):
                assert {found.lstrip("-") for found in re.findall(r"-?\d[\d.]*", str(text))} <= known | {"0"}, text


def test_another_alternative_or_level_may_be_chosen():
    walk = fstats.PairedT(A, B).walk()
    assert walk.choices == {"alternative": ["two-sided", "less", "greater"], "alpha": [0.1, 0.05, 0.01]}
    walk.choice = {"alternative": "less", "alpha": 0.1}
    expected = Walk(fstats.PairedT(A, B, alternative="less", alpha=0.1)).view
    assert walk.view == expected | {"choices": walk.view["choices"]}
    assert [choice["value"] for choice in walk.view["choices"].values()] == ["less", 0.1]
    before = walk.view
    walk.choice = {"alternative": "sideways"}  # from a front end that is out of date
    assert walk.view["choices"]["alternative"]["value"] == "two-sided"
    assert before != walk.view


def test_a_page_has_every_choice():
    walk = fstats.PairedT(A, B).walk()
    data = json.loads(json.dumps(walk_data(walk)))

    def unfold(value):
        if isinstance(value, str):
            return re.sub(r"\x01(\d+);", lambda number: data["texts"][int(number[1])], value)
        if isinstance(value, dict):
            return {name: unfold(inner) for name, inner in value.items()}
        return [unfold(inner) for inner in value] if isinstance(value, list) else value

    assert len(data["views"]) == 9
    for (alternative, alpha), view in data["views"]:
        assert unfold(view) == json.loads(json.dumps(walk.view_of(walk.chosen(alternative=alternative, alpha=alpha))))


@pytest.mark.parametrize("name", EVERY)
def test_saved_formulas_name_their_settings_and_keep_hyphens(name):
    """A setting has an equals sign, and no hyphen of a word is drawn as a minus, nor an apostrophe as a prime."""
    for row in (row for frame in walk_of(name).frames for row in frame.rows):
        formulas = _formulas(row, 34.0)
        assert row.kind != "setting" or row.formula or f"{row.symbol} = " in formulas[0], row.name
        for formula in formulas:
            assert not re.search(r"[a-z][-'][a-z]", re.sub(r"\\text\{[^}]*\}", "", formula)), (row.name, formula)


def test_a_walk_is_saved(tmp_path):
    walk = fstats.PairedT(A, B).walk(upto="mean")
    walk.save(tmp_path / "walk.svg", seconds=3)
    root = ET.fromstring((tmp_path / "walk.svg").read_text(encoding="utf-8"))
    assert "mean = -0.6" in root.attrib["aria-label"]
    assert "animation:9s" in root[0].text
    assert 'g[data-from="3"]{opacity:0}' in root[0].text  # who asks for less motion sees no later step
    walk.save(tmp_path / "walk")
    assert sorted(path.name for path in (tmp_path / "walk").iterdir()) == [f"step_{k:02}.png" for k in range(3)]
    with pytest.raises(ValueError, match=r"`path` must end with .svg, or be a folder without a suffix; got 'walk.gif'"):
        walk.save("walk.gif")


def test_each_family_has_its_class():
    classes = {cls.__name__ for name in EVERY for cls in CASES[name][0].__mro__}
    assert FAMILIES.keys() <= classes


def test_a_strangers_test_has_a_walk():
    class Mean(fstats.OneSampleT):
        """A test of my own: is the mean 0?"""

    assert next(frame.name for frame in Mean([1, 2, 4], 0).walk().frames) == "data"
    assert all(end == END or end > first for _, first, end in times_of(Mean([1, 2, 4], 0).walk()))
