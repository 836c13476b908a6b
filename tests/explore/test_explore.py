"""Explorers and pictures: every number shown is that of a fresh test, and nobody depends on colour or on a kernel."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import latex2mathml.converter
import numpy as np
import pytest
from matplotlib.figure import Figure
from shortcuts import assert_raises, assert_refused, parametrize, refused_calls
from shown_numbers import LEVELS, numbers_of

from fstats import McNemarExact, PairedT, SignedRank, explore, plot
from fstats.core.hypothesis import HypothesisTest
from fstats.core.number_format import format_plain, format_pvalue
from fstats.explore.widgets.explorer import Explorer
from fstats.explore.widgets.slider import LEVEL_SLIDER, Control, Slider, integer_slider
from fstats.plot.drawing import matplotlib_figure, svg
from fstats.plot.drawing.picture import Picture
from fstats.plot.drawing.picture_marks import Mark, Points, VerticalLine
from fstats.render import html

# The explorers start with the first 5 of these pairs: one tie of sizes, one difference of 0.
A = (85, 70, 79, 78, 83, 88, 74)
B = (87, 68, 85, 75, 83, 85, 73)
EXPLORERS = {"paired_t": PairedT, "signed_rank": SignedRank}
# What each position of a slider means, written down once more and not read from the explorers; LEVELS, too.
ALTERNATIVES = ("two-sided", "greater", "less")
ZEROS = ("drop", "pratt", "split")
REFUSED = refused_calls(Path(__file__).with_name("refused.toml"))
START = {"dataset": 1, "score": 85, "n": 5, "alpha": 4, "alternative": 0, "zeros": 0}


def started(name: str) -> Any:
    return getattr(explore, name)(A, B, n=5)


def fresh(name: str, moves: dict[str, int]) -> HypothesisTest:
    """The test after these moves in their order, built from the data as a student would build it."""
    at = dict(START)
    a = list(A)
    for control, position in moves.items():
        at[control] = position
        if control == "score":
            a[at["dataset"] - 1] = position
    settings: dict[str, Any] = {"alpha": LEVELS[at["alpha"]], "alternative": ALTERNATIVES[at["alternative"]]}
    if name == "signed_rank":
        settings["zeros"] = ZEROS[at["zeros"]]
    return EXPLORERS[name](a[: at["n"]], B[: at["n"]], **settings)


class DataSteps(HTMLParser):
    """Reads the text of every element that says which step it shows: ``<td data-step="mean">-0.6</td>``."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.shown: dict[str, str] = {}
        self._inside: list[str] = []  # for each open element, the step that it shows
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        step = dict(attrs).get("data-step") or ""
        if step:
            assert step not in self.shown, f"{step} is shown twice"
            self.shown[step] = ""
        if tag != "br":
            self._inside.append(step)

    def handle_endtag(self, _: str) -> None:
        self._inside.pop()

    def handle_data(self, data: str) -> None:
        if step := next(filter(None, reversed(self._inside)), ""):
            self.shown[step] += data


def cases() -> Iterator[tuple[str, dict[str, int]]]:
    """Each control of each explorer at several positions, then some controls together."""
    positions = {
        "dataset": (1, 3, 5),
        "score": (58, 84, 86, 87, 98),
        "n": (2, 3, 6, 7),
        "alpha": range(7),
        "alternative": range(3),
        "zeros": range(3),
    }
    together: list[dict[str, int]] = [
        {"dataset": 3, "score": 85},
        {"dataset": 5, "score": 90, "n": 6, "alternative": 1},
        {"n": 2, "alpha": 0},
        {"n": 7, "dataset": 7, "score": 60, "alpha": 6, "alternative": 2},
        {"n": 2, "score": 89},  # equal differences of 2: no spread
    ]
    for name in EXPLORERS:
        for control, places in positions.items():
            if control != "zeros" or name == "signed_rank":
                yield from ((name, {control: place}) for place in places)
        yield from ((name, moves) for moves in together)
    yield from (("signed_rank", {"n": 7, "alpha": 5, "zeros": k}) for k in (1, 2))


