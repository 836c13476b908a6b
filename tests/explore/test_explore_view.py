"""How explorers stand on a screen: which controls come first, pictures for the room there is, marks that are moved, two themes."""

import base64
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from undrawn import undrawn

from fstats import PairedT, SignTest, explore, plot
from fstats.core.step import NotStated
from fstats.explore.two_classifiers import paired_scores_explorer
from fstats.explore.widgets.explorer import MAX_MAIN_CONTROLS, Explorer
from fstats.explore.widgets.slider import Slider, integer_slider
from fstats.plot.drawing import matplotlib_figure, picture_marks
from fstats.plot.drawing.picture import Picture
from fstats.plot.drawing.picture_layout import PictureLayout
from fstats.plot.drawing.svg import COLOR_NAMES, css_color, css_palette
from fstats.teaching.jupyterlab_launcher import SETTINGS

A, B = [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]
TABLE = np.random.default_rng(4).normal(0.8, 0.05, (8, 4)).round(3)
SMALL = picture_marks.PictureSize(250, 140, 13, 250)
RIGHT = np.arange(60) % 10 != 0, np.arange(60) % 7 != 0
EXPLORERS: dict[str, Callable[[], Any]] = {
    "anova": lambda: explore.anova(TABLE),
    "bcv_mcnemar": lambda: explore.bcv_mcnemar([[[[5, 2], [8, 35]]] * 2] * 5),
    "binomial_proportion": explore.binomial_proportion,
    "contingency_simulation": lambda: explore.contingency_simulation(trials=10),
    "correlations": explore.correlations,
    "discordant": lambda: explore.discordant(11, 1),
    "false_alarms": lambda: explore.false_alarms(repetitions=50),
    "five_by_two": lambda: explore.five_by_two([[0.02, 0.01], [0.03, 0], [0.01, 0.01], [0.05, -0.01], [0.02, 0.01]]),
    "fold_hacking": explore.fold_hacking,
    "groups": lambda: explore.groups(*RIGHT, k=10),
    "multiplicity": explore.multiplicity,
    "of": lambda: explore.of(SignTest, A, B),
    "outlier": lambda: explore.outlier(A, B, reach=30),
    "overlap": explore.overlap,
    "paired_t": lambda: explore.paired_t(A, B),
    "prior": lambda: explore.prior(A, B, rope=1, step=0.5),
    "ranking": lambda: explore.ranking(TABLE),
    "repeated_folds": explore.repeated_folds,
    "rope": lambda: explore.rope([0.02, 0.01, 0.03, 0.0, 0.02]),
    "signed_rank": lambda: explore.signed_rank(A, B),
    "tuning": lambda: explore.tuning(n=50),
    "two_models": lambda: explore.two_models(n=50),
    "unpaired": lambda: explore.unpaired(A, B, mu=75),
    "unstable_training": lambda: explore.unstable_training(n=200),
    "which_test": explore.which_test,
}
GRIPS = {  # which control each mark moves, in order; None where no mark is a number that one may move
    "anova": ["bonus"],
    "bcv_mcnemar": ["rho2"],
    "binomial_proportion": ["right"],
    "contingency_simulation": ["records"],
    "discordant": ["n01", "n10"],
    "five_by_two": ["shift"],
    "multiplicity": ["n"],
    "of": ["score"] * 5,
    "outlier": ["away"],
    "overlap": ["splits", "splits"],
    "paired_t": ["score"] * 5,
    "prior": ["rope"],
    "repeated_folds": ["repeats"],
    "rope": ["rope"],
    "signed_rank": ["score"] * 5,
    "tuning": ["tried"],
    "two_models": ["family"],
    "unpaired": ["score"] * 5,
    "unstable_training": ["strays"],
}
each_explorer = pytest.mark.parametrize("name", EXPLORERS)


