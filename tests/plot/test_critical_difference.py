"""The critical difference diagram: its groups against brute force, its marks against the numbers, its words in both media."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from scipy import stats
from shortcuts import assert_raises, parametrize

from fstats import BonferroniDunn, Friedman, Holm, Nemenyi, Pairwise, Shaffer, TukeyHSD, plot
from fstats.plot.drawing.picture import Picture
from fstats.plot.drawing.picture_marks import Label, Line, Points
from fstats.plot.post_hoc.critical_difference_layout import break_name, lay_out_labels, text_width
from fstats.plot.post_hoc.maximal_cliques import assign_levels, maximal_cliques
from fstats.plot.post_hoc.post_hoc_summary import summarize_post_hoc

NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]  # Demsar (2006), Table 6: N = 14, ranks as printed
DEMSAR: dict[str, Any] = {"n": 14, "k": 4, "mean_ranks": [3.143, 2.0, 2.893, 1.964], "labels": NAMES}
LONG = [
    "RandomForest_500_trees_v2",
    "GradientBoosting_depth_10",
    "k-nearest neighbours k=15",
    "SupportVectorMachineRBF1",
    "Logistic regression (L2)",
    "Naive Bayes, Gaussian KDE",
    "Multi-layer perceptron 64",
    "AVERYLONGNAMEWITHOUTBREAK",
    "WWWWWWWWW MMMMMMMMM mmmmm",
    "ExtraTrees 1000 balanced!",
]
LONG += [f"{name[:23]} B" for name in LONG]


def table(k: int, n: int, apart: float, seed: int = 0) -> Any:
    """Scores of k classifiers that lie so far apart, in standard deviations."""
    return np.arange(k) * apart + np.random.default_rng(seed).normal(size=(n, k))


# -- groups ------------------------------------------------------------------------------------------------------------
def brute_force(alike: Sequence[set[int]]) -> list[tuple[int, ...]]:
    """All subsets without a pair that differs, those left out that another contains."""
    every = range(len(alike))
    fit = [set(group) for size in range(1, len(alike) + 1) for group in combinations(every, size) if _no_pair_differs(group, alike)]
    return sorted(tuple(sorted(group)) for group in fit if not any(group < other for other in fit))


def _no_pair_differs(group: tuple[int, ...], alike: Sequence[set[int]]) -> bool:
    return all(j in alike[i] for i, j in combinations(group, 2))


@given(k=st.integers(1, 8), data=st.data())
@settings(max_examples=60, deadline=None)
def test_maximal_cliques_are_those_of_brute_force(k: int, data: st.DataObject) -> None:
    pairs = data.draw(st.sets(st.sampled_from(list(combinations(range(k), 2))))) if k > 1 else set()
    alike = [{j for j in range(k) if (min(i, j), max(i, j)) in pairs} for i in range(k)]
    assert maximal_cliques(alike) == brute_force(alike)


@given(st.lists(st.integers(2, 32), min_size=2, max_size=8), st.integers(2, 60))
@settings(max_examples=60, deadline=None)
def test_the_groups_of_nemenyi_are_intervals_of_mean_rank(quarters: list[int], n: int) -> None:
    """Against brute force over all subsets, and against a walk along the ranks; with equal ranks too."""
    ranks, k = np.array(quarters) / 4, len(quarters)
    test = Nemenyi.from_steps(n=n, k=k, mean_ranks=ranks)
    order = np.argsort(ranks, kind="stable")
    alike = [{j for j in range(k) if j != i and abs(ranks[order[i]] - ranks[order[j]]) < test.cd} for i in range(k)]
    found = summarize_post_hoc(test)
    assert found.groups == [group for group in brute_force(alike) if len(group) > 1]
    assert not found.non_members_between
    walked = []  # from each classifier as far as the critical difference reaches, unless the walk before came as far
    for first in range(k):
        last = max(j for j in range(k) if ranks[order[j]] - ranks[order[first]] < test.cd)
        if last > first and (not walked or last > walked[-1][-1]):
            walked.append(tuple(range(first, last + 1)))
    assert found.groups == walked


def test_groups_that_are_no_intervals() -> None:
    """Holm's procedure on paired tests: each pair has its own spread, so that close classifiers may differ where distant ones do not."""
    rng = np.random.default_rng(11)
    spread = np.array([0.01, 0.05, 0.02, 0.09, 0.01, 0.03, 0.02])
    scores = np.arange(7) * 0.012 + rng.normal(size=(18, 7)) * spread + rng.normal(size=(18, 1))
    test = Holm.from_test(Pairwise(scores), alpha=0.1)
    ranks = stats.rankdata(-scores, axis=1).mean(0)
    pairs = list(combinations(range(7), 2))
    p = np.array([stats.wilcoxon(scores[:, i], scores[:, j], method="exact").pvalue for i, j in pairs])
    rejected: set[frozenset[int]] = set()
    for r, h in enumerate(np.argsort(p, kind="stable")):
        if p[h] > 0.1 / (len(p) - r):
            break
        rejected.add(frozenset(pairs[h]))
    order = np.argsort(ranks, kind="stable").tolist()
    alike = [{j for j in range(7) if j != i and frozenset((order[i], order[j])) not in rejected} for i in range(7)]
    found = summarize_post_hoc(test)
    assert (found.values, found.groups) == (pytest.approx(sorted(ranks)), [group for group in brute_force(alike) if len(group) > 1])
    assert found.non_members_between  # the data show what they are meant to show
    for group, between in found.non_members_between.items():
        assert between == [i for i in range(group[0], group[-1]) if i not in group]
    picture = plot.critical_difference(test)
    assert "without belonging to that group." in picture.text
    assert "A line that passes under a bar without a dot is not in that group." in words_of(picture)
    assert picture.title == "Mean ranks (Holm of SignedRank, alpha = 0.1)"