CASES = list(cases())
NAMES = [f"{name}-{'-'.join(f'{control}={position}' for control, position in moves.items())}" for name, moves in CASES]


# -- every slider, every number ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "moves"), CASES, ids=NAMES)
def test_everything_shown_is_that_of_a_fresh_test(name: str, moves: dict[str, int]) -> None:
    explorer, test = started(name), fresh(name, moves)
    for control, position in moves.items():
        explorer.move(**{control: position})
    view = explorer.view
    assert DataSteps(view["work"]).shown == numbers_of(test)
    assert view["work"] == html.rows_html((row for row in test.worked() if row.kind != "conclusion"), slow_mathml)
    assert (view["pictures"], view["conclusion"]) == ([scores_of(test).svg(), test.plot().svg()], test.conclusion)
    assert {control["name"]: control["value"] for control in view["controls"]}.items() >= moves.items()
    assert explorer.positions.items() >= moves.items()


def scores_of(test: HypothesisTest) -> Picture:
    """The picture of the scores, on an axis that reaches two steps beyond all that were given: it stands still while one moves."""
    picture, given = plot.scores(test), A + B
    return replace(picture, ylim=(min(picture.ylim[0], min(given) - 2), max(picture.ylim[1], max(given) + 2)))


def slow_mathml(tex: str) -> str:
    """A formula converted as a whole; explorers convert its form once and fill the numbers in."""
    whole = str(latex2mathml.converter.convert(tex)).replace('display="inline"', 'displaystyle="true"')
    return whole.replace("<mi>:</mi>", '<mo lspace="0.28em" rspace="0.28em">:</mo>')  # H1: not all, with a space as TeX has it


@pytest.mark.parametrize(("name", "moves"), CASES, ids=NAMES)
def test_start_again_restores_everything(name: str, moves: dict[str, int]) -> None:
    """The button counts its presses under "reset"; what is shown is what was shown at first."""
    explorer = started(name)
    first = explorer.view
    for control, position in moves.items():
        explorer.move(**{control: position})
    explorer.positions = {**explorer.positions, "reset": 1}
    assert explorer.view == first
    assert explorer.positions.items() >= {"dataset": 1, "score": 85, "n": 5}.items()
    explorer.move(score=80)
    explorer.positions = {**explorer.positions, "reset": 2}
    assert explorer.view == first


@pytest.mark.parametrize("name", EXPLORERS)
def test_every_slider_moves_its_own_data(name: str) -> None:
    # A slider without effect on the numbers would be a decoration; the one that chooses a data set shows its score.
    for control in started(name).controls:
        explorer = started(name)
        before = explorer.view
        explorer.move(**{control.name: control.least if control.value != control.least else control.most})
        changed = {part for part in before if explorer.view[part] != before[part]}
        assert "controls" in changed
        assert ("work" in changed) == (control.name != "dataset")
    a, b = np.array(A, float), np.array(B, float)
    explorer = getattr(explore, name)(a, b)
    explorer.move(score=90)
    assert (a.tolist(), explorer.test.a[0]) == (list(A), 90)
    # 0.85 and one key press of 0.01 is 0.86, not 0.8600000000000001; the other scores stay as they were given.
    explorer = getattr(explore, name)([0.85, 0.7013, 0.79], [0.87, 0.68, 0.85], step=0.01)
    score = explorer.controls[1]
    assert (score.value, score.text) == (85, "0.85 (B: 0.87)")
    explorer.move(score=86)
    assert explorer.test.a.tolist() == [0.86, 0.7013, 0.79]
    explorer.move(dataset=2)
    assert (explorer.controls[1].value, explorer.test.a.tolist()) == (70, [0.86, 0.7013, 0.79])