def test_every_explorer_is_here():
    # randomness needs models: tests/explore/test_explore_start.py; the desk takes a table: tests/explore/test_desk.py
    known = {*EXPLORERS, "randomness", "desk"}
    assert known == set(explore.__all__), "a new explorer gets a line in EXPLORERS, and in GRIPS and MOVED if its marks can be moved"


# -- what comes first --------------------------------------------------------------------------------------------------------
@each_explorer
def test_an_explorer_says_what_it_asks_and_which_controls_that_needs(name):
    explorer = EXPLORERS[name]()
    assert type(explorer).question.endswith("?"), "`question` of the class asks what the explorer answers, and ends with a question mark"
    assert 1 <= len(explorer.main_controls) <= MAX_MAIN_CONTROLS
    unknown = {*explorer.main_controls} - {control.name for control in explorer.controls}
    assert unknown == set(), f"`main_controls` names controls of the explorer; it has {[control.name for control in explorer.controls]}"
    assert explorer.view["leading"] == list(explorer.main_controls)


def test_four_controls_cannot_come_first():
    with pytest.raises(TypeError, match="main_controls must name at most 3 controls; got a, b, c, d"):

        class _Crowded(Explorer[PairedT]):
            main_controls = ("a", "b", "c", "d")


@pytest.mark.every_case
@each_explorer
def test_drawings_and_lines_stay_what_they_are(name, changed):
    view = EXPLORERS[name]().view
    others = [value for key, value in sorted(view.items()) if key not in ("pictures", "work")]  # work is typeset by another library
    assert changed({"pictures": view["pictures"], "others": others}, close=0.05) == []


@each_explorer
def test_words_are_chosen_by_buttons_and_numbers_by_sliders(name):
    explorer = EXPLORERS[name]()
    assert len({control.label for control in explorer.controls}) == len(explorer.controls)
    for slider, control in zip(explorer.sliders, explorer.controls, strict=True):
        words = not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in slider.values)
        assert bool(control.choices) == (words or slider.name == "alpha"), control.name
        assert control.least <= control.value <= control.most
        if control.choices:
            assert len(control.choices) == control.most - control.least + 1
            assert control.choices[control.value - control.least] == control.text


@each_explorer
def test_every_slider_changes_something_and_reset_takes_it_back(name):
    explorer = EXPLORERS[name]()
    start = explorer.view
    for control in [control for control in explorer.controls if control.least < control.most]:
        explorer.move(**{control.name: control.least if control.value != control.least else control.most})
        changed = {part for part in start if explorer.view[part] != start[part]}
        choice = control.name in ("dataset", "classifier") or name == "which_test"  # changes what another slider is about
        assert changed >= {"controls"} if choice else len(changed & {"controls", "work", "pictures"}) > 1, control.name
        explorer.reset()
        assert explorer.view == start


@pytest.mark.complete
@each_explorer
def test_where_no_kernel_runs_there_are_the_pictures_and_their_words(name):
    """As they stand after a move, which the words say as well."""
    explorer = EXPLORERS[name]()
    control = next(one for one in explorer.controls if one.least < one.most)
    explorer.move(**{control.name: control.least if control.value != control.least else control.most})
    data, about = explorer._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    pictures = explorer.pictures(explorer.test)
    assert base64.b64decode(data["image/png"]) == matplotlib_figure.figure_png(*pictures)
    assert all(words in data["text/plain"] for words in (*(picture.text for picture in pictures), explorer.view["conclusion"]))
    assert about["image/png"]["alt"] == data["text/plain"]


