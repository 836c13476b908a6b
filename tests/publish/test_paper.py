"""What goes into a paper: frames of comparisons, figures in the size of a column, the paragraph."""

import re
import xml.etree.ElementTree as ET
from functools import partial
from inspect import isfunction
from itertools import combinations, pairwise

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from shortcuts import assert_each_raises, assert_raises
from sklearn.model_selection import RepeatedKFold

import fstats
from fstats.core.hypothesis import HypothesisTest
from fstats.guide.effect_size import MAGNITUDES, cohen_magnitude
from fstats.guide.report_parts import _plain_symbol
from fstats.plot.charts.level_power_frontier import LevelAndPower, level_power_frontier
from fstats.plot.drawing import matplotlib_figure, publication_figure
from fstats.plot.drawing.picture_marks import Cells
from fstats.render import markdown_escape
from fstats.simulate import Epsilon, power_curve, type_one_error
from fstats.studies import seeds

RNG = np.random.default_rng(1)
TWENTY = [
    *("svm_rbf", "svm_linear", "knn_1", "knn_5", "knn_15", "tree_cart", "forest_100", "forest_500", "gbm", "xgboost", "lightgbm"),
    *("catboost", "logistic_l1", "logistic_l2", "naive_bayes", "lda", "qda", "mlp_small", "mlp_large", "adaboost"),
]
SCORES = RNG.normal(0.8, 0.04, (30, 20)) + np.linspace(0, 0.12, 20)
LABELS = ["svm_rbf", "tree", "bayes", "forest"]
FOUR = RNG.normal(0.8, 0.05, (12, 4)) + np.array([0.1, 0.0, 0.03, 0.1])
POSTHOC = [
    fstats.Nemenyi(FOUR, labels=LABELS),
    fstats.BonferroniDunn(FOUR, labels=LABELS, control="tree"),
    fstats.TukeyHSD(FOUR, labels=LABELS),
    *(
        ladder(FOUR, labels=LABELS)
        for ladder in (fstats.Holm, fstats.Hochberg, fstats.Hommel, fstats.Finner, fstats.Li, fstats.Shaffer, fstats.BergmannHommel)
    ),
    fstats.Holm.from_test(fstats.Pairwise(FOUR, labels=LABELS)),
    fstats.Pairwise(FOUR, labels=LABELS),
]


# -- frames ------------------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@pytest.mark.parametrize("test", POSTHOC, ids=lambda test: type(test).__name__)
def test_every_post_hoc_test_as_a_frame(test):
    pairs = test.to_frame()
    assert list(zip(pairs["first"], pairs["second"])) == [tuple(pair) for pair in test.pairs]
    for name in set(pairs) - {"first", "second"}:
        assert np.array_equal(pairs[name], getattr(test, name))
    matrix = test.to_frame("matrix")
    p = pairs["adjusted"] if "adjusted" in pairs else pairs["pvalues"]
    assert list(matrix.index) == list(matrix.columns) == LABELS
    for (first, second), value in zip(test.pairs, p):
        assert matrix.loc[first, second] == matrix.loc[second, first] == value
    assert int(matrix.isna().sum().sum()) == 16 - 4 - 2 * len(test.pairs)
    assert (np.diag(matrix) == 1).all()
    if "differences" in pairs:
        signed = test.to_frame("matrix", "differences").fillna(0).to_numpy()
        assert np.array_equal(signed, -signed.T)
    if "ci_low" in pairs:
        low, high = (test.to_frame("matrix", end) for end in ("ci_low", "ci_high"))
        for first, second in test.pairs:
            assert low.loc[second, first] == -high.loc[first, second]


def test_hypotheses_without_pairs_and_what_is_refused():
    assert fstats.Holm.from_pvalues([0.01, 0.04], ["a", "b"]).to_frame()["hypothesis"].tolist() == ["a", "b"]
    assert_raises(lambda: POSTHOC[0].to_frame("wide"), "`form` must be 'pairs' or 'matrix'; got 'wide'")
    with pytest.raises(ValueError, match="`what` must be one of differences, z, pvalues, reject, ci_low, ci_high; got 'p'"):
        POSTHOC[0].to_frame("matrix", "p")
    assert_raises(lambda: fstats.Nemenyi(np.stack([FOUR, FOUR], -1)).to_frame(), r"a batch of shape \(2,\) has no single frame")


