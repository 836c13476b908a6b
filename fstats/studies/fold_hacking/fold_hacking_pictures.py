"""Plots of the study of fold hacking.

They show T of all partitions, folds of one partition, search lengths, and verdict counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.validation import check
from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREEN, GREY, ORANGE, VERMILLION, Area, Bars, Curve, Links, Mark, Points, VerticalLine

STRIP_LIMIT = 10.0  # the T axis extends from -10 to 10, as in the text
STRIP_STEP = 0.05
COLORS = {"=": GREY, "-": VERMILLION, "+": BLUE}


def density(t: Array, at: Array) -> Array:
    """Estimate the density of finite statistics at given values, with normal kernels.

    >>> density(np.array([-1.0, 0.0, 1.0]), np.array([0.0])).round(2)
    array([0.33])
    """
    t = t[np.isfinite(t)]
    if not len(t):
        return np.zeros(len(at))
    low, high = np.quantile(t, [0.25, 0.75])
    # the spread is the smaller of two estimates, so that a few huge statistics do not widen the kernels
    spread = min(t.std(), (high - low) / 1.34) or t.std()
    width = max(0.9 * spread * len(t) ** -0.2, 2 * STRIP_STEP)
    values, counts = np.unique(np.round(t / STRIP_STEP), return_counts=True)
    heights = np.exp(-0.5 * ((at[:, np.newaxis] - values * STRIP_STEP) / width) ** 2) @ counts
    return heights / (len(t) * width * np.sqrt(2 * np.pi))


def strip(pair: Any, *, seed: int | Sequence[int] | None = None, shares: bool = True) -> Picture:
    """Draw the distribution of T over all repetitions, from -10 to 10, with 0, the critical values and optionally the T of some seeds.

    Parameters
    ----------
    pair : LearnerPair
        Two learners on one data set.
    seed : int or list of int, optional
        Seeds of the repetitions that are marked.
    shares : bool
        Whether to write the shares of repetitions between and beyond the critical values; False for an exercise that asks for these shares.

    >>> from fstats.studies import fold_hacking
    >>> strip(fold_hacking.stored("iris", mode="as printed").pair("GNB", "KNN"), seed=213)
    [picture: T of GNB against KNN on iris in 10000 repetitions, its limits ±2.776: 98.72 % between them, 1.28 % below, 0 % above. ...]
    """
    t, limit = pair.t, pair.limit
    marked = [] if seed is None else [int(number) for number in np.atleast_1d(seed)]
    for number in marked:
        pair.row(number)  # pair.row raises an error for an unknown seed
    share_of_sign = {sign: format_share(share) for sign, share in pair.shares.items()}
    cuts = {"-": (-STRIP_LIMIT, -limit), "=": (-limit, limit), "+": (limit, STRIP_LIMIT)}
    words = {"-": f"{pair.right} better", "=": "neither", "+": f"{pair.left} better"}
    marks: list[Mark] = []
    top = 0.0
    for sign, (low, high) in cuts.items():
        x = np.linspace(low, high, round((high - low) / STRIP_STEP) + 1)
        y = density(t, x)
        top = max(top, float(y.max()))
        marks.append(Area(x, y, COLORS[sign], f"{words[sign]} {share_of_sign[sign]}" if shares else words[sign], hatched=sign == "-"))
    below, above = (VerticalLine(end, "", VERMILLION, dashed=True) for end in (-limit, limit))
    marks += [below, VerticalLine(0.0, "", GREY), above]
    for line, number in enumerate(marked):
        words_on_it = f"seed {number}: T = {format_plain(t[number])}{', off the picture' * bool(abs(t[number]) > STRIP_LIMIT)}"
        marks.append(VerticalLine(float(np.clip(t[number], -STRIP_LIMIT, STRIP_LIMIT)), words_on_it, BLUE, line=line))
    share_text = f": {share_of_sign['=']} between them, {share_of_sign['-']} below, {share_of_sign['+']} above" if shares else ""
    marks_text = "".join(f" Seed {number}: T = {format_plain(t[number])}." for number in marked)
    outside = float((abs(t) > STRIP_LIMIT).mean())
    name = pair.population.name
    title = f"{name.upper()}: T of {pair.left} against {pair.right}, {len(t)} repetitions"
    limits = f"its limits ±{format_plain(limit)}{share_text}.{marks_text}"
    text = f"T of {pair.left} against {pair.right} on {name} in {len(t)} repetitions, {limits}"
    xlabel = f"T ({format_share(outside)} lie beyond ±10)" if outside else "T"
    return Picture(title, xlabel, "", (-STRIP_LIMIT, STRIP_LIMIT), (0.0, top * 1.3 or 1.0), tuple(marks), text, yticks=False)


def format_share(share: float) -> str:
    """Return a share of the repetitions as a percentage."""
    return f"{format_plain(100 * share)} %"


def folds(pair: Any, seed: int) -> Picture:
    """Draw the five folds of one repetition: the accuracies of both learners, joined by lines.

    Parameters
    ----------
    pair : LearnerPair
        Two learners on one data set.
    seed : int
        Seed of the repetition.

    >>> from fstats.studies import fold_hacking
    >>> folds(fold_hacking.stored("iris", mode="as printed").pair("GNB", "KNN"), 213)
    [picture: Seed 213 on iris: GNB 0.9667, 0.9667, 0.9667, 0.9, 0.931; KNN 1, 1, 1, 0.9333, 0.9655. T = -146, p = 1.32e-08.]
    """
    row = pair.row(seed)
    left, right = (scores[:, seed] for scores in pair.scores)
    at = np.arange(1.0, len(left) + 1)
    low, high = min(left.min(), right.min()), max(left.max(), right.max())
    room = max(high - low, 0.02)
    said = f"T = {format_plain(row.t)}, p = {format_plain(row.p)}"
    marks = (
        Links(at, np.minimum(left, right), np.maximum(left, right)),
        Points(at, left, BLUE, pair.left),
        Points(at, right, VERMILLION, pair.right, open=True),
    )
    accuracies = f"{pair.left} {', '.join(map(format_plain, left))}; {pair.right} {', '.join(map(format_plain, right))}"
    text = f"Seed {seed} on {pair.population.name}: {accuracies}. {said}."
    within = (0.5, len(left) + 0.5), (float(low - 0.1 * room), float(high + 0.15 * room))
    return Picture(f"Seed {seed}: {said}", "fold", "accuracy", *within, marks, text, whole_x=True)


def hunted(hunt: Any, *, tries: int | None = None) -> Picture:
    """Draw the probability that at least one of several random partitions gives a wanted verdict, for each verdict that occurs.

    Parameters
    ----------
    hunt : Hunt
        Result of :func:`hunt`.
    tries : int, optional
        Number of partitions that is marked in the picture.

    >>> from fstats.studies import fold_hacking
    >>> hunted(fold_hacking.hunt(fold_hacking.stored("iris", mode="as printed").pair("GNB", "KNN")), tries=100)
    [picture: Chance that one of so many random partitions of iris finds a verdict. ...; KNN is better: on average after 77.53 tries, in
    19 of 20 cases after 230.]
    """
    pair = hunt.pair
    signs = [sign for sign in ("=", "-", "+") if hunt.seeds[sign]]
    most = max(2, *(hunt.needed(sign, 0.99) for sign in signs))
    at = np.unique(np.geomspace(1, most, 200).round().astype(int))
    words = {"-": f"{pair.right} is better", "=": "no significant difference", "+": f"{pair.left} is better"}
    marks: list[Mark] = []
    texts = []
    for sign in signs:
        chance = hunt.chance(sign, at)
        marks.append(Curve(np.log10(at), chance, COLORS[sign]))
        marks.append(Points(np.log10(at[::25]), chance[::25], COLORS[sign], words[sign], open=sign == "-"))
        on_average = f"{words[sign]}: on average after {format_plain(hunt.expected(sign))} tries"
        texts.append(f"{on_average}, in 19 of 20 cases after {hunt.needed(sign, 0.95)}")
    if tries is not None:
        marks.append(VerticalLine(float(np.log10(check.count(1)(tries, "tries"))), f"{tries} tries", GREEN))
    title = f"{pair.population.name.upper()}, {pair.left} against {pair.right}: how long a hunt takes"
    text = f"Chance that one of so many random partitions of {pair.population.name} finds a verdict. {'; '.join(texts)}."
    axes = "random partitions tried, as a power of ten", "chance to have found one"
    return Picture(title, *axes, (0.0, float(np.log10(most))), (0.0, 1.08), tuple(marks), text)


def flips(counts: Mapping[str, tuple[int, int, int]], *, partitions: int | None = None) -> Picture:
    """Draw, for each test, the number of comparisons in which random partitions lead to one, two or three verdicts.

    Parameters
    ----------
    counts : mapping
        Three numbers of comparisons for each test, as returned by :func:`kinds_by_test`.
    partitions : int, optional
        Number of partitions of each comparison, for the title; more partitions lead to more different verdicts.

    >>> flips({"plain t": (9, 36, 9), "corrected t": (20, 30, 4)}, partitions=200)
    [picture: Comparisons with one, two, three verdicts among the first 200 partitions: plain t 9, 36, 9; corrected t 20, 30, 4.]
    """
    among = f" among the first {partitions} partitions" if partitions is not None else ""
    tests = list(counts)
    marks: list[Any] = []
    for k, (color, word) in enumerate(((GREY, "one verdict"), (ORANGE, "two"), (VERMILLION, "three"))):
        at = np.arange(float(len(tests))) + (k - 1) * 0.25 + 1
        marks.append(Bars(at, np.array([counts[test][k] for test in tests], float), 0.23, color, word, hatched=k == 2))
    most = max(max(three) for three in counts.values())
    told = "; ".join(f"{test} {a}, {b}, {c}" for test, (a, b, c) in counts.items())
    title, text = f"Comparisons by the number of their verdicts{among}", f"Comparisons with one, two, three verdicts{among}: {told}."
    xlabel, within = "; ".join(f"{k}: {test}" for k, test in enumerate(tests, 1)), ((0.4, len(tests) + 0.6), (0.0, most * 1.15))
    return Picture(title, xlabel, "comparisons", *within, tuple(marks), text, whole_x=True)