def test_the_control_of_paired_tests_is_known() -> None:
    picture = plot.critical_difference(Holm.from_test(Pairwise(table(4, 12, 1.0)), control="B"))
    assert "from the control B: " in picture.text


# -- in words ----------------------------------------------------------------------------------------------------------
@parametrize(
    "test, text",
    (
        Nemenyi.from_steps(**DEMSAR),
        "Critical difference diagram (Nemenyi, alpha = 0.05) of 4 classifiers. Mean ranks from the best to the worst: C4.5+m+cf 1.96, "
        "C4.5+m 2.00, C4.5+cf 2.89, C4.5 3.14. Critical difference 1.25. No two are shown to differ.",
    ),
    (  # C4.5 differs from C4.5+m and from C4.5+m+cf, and nothing else does
        Nemenyi.from_steps(**DEMSAR, alpha=0.1),
        "Critical difference 1.12. Groups of which no two are shown to differ: C4.5+m+cf, C4.5+m and C4.5+cf; C4.5+cf and C4.5.",
    ),
    (
        BonferroniDunn.from_steps(**DEMSAR, control="C4.5"),
        "Critical difference 1.17. Shown to differ from the control C4.5: C4.5+m+cf. "
        "Not shown to differ from the control C4.5: C4.5+m and C4.5+cf.",
    ),
    (
        Holm.from_steps(**DEMSAR, control="C4.5"),
        "C4.5 3.14. Shown to differ from the control C4.5: C4.5+m+cf and C4.5+m. Not shown to differ from the control C4.5: C4.5+cf.",
    ),
    (Nemenyi.from_steps(n=100, k=3, mean_ranks=[1, 3, 2]), "Critical difference 0.33. Any two are shown to differ."),
    (
        Nemenyi.from_steps(n=60, k=4, mean_ranks=[1, 3, 2.9, 3.1]),
        "Groups of which no two are shown to differ: C, B and D. Shown to differ from all others: A.",
    ),
    (
        Nemenyi.from_steps(n=60, k=6, mean_ranks=[1, 4, 4.1, 4.2, 4.3, 4.4]),
        "differ: the 5 from B to F. Shown to differ from all others: A.",
    ),
    (TukeyHSD([[1, 2, 4], [2, 4, 4], [3, 3, 4]]), "Means from the best to the worst: C 4, B 3, A 2. Critical difference 2.058. No two are"),
    ids=["Demsar, 0.05", "Demsar, 0.10", "control", "ladder with control", "all differ", "one stands alone", "many members", "means"],
)
def test_the_picture_says_what_it_shows(test: Any, text: str) -> None:
    """Demsar (2006), section 3.2.2, has the groups of his example in words and in Figure 1."""
    assert text in plot.critical_difference(test).text