# -- figures -----------------------------------------------------------------------------------------------------------------
def boxes(made: Figure):
    made.draw_without_rendering()
    (ax,) = made.axes
    legends = [legend for legend in (ax.get_legend(), *made.legends) if legend]
    texts = [text for text in (*ax.texts, ax._left_title, *(text for legend in legends for text in legend.get_texts())) if text.get_text()]
    return texts, [text.get_window_extent() for text in texts]


PICTURES = {
    "twenty": lambda: fstats.Nemenyi(SCORES, labels=TWENTY).plot(title=None, highlight="gbm"),
    "control": lambda: fstats.Holm(SCORES[:, :6], labels=TWENTY[:6], control="knn_1").plot(),
    "means": lambda: fstats.TukeyHSD(SCORES[:, :8], labels=TWENTY[:8]).plot(),
    "non_members_between": lambda: fstats.Holm.from_test(fstats.Pairwise(SCORES[:, :9], labels=TWENTY[:9])).plot(),
    "matrix": lambda: fstats.plot.comparison_matrix(fstats.Shaffer(SCORES[:, :6], labels=TWENTY[:6])),
    "large matrix": lambda: fstats.plot.comparison_matrix(fstats.Nemenyi(SCORES[:, :12], labels=TWENTY[:12])),
}


def assert_on_the_page(made, texts, found):
    for text, box in zip(texts, found):
        assert -1 <= box.x0 < box.x1 <= made.bbox.width + 1, text
        assert -1 <= box.y0 < box.y1 <= made.bbox.height + 1, text


def assert_apart(found, texts=()):
    """No box covers another."""
    for (i, one), (j, other) in combinations(enumerate(found), 2):
        beside = min(one.x1, other.x1) <= max(one.x0, other.x0)
        assert beside or min(one.y1, other.y1) <= max(one.y0, other.y0) + 2, (i, j, texts)


@pytest.mark.complete
@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("width", [3.4, 7.0])
def test_in_a_column_no_words_cover_each_other_or_leave_the_page(name, width):
    made = PICTURES[name]().figure(width)
    texts, found = boxes(made)
    assert (made.get_figwidth(), {text.get_fontsize() for text in texts}) == (width, {8.0})
    assert_on_the_page(made, texts, found)
    assert_apart(found, texts)


def test_twenty_methods_stand_in_one_line_each():
    made = PICTURES["twenty"]().figure(3.4)
    words = [text.get_text() for text in made.axes[0].texts]
    assert all(any(name in word for word in words) for name in TWENTY)
    assert made.get_figheight() < 4.5


@pytest.mark.complete
def test_a_height_that_is_asked_for_is_kept_in_smaller_text():
    made = PICTURES["twenty"]().figure((3.4, 2.6))
    assert tuple(made.get_size_inches()) == (3.4, 2.6)
    texts, found = boxes(made)
    assert 4 <= texts[0].get_fontsize() < 8
    assert min(box.y0 for box in found) > -2
    assert_each_raises(PICTURES["control"]().figure, (0, "wide", (3, 2, 1), True), "`figsize` must be a width in inches, or")


