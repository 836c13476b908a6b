"""The explorers of notebook 03: every number shown is that of a fresh test, and groups are cut as a plain loop cuts them."""

from typing import Any

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize
from shown_numbers import LEVELS, numbers_of
from test_explore import DataSteps, slow_mathml, texts_of, texts_of_matplotlib, texts_of_svg

from fstats import McNemar, McNemarExact, McNemarMidP, PairedT, explore, plot
from fstats.core.hypothesis import Alternative, HypothesisTest
from fstats.explore.two_classifiers.mcnemar_explorer import discordant_bars
from fstats.explore.two_classifiers.random_groups_explorer import SEED, pvalue_distribution, relabel_as_groups
from fstats.plot.drawing.picture import Picture
from fstats.render import html
from fstats.teaching.demonstrations.groups_of_test_set import group_accuracies, possible_group_counts

# 24 records: A right on 16, B right on 11; cut into 2, 3, 4, 6, 8 or 12 groups.
RIGHT_A = [1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0]
RIGHT_B = [1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0]
CUTS = (2, 3, 4, 6, 8, 12)
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")
START = {"discordant": {"n01": 33, "n10": 15, "test": 0, "alpha": 4, "alternative": 0}, "groups": {"k": 2, "partition": 0, "alpha": 4}}


def started(name: str) -> Any:
    """An explorer as a notebook starts it."""
    return explore.discordant(33, 15) if name == "discordant" else explore.groups(RIGHT_A, RIGHT_B, k=4)


def fresh(name: str, moves: dict[str, int]) -> HypothesisTest:
    """The test at these positions, built as a student would build it."""
    at = START[name] | moves
    alpha = LEVELS[at["alpha"]]
    if name == "groups":
        a, b = group_accuracies(RIGHT_A, RIGHT_B, CUTS[at["k"]], partitions=100, rng=SEED)
        return PairedT(a[:, at["partition"]], b[:, at["partition"]], alpha=alpha)
    if at["test"] >= 2:
        return McNemar(at["n01"], at["n10"], correction=at["test"] == 2, alpha=alpha)
    test_class = (McNemarExact, McNemarMidP)[at["test"]]
    return test_class(at["n01"], at["n10"], alpha=alpha, alternative=ALTERNATIVES[at["alternative"]])


def pictures(name: str, moves: dict[str, int], test: HypothesisTest) -> list[Picture]:
    if name == "discordant":
        return [discordant_bars(int(test.n01), int(test.n10)), test.plot()]
    at = START[name] | moves
    p = PairedT(*group_accuracies(RIGHT_A, RIGHT_B, CUTS[at["k"]], rng=SEED)).pvalue
    assert isinstance(p, np.ndarray)
    return [pvalue_distribution(p, at["partition"], test.alpha), relabel_as_groups(plot.scores(test)), test.plot()]


def cases() -> list[tuple[str, dict[str, int]]]:
    """Each control of both explorers at several positions, then some controls together."""
    positions: dict[str, dict[str, Any]] = {
        "discordant": {"n01": (0, 1, 15, 60), "n10": (0, 33, 60), "test": range(4), "alpha": range(7), "alternative": range(3)},
        "groups": {"k": range(6), "partition": (0, 1, 57, 99), "alpha": range(7)},
    }
    result = [(name, {control: place}) for name, controls in positions.items() for control, places in controls.items() for place in places]
    for test in range(4):
        result += [("discordant", {"n01": x, "n10": y, "test": test}) for x, y in ((0, 0), (5, 5), (1, 11), (60, 0), (0, 4))]
    for alternative in (1, 2):
        result += [("discordant", {"n01": x, "n10": 15, "test": 1, "alternative": alternative}) for x in (0, 15, 40)]
    result += [("groups", {"k": k, "partition": r, "alpha": 0}) for k in (0, 3, 5) for r in (2, 98)]
    return result


CASES = cases()
NAMES = [f"{name}-{'-'.join(f'{control}={position}' for control, position in moves.items())}" for name, moves in CASES]


# -- every slider, every number ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "moves"), CASES, ids=NAMES)
def test_everything_shown_is_that_of_a_fresh_test(name: str, moves: dict[str, int]) -> None:
    """Numbers, formulas, pictures, conclusion; and the way back."""
    explorer, test = started(name), fresh(name, moves)
    first = explorer.view
    for control, position in moves.items():
        explorer.move(**{control: position})
    view = explorer.view
    assert DataSteps(view["work"]).shown == numbers_of(test)
    assert view["work"] == html.rows_html((row for row in test.worked() if row.kind != "conclusion"), slow_mathml)
    assert (view["pictures"], view["conclusion"]) == ([picture.svg() for picture in pictures(name, moves, test)], test.conclusion)
    assert {control["name"]: control["value"] for control in view["controls"]} == START[name] | moves
    assert explorer.positions.items() >= (START[name] | moves).items()
    explorer.positions = {**explorer.positions, "reset": 1}
    assert explorer.view == first