@pytest.mark.parametrize("name", EXPLORERS)
def test_fewer_data_sets_than_the_chosen_one(name: str) -> None:
    """The choice moves down with the number of data sets, and the score slider with it; no score changes."""
    explorer = started(name)
    explorer.move(dataset=5)
    explorer.move(n=3)
    assert explorer.positions.items() >= {"dataset": 3, "score": 79, "n": 3}.items()
    explorer.move(n=5)
    assert explorer.test.a.tolist() == list(A[:5])


@pytest.mark.parametrize(("control", "start"), [("dataset", {}), ("n", {"dataset": 5})])
def test_quick_presses_do_not_carry_an_old_score_along(control: str, start: dict[str, int]) -> None:
    """The front end sends all its positions: a second press, before the answer to the first, holds the old score slider."""
    explorer = started("paired_t")
    explorer.move(**start)
    sent = dict(explorer.positions)
    for position in (2, 3) if control == "dataset" else (4, 3):
        explorer.set_state({"positions": {**sent, control: position}})
    assert explorer.positions[control] == 3
    explorer.move(n=5)
    assert explorer.test.a.tolist() == list(A[:5])


def test_presses_and_moves_are_taken_in_their_order() -> None:
    # The front end then knows whether its sliders have moved on meanwhile; a move from Python leaves the count alone.
    explorer = started("paired_t")
    assert explorer.view["presses"] == 0
    explorer.set_state({"positions": {**explorer.positions, "score": 86, "presses": 3}})
    assert explorer.view["presses"] == 3
    explorer.move(score=87)
    assert explorer.view["presses"] == 3
    # The score belongs to the data set named before it, even where the slider stands on that score already.
    explorer = started("paired_t")
    explorer.move(dataset=2, score=85)
    assert explorer.test.a.tolist() == [85, 85, 79, 78, 83]


@parametrize(
    "moves, message",
    ({"speed": 3}, "there is no control 'speed'; the controls are dataset, score, n, alpha, alternative"),
    ({"alpha": 7}, "`alpha` must be between 0 and 6; got 7"),
    ({"n": 1}, "`n` must be between 2 and 7; got 1"),
    ({"dataset": 6}, "`dataset` must be between 1 and 5; got 6"),
)
def test_moves_that_a_slider_cannot_make_are_errors(moves: dict[str, int], message: str) -> None:
    """With the controls there are, or how far this one moves; nothing has moved then."""
    explorer = started("paired_t")
    before = explorer.view
    assert_raises(lambda: explorer.move(**moves), message)
    assert explorer.view == before


@pytest.mark.every_case
@pytest.mark.parametrize("row", REFUSED, ids=[f"{row[0]}-{k}" for k, row in enumerate(REFUSED)])
def test_explorers_that_cannot_start_are_errors(row: tuple[Any, ...]) -> None:
    assert_refused(*row)


# -- what a slider is, and what an explorer of one's own must say ---------------------------------------------------------------
@pytest.mark.parametrize("slider", [LEVEL_SLIDER, integer_slider("n", "Number", 3, 9), Slider("away", "Away", (0.5, 1.5, 2.5), least=-1)])
def test_every_position_of_a_slider_stands_for_its_value(slider: Slider[Any]) -> None:
    """And back; at a position it shows that value."""
    assert len(slider.values) == slider.most - slider.least + 1
    for position, value in enumerate(slider.values, slider.least):
        assert (slider.value(position), slider.position(value)) == (value, position)
        choices = tuple(map(format_plain, slider.values)) if slider is LEVEL_SLIDER else ()
        expected = Control(slider.name, slider.label, slider.least, slider.most, position, format_plain(value), choices)
        assert slider.control_at(position) == expected


@parametrize(
    "slider, value, message",
    (Slider("rho", "", (0.0, 0.5)), 0.3, r"`rho` must be one of 0, 0\.5, the positions of its slider; got 0\.3$"),
    (Slider("rho", "", tuple(k / 20 for k in range(21))), 0.33, r"one of 0, 0\.05, 0\.1, \.\.\., 1, the positions"),
    (integer_slider("n", "", 5, 60), 61, "`n` must be between 5 and 60, the range of its slider; got 61"),
    (integer_slider("n", "", 5, 60), 5.5, "`n` must be a count .*; got 5.5"),
)
def test_a_slider_says_what_it_has(slider: Slider[Any], value: Any, message: str) -> None:
    assert_raises(lambda: slider.position(value), message)
    with pytest.raises(ValueError, match=r"^`start` must "):  # as the caller knows it
        slider.position(value, "start")


