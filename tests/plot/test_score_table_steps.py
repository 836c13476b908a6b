"""Pictures of walks of analyses of variance, of replications of two-fold cross-validation, and of Bayesian comparisons."""

import re

import numpy as np
import pytest
from cases import every, make
from plot.drawn_boxes import svg_marks, violations

import fstats
from fstats.core.mathematics_in_names import plain_powers
from fstats.core.number_format import format_plain
from fstats.explore.walkthrough.walk import SIZES, Walk
from fstats.plot.drawing.picture_marks import Area, Label, Line, Points
from fstats.plot.walkthrough.step_pictures import step_pictures

FAMILIES = (
    *("OneWayAnova", "RepeatedAnova", "TukeyHSD", "FiveByTwoT", "CombinedFiveByTwoT", "CombinedFiveByTwoF", "CalibratedFiveByTwoF"),
    *(
        "BlockedThreeByTwoT",
        "BlockedFiveByTwoT",
        "BlockedFiveByTwoMcNemar",
        "BayesianCorrelatedT",
        "BayesianSignTest",
        "BayesianSignedRank",
    ),
)
ALWAYS = np.array([[[[50.0, 0.0], [0.0, 350.0]]] * 2] * 5)
STATED = {
    "all scores equal": fstats.RepeatedAnova([[5, 5, 5]] * 3),
    "infinite F": fstats.OneWayAnova([[1, 2, 3]] * 4),
    "groups": fstats.OneWayAnova.from_groups([1, 2, 3], [2, 4], [8, 9, 7]),
    "many scores": fstats.RepeatedAnova(np.random.default_rng(5).normal(size=(300, 10))),
    "no differences": fstats.FiveByTwoT(np.zeros((5, 2))),
    "equal differences": fstats.CombinedFiveByTwoF(np.full((5, 2), 0.3)),
    "same records": fstats.BlockedFiveByTwoT(ALWAYS),
    "no discordant record": fstats.BlockedFiveByTwoMcNemar(ALWAYS),
    "one split": fstats.BayesianCorrelatedT([2], rho=0.1, rope=1),
    "no spread": fstats.BayesianCorrelatedT([2, 2], rho=0, rope=1),
    "infinite rope": fstats.BayesianSignTest([1, 2], [0, 0], rope=float("inf")),
    "one data set": fstats.BayesianSignTest([1], [0], rope=2, prior=0),
}
TESTS = STATED | {
    f"{name} {side} {k}": make(name, side).at(k) for name, side in every if name.split(",")[0].split()[0] in FAMILIES for k in (0, 3)
}


@pytest.mark.parametrize("name", TESTS)
def test_a_picture_shows_numbers_of_steps_and_no_word_on_a_line(name):
    test = TESTS[name]
    values = [value for row in test.worked() for value in np.ravel(np.array(getattr(test, row.name, np.nan), dtype=object)).tolist()]
    written = {plain_powers(format_plain(value, digits)) for value in values if isinstance(value, int | float) for digits in (2, 3, 4)}
    order = Walk(test).frame_numbers(test)
    for part in step_pictures(test):
        if re.search("when H0 is true|^Means|^$", part.picture.title):
            continue  # charts, some without a title, with tests of their own
        assert "nan" not in part.svg(order)
        texts = [mark.words for mark in part.picture.marks if isinstance(mark, Label)]
        texts += [
            getattr(mark, "label", "") for mark in part.picture.marks if not re.search(r"better|equivalent|r =", getattr(mark, "label", ""))
        ]
        number = r"(?<![\w.])-?(?:inf\b|\d[\d.]*(?:×10[⁻⁰¹²³⁴-⁹]+)?)"
        numbers = {found for text in texts for found in re.findall(number, text)} - {"0", "1", "2"}
        assert numbers <= written, part.picture.title
        for size in SIZES.values():
            assert violations(*svg_marks(part.picture.svg(size))) == [], part.picture.title


def test_bars_add_up_to_the_total_and_the_error_is_laid_along_the_classifiers():
    test = fstats.RepeatedAnova([[1, 2, 5], [2, 4, 4], [3, 3, 7]])
    pictures = {part.picture.title: part for part in step_pictures(test)}
    total = [part.mark for part in pictures["The sums of squares"].parts if part.since == "ss_total" and isinstance(part.mark, Area)]
    assert [bar.x[1] - bar.x[0] for bar in total] == pytest.approx([test.ss_classifiers, test.ss_datasets, test.ss_error])
    assert total[-1].x[1] == pytest.approx(test.ss_total)
    ticks = [part.mark for part in pictures["The mean squares"].parts if isinstance(part.mark, Line)]
    assert len(ticks) == int(test.statistic) > 0
    assert ticks[-1].x[0] == pytest.approx(int(test.statistic) * test.ms_error)


def test_groups_of_unequal_sizes_show_each_score():
    scores = next(part for part in step_pictures(STATED["groups"]) if part.picture.title == "The scores")
    points = next(part.mark for part in scores.parts if isinstance(part.mark, Points))
    assert points.y.tolist() == [1, 2, 3, 2, 4, 8, 9, 7]


def test_each_data_set_has_the_colour_of_its_region():
    test = fstats.BayesianSignTest([9, 8, 7, 1], [7, 8, 6, 3], rope=0.5)
    differences = next(part for part in step_pictures(test) if part.picture.title == "The differences")
    shown = {part.mark.label: part.mark.y.tolist() for part in differences.parts if part.since == "counts"}
    assert shown == {"B better: 1": [-2], "equivalent: 1": [0], "A better: 2": [2, 1]}


@pytest.mark.parametrize(
    ("cls", "stated", "titles"),
    [
        (fstats.PairedT, {"n": 5, "mean": -0.6, "sd": 3.5777}, ["t when H0 is true"]),
        (fstats.OneWayAnova, {"ss_between": 1, "ss_within": 3, "df": 2, "df_error": 7}, ["F when H0 is true", "The mean squares"]),
        (fstats.BlockedFiveByTwoMcNemar, {"mean_table": [[5, 2], [8, 35]]}, ["M when H0 is true", "The mean of the tables"]),
        (fstats.BayesianSignTest, {"counts": [1, 2, 3], "rope": 0.1}, ["Three shares: which is the largest?"]),
    ],
)
def test_summaries_without_data_show_the_pictures_that_they_determine(cls, stated, titles):
    walk = cls.from_steps(**stated).walk()
    assert [picture.title for picture in walk.pictures_at(len(walk.frames) - 1)] == titles