# -- McNemar's tests ---------------------------------------------------------------------------------------------------------
def test_a_squared_statistic_has_one_alternative() -> None:
    """The slider of the alternative has one position then, and stays on it when the front end sends the one before."""
    explorer = explore.discordant(5, 9)
    explorer.move(alternative=2)
    sent = dict(explorer.positions)
    for test in (2, 3):
        explorer.set_state({"positions": {**sent, "test": test}})
        slider = explorer.controls[-1]
        assert (slider.least, slider.value, slider.most, slider.text) == (0, 0, 0, "two-sided")
        assert explorer.positions["alternative"] == 0
        with pytest.raises(ValueError, match="`alternative` must be between 0 and 0; got 1"):
            explorer.move(alternative=1)
    explorer.move(test=1)
    assert (explorer.controls[-1].text, explorer.controls[-1].most) == ("two-sided", 2)


def test_a_level_that_the_slider_does_not_have() -> None:
    assert explore.discordant(1, 2, alpha=0.1).test.alpha == 0.1


# -- groups ------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("k", CUTS)
def test_groups_are_cut_as_a_plain_loop_cuts_them(k: int) -> None:
    # One shuffle of all records for each partition; consecutive ones make a group, the same for A and B.
    a, b = group_accuracies(RIGHT_A, RIGHT_B, k, partitions=7, rng=np.random.default_rng(3))
    assert a.shape == b.shape == (k, 7)
    for partition, order in enumerate(np.random.default_rng(3).permuted([list(range(24))] * 7, axis=1)):
        assert sorted(order) == list(range(24))
        for group in range(k):
            members = order[group * 24 // k : (group + 1) * 24 // k]
            assert a[group, partition] == pytest.approx(sum(RIGHT_A[i] for i in members) / len(members))
            assert b[group, partition] == pytest.approx(sum(RIGHT_B[i] for i in members) / len(members))
    # Equal groups average to the accuracy of all records, so the mean difference is the same in each partition.
    a, b = group_accuracies(RIGHT_A, RIGHT_B, k, rng=1)
    np.testing.assert_allclose(a.mean(0), 16 / 24)
    np.testing.assert_allclose(b.mean(0), sum(RIGHT_B) / 24)
    batch = PairedT(a, b)
    assert isinstance(batch.pvalue, np.ndarray)
    assert len(set(batch.pvalue.round(9).tolist())) > 1
    for r in (0, 50, 99):
        assert batch.pvalue[r] == pytest.approx(PairedT(a[:, r], b[:, r]).pvalue)


def test_seeds_and_divisors_of_groups() -> None:
    # So that sliding K changes K alone: two groups of 12 are each made of two of the four groups of 6.
    two, four = (group_accuracies(RIGHT_A, RIGHT_B, k, partitions=5, rng=8)[0] for k in (2, 4))
    np.testing.assert_allclose(two[0], (four[0] + four[1]) / 2)
    np.testing.assert_array_equal(two, group_accuracies(RIGHT_A, RIGHT_B, 2, partitions=5, rng=8)[0])
    assert (two != group_accuracies(RIGHT_A, RIGHT_B, 2, partitions=5, rng=9)[0]).any()
    assert (possible_group_counts(24), possible_group_counts(4)) == (list(CUTS), [2])
    assert possible_group_counts(7) == possible_group_counts(3) == possible_group_counts(2) == []


@parametrize(
    "arguments, message",
    ((RIGHT_A, RIGHT_B, 5), "`k` must be one of 2, 3, 4, 6, 8, 12, because 24 records must form equal groups of at least 2 records; got 5"),
    ((RIGHT_A, RIGHT_B, 24), "24 records must form equal groups of at least 2 records; got 24"),
    (
        (RIGHT_A[:7], RIGHT_B[:7], 7),
        "must split into equal groups of at least 2 records; got 7 records. Leave out records until their number",
    ),
    ((RIGHT_A, RIGHT_B[:4], 2), r"two lists of the same length; got shapes \(24,\) and \(4,\)"),
    ((np.ones((4, 2)), np.ones((4, 2)), 2), "two lists of the same length; got shapes"),
    (([0, 1, 2, 1], [0, 1, 1, 1], 2), r"`right_a` must hold 1 \(right\) or 0 \(wrong\) for each record; got 2"),
    (([0, 1, 0, 1], [0, 0.5, 1, 1], 2), r"`right_b` must hold 1 \(right\) or 0 \(wrong\) for each record; got 0.5"),
)
def test_groups_that_cannot_be_cut_are_errors(arguments: tuple[Any, Any, int], message: str) -> None:
    assert_raises(lambda: group_accuracies(*arguments, rng=0), message)
    assert_raises(lambda: explore.groups(arguments[0], arguments[1], k=arguments[2]), message)


def test_identical_classifiers_and_the_picture_of_all_partitions() -> None:
    # No difference in any group: t = 0 and p = 1 in every partition.
    explorer = explore.groups(RIGHT_A, RIGHT_A, k=4)
    assert explorer.test.pvalue == 1
    assert "All differences are 0" in explorer.view["conclusion"]
    # Drawn both ways with the same words; its counts are those of the p-values.
    picture = pvalue_distribution(np.array([0.2, 0.04, 0.05, 0.9, 0.06]), 4, 0.05)
    assert picture.title == "2 of 5 random partitions reject"
    assert "0.04 to 0.9, half of them at most 0.06; 2 of 5 reject at alpha = 0.05. The partition shown has p = 0.06." in picture.text
    assert texts_of_svg(picture) == texts_of_matplotlib(picture) == texts_of(picture)