def test_a_slider_that_becomes_shorter_takes_its_position_along() -> None:
    """An explorer of one's own says its sliders, its test, its pictures; nothing else."""

    class Own(Explorer[PairedT]):
        @property
        def sliders(self) -> list[Slider[Any]]:
            return [integer_slider("n", "Data sets", 2, 5), integer_slider("last", "Last one", 1, self._slider_positions["n"])]

        @property
        def test(self) -> PairedT:
            return PairedT(A[: self.values["n"]], B[: self.values["n"]])

        def pictures(self, test: PairedT) -> list[Picture]:
            return [test.plot()]

    own = Own("An explorer of my own", n=5, last=5)
    own.move(n=3)
    assert own.values == {"n": 3, "last": 3}
    assert own.positions.items() >= {"n": 3, "last": 3}.items()
    own.move(n=4)
    assert own.values == {"n": 4, "last": 3}
    own.reset()
    assert own.values == {"n": 5, "last": 5}


def test_an_explorer_without_sliders_test_or_pictures_is_an_error() -> None:
    class WithoutSliders(Explorer[PairedT]):
        test = PairedT(A, B)

        def pictures(self, test: PairedT) -> list[Picture]:
            return [test.plot()]

    class WithoutTest(Explorer[PairedT]):
        sliders = (LEVEL_SLIDER,)

    class WithoutPictures(Explorer[PairedT]):
        sliders = (LEVEL_SLIDER,)
        test = PairedT(A, B)

    for explorer, message in (
        (WithoutSliders, "WithoutSliders must define the property sliders, a list of sliders"),
        (WithoutTest, "WithoutTest must define the property test"),
        (WithoutPictures, "WithoutPictures must define the method pictures, which draws the test PairedT"),
    ):
        with pytest.raises(TypeError, match=message):
            explorer("incomplete", alpha=4)


# -- for readers without a kernel, without sight, without colours --------------------------------------------------------------
def degenerate() -> dict[str, HypothesisTest]:
    """Tests whose pictures have something missing, infinite, or very much of it."""
    return {
        "infinite t": PairedT([3, 4, 5], [1, 2, 3]),
        "minus infinite t": PairedT([1, 2, 3], [3, 4, 5]),
        "no difference, t": PairedT([3, 4, 5], [3, 4, 5]),
        "very large t": PairedT([1, 2, 3.0001], [0, 1, 2]),
        "far critical value": PairedT([1, 2], [0, 3], alpha=0.001),
        "no rejection region": SignedRank([3, 4, 5], [1, 5, 7]),
        "no rejection region, normal": SignedRank([3, 4], [1, 5], method="normal", alpha=0.001),
        "no ranks": SignedRank([3, 4, 5], [3, 4, 5]),
        "no ranks, normal": SignedRank([3, 4, 5], [3, 4, 5], method="normal"),
        "half ranks": SignedRank([3, 4, 5, 9], [2, 4, 8, 8], zeros="split"),
        "no discordant record": McNemarExact(0, 0),
        "all discordant records on one side": McNemarExact(0, 2000),
    }


def ordinary() -> dict[str, HypothesisTest]:
    return {
        "PairedT": PairedT(A, B),
        "SignedRank": SignedRank(A, B, alpha=0.2),
        "SignedRank, normal": SignedRank(A * 3, B * 3, method="normal", zeros="pratt"),
        "McNemarExact": McNemarExact(11, 1),
    }


