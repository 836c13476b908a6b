"""Tests of the means of one or two independent samples, step by step: scores, means, spreads, difference, standard error and interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ..drawing.picture import Picture
from ..drawing.picture_marks import BLUE, GREY, ORANGE, VERMILLION, Area, Curve, Label, Line, Links, Points, axis_limits
from .block_rows import difference_in_standard_errors, point_radius
from .null_distribution_steps import null_distribution_steps
from .step_picture import StepMark, StepPicture


def two_sample_steps(test: Any, spreads: tuple[str, ...] = ("sd_x", "sd_y", "sd")) -> list[StepPicture]:
    """Return the pictures of a two-sample t-test: both samples, then the null distribution; the difference of the means below."""
    samples = [samples_with_spread(test, spreads, until="null")] if "x" in vars(test) else []
    ruler = difference_in_standard_errors(test, "difference of the means", slot=1, since="se")
    return [*samples, ruler, null_distribution_steps(test)]


def welch_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of Welch's test, which does not pool the spreads of both samples."""
    return two_sample_steps(test, ("sd_x", "sd_y"))


def one_sample_steps(test: Any) -> list[StepPicture]:
    """Return the pictures of a one-sample t-test: the sample, then the null distribution; the difference from the given value below."""
    sample = [sample_with_spread(test, until="null")] if "x" in vars(test) else []
    ruler = difference_in_standard_errors(test, "mean minus the given value", float(test.mu), "score", slot=1, since="se")
    return [*sample, ruler, null_distribution_steps(test)]


def samples_with_spread(test: Any, spreads: tuple[str, ...] = ("sd_x", "sd_y", "sd"), **place: Any) -> StepPicture:
    """Return the picture of two samples with their means, their standard deviations, and the difference of the means.

    >>> import fstats
    >>> samples_with_spread(fstats.TwoSampleT([1, 2, 3], [3, 4, 5])).picture
    [picture: 3 scores of A with mean 2 and standard deviation 1, and 3 scores of B with mean 4 and standard deviation 1.]
    """
    n_x, n = len(test.x), len(test.x) + len(test.y)
    gap = 0.08 * n  # space between the samples
    right, width = n + 0.6 + gap, 0.2 * n
    bracket = right + 0.5 * width
    means = float(test.mean_x), float(test.mean_y)
    samples = (
        (test.x, np.arange(1.0, n_x + 1), BLUE, "x", str(test.sides[0])),
        (test.y, np.arange(n_x + 1.0, n + 1) + gap, VERMILLION, "y", str(test.sides[1])),
    )
    bands = [(mean + sign * float(getattr(test, sd))) for mean, sd in zip(means, ("sd_x", "sd_y")) for sign in (-1, 1)]
    pooled = [(mean + sign * float(test.sd)) for mean in means for sign in (-1, 1)] if "sd" in spreads else []

    def parts() -> Iterator[StepMark]:
        for _, _, color, side, name in samples:
            yield StepMark(Points(np.empty(0), np.empty(0), color, name, open=side == "y"))  # this mark is only an entry in the legend
        for scores, x, color, side, _ in samples:
            mean, across = np.full(2, float(getattr(test, f"mean_{side}"))), x[[0, -1]] + [-0.4, 0.4]
            for step in (f"sd_{side}", *spreads[2:]):
                label = f"± {'pooled ' * (step == 'sd')}s" if side == "x" else ""
                spread = float(getattr(test, step))
                band = Area(across, mean + spread, ORANGE if step == "sd" else GREY, label, low=mean - spread)
                yield StepMark(band, step, "" if step == spreads[-1] or len(spreads) == 2 else "sd")
            yield StepMark(Links(x, np.minimum(scores, mean[0]), np.maximum(scores, mean[0]), color), f"sd_{side}", "se")
            yield StepMark(Points(x, scores, color, open=side == "y", radius=point_radius(n)))
            yield StepMark(Curve(across, mean, color), f"mean_{side}")
            yield StepMark(Curve(np.array([across[1], bracket]), mean, color, dashed=True), "difference")
        yield StepMark(Line((bracket, bracket), means, VERMILLION, 6.0), "difference")
        yield StepMark(Label(bracket + 0.12 * width, sum(means) / 2, "D", "start", VERMILLION, bold=True), "difference")

    text = ", and ".join(
        f"{len(scores)} scores of {name} with mean {format_plain(getattr(test, f'mean_{side}'))}"
        f" and standard deviation {format_plain(getattr(test, f'sd_{side}'))}"
        for scores, _, _, side, name in samples
    )
    limits = (0.4, right + width), axis_limits(test.x, test.y, bands, pooled, share=0.08)
    about = Picture("Both samples", f"{test.unit}s", "score", *limits, (), f"{text}.", xticks=False)
    return StepPicture.of(about, parts(), **place)


def sample_with_spread(test: Any, **place: Any) -> StepPicture:
    """Return the picture of a sample with the given value, the mean, the standard deviation and the standard error.

    >>> import fstats
    >>> sample_with_spread(fstats.OneSampleT([1, 2, 3], mu=1)).picture
    [picture: 3 scores from 1 to 3, with mean 2 and standard deviation 1. The given value is 1.]
    """
    scores, n, mean, mu = test.x, len(test.x), float(test.mean), float(test.mu)
    right, width, x = n + 0.6, 0.2 * n, np.arange(1.0, n + 1)
    bracket, across = right + 0.5 * width, np.array([0.4, right])

    def parts() -> Iterator[StepMark]:
        yield StepMark(Curve(np.array([0.4, right + width]), np.full(2, mu), GREY, f"given {format_plain(mu)}", dashed=True))
        for step, until, color, label in (("sd", "se", GREY, "± s"), ("se", "", ORANGE, "± SE")):
            spread = float(getattr(test, step))
            yield StepMark(Area(across, np.full(2, mean + spread), color, label, low=np.full(2, mean - spread)), step, until)
        yield StepMark(Links(x, np.minimum(scores, mean), np.maximum(scores, mean), VERMILLION), "sd", "se")
        yield StepMark(Points(x, scores, BLUE, radius=point_radius(n)))
        yield StepMark(Curve(across, np.full(2, mean), VERMILLION, f"mean {format_plain(mean)}"), "mean")
        yield StepMark(Line((bracket, bracket), (mu, mean), VERMILLION, 6.0), "difference")
        yield StepMark(Label(bracket + 0.12 * width, (mu + mean) / 2, "D", "start", VERMILLION, bold=True), "difference")

    text = f"{n} scores from {format_plain(scores.min())} to {format_plain(scores.max())}, with mean {format_plain(mean)}"
    text += f" and standard deviation {format_plain(test.sd)}. The given value is {format_plain(mu)}."
    limits = (0.4, right + width), axis_limits(scores, mu, mean - test.sd, mean + test.sd, share=0.08)
    return StepPicture.of(Picture("The sample", "data sets", "score", *limits, (), text, xticks=False), parts(), **place)