# -- marks that are moved ----------------------------------------------------------------------------------------------------
@each_explorer
def test_a_mark_that_is_moved_is_a_point_of_the_picture(name):
    explorer = EXPLORERS[name]()
    test = explorer.test
    pictures, grips = explorer.pictures(test), explorer.drag_handles(test)
    moved = [grip.control.name for grip in grips]
    assert moved == GRIPS.get(name, []), f'the controls that marks move need a line in GRIPS: "{name}": {moved}'
    for grip in grips:
        place = grip.places[grip.control.value - grip.control.least]
        assert place == pytest.approx(grip.x if grip.along == "x" else grip.y)
        assert len(grip.places) == grip.control.most - grip.control.least + 1
        tops = [
            (x, y) for mark in pictures[grip.picture].marks if hasattr(mark, "width") for x, y in zip(mark.x, getattr(mark, "height", ()))
        ]
        points = [(x, y) for mark in pictures[grip.picture].marks if isinstance(mark, picture_marks.Points) for x, y in zip(mark.x, mark.y)]
        assert any((x, y) == (pytest.approx(grip.x), pytest.approx(grip.y)) for x, y in points + tops)


@pytest.mark.complete
@pytest.mark.parametrize("name", GRIPS)
def test_a_moved_mark_takes_its_control_along(name):
    """What the front end sends is what the slider would have done; the same move, made again after another one, counts again."""
    by_hand, by_slider = EXPLORERS[name](), EXPLORERS[name]()
    grip = by_hand.view["grips"][-1]
    control = grip["control"]
    to = control["most"] if control["value"] != control["most"] else control["least"]
    moves = grip["before"] | {control["name"]: to}
    hold(by_hand, moves, 1)
    by_slider.move(**moves)
    expected = {part: by_slider.view[part] for part in ("work", "conclusion", "pictures", "controls")}
    assert {part: by_hand.view[part] for part in ("work", "conclusion", "pictures", "controls")} == expected
    shown = by_hand.view
    by_hand.move(**{control["name"]: control["value"]})
    hold(by_hand, moves, 2)
    assert (by_hand.view["work"], by_hand.view["pictures"]) == (shown["work"], shown["pictures"])


def hold(explorer, moves, press):
    explorer.set_state({"positions": {**explorer.positions, **moves, "held": {"moves": moves, "press": press}}})


def test_a_score_moves_with_its_own_data_set_even_where_the_front_end_has_an_old_one():
    explorer = explore.paired_t(A, B)
    old = dict(explorer.positions)  # of the first data set
    for press, score in enumerate((80, 81), 1):
        moves = {"dataset": 3, "score": score}
        explorer.set_state({"positions": {**old, "held": {"moves": moves, "press": press}}})
    assert explorer.test.a.tolist() == [85, 70, 81, 78, 83]


def test_a_grip_knows_where_every_position_is():
    """As shares of the picture: linear ones by their ends, others one by one, also beyond the axis."""
    (grip,) = explore.repeated_folds().view["grips"]
    assert len(grip["places"]) == 5  # 1, 2, 5, 10, 30
    canvas = PictureLayout(explore.repeated_folds().pictures(explore.repeated_folds().test)[0])
    np.testing.assert_allclose(grip["places"], [canvas.x_pixel(L) / canvas.width for L in (1, 2, 5, 10, 30)], atol=1e-5)
    low, high = explore.outlier(A, B, reach=30).view["grips"][0]["places"]
    assert high < 0 < 1 < low  # far above and below what is seen; y counts downwards


# -- scores that are percentages ---------------------------------------------------------------------------------------------
HIGH, LOW, TRIPLES = [99.5, 97, 92, 99], [98, 97.5, 3, 1.5], [[99.5, 98, 97], [97, 97.5, 92], [5, 3, 1.5], [60, 55, 50]]
MOVED: dict[str, Callable[[float], Any]] = {  # those that move scores, given in this unit
    "anova": lambda unit: explore.anova(np.multiply(TRIPLES, unit), step=unit),
    "outlier": lambda unit: explore.outlier(np.multiply(HIGH, unit), np.multiply(LOW, unit), step=unit, reach=120),
    "paired_t": lambda unit: explore.paired_t(np.multiply(HIGH, unit), np.multiply(LOW, unit), step=unit),
    "ranking": lambda unit: explore.ranking(np.multiply(TRIPLES, unit), step=unit),
    "of": lambda unit: explore.of(SignTest, np.multiply(HIGH, unit), np.multiply(LOW, unit), step=unit),
    "unpaired": lambda unit: explore.unpaired(np.multiply(HIGH, unit), np.multiply(LOW, unit), mu=50 * unit, step=unit),
    "signed_rank": lambda unit: explore.signed_rank(np.multiply(HIGH, unit), np.multiply(LOW, unit), step=unit),
}