TESTS = {
    f"{name}, {alternative}": test.assuming(alternative=alternative)
    for name, test in (ordinary() | degenerate()).items()
    for alternative in ALTERNATIVES
}
TESTS["a million discordant records"] = McNemarExact(499_100, 500_900)


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS.keys())
def test_the_words_of_the_picture_hold_its_numbers(test: HypothesisTest) -> None:
    """Statistic, critical value (or that there is none), p: the picture without the picture."""
    text, symbol = test.plot().text, type(test).steps["statistic"].symbol
    assert f"{symbol} = {format_plain(test.statistic)}" in text
    assert text.endswith(f" {format_pvalue(test.pvalue, test.alpha)}.")
    assert str(test.null) in text
    if np.isinf(test.critical_value):
        assert "no value can reject H0 at this alpha" in text
    else:
        side = {"two-sided": "|t| >=", "greater": "t >=", "less": "t <="}[test.alternative] if isinstance(test, PairedT) else f"{symbol} <="
        assert f"{'inside' if test.reject else 'outside'} the rejection region {side} {format_plain(test.critical_value)}." in text


@pytest.mark.complete
@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS.keys())
def test_the_picture_can_be_drawn_both_ways(test: HypothesisTest) -> None:
    """Without a warning (they are errors here), and with the same words in both: both are drawn from one description."""
    picture = test.plot()
    assert np.isfinite([*picture.xlim, *picture.ylim]).all()
    assert texts_of_svg(picture) == texts_of_matplotlib(picture) == texts_of(picture)


def texts_of(picture: Picture) -> list[str]:
    """Every word that the description of a picture asks for, ticks apart."""
    rules = [mark.label for mark in picture.marks if isinstance(mark, VerticalLine)]
    return sorted([picture.title, picture.xlabel, picture.ylabel, *rules, *(mark.label for mark in picture.legend)])


