"""Step-by-step plots of Bayesian comparisons of two classifiers.

They show differences with the region of practical equivalence, and the posterior.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..charts.pair_intervals import pair_intervals
from ..charts.posterior_plots import COLORS, describe_rope, posterior, region_names
from ..charts.shrinkage_plot import shrinkage
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLACK, BLUE, GREY, ORANGE, VERMILLION, Area, Bars, Curve, Links, Points, axis_limits
from .anova_steps import scores_with_means
from .block_rows import MAX_SLIDING
from .paired_score_steps import scores_with_links
from .step_picture import StepMark, StepPicture


def posterior_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a Bayesian comparison: scores, differences, numbers of each region, and the posterior."""
    has_scores = "a" in vars(test)
    slot = int(not has_scores)
    step = next((name for name in ("pairs", "concentration") if name in test.steps), "")
    pictures = [posterior_parts(test, slot=slot, since="posterior")]
    if has_scores:
        pictures.append(scores_with_links(test, until=step))
    if test.get_or_default("d", None) is not None:
        pictures.append(differences_with_rope(test, slot=1 - slot, since="d" * has_scores))
    if step and test.get_or_default(step, None) is not None:
        pictures.append(region_bars(test, step, slot=slot, since=step, until="posterior"))
    return pictures


def hierarchical_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of the hierarchical comparison: observed and expected means of the data sets, and the posterior."""
    return [
        steps_by_color(shrinkage(test), {VERMILLION: "means", BLUE: "shrunk", GREY: "shrunk_high"}),
        posterior_parts(test, slot=1, since="posterior"),
    ]


def pairwise_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a Bayesian comparison of several classifiers: scores, if they have means, and intervals of the pairs."""
    scores = [scores_with_means(test)] if "residuals" in test.steps and test.get_or_default("means", None) is not None else []
    return [
        *scores,
        steps_by_color(pair_intervals(test), {BLUE: "estimates", GREY: "high"}, slot=len(scores), since="estimates" if scores else ""),
    ]


def steps_by_color(picture: Picture, steps: Mapping[str, str], **place: Any) -> StepPicture:
    """Return the step picture of a chart in which the colour of a mark determines its step."""
    return StepPicture.of(picture, (StepMark(mark, steps.get(getattr(mark, "color", ""), "")) for mark in picture.marks), **place)