@pytest.mark.complete
@pytest.mark.parametrize("ending", ["pdf", "svg", "png"])
def test_files_for_papers(tmp_path, ending):
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    picture = POSTHOC[0].plot(title=None)
    picture.save(first)
    picture.save(second)
    found = first.read_bytes()
    assert found == second.read_bytes()  # no date in it
    if ending == "pdf":
        assert float(re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", found)[1]) == pytest.approx(3.4 * 72)
        assert b"/Type3" not in found
        assert b"Critical difference diagram" in found
    if ending == "svg":
        assert float(ET.fromstring(found).get("width").removesuffix("pt")) == pytest.approx(3.4 * 72)
        assert "Critical difference diagram" in found.decode()
    assert_raises(lambda: picture.save(tmp_path / "a"), "`path` must end with a format")


def test_titles_highlights_and_colours():
    test = POSTHOC[0]
    assert (test.plot().title, test.plot(title=None).title) == ("Mean ranks (Nemenyi, alpha = 0.05)", "")
    assert (test.plot(title="Ours").title, fstats.PairedT([1, 2, 4], [1, 1, 1]).plot(title=None).title) == ("Ours", "")
    marks = test.plot(highlight=["tree"], colors={"highlight": "#112233", "bars": "#445566"}).marks
    (label,) = (mark for mark in marks if "tree" in getattr(mark, "words", ""))
    assert label.bold
    assert label.color == "#112233"
    assert any(getattr(mark, "color", "") == "#445566" for mark in marks)
    assert_raises(lambda: test.plot(highlight="oak"), r"`highlight` must name classifiers of the picture .*; got 'oak'")
    assert_raises(
        lambda: test.plot(colors={"bar": "#000000"}),
        r"the keys of `colors` must be names from the list 'bars', 'differing', 'cd', 'highlight'; got 'bar'",
    )
    assert_raises(lambda: test.plot(colors={"cd": "red"}), r"`colors\['cd'\]` must be written '#rrggbb', such as '#0072b2'; got 'red'")


def test_what_the_caller_has_set_is_respected():
    with matplotlib.rc_context({"font.size": 11, "font.family": "serif", "axes.linewidth": 2}):
        made = POSTHOC[0].plot().figure(5)
        assert ({text.get_fontsize() for text in made.axes[0].texts}, made.axes[0].texts[0].get_fontfamily()) == ({11.0}, ["serif"])
        assert "axes.linewidth" not in publication_figure.default_style_only(publication_figure.STYLE)
        assert fstats.PairedT([1, 2, 4], [1, 1, 1]).plot().figure().axes[0].title.get_fontfamily() == ["serif"]
    assert {text.get_fontsize() for text in POSTHOC[0].plot().figure().axes[0].texts} == {14.0}


@pytest.mark.complete
def test_on_axes_a_diagram_is_laid_out_for_their_size():
    made = Figure(figsize=(9, 3.2))
    left, right = made.subplots(1, 2)
    POSTHOC[0].plot(ax=left)
    fstats.Nemenyi(SCORES, labels=TWENTY).plot(ax=right)
    made.draw_without_rendering()
    for ax in (left, right):
        frame = ax.get_window_extent()
        found = sorted((text.get_window_extent() for text in ax.texts), key=lambda box: box.y0)
        for box in found:
            assert frame.x0 - 2 <= box.x0 < box.x1 <= frame.x1 + 2
        assert_apart(found)


@pytest.mark.complete
def test_other_pictures_fit_a_column():
    for picture in (fstats.PairedT(SCORES[:, 0], SCORES[:, 1]).plot(), fstats.Friedman(FOUR).plot()):
        made = picture.figure(3.4)
        _, found = boxes(made)
        assert made.get_figwidth() == 3.4
        assert_apart(found)


T = fstats.PairedT(SCORES[:, 0], SCORES[:, 1])
BAYES = fstats.BayesianCorrelatedT([1, 2, 3], rho=0.4, rope=1)
Y = np.arange(40) % 2
RATES = partial(power_curve, [fstats.FiveByTwoT, fstats.CombinedFiveByTwoF], lambda by: Epsilon(100, 0.1, advantage=by), progress=False)
LEVELS = partial(type_one_error, [fstats.FiveByTwoT, fstats.CombinedFiveByTwoF], Epsilon(100, 0.1), 20, progress=False)
METHODS, GRID = {"svm_rbf": RNG.normal(0.8, 0.1, (5, 4)), "tree": RNG.normal(0.7, 0.1, (5, 4))}, np.linspace(0.4, 1.1, 30)
DRAWN = {  # every function of fstats.plot, and what it draws
    "null": partial(fstats.plot.null, T),
    "critical_difference": partial(fstats.plot.critical_difference, POSTHOC[0]),
    "comparison_matrix": partial(fstats.plot.comparison_matrix, POSTHOC[0]),
    "profiles": partial(fstats.plot.profiles, fstats.Friedman(FOUR, labels=LABELS)),
    "scores": partial(fstats.plot.scores, T),
    "normal_quantiles": partial(fstats.plot.normal_quantiles, fstats.Normality(T.d)),
    "symmetry": partial(fstats.plot.symmetry, fstats.Symmetry(T.d)),
    "outliers": partial(fstats.plot.outliers, fstats.Outliers(T.d)),
    "roc": partial(fstats.plot.roc, fstats.DeLong(Y, *(RNG.normal(size=(2, 40)) + Y))),
    "plan_overlap": partial(fstats.plot.plan_overlap, fstats.BlockedFiveByTwoMcNemar, 200),
    "posterior": partial(fstats.plot.posterior, BAYES),
    "density": partial(fstats.plot.density, BAYES),
    "triangle": partial(fstats.plot.triangle, fstats.BayesianSignTest(SCORES[:, 0], SCORES[:, 1], rope=0.01)),
    "by_rope": partial(fstats.plot.by_rope, BAYES, [0, 1, 2]),
    "shrinkage": partial(fstats.plot.shrinkage, fstats.BayesianHierarchical([[1, 2, 4], [3, 3, 5]], rho=0.2, rope=1, nodes=3)),
    "pair_intervals": partial(fstats.plot.pair_intervals, fstats.BayesianMultilevel(FOUR, rope=0.01, labels=LABELS)),
    "levels": lambda **size: fstats.plot.levels(LEVELS(), **size),
    "rates": lambda **size: fstats.plot.rates(LEVELS(), **size),
    "coverage": partial(fstats.plot.coverage, fstats.BinomialProportion(19, 20)),
    "power_curves": lambda **size: fstats.plot.power_curves(RATES([0, 0.1], 20), **size),
    "ten_folds": partial(fstats.plot.ten_folds, fstats.BlockedFiveByTwoT([[[[5, 2], [8, 35]], [[5, 8], [2, 35]]]] * 5)),
    "performance": lambda **size: fstats.plot.performance(
        {name: fstats.PerformanceProfile(x, GRID) for name, x in METHODS.items()}, **size
    ),
    "intervals": lambda **size: fstats.plot.intervals(
        {name: fstats.InterquartileMean(x, draws=500) for name, x in METHODS.items()}, **size
    ),
    "specification": partial(fstats.plot.specification, fstats.multiverse([85, 70, 79, 78, 83, 88], [82, 68, 75, 75, 83, 84])),
    "pvalues": lambda **size: fstats.plot.pvalues(seeds.stored(), **size),
}
SHOWN = {
    "PairedT": T,
    "Friedman": fstats.Friedman(FOUR, labels=LABELS),
    **{type(test).__name__: test for test in POSTHOC if hasattr(test, "plot")},
    "Normality": fstats.Normality(T.d),
    "Symmetry": fstats.Symmetry(T.d),
    "Outliers": fstats.Outliers(T.d),
    "BayesianCorrelatedT": BAYES,
    "BayesianSignTest": fstats.BayesianSignTest(SCORES[:, 0], SCORES[:, 1], rope=0.01),
    "which_test": fstats.which_test(aim="difference", classifiers="two", data_sets="one", results="scores", size="large"),
}


def test_every_picture_is_among_these():
    assert set(DRAWN) == {name for name, made in vars(fstats.plot).items() if isfunction(made)}


WIDER = RNG.normal(0.8, 0.05, (9, 40))
LEVELS_AND_POWER = [LevelAndPower("bold", 0.4, 0.8), LevelAndPower("careful", 0.05, 0.7), LevelAndPower("neither", 0.3, 0.5)]
TWO = {"f1": POSTHOC[0], "auc": POSTHOC[1]}
MANY_MEANS = RNG.normal(0.1, 0.05, (42, 3))
OTHERS = {  # what the same functions draw only of other tests, plans and options
    "null with bars": fstats.SignedRank(T.a[:9], T.b[:9]).plot,
    "null of one tail": fstats.SignedRank(T.a[:9], T.b[:9], alternative="less").plot,
    "null of counts": fstats.McNemarExact(2, 8).plot,
    "null in steps": fstats.Friedman(FOUR[:7], method="exact").plot,
    "frontier": partial(level_power_frontier, LEVELS_AND_POWER),
    "overlap of many": partial(fstats.plot.plan_overlap, RepeatedKFold(n_splits=5, n_repeats=6, random_state=1), 60),
    "shrinkage around 0": partial(fstats.plot.shrinkage, fstats.BayesianHierarchical([[7, 8, 9], [5, 6, 9]], rho=0.2, rope=1, nodes=3)),
    "shrinkage of many": partial(fstats.plot.shrinkage, fstats.BayesianHierarchical(MANY_MEANS, rho=0.2, rope=0.1, nodes=3)),
    "one method": lambda **size: fstats.plot.performance({"tree": fstats.PerformanceProfile(METHODS["tree"], GRID[15:])}, **size),
    "three methods": lambda **size: fstats.plot.performance(
        {f"{k}": fstats.PerformanceProfile(x, GRID) for k, x in enumerate((*METHODS.values(), WIDER[:5, :4]))}, **size
    ),
    "two diagrams": partial(fstats.plot.critical_difference, TWO, highlight="tree", title="Two metrics, " * 5),
    "diagram of twenty": fstats.Nemenyi(SCORES, labels=TWENTY).plot,
    "ladder of twenty": fstats.Holm(SCORES, labels=TWENTY).plot,
    "matrix of eight": partial(fstats.plot.comparison_matrix, fstats.Nemenyi(SCORES[:, :8], labels=TWENTY[:8])),
    "specification without end": partial(fstats.plot.specification, fstats.multiverse([0.9, 0.8, 0.7], [0.8, 0.6, 0.5])),
}
EVERY = DRAWN | {name: test.plot for name, test in SHOWN.items()} | OTHERS


def of_axes(ax):
    """Limits, lines and words of what Matplotlib has drawn."""
    lines = [(line.get_linewidth(), line.get_markersize(), line.get_zorder(), line.get_xydata().tolist()) for line in ax.lines]
    patches = [(patch.get_linewidth(), patch.get_path().vertices.tolist()) for patch in ax.patches]
    words = [(text.get_fontsize(), text.get_zorder(), text.get_position()) for text in ax.texts]
    ticks = [(tick.tick1line.get_markersize(), tick.label1.get_fontsize()) for tick in ax.xaxis.get_major_ticks()]
    areas = [(area.get_linewidth(), path.vertices[:9].tolist()) for area in ax.collections for path in area.get_paths()[:1]]
    return [ax.get_title(loc="left"), ax.get_xlim(), ax.get_ylim(), areas, lines, patches, words, ticks]


def of_figure(made):
    return [made.get_size_inches().tolist(), *map(of_axes, made.axes)]


@pytest.mark.every_case
@pytest.mark.parametrize("name", EVERY)
def test_pictures_stay_what_they_are(name, changed):
    picture = EVERY[name]()
    assert changed({"page": picture.svg(), "paper": of_figure(picture.figure(3.4))}, close=0.05) == []


@pytest.mark.parametrize("name", EVERY)
def test_two_pictures_on_a_screen_stay_what_they_are(name, changed):
    picture = EVERY[name]()
    assert changed({"screen": of_figure(matplotlib_figure.matplotlib_figure(picture, picture))}, close=0.05) == []


@pytest.mark.parametrize(
    "draw", [pytest.param(draw, id=name, marks=[pytest.mark.slow] * bool(k % 3)) for k, (name, draw) in enumerate(EVERY.items())]
)
def test_every_picture_takes_a_size_a_title_and_axes(draw):
    sized = draw(figsize=(3.4, 2.9), title="Ours")
    assert (sized.figsize, sized.title) == ((3.4, 2.9), "Ours")
    assert (tuple(sized.figure().get_size_inches()), draw(figsize=np.float64(3.4), title=None).title) == ((3.4, 2.9), "")
    words = "`figsize` must be a width in inches, or"
    assert_each_raises(lambda wrong: draw(figsize=wrong), (0, -1, "wide", (3, 2, 1), (3, "high"), True, [], np.nan), words)
    ax = Figure(figsize=(5, 4)).subplots()
    draw(ax=ax, title="There")
    assert ax.get_title(loc="left") == "There"
    assert_raises(lambda: draw(ax=ax, figsize=3), r"`ax` and `figsize` cannot be combined, because axes have a size; got figsize=3")
    assert_raises(lambda: draw(title=5), "`title` must be a string, or None for no title; got 5", TypeError)


@pytest.mark.complete
@pytest.mark.parametrize("name", DRAWN)
def test_no_words_of_any_picture_leave_a_column(name):
    made = DRAWN[name](figsize=3.4).figure()
    texts, found = boxes(made)
    assert_on_the_page(made, texts, found)


def test_sizes_and_names_of_pictures(tmp_path):
    picture = POSTHOC[0].plot(figsize=2.5)
    assert int.from_bytes(picture._repr_mimebundle_()[0]["image/png"][16:20], "big") == 2.5 * publication_figure.ON_SCREEN
    for figsize, wide in ((None, 2.5), (5, 5)):
        picture.save(tmp_path / "a.svg", figsize)
        assert float(ET.parse(tmp_path / "a.svg").getroot().get("width").removesuffix("pt")) == pytest.approx(72 * wide)
    assert POSTHOC[0].plot().png() != picture.png()
    assert_raises(lambda: picture.save(tmp_path / "a.svg", 0), "`figsize` must be a width in inches, or")
    words = [mark.words for mark in fstats.plot.profiles(fstats.Friedman(SCORES, labels=TWENTY)).marks if hasattr(mark, "words")]
    assert (words, [mark.words for mark in DRAWN["profiles"]().marks if hasattr(mark, "words")]) == ([], LABELS)


def test_the_matrix_shows_each_decision_once_from_either_side():
    test = POSTHOC[0]
    picture = fstats.plot.comparison_matrix(test)
    shaded = [len(mark.x) for mark in picture.marks if isinstance(mark, Cells) and mark.shade[0] > 0.1]
    assert shaded == [int(test.reject.sum())] * (2 if test.reject.any() else 0)
    for mark in picture.marks:
        if isinstance(mark, Cells) and mark.shade[0] < 0.1:
            assert len(mark.x) == 2 * int((~test.reject).sum())
    assert sum(getattr(mark, "words", "") == "▲" for mark in picture.marks) == int(test.reject.sum())
    picture.draw(ax := Figure(figsize=(7, 5)).subplots())
    assert len(ax.texts) > len(test.labels)


# -- the paragraph -----------------------------------------------------------------------------------------------------------
def test_the_paragraph_tells_each_thing_once():
    friedman, nemenyi = fstats.Friedman(FOUR, labels=LABELS), fstats.Nemenyi(FOUR, labels=LABELS)
    said = fstats.report(friedman, nemenyi)
    numbers = f"CD = {nemenyi.cd:.4g}", f"Kendall's W = {friedman.effect_size:.3g}"
    for once in ("N = 12 data sets", "k = 4 classifiers", "had the best mean rank ", *numbers):
        assert said.text.count(once) == 1, once
    before, after = said.text.split(" Post hoc, ")
    assert (len(re.findall(r"\bp [=<] ", before)), len(re.findall(r"\bp [=<] ", after))) == (1, 6)
    for j, name in enumerate(LABELS):
        assert re.search(rf"{name}( had the best mean rank)? \({friedman.mean_ranks[j]:.3f}\)", before)
    assert before == fstats.report(friedman).text
    assert "Nemenyi test (Demsar, 2006)" in after


def test_of_many_comparisons_those_that_reject_are_told():
    test = fstats.Nemenyi(SCORES[:, :9], labels=TWENTY[:9])
    said = fstats.report(test).text
    assert "in 36 comparisons with the Nemenyi test" in said
    assert f"for {int(test.reject.sum())} of 36 comparisons" in said
    many = fstats.Nemenyi(SCORES, labels=TWENTY)
    told = fstats.report(many).text
    assert f"{int(many.reject.sum())} of 190" in told
    assert len(told) < 1500
    alike = fstats.report(fstats.Nemenyi(np.random.default_rng(0).random((10, 6)))).text
    assert re.search(r"in 15 comparisons with .* We fail to reject H0 for every pair", alike)


def test_markdown_is_only_markdown_and_latex_only_latex():
    said = fstats.report(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83], labels=["svm_rbf", "C*RT"]))
    assert said._repr_markdown_() == said.markdown
    assert not hasattr(said, "_repr_latex_")
    assert r"95 % confidence interval \[-5.042, 3.842\]" in said.markdown
    assert r"svm\_rbf against C\*RT" in said.markdown
    assert "\\," not in said.markdown
    assert "\\%" not in said.markdown
    assert r"$\alpha = 0.05$" in said.latex
    assert "svm_rbf" not in said.latex


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["svm_rbf", "a*b*c", "`x`", "[x](y)", "<b>", "#1", "1. x", "- x", "$5, $6", "~~x~~", "a|b", "C&RT", "\\"])
def test_markdown_prints_what_was_written(name):
    from html.parser import HTMLParser

    import mistune

    found: list[str] = []
    parser = HTMLParser()
    parser.handle_data = found.append  # type: ignore[method-assign]
    html = mistune.create_markdown(escape=False, plugins=["strikethrough", "table", "math"])(markdown_escape.escape_markdown(name))
    parser.feed(html)
    assert re.fullmatch(r"<p>[^<]*</p>\n?", html)
    assert "".join(found).strip() == name