class Svg(HTMLParser):
    """Reads an SVG: its attributes, its texts, the names of its elements."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.about: dict[str, str | None] = {}
        self.elements: list[str] = []
        self.texts: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.about = self.about or dict(attrs)
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def is_tick(text: str) -> bool:
    """Whether a text is nothing but a number."""
    return text.replace("−", "").replace("-", "").replace(".", "").replace("e", "").isdigit()


def texts_of_svg(picture: Picture) -> list[str]:
    return sorted(text for text in Svg(picture.svg()).texts if not is_tick(text))


def texts_of_matplotlib(picture: Picture) -> list[str]:
    made = picture.figure()
    assert isinstance(made, Figure)
    (ax,) = made.axes
    legend = ax.get_legend()
    entries = [text.get_text() for text in legend.get_texts()] if legend else []
    return sorted([ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel(), *(text.get_text() for text in ax.texts), *entries])


def test_scores_and_bars_are_drawn_both_ways() -> None:
    picture = plot.scores(PairedT(A, B))
    assert texts_of_svg(picture) == texts_of_matplotlib(picture) == texts_of(picture)
    elements = Svg(picture.svg()).elements
    assert elements.count("circle") == len(A) + 1  # and one in the legend
    assert [len(line.get_xdata()) for line in picture.figure().axes[0].lines] == [0, len(B), len(A)]  # the first is A in the legend
    picture = McNemarExact(3, 9).plot()
    region = 6  # bars of the rejection region, drawn once more
    assert len(picture.figure().axes[0].patches) == 13 + region
    assert len(re.findall(r"V[\d.]+h[\d.]+V", picture.svg())) == 13 + region  # each bar is drawn up, across, and down
    # ``test.plot(ax)`` for a student's own figure.
    ax = Figure().add_subplot()
    picture = PairedT(A, B).plot(ax)
    assert ax.get_title(loc="left") == picture.title
    assert [text.get_text() for text in ax.texts] == [mark.label for mark in picture.marks if isinstance(mark, VerticalLine)]


@pytest.mark.complete
@parametrize("picture", plot.scores(PairedT(A, B)), PairedT(A, B).plot(), McNemarExact(3, 9).plot(), ids=lambda picture: picture.title)
def test_a_picture_is_announced_by_its_words(picture: Picture) -> None:
    about = Svg(picture.svg()).about
    assert (about["role"], about["aria-label"]) == ("img", picture.text)
    data, metadata = picture._repr_mimebundle_()
    assert data["text/plain"] == repr(picture) == f"[picture: {picture.text}]"
    assert metadata["image/png"]["alt"] == picture.text
    assert data["image/png"].startswith(b"\x89PNG")


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS.keys())
def test_colour_is_never_the_only_difference(test: HypothesisTest) -> None:
    """Any two things in a legend differ in kind, hatching or filling (vertical lines carry their names themselves)."""

    def form(mark: Any) -> tuple[Any, ...]:
        return type(mark).__name__, getattr(mark, "hatched", None), getattr(mark, "open", None)

    pictures = [test.plot()] + ([plot.scores(test)] if hasattr(test, "a") else [])
    for picture in pictures:
        for one, other in combinations(picture.legend, 2):
            assert form(one) != form(other), (one.label, other.label)


@pytest.mark.parametrize("shift", [0.1, 1, 2, 4, 6, 10, 20, 100])
def test_the_names_of_the_critical_values_do_not_cover_each_other(shift: float) -> None:
    picture = PairedT([1 + shift, 2 + shift, 3.5 + shift, 4 + shift, 5.2 + shift], [1, 2, 3, 4, 5]).plot()
    names = {
        found["label"]: found
        for found in re.finditer(r'<text x="(?P<x>[\d.]+)" [^>]*text-anchor="(?P<anchor>\w+)">(?P<label>-?c = [^<]+)<', picture.svg())
    }
    spans = []
    for label, found in names.items():
        wide = 9.5 * len(label)  # of bold text in size 15
        spans.append((float(found["x"]) - wide * (found["anchor"] == "end"), float(found["x"]) + wide * (found["anchor"] == "start")))
    (start_1, end_1), (start_2, end_2) = spans
    assert end_1 < start_2 or end_2 < start_1
    assert all(0 <= start <= end <= 640 for start, end in spans)


def test_the_hatching_and_the_filling_are_drawn() -> None:
    picture = plot.scores(PairedT(A, B))
    assert {mark.open for mark in picture.marks if isinstance(mark, Points)} == {False, True}
    assert {"rect", "circle"} <= set(Svg(picture.svg()).elements)
    assert {line.get_marker() for line in picture.figure().axes[0].lines} == {"s", "o"}
    picture = McNemarExact(3, 9).plot()
    assert "url(#hatch" in picture.svg()
    assert {patch.get_hatch() for patch in picture.figure().axes[0].patches} == {None, "////"}


@parametrize("medium, draw", (svg.mark_to_svg, Picture.svg), (matplotlib_figure.draw_mark, Picture.figure), ids=["svg", "figure"])
def test_a_medium_knows_every_mark(medium: Any, draw: Any) -> None:
    """Each has its function; what is no mark is refused, by its name, where a drawing without it would say less than it should."""
    unknown = medium.dispatch(object)
    assert {kind for kind in get_args(Mark) if medium.dispatch(kind) is unknown} == set()
    picture = replace(PairedT(A, B).plot(), marks=("a word",))
    assert_raises(lambda: draw(picture), r"cannot draw a str.*; got 'a word' in ", TypeError)


@pytest.mark.parametrize("draw", [lambda test: test.plot(), plot.null, plot.scores], ids=["test.plot", "plot.null", "plot.scores"])
@pytest.mark.parametrize("test_class", [PairedT, SignedRank])
def test_a_batch_has_no_one_picture(draw: Any, test_class: Any) -> None:
    rng = np.random.default_rng(1)
    batch = test_class(rng.normal(size=(5, 4)), rng.normal(size=(5, 4)))
    message = r"batch of .*shape \(5?,? ?4,?\) has no single picture. Choose one repetition, such as .*test\.at\(0\)"
    assert_raises(lambda: draw(batch), message)
    assert draw(batch.at(0)).text