def differences_with_rope(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the differences with the rope; then each difference gets the colour of its region, or mean and scale appear.

    >>> import fstats
    >>> differences_with_rope(fstats.BayesianSignTest([9, 8, 7], [7, 8, 6], rope=0.5)).picture
    [picture: Differences from 0 to 2, with a rope from -0.5 to 0.5. B better 0, equivalent 1, A better 2.]
    """
    d, names, n = test.d, region_names(test), len(test.d)
    has_counts = "counts" in test.steps
    center, bands = 0.0, []
    if not has_counts:
        center = float(test.mean)
        bands = [(float(getattr(test, name)), name, color) for name, color in (("sd", BLUE), ("scale", ORANGE))]
        bands = [band for band in bands if np.isfinite(band[0])]
    edges = [center + sign * width for width, *_ in bands for sign in (-1, 1)]
    extent = axis_limits(d, 0.0, edges, share=0.16)
    rope = float(test.rope) if np.isfinite(test.rope) else 0.0
    low, high = min(extent[0], -1.2 * rope), max(extent[1], 1.2 * rope)
    across, x = np.array([0.4, n + 0.6]), np.arange(1.0, n + 1)

    def parts() -> Iterator[StepMark]:
        for edge in (rope, -rope) if np.isfinite(test.rope) else ():
            yield StepMark(Curve(across, np.full(2, edge), BLACK, f"rope {format_plain(rope)}" if edge == rope > 0 else "", dashed=True))
        yield StepMark(Curve(across, np.zeros(2), GREY))
        for width, step, color in bands:
            label = "mean ± s" if step == "sd" else "mean ± scale"
            band = Area(across, np.full(2, center + width), color, label, low=np.full(2, center - width))
            yield StepMark(band, step, "scale" if step == "sd" else "")
        if bands and n > 1:
            yield StepMark(Links(x, np.minimum(d, center), np.maximum(d, center), VERMILLION), "sd", "scale")
        for part in np.array_split(np.arange(n), min(n, MAX_SLIDING)):
            until = "side" if has_counts else ""
            yield StepMark(Points(x[part], d[part], GREY if has_counts else BLUE, radius=5.0), "d", until, (0.0, high - low))
        if not has_counts:
            yield StepMark(Curve(across, np.full(2, center), VERMILLION, f"mean {format_plain(center)}"), "mean")
        for region, name in enumerate(names) if has_counts else ():
            chosen = test.side == region - 1
            points = Points(x[chosen], d[chosen], COLORS[region], "", open=region == 0, radius=5.0)
            yield StepMark(points, "side", "counts")
            yield StepMark(replace(points, label=f"{name}: {format_plain(test.counts[region])}"), "counts")

    text = f"Differences from {format_plain(d.min())} to {format_plain(d.max())}, with a rope {describe_rope(test.rope)}. "
    text += ", ".join(f"{name} {format_plain(count)}" for name, count in zip(names, test.counts)) if has_counts else ""
    text += "." if has_counts else f"Their mean is {format_plain(center)}."
    xlabel = f"{getattr(test, 'unit', '') or 'data set'}s 1 to {n}" if has_counts else f"splits 1 to {n}"
    about = Picture("The differences", xlabel, "difference", (0.4, n + 0.6), (low, high), (), text, xticks=False)
    return StepPicture.of(about, parts(), **place)


def region_bars(test: Any, step: str, **place: Any) -> StepPicture:
    """Return the picture of the numbers of a step for the three regions, as bars.

    >>> import fstats
    >>> region_bars(fstats.BayesianSignTest([9, 8, 7], [7, 8, 6], rope=0.5), "concentration").picture
    [picture: Numbers of the three regions: B better 0, equivalent 2, A better 2.]
    """
    numbers, names = np.asarray(getattr(test, step), float), region_names(test)
    bars = [
        StepMark(Bars(np.array([k + 1.0]), numbers[k : k + 1], 0.6, COLORS[k], f"{name}: {format_plain(numbers[k])}", hatched=k == 1))
        for k, name in enumerate(names)
    ]
    title = "Means of two differences" if step == "pairs" else "Data sets, with those of the prior"
    listed = ", ".join(f"{name} {format_plain(number)}" for name, number in zip(names, numbers))
    within = (0.4, 3.6), (0.0, 1.1 * float(numbers.max()))
    text = f"Numbers of the three regions: {listed}."
    return StepPicture.of(Picture(title, "regions", "number", *within, (), text, xticks=False), bars, **place)


def posterior_parts(test: Any, **place: Any) -> StepPicture:
    """Return the picture of the posterior: first its density or its random points, then the probabilities of the three regions.

    >>> import fstats
    >>> steps = posterior_parts(fstats.BayesianCorrelatedT([1, 2, 3], rho=0.4, rope=1))
    >>> [(type(part.mark).__name__, part.since) for part in steps.parts][2:5]
    [('Area', 'probabilities'), ('Curve', 'posterior'), ('VerticalLine', 'posterior')]
    """
    picture = posterior(test)

    def parts() -> Iterator[StepMark]:
        for mark in picture.marks:
            if isinstance(mark, Points):
                yield StepMark(replace(mark, color=GREY, label="", open=False), "posterior", "probabilities")
            is_probability = isinstance(mark, Area | Points) or getattr(mark, "color", "") == GREY
            yield StepMark(mark, "probabilities" if is_probability else "posterior")
        if "expected" in test.steps:
            shares = np.asarray(test.expected)
            place_of_mean = shares[2:] + shares[1] / 2, shares[1:2]
            yield StepMark(Points(*place_of_mean, BLACK, "expected shares", open=True, radius=8.0), "expected")
        if hasattr(test.posterior, "density") and np.all(np.isfinite(test.credible)) and test.scale:
            level = np.full(2, 0.06 * picture.ylim[1])
            yield StepMark(Curve(np.array(list(test.credible)), level, BLACK, "credible interval"), "credible")

    return StepPicture.of(picture, parts(), **place)