def words_of(picture: Picture) -> list[str]:
    """Every word that the description of a diagram asks for."""
    return sorted(
        [picture.title, *(mark.words for mark in picture.marks if isinstance(mark, Label)), *(mark.label for mark in picture.legend)]
    )


def diagrams() -> Iterator[tuple[str, Any]]:
    """Tests with few and many classifiers, long names, equal ranks, many groups, controls."""
    yield "Demsar", Nemenyi.from_steps(**DEMSAR)
    yield "Demsar, control", BonferroniDunn.from_steps(**DEMSAR, control="C4.5")
    yield "ladder with control", Holm.from_steps(**DEMSAR, control="C4.5+cf")
    yield "two", Nemenyi([[3, 1], [4, 2]])
    yield "equal", Nemenyi(np.ones((4, 5)))
    yield "equal, long", Nemenyi(np.ones((4, 20)), labels=LONG)
    yield "means", TukeyHSD(table(5, 20, 0.5))
    yield "groups of unequal size", TukeyHSD.from_groups([1, 2, 3], [2, 4], [5, 6, 9, 9])
    yield "all in order, long", Nemenyi(table(6, 9, 100), labels=LONG[:6])
    yield "20 in order, long", Shaffer(table(9, 15, 3), labels=LONG[:9])
    yield "control, long", BonferroniDunn(table(20, 40, 0.5), labels=LONG, control=LONG[8])
    yield "not intervals", Holm.from_test(Pairwise(table(6, 12, 0.6) * [1, 9, 1, 1, 9, 1], labels=LONG[:6]))
    for k in (3, 7, 10, 14, 20):
        for n, apart in ((5, 0.3), (60, 0.3), (400, 0.5)):
            yield f"{k} on {n}", Nemenyi(table(k, n, apart))
    for k in (2, 3, 5, 10, 20):
        yield f"{k}, long", Nemenyi(table(k, 30, 0.3), labels=LONG[:k])


DIAGRAMS = dict(diagrams())
each_diagram = pytest.mark.parametrize("test", DIAGRAMS.values(), ids=DIAGRAMS)