def scores_of(test):
    """All scores in what an explorer shows."""
    own = []
    for name in ("a", "b", "x", "y", "scores"):
        with suppress(AttributeError, NotStated):  # a test may be made from its steps, without scores
            own.append(np.ravel(getattr(test, name)))
    inside = [scores_of(getattr(test, name)) for name in ("full", "friedman", "repeated") if hasattr(test, name)]
    return np.concatenate([np.empty(0), *own, *inside]).astype(float)


def at_all_ends(explorer):
    """What it shows with every two controls at their ends, one moved after the other, and with every mark at the ends of its way."""
    for first in [control.name for control in explorer.controls]:
        for second in [control.name for control in explorer.controls]:
            for one in ("least", "most"):
                for other in ("least", "most"):
                    with undrawn():  # each control alone at its ends is drawn where it is the second one, too
                        explorer.reset()
                        explorer.move(**{first: getattr(explorer.control(first), one)})
                    explorer.move(**{second: getattr(explorer.control(second), other)})
                    yield explorer.test
    explorer.reset()
    for press, grip in enumerate(explorer.view["grips"]):
        for end in ("least", "most"):
            hold(explorer, grip["before"] | {grip["control"]["name"]: grip["control"][end]}, f"{press} {end}")
            yield explorer.test


@pytest.mark.complete
@pytest.mark.parametrize("name", MOVED)
@pytest.mark.parametrize(("unit", "top"), [(0.01, 1.0), pytest.param(1.0, 100.0, marks=pytest.mark.slow)])
def test_scores_that_are_shares_or_percentages_stay_so(name, unit, top):
    """By its controls and by its marks: the ends are reached, up to a step, and never passed."""
    explorer = MOVED[name](unit)
    found = np.concatenate([scores_of(test) for test in at_all_ends(explorer)])
    assert found.min() >= -1e-9
    assert top - unit <= found.max() <= top + 1e-9
    for grip in explorer.drag_handles(explorer.test):
        if grip.along == "y":
            assert min(grip.places) >= -1e-9
            assert max(grip.places) <= top + 1e-9


@pytest.mark.complete
@pytest.mark.parametrize("name", MOVED)
def test_other_scores_have_no_ends(name):
    given, found = scores_of(MOVED[name](10.0).test), [scores_of(test) for test in at_all_ends(MOVED[name](10.0))]
    assert max(scores.max() for scores in found) >= given.max() + 90
    assert min(scores.min() for scores in found) < 0


@each_explorer
def test_whatever_moves_scores_is_held_to_their_ends(name):
    """An explorer in which some given score can take another value is one of those above."""
    if not len(scores_of(EXPLORERS[name]().test)) or name in ("groups", "prior"):  # which move none
        assert name not in MOVED
        return
    explorer = EXPLORERS[name]()
    given = {*scores_of(explorer.test)}
    moves = any({*scores_of(test)} - given for test in at_all_ends(explorer))
    said = "changes given scores: add it to MOVED" if moves else "changes no given score: remove it from MOVED"
    assert moves == (name in MOVED), f"{name} {said}"


def test_a_bonus_that_is_no_longer_possible_becomes_smaller():
    explorer = MOVED["anova"](1.0)
    explorer.move(apart=0)
    most = explorer.control("bonus").most
    explorer.move(bonus=most)
    explorer.move(apart=10)
    assert explorer.control("bonus").value == explorer.control("bonus").most < most


