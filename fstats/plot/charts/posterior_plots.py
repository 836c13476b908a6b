"""Posterior plots of Bayesian comparisons.

They show the density of the difference, the triangle of three regions, and probabilities by ROPE width.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...core.mathematics_in_names import plain_name
from ...core.number_format import format_plain
from ...core.validation.check import check_single_repetition
from ...core.value_types import Array
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLACK, BLUE, GREEN, GREY, VERMILLION, Area, Curve, Label, Line, Mark, Points, VerticalLine
from ..drawing.picture_options import with_picture_options

TRIANGLE_POINTS = 500  # number of random points in a triangle
AXIS_HALF_WIDTH = 4.5  # half width of the x-axis, in multiples of the scale of the posterior
COLORS = (VERMILLION, GREEN, BLUE)
MAX_NAME_LENGTH = 14


@with_picture_options
def posterior(test: Any) -> Picture:
    """Draw the posterior of a single Bayesian comparison: a density with three areas, or a triangle of three shares.

    >>> import fstats
    >>> fstats.plot.posterior(fstats.BayesianCorrelatedT([1, 2, 3], rho=0.4, rope=1))
    [picture: Posterior of the mean difference, Student's t with 2 degrees of freedom around 2, scale 1, with a rope from -1 to 1.
    Probability of B better 0.04773, equivalent 0.1636, A better 0.7887.]
    >>> fstats.plot.posterior(fstats.BayesianSignTest([9, 8, 7], [7, 8, 6], rope=0.5))
    [picture: Triangle of the shares of three regions, 500 random points of Dirichlet(0, 2, 2). Probability to be the largest share: B
    better 0, equivalent 0.5, A better 0.5.]
    """
    check_single_repetition(np.shape(test.probabilities)[1:], "picture", "test.at({}).plot()")
    return density(test) if hasattr(test.posterior, "density") else triangle(test)


def region_names(test: Any) -> tuple[str, str, str]:
    """Return the names of the three regions (two sides of the rope, and the rope) for a legend."""
    a, b = map(shorten_name, test.sides)
    if a == b:
        a, b = "A", "B"
    return f"{b} better", "equivalent", f"{a} better"


def shorten_name(name: str) -> str:
    """Shorten a name for a legend or a row of a chart."""
    plain = plain_name(name)
    return name if len(plain) <= MAX_NAME_LENGTH else f"{plain[: MAX_NAME_LENGTH - 1]}…"


def describe_rope(rope: float) -> str:
    """Return a text with the ends of a rope."""
    return "without an end" if np.isinf(rope) else f"from {format_plain(-rope)} to {format_plain(rope)}"


def _describe_probabilities(test: Any) -> str:
    """Return a text with the probabilities of the three regions."""
    return ", ".join(f"{name} {test.probability_text(k)}" for k, name in enumerate(region_names(test)))


@with_picture_options
def density(test: Any) -> Picture:
    """Draw the density of the true mean difference, with the areas of the three regions.

    >>> import fstats
    >>> fstats.plot.density(fstats.BayesianCorrelatedT([2, 2], rho=0, rope=1))
    [picture: Posterior of the mean difference: all of it lies on 2, with a rope from -1 to 1. Probability of B better 0, equivalent 0, A
    better 1.]
    """
    found, names = test.posterior, region_names(test)
    mean, scale, rope = float(found.mean), float(found.scale), float(test.rope)
    marks: list[Mark] = []
    wide = max(abs(mean), rope if np.isfinite(rope) else 0.0) * 1.3 or 1.0
    top = 1.0
    if 0 < scale < np.inf:
        low, high = mean - AXIS_HALF_WIDTH * scale, mean + AXIS_HALF_WIDTH * scale
        if np.isfinite(rope):
            low, high = min(low, -1.2 * rope), max(high, 1.2 * rope)
        edges = (low, *np.clip([-rope, rope], low, high), high)
        grid = np.linspace(low, high, 301)
        top = float(found.density(np.array([mean]))[0])
        for k, (start, end) in enumerate(pairwise(edges)):
            inside = np.r_[start, grid[(grid > start) & (grid < end)], end]
            marks.append(Area(inside, found.density(inside), COLORS[k], f"{names[k]}: {test.probability_text(k)}", hatched=k == 1))
        marks.append(Curve(grid, found.density(grid)))
        description = f"Posterior of the mean difference, {found}, with a rope {describe_rope(rope)}."
    else:
        low, high = -wide, wide
        lies = f"all of it lies on {format_plain(mean)}" if not scale else "it is as wide as the line"
        marks.append(Label(0.0, 0.5, f"The posterior: {lies}", "middle"))
        description = f"Posterior of the mean difference: {lies}, with a rope {describe_rope(rope)}."
    if np.isfinite(rope):
        marks += [
            VerticalLine(-rope, f"-r = {format_plain(-rope)}", BLACK, dashed=True),
            VerticalLine(rope, f"r = {format_plain(rope)}", BLACK, dashed=True, line=1),
        ]
    if not scale:
        marks.append(VerticalLine(mean, "all of it", BLUE, line=2))
    text = f"{description} Probability of {_describe_probabilities(test)}."
    xlabel = f"mean difference, {' minus '.join(test.sides)}"
    within = (low, high), (0.0, 1.35 * top)
    return Picture("Posterior of the true mean difference", xlabel, "density", *within, tuple(marks), text, yticks=False)


@with_picture_options
def triangle(test: Any) -> Picture:
    """Draw random shares of the three regions as points in a triangle; a point near the corner of a region has a large share of the region.

    >>> import fstats
    >>> fstats.plot.triangle(fstats.BayesianSignTest([1], [0], rope=2, prior=0))
    [picture: Triangle of the shares of three regions, 500 random points of Dirichlet(0, 1, 0). Probability to be the largest share: B
    better 0, equivalent 1, A better 0.]
    """
    shares = test.posterior.draws(TRIANGLE_POINTS, 0)
    names, largest = region_names(test), shares.argmax(0)
    x, y = shares[2] + shares[1] / 2, shares[1]
    labels = [f"{name}: {test.probability_text(k)}" for k, name in enumerate(names)]
    points = [Points(x[largest == k], y[largest == k], COLORS[k], labels[k], open=k == 0, radius=2.5) for k in range(3)]
    borders = [Line((0.5, at), (1 / 3, height), GREY, 1.0) for at, height in ((0.5, 0.0), (0.25, 0.5), (0.75, 0.5))]
    marks: tuple[Mark, ...] = (Line((0.0, 0.5, 1.0, 0.0), (0.0, 1.0, 0.0, 0.0)), *points, *borders)
    opening = f"Triangle of the shares of three regions, {TRIANGLE_POINTS} random points of {test.posterior}"
    text = f"{opening}. Probability to be the largest share: {_describe_probabilities(test)}."
    xlabel = f"{names[0]}  ←  share  →  {names[2]}"
    title = "Three shares: which is the largest?"
    return Picture(title, xlabel, "share of equivalent", (-0.06, 1.06), (-0.07, 1.12), marks, text, xticks=False)


@with_picture_options
def by_rope(test: Any, ropes: Any) -> Picture:
    """Draw the probabilities of the three regions of a single comparison for different widths of the rope.

    >>> import fstats
    >>> fstats.plot.by_rope(fstats.BayesianCorrelatedT([1, 2, 3], rho=0.4, rope=1), [0, 1, 2, 3])
    [picture: Probabilities by the width of the rope, from 0 to 3. With a rope of 1: B better 0.04773, equivalent 0.1636, A better 0.7887.]
    """
    check_single_repetition(np.shape(test.probabilities)[1:], "picture", "fstats.plot.by_rope(test.at({}), ropes)")
    widths: Array = np.asarray(ropes, float)
    curves = np.array([test.assuming(rope=float(width)).probabilities for width in widths]).T
    names, at = region_names(test), np.array([float(test.rope)])
    shown: list[Mark] = [Curve(widths, np.full(len(widths), 1 - test.alpha), GREY)]
    for k, curve in enumerate(curves):
        shown.append(Curve(widths, curve, COLORS[k]))
        label = f"{names[k]}: {test.probability_text(k)}"
        shown.append(Points(at, test.probabilities[k : k + 1], COLORS[k], label, open=k == 0))
    opening = f"Probabilities by the width of the rope, from {format_plain(widths[0])} to {format_plain(widths[-1])}"
    text = f"{opening}. With a rope of {format_plain(test.rope)}: {_describe_probabilities(test)}."
    xlabel = "rope r: the largest difference without practical relevance"
    title = "Probabilities by the width of the rope"
    return Picture(title, xlabel, "probability", (float(widths[0]), float(widths[-1])), (0.0, 1.05), tuple(shown), text)