def test_no_formula_stands_in_the_text_and_ranks_are_called_what_they_are():
    auc = fstats.report(fstats.DeLong([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.1], [0.9, 0.6, 0.7, 0.1]))
    assert "effect size Δr = 0.5" in auc.text
    assert r"effect size $\Delta r = 0.5$" in auc.latex
    aligned = fstats.report(fstats.FriedmanAligned([[9, 6, 3], [5, 4, 3]]), fstats.Friedman([[9, 6, 3], [5, 4, 3]])).text
    assert "A had the best mean aligned rank (1.5), followed by B (3.5) and C (5.5)." in aligned
    assert "A had the best mean rank (1), followed by B (2) and C (3)." in aligned
    every = [cls for cls in map(partial(getattr, fstats), dir(fstats)) if isinstance(cls, type) and issubclass(cls, HypothesisTest)]
    symbols = [cls.steps[name].symbol for cls in every for name in ("statistic", "effect_size") if name in cls.steps]
    assert len(symbols) > 50
    assert not [symbol for symbol in symbols if re.search(r"[\\{}^]", _plain_symbol(symbol))]


def test_intervals_and_magnitudes_of_effects():
    # Cohen's words are for independent observations: a deviation over overlapping splits is none.
    d = [0.03, 0.01, 0.02, 0.04, 0.01, 0.03, 0.02, 0.01, 0.02, 0.03]
    assert not re.search(r"\((negligible|small|medium|large)\)", fstats.report(fstats.KFoldT(d)).text)
    assert fstats.report(fstats.PairedT(d, np.zeros(10))).text.count(" (large)") == 1
    for test in (fstats.SignedRank([1, 2, 3], [2, 3, 5]), fstats.McNemarExact(0, 0), fstats.PairedT([1, 2, 3], [1, 2, 3])):
        said = fstats.report(test)
        for words in (said.text, said.latex, said.markdown):
            assert not re.search(r"-(inf|\\infty), ?(\\ )?(inf|\\infty)", words)
            assert ("no finite 95" in words) == (type(test) is fstats.SignedRank)


def test_magnitudes_are_those_of_cohen():
    for symbol, levels in MAGNITUDES.items():
        for sign in (1, -1):
            told = [cohen_magnitude(symbol, sign * size) for size in (0, *levels)]
            assert told == [" (negligible)", " (small)", " (medium)", " (large)"]
        for level, word in zip(levels, ("negligible", "small", "medium")):
            assert cohen_magnitude(symbol, level - 1e-9) == f" ({word})"
    assert all(low < high for levels in MAGNITUDES.values() for low, high in pairwise(levels))
    assert cohen_magnitude("d_z", np.inf) == ""


@pytest.mark.parametrize("name", [name for name in fstats.__all__ if hasattr(getattr(fstats, name), "steps")])
def test_no_symbol_of_a_report_in_text_is_latex(name):
    steps = getattr(fstats, name).steps
    assert [
        spoken for step in ("statistic", "effect_size") if step in steps and "\\" in (spoken := _plain_symbol(steps[step].symbol))
    ] == []