def test_the_axis_of_the_scores_stands_still_while_one_moves():
    explorer = explore.paired_t(A, B)
    before = explorer.pictures(explorer.test)[0].ylim
    explorer.move(score=70)
    assert explorer.pictures(explorer.test)[0].ylim == before
    explorer.move(score=96)
    assert explorer.pictures(explorer.test)[0].ylim[1] > 96
    assert paired_scores_explorer.extend_y_axis(plot.scores(explorer.test), (0.0, 1000.0)).ylim == (0.0, 1000.0)


# -- the room there is ---------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@each_explorer
def test_pictures_are_drawn_for_the_room_there_is(name):
    explorer = EXPLORERS[name]()
    explorer.room = SMALL._asdict()
    for picture, svg in zip(explorer.pictures(explorer.test), explorer.view["pictures"], strict=True):
        shown = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)" width="(\d+)" height="(\d+)"', svg)
        assert shown
        wide, high, width, height = map(float, shown.groups())
        assert width / wide == pytest.approx(height / high, rel=0.02)
        if picture.frame:
            assert (wide, width) == (250, 250)
            assert high <= 250
            for x in re.findall(r'<text x="([\d.]+)"', svg):
                assert 0 <= float(x) <= 250
            for x, number in re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="middle">([-\d.]+)</text>', svg):
                assert float(x) + 0.59 * SMALL.text * len(number) / 2 <= 250.1, f"{number} below the axis is cut"
    explorer.room = picture_marks.DEFAULT_SIZE._asdict()
    assert explorer.view["pictures"] == [picture.svg() for picture in explorer.pictures(explorer.test)]


@pytest.mark.complete
def test_a_notebook_keeps_the_same_picture_whatever_room_a_browser_has():
    explorer = explore.ranking(TABLE)
    kept = explorer._repr_mimebundle_()[0]["image/png"]
    explorer.room = SMALL._asdict()
    assert explorer._repr_mimebundle_()[0]["image/png"] == kept


def test_words_that_are_too_long_are_broken_or_squeezed():
    marks = (
        picture_marks.Points(np.array([0.5]), np.array([0.5]), picture_marks.BLACK, "a legend that is far too long for so small a picture"),
        picture_marks.Label(0.9, 0.5, "far too long a label for its place", "end"),
    )
    picture = Picture(
        "A title of many words for a small picture",
        "an axis with a long name too",
        "and another long one",
        (0.0, 1.0),
        (0.0, 1.0),
        marks,
        "",
    )
    small, usual = picture.svg(SMALL), picture.svg()
    assert len(re.findall('font-weight="bold"', small)) == 2 > len(re.findall('font-weight="bold"', usual)) == 1
    assert len(re.findall("textLength", small)) == 2
    assert "textLength" not in usual
    canvas = PictureLayout(picture, SMALL)
    assert canvas.bottom - canvas.top > 0.3 * canvas.height


# -- two themes ------------------------------------------------------------------------------------------------------------------
def contrast(one, other):
    """As WCAG defines it."""

    def light(color):
        parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("color", sorted(set(COLOR_NAMES) - {picture_marks.WHITE}))
def test_words_can_be_read_in_both_themes(color):
    assert contrast(picture_marks.TEXT_COLORS.get(color, color), picture_marks.WHITE) >= 4.5
    assert contrast(picture_marks.DARK_PAGE_COLORS[color], picture_marks.DARK_PAGE_COLORS[picture_marks.WHITE]) >= 4.5


def seen_by(color, blind):
    """About what a colour-blind reader sees (Vienot, Brettel and Mollon 1999, protanopes and deuteranopes), in linear light."""
    linear = np.array([((int(color[k : k + 2], 16) / 255 + 0.055) / 1.055) ** 2.4 for k in (1, 3, 5)])
    red, blue = {"protan": (0.1124, 0.004), "deutan": (0.2928, -0.0223)}[blind]
    matrix = [[red, 1 - red, 0], [red, 1 - red, 0], [blue, -blue, 1]]
    return np.clip(np.array(matrix) @ linear, 0, 1) ** (1 / 2.2)