@pytest.mark.complete
@each_diagram
def test_the_diagram_is_drawn_both_ways(test: Any) -> None:
    """With the same words, which hold every name and every mean rank; without axes; as high as it asks to be."""
    picture = plot.critical_difference(test)
    svg = picture.svg()
    in_svg = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    made = picture.figure()
    (ax,) = made.axes
    legend = ax.get_legend()
    in_figure = [text.get_text() for text in (ax._left_title, *ax.texts, *(legend.get_texts() if legend else ()))]
    assert sorted(in_svg) == sorted(in_figure) == words_of(picture)
    assert not ax.axison
    assert f'viewBox="0 0 640 {round(330 * picture.height)}"' in svg
    assert made.get_size_inches().tolist() == pytest.approx([8, 4.2 * picture.height])
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Critical difference diagram (')
    run_together = "".join("".join(words.split()) for words in in_svg)
    for name, value in zip(
        summarize_post_hoc(test).names, summarize_post_hoc(test).values, strict=True
    ):  # long names are broken into lines
        bare, number = "".join(name.split()), summarize_post_hoc(test).format_value(value)
        assert any(together in run_together for together in (f"{bare}{number}", f"{bare}(control){number}", f"{number}{bare}"))
        assert f"{name} {number}" in picture.text


# -- marks -------------------------------------------------------------------------------------------------------------
class Drawn:
    """The marks of a diagram, sorted by what they are for, and its scale."""

    def __init__(self, test: Any) -> None:
        self.picture = plot.critical_difference(test)
        lines = [mark for mark in self.picture.marks if isinstance(mark, Line)]
        self.bars = [line for line in lines if line.color == "#0072b2" and line.width == 4]
        self.ends = [line for line in lines if line.color == "#0072b2" and line.width == 2]
        self.cd = [line for line in lines if line.color == "#d55e00" and line.width == 4]
        self.names = [line for line in lines if line.width == 1.6]
        (self.axis,) = (line for line in lines if line.color == "#000000" and line.width == 2 and line.y[0] == line.y[1])
        points = [mark for mark in self.picture.marks if isinstance(mark, Points)]
        self.dots = [place for mark in points if not mark.open for place in zip(mark.x.tolist(), mark.y.tolist())]
        self.squares = [place for mark in points if mark.open for place in zip(mark.x.tolist(), mark.y.tolist())]
        self.found = summarize_post_hoc(test)

    def at(self, value: float) -> float:
        """Where a value must lie: between the ends of the axis in proportion."""
        (left, right), (worst, best) = self.axis.x, self.found.axis_ends
        return float(np.interp(value, *zip(*sorted([(worst, left), (best, right)]))))


@each_diagram
def test_every_classifier_hangs_from_its_mean_rank(test: Any) -> None:
    drawn = Drawn(test)
    assert sorted(line.x[0] for line in drawn.names) == pytest.approx(sorted(map(drawn.at, drawn.found.values)))
    for line in drawn.names:  # straight down from the axis, then out to its side
        assert line.x[0] == line.x[1]
        assert line.y[1] == line.y[2] < line.y[0] == drawn.axis.y[0]
    left = [line for line in drawn.names if line.x[2] < line.x[0]]
    right = [line for line in drawn.names if line.x[2] > line.x[0]]
    assert len(right) - len(left) in (0, 1)
    for side, sign in ((left, 1), (right, -1)):  # the outermost uppermost: no line crosses another
        ordered = sorted(side, key=lambda line: -line.y[2])
        assert [sign * line.x[0] for line in ordered] == sorted(sign * line.x[0] for line in ordered)
    assert max(line.x[0] for line in drawn.names) == pytest.approx(drawn.at(drawn.found.values[0]))  # the best on the right
    assert "better →" in words_of(drawn.picture)


@pytest.mark.parametrize("name", [name for name in DIAGRAMS if "control" not in name])
def test_every_group_has_a_bar_with_a_dot_at_each_member(name: str) -> None:
    drawn = Drawn(DIAGRAMS[name])
    assert len(drawn.bars) == len(drawn.found.groups)
    for bar, group in zip(drawn.bars, drawn.found.groups, strict=True):
        places = [drawn.at(drawn.found.values[i]) for i in group]
        assert [x for x, y in drawn.dots if y == bar.y[0] and bar.x[0] <= x <= bar.x[1]] == pytest.approx(places)
        assert bar.x == pytest.approx((min(places), max(places)))  # a longer bar would seem to reach other classifiers
    assert len(drawn.dots) == sum(map(len, drawn.found.groups))
    for one, other in combinations(drawn.bars, 2):
        assert one.y != other.y or one.x[1] + 20 < other.x[0] or other.x[1] + 20 < one.x[0]
    highest = max((line.y[2] for line in drawn.names), default=0)
    assert all(bar.y[0] > highest for bar in drawn.bars)  # and the names begin below the bars


@each_diagram
def test_the_critical_difference_stands_above_the_axis(test: Any) -> None:
    """As long as it is on the axis; where it is longer than the axis, its end is open and its words say so."""
    drawn = Drawn(test)
    reach = getattr(test, "cd", getattr(test, "hsd", None))
    if reach is None or np.ndim(reach):
        assert not drawn.cd
        return
    (bar,) = drawn.cd
    assert bar.y[0] > drawn.axis.y[0]
    worst, best = drawn.found.axis_ends
    (words,) = (label for label in words_of(drawn.picture) if label.startswith(("CD = ", "HSD = ")))
    if reach > abs(best - worst):
        assert bar.x == drawn.axis.x
        assert words.endswith(", longer than the axis")
    else:
        assert bar.x == pytest.approx((drawn.axis.x[0], drawn.at(worst + np.sign(best - worst) * reach)))
        assert words in (f"CD = {reach:.2f}", f"HSD = {reach:.4g}")


def test_a_critical_difference_may_be_longer_than_the_axis() -> None:
    test = DIAGRAMS["two"]
    assert test.cd > 1
    assert "CD = 1.39, longer than the axis" in words_of(plot.critical_difference(test))


@pytest.mark.parametrize("name", ["Demsar, control", "control, long"])
def test_around_a_control_the_bar_reaches_as_far_as_the_critical_difference(name: str) -> None:
    """Demsar's Figure 1(b); beyond the axis it has no end.  What lies outside has a square, one level down."""
    test = DIAGRAMS[name]
    drawn = Drawn(test)
    found = drawn.found
    own = found.values[found.control]
    (bar,) = drawn.bars
    worst, best = found.axis_ends
    assert bar.x == pytest.approx((drawn.at(min(own + test.cd, worst)), drawn.at(max(own - test.cd, best))))
    assert len(drawn.ends) == [own + test.cd < worst, own - test.cd > best].count(True)
    inside = [value for value in found.values if abs(value - own) < test.cd]
    outside = [value for value in found.values if abs(value - own) >= test.cd]
    assert [x for x, y in drawn.dots if y == bar.y[0]] == pytest.approx([drawn.at(value) for value in inside])
    assert [x for x, y in drawn.squares if y < bar.y[0]] == pytest.approx([drawn.at(value) for value in outside])
    assert outside


def test_a_ladder_with_a_control_joins_it_with_those_that_do_not_differ() -> None:
    drawn = Drawn(Holm.from_steps(**DEMSAR, control="C4.5"))
    (bar,) = drawn.bars
    assert bar.x == pytest.approx((drawn.at(3.143), drawn.at(2.893)))
    assert [x for x, _ in drawn.dots] == pytest.approx([drawn.at(2.893), drawn.at(3.143)])
    assert [x for x, _ in drawn.squares] == pytest.approx([drawn.at(1.964), drawn.at(2.0)])
    assert [mark.label for mark in drawn.picture.legend] == ["not shown to differ from the control", "shown to differ"]
    assert "C4.5 (control)\u20023.14" in words_of(drawn.picture)


def test_means_lie_on_an_axis_of_their_own() -> None:
    drawn = Drawn(DIAGRAMS["means"])
    assert drawn.found.values == sorted(drawn.found.values, reverse=True)
    assert drawn.found.axis_ends[0] < min(drawn.found.values)
    assert max(drawn.found.values) < drawn.found.axis_ends[1]
    assert drawn.picture.title.startswith("Means (TukeyHSD, ")
    numbers = [float(words) for words in words_of(drawn.picture) if re.fullmatch(r"-?[\d.]+", words)]
    assert len(numbers) >= 3
    assert drawn.found.axis_ends[0] <= min(numbers) <= max(numbers) <= drawn.found.axis_ends[1]


@pytest.mark.parametrize(("k", "long"), [(4, False), (9, True), (10, True), (20, False), (20, True), (30, False), (120, False)])
def test_the_best_possible_rank_is_always_named(k: int, long: bool) -> None:
    labels = (LONG * 6)[:k] if long else None
    picture = plot.critical_difference(Nemenyi(table(k, 12, 0.3), labels=labels))
    ticks = {mark.words: mark.x for mark in picture.marks if isinstance(mark, Label) and mark.words.isdigit()}
    assert "1" in ticks
    assert len(ticks) >= 3
    ends = sorted((x - text_width(words) / 2, x + text_width(words) / 2) for words, x in ticks.items())
    assert all(end < start for (_, end), (start, _) in pairwise(ends))


# -- readable ----------------------------------------------------------------------------------------------------------
@pytest.mark.complete
@each_diagram
def test_no_words_cover_each_other_or_a_line(test: Any) -> None:
    """Measured as matplotlib draws them; nor do they leave the picture."""
    nothing_is_covered(plot.critical_difference(test))
    nothing_is_covered(plot.critical_difference(test, upright=True))
    left, right = Drawn(test).axis.x
    assert right - left > 190  # names must leave room for the axis


def nothing_is_covered(picture: Picture) -> None:
    made = picture.figure()
    made.draw_without_rendering()
    (ax,) = made.axes
    boxes = [text.get_window_extent() for text in (*ax.texts, ax._left_title, *(ax.get_legend().get_texts() if ax.get_legend() else ()))]
    wide, high = made.bbox.width, made.bbox.height
    for box in boxes:
        assert 0 <= box.x0 < box.x1 <= wide
        assert 0 <= box.y0 < box.y1 <= high
    for one, other in combinations(boxes, 2):
        beside = min(one.x1, other.x1) <= max(one.x0, other.x0)
        assert beside or min(one.y1, other.y1) <= max(one.y0, other.y0) + 3  # of ascenders and descenders
    for line in ax.lines:
        if line.get_marker() != "None":
            continue
        for (x1, y1), (x2, y2) in pairwise(ax.transData.transform(np.column_stack(line.get_data()))):
            for box in boxes:
                beside = max(x1, x2) <= box.x0 or min(x1, x2) >= box.x1
                assert beside or max(y1, y2) <= box.y0 + 3 or min(y1, y2) >= box.y1 - 3


@pytest.mark.complete
def test_the_width_of_words_is_not_underestimated() -> None:
    from matplotlib.textpath import TextPath

    for words in (*LONG, *NAMES, "better →", "CD = 1.25", "Müller", "3.14", "".join(map(chr, range(33, 127)))):
        path = TextPath((0, 0), words, size=15.7, prop=matplotlib.font_manager.FontProperties(family="DejaVu Sans"), usetex=False)
        assert path.get_extents().width <= text_width(words)


@parametrize(
    "words, most, lines",
    ("C4.5 3.14", 140, ["C4.5 3.14"]),
    ("GradientBoosting_depth10 4.50", 170, ["GradientBoosting", "_depth10 4.50"]),
    ("k-nearest neighbours 2.00", 160, ["k-nearest", "neighbours 2.00"]),
    ("AVERYLONGNAMEWITHOUTBREAK 1.00", 170, ["AVERYLONGNAME", "WITHOUTBREAK", "1.00"]),
    ("w" * 25, 140, ["w" * 10, "w" * 10, "w" * 5]),
)
def test_long_names_are_broken_where_their_parts_begin(words: str, most: float, lines: list[str]) -> None:
    assert break_name(words, most) == lines


@given(st.text(st.characters(codec="ascii", min_codepoint=33), min_size=1, max_size=60), st.sampled_from([60, 140, 230]))
def test_broken_names_lose_nothing(words: str, most: float) -> None:
    lines = break_name(words, most)
    assert "".join(lines) == words
    assert all(0 < text_width(line) <= most for line in lines)


def test_bars_differ_by_level_and_not_by_colour() -> None:
    spans = [(0.0, 4.0), (1.0, 5.0), (4.5, 8.0), (6.0, 9.0), (10.0, 12.0)]
    assert assign_levels(spans, 1.0) == [0, 1, 2, 0, 0]
    for test in DIAGRAMS.values():
        for one, other in combinations(plot.critical_difference(test).legend, 2):
            assert isinstance(one, Points)
            assert isinstance(other, Points)
            assert one.open != other.open


# -- refusals ----------------------------------------------------------------------------------------------------------
SCORES = table(4, 9, 1.0)


@parametrize(
    "test, error, message",
    (Friedman(SCORES), TypeError, r"needs a post-hoc test, such as fstats.Nemenyi\(scores\); got Friedman"),
    (SCORES, TypeError, "needs a post-hoc test, .* got ndarray"),
    (Holm.from_pvalues([0.01, 0.02, 0.03]), ValueError, r"got Holm without mean ranks. Write Holm\(scores\), or test.assuming"),
    (Shaffer.from_pvalues([0.01, 0.02, 0.03]), ValueError, "got Shaffer without mean ranks"),
    (
        Holm.from_pvalues([0.01, 0.02], labels=[("A", "B"), ("A", "C")]).assuming(labels=["A", "B", "C"], mean_ranks=[1, 2, 3]),
        ValueError,
        "needs a decision on all pairs of the classifiers A, B, C; got Holm with decisions only on A – B, A – C",
    ),
    (
        Nemenyi(np.stack([SCORES, SCORES], axis=2)),
        ValueError,
        r"a batch of shape \(2,\) has no single picture. Choose one repetition, such as fstats.plot.critical_difference\(test.at\(0\)\)",
    ),
    ids=["Friedman", "no test", "p-values alone", "p-values of pairs", "some pairs", "batch"],
)
def test_what_has_no_diagram(test: Any, error: type[Exception], message: str) -> None:
    assert_raises(lambda: plot.critical_difference(test), message, error)


def test_stated_mean_ranks_are_enough() -> None:
    test = Shaffer.from_pvalues([0.2, 0.01, 0.3]).assuming(labels=["A", "B", "C"], mean_ranks=[1, 2, 3])
    assert summarize_post_hoc(test).groups == [(0, 1), (1, 2)]
    batch = Nemenyi(np.stack([SCORES, SCORES], axis=2))
    assert plot.critical_difference(batch.at(1)).text == plot.critical_difference(Nemenyi(SCORES)).text


# -- several in one figure -----------------------------------------------------------------------------------------------------
METRICS = ["accuracy", "macro F1", "MCC", "AUC"]
SEVERAL = {
    "long names": {metric: Nemenyi(table(6, 12, 0.5, seed), labels=LONG[:6]) for seed, metric in enumerate(METRICS)},
    "controls": {metric: Holm(table(7, 12, 0.5, seed), control="B") for seed, metric in enumerate(METRICS)},
    "other classifiers": {"three": Nemenyi(table(3, 12, 0.5)), "ten": Nemenyi(table(10, 12, 0.5))},
    "ranks and means": {"ranks": Nemenyi(SCORES), "means": TukeyHSD(SCORES)},
    "not intervals": dict.fromkeys(["one", "two"], DIAGRAMS["not intervals"]),
}
each_figure = pytest.mark.parametrize("tests", SEVERAL.values(), ids=SEVERAL)


def axes_of(picture: Picture) -> list[tuple[float, ...]]:
    lines = [mark for mark in picture.marks if isinstance(mark, Line) and mark.color == "#000000" and mark.width == 2]
    return [line.x for line in lines if line.y[0] == line.y[1]]


@pytest.mark.complete
@each_figure
def test_several_diagrams_stand_one_below_the_other(tests: dict[str, Any]) -> None:
    picture = plot.critical_difference(tests)
    heads = [mark for mark in picture.marks if isinstance(mark, Label) and mark.words in tests and mark.x == 0]
    assert [mark.words for mark in heads] == [*tests]
    assert all(above.y > below.y for above, below in pairwise(heads))
    assert picture.text == " ".join(f"{head}: {plot.critical_difference(test).text}" for head, test in tests.items())
    assert len({mark.label for mark in picture.legend}) == len(picture.legend)  # what points are is told once
    nothing_is_covered(picture)
    assert len(axes_of(picture)) == len(tests)
    assert (len({*axes_of(picture)}) == 1) == (len({summarize_post_hoc(test).axis_ends for test in tests.values()}) == 1)


@each_figure
def test_every_one_of_them_says_what_it_says_alone(tests: dict[str, Any]) -> None:
    """Each classifier hangs where the common axis has its value; bars, dots and squares are as many as alone."""
    picture, alone = plot.critical_difference(tests), [plot.critical_difference(test) for test in tests.values()]
    hung = [mark.x[0] for mark in picture.marks if isinstance(mark, Line) and mark.width == 1.6]
    expected = []
    for (left, right), test in zip(axes_of(picture), tests.values(), strict=True):
        worst, best = summarize_post_hoc(test).axis_ends
        expected += [left + (value - worst) / (best - worst) * (right - left) for value in summarize_post_hoc(test).values]
    assert sorted(hung) == pytest.approx(sorted(expected))

    def counted(pictures: Sequence[Picture]) -> list[int]:
        marks = [mark for one in pictures for mark in one.marks]
        points = [mark for mark in marks if isinstance(mark, Points)]
        bars = sum(isinstance(mark, Line) and mark.width == 4 for mark in marks)
        return [bars, *(sum(len(mark.x) for mark in points if mark.open == kind) for kind in (True, False))]

    assert counted([picture]) == counted(alone)


def test_one_in_a_mapping_is_the_diagram_with_a_head() -> None:
    test = DIAGRAMS["Demsar"]
    head, *marks = plot.critical_difference({"accuracy": test}).marks
    alone = plot.critical_difference(test).marks
    assert isinstance(head, Label)
    assert head.words == "accuracy"
    down = {round(float(np.ravel(b.y)[0] - np.ravel(a.y)[0]), 9) for a, b in zip(marks, alone, strict=True)}  # type: ignore[union-attr]
    assert len(down) == 1


@pytest.mark.complete
def test_several_for_the_column_of_a_paper_and_on_own_axes(tmp_path: Any) -> None:
    tests = SEVERAL["long names"]
    picture = plot.critical_difference(tests, highlight=LONG[0], figsize=3.4)
    picture.save(tmp_path / "four.pdf")
    narrow = picture.redraw_for_width(300)  # type: ignore[misc]
    assert len({*axes_of(narrow)}) == 1
    assert narrow.xlim == (0, 300)
    for (head, test), ax in zip(tests.items(), Figure(figsize=(12, 8)).subplots(2, 2).flat, strict=True):
        plot.critical_difference(test, ax=ax, title=head)
        assert ax.get_title(loc="left") == head
        assert any(text.get_text() == "better →" for text in ax.texts)


@parametrize(
    "tests, settings, error, message",
    (
        [Nemenyi(SCORES)],
        {},
        TypeError,
        r"must have a heading; got .*. Pass a mapping of headings to tests, {'accuracy': test, ...}",
    ),
    ({}, {}, TypeError, "several diagrams must have a heading"),
    ({"accuracy": Friedman(SCORES)}, {}, TypeError, "needs a post-hoc test"),
    ({"accuracy": Nemenyi(SCORES)}, {"highlight": "Z"}, ValueError, "must name classifiers of the picture .*; got 'Z'"),
)
def test_what_is_no_figure_of_several(tests: Any, settings: dict[str, Any], error: type[Exception], message: str) -> None:
    assert_raises(lambda: plot.critical_difference(tests, **settings), message, error)


def test_a_name_is_not_cut_in_a_column_that_has_room_for_it() -> None:
    names, values = ["RandomForest", "Ours", "SVM (RBF)", "C4.5", "1-NN", "NaiveBayes"], [1.6, 2.2, 3.47, 4.13, 4.27, 5.33]
    layout = lay_out_labels(names, values, [f"{value:.2f}" for value in values], [], {}, (6.0, 1.0), 460)
    assert [len(label.lines) for label in (*layout.left, *layout.right)] == [1] * 6