@pytest.mark.parametrize("blind", ["protan", "deutan"])
@pytest.mark.parametrize("dark", [False, True])
def test_colours_that_stand_side_by_side_differ_for_everybody(dark, blind):
    """Blue from vermillion and from orange; form tells apart what colour does not."""
    pages = {color: picture_marks.DARK_PAGE_COLORS[color] if dark else color for color in COLOR_NAMES}
    by_name = {COLOR_NAMES[color]: shown for color, shown in pages.items()}
    for one, other in (("blue", "vermillion"), ("blue", "orange"), ("blue", "ink"), ("vermillion", "ink")):
        assert np.linalg.norm(seen_by(by_name[one], blind) - seen_by(by_name[other], blind)) > 0.25, (one, other)


@pytest.mark.complete
def test_pictures_name_their_colours_and_the_page_says_what_they_are():
    named = dict(part.split(": ") for part in css_palette().split("; "))
    for name in EXPLORERS:
        for svg in EXPLORERS[name]().view["pictures"]:
            assert {f"--fstats-{used}" for used in re.findall(r"var\(--fstats-([\w-]+)", svg)} <= set(named)
            assert not re.search(r'(fill|stroke)="#(?!bbb)', svg.partition("</defs>")[2]), "a colour that no theme can change"
    assert all(re.fullmatch(r"light-dark\(#\w{6}, #\w{6}\)", both) for both in named.values())
    assert css_palette() in explore.which_test()._css
    assert css_color("#123456") == "#123456"


@pytest.mark.complete
def test_the_style_of_outputs_comes_with_an_explorer_and_knows_our_pictures():
    """One rule for `fstats lab` and for any JupyterLab; what it looks for in a picture stands in every one that is stored."""
    style = (SETTINGS / "custom" / "outputs.css").read_text(encoding="utf-8")
    assert style in explore.which_test()._css
    assert '@import url("outputs.css");' in (SETTINGS / "custom" / "custom.css").read_text(encoding="utf-8")
    (mark,) = re.findall(r'img\[src\*="([^"]+)"\]', style)
    for picture in EXPLORERS["outlier"]().pictures(EXPLORERS["outlier"]().test):
        assert mark in base64.b64encode(matplotlib_figure.figure_png(picture)).decode()


def test_words_of_cells_and_sliders():
    shades = np.linspace(0, 1, 9)
    cells = picture_marks.Cells(np.arange(9.0), np.zeros(9), shades, 1, 1, tuple("abcdefghi"))
    for page in (cells, cells.dark_version):
        assert all(contrast(fill, words) >= 4.4 for fill, words in zip(page.fill_colors, page.text_colors))
    assert picture_marks.luminance(cells.fill_colors[0]) == pytest.approx(1)
    assert picture_marks.luminance(cells.dark_version.fill_colors[0]) < 0.02
    assert not integer_slider("n", "", 1, 5).uses_buttons
    assert Slider("on", "", (False, True)).uses_buttons
    assert Slider("p", "", (0.1, 0.2), buttons=True).uses_buttons
    assert Slider("p", "", np.array([0.1, 0.2]).tolist()).uses_buttons is False


@pytest.mark.complete
def test_an_explorer_is_loaded_alone() -> None:
    """A page in a browser compiles what is loaded: one explorer loads itself, and what the package calls it is the function."""
    code = (
        "import sys, fstats.explore.two_classifiers.signed_rank_explorer; from fstats import explore; explore.paired_t([1, 2], [3, 1])\n"
        "loaded = [name in sys.modules for name in ('fstats.explore.resampling.fold_hacking_explorer', 'fstats.comparing')]\n"
        "print(callable(explore.signed_rank), *loaded)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split() == ["True", "False", "False"]
    with pytest.raises(AttributeError, match=r"fstats\.explore has no 'paired': did you mean 'paired_t'\?"):
        _ = explore.paired
    assert dir(explore) == sorted(explore.__all__)
