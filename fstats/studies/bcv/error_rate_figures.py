"""Error rates of the learners in a paper on 5x2 cross-validation.

The module draws Figure 2 (data source EXP6) and Figure 3 (true error rates).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.value_types import Array
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREEN, GREY, ORANGE, VERMILLION, Curve, Label, Line, Links, Points
from ...render.display_table import Table
from ...simulate.bcv_paper_sources import EXP6
from ...simulate.exp6_population import exp6_records, exp6_rules, f1, f2, f3
from ..study_files import printed_figures
from .bcv_design import DATA_SETS
from .stored_rejections import stored_results

COLORS = (BLUE, ORANGE, GREEN, VERMILLION, GREY, "#cc79a7")
PRINTED_EXP6: dict[str, str] = printed_figures(__package__)["exp6"]  # error rates in percent, and the omega at which they are equal


def figure2(seed: int = 0) -> Picture:
    """Draw a data set of EXP6: 300 records in six classes, the three boundaries, and the points at which two rules hold at once.

    Examples
    --------
    >>> figure2()
    [picture: 300 records of EXP6 in six classes (...), with the boundaries f1, f2 and f3; 166 of the 22801 places satisfy two rules.]
    """
    ((x, y),) = EXP6().draw(np.random.default_rng(seed), 1)
    places, _ = exp6_records()
    double = exp6_rules(*places.T).sum(0) > 1
    marks: list[Any] = [Points(places[double, 0], places[double, 1], "#dddddd", radius=2.0)]
    for name, f in (("f1", f1), ("f2", f2), ("f3", f3)):
        across = np.linspace(0, 15, 601)
        marks += [Curve(*piece) for piece in _curve_pieces(across, f(across))]
        marks.append(Label(*_label_position(across, f(across)), name, bold=True))
    marks += [Points(x[y == k + 1, 0], x[y == k + 1, 1], color, str(k + 1), radius=3.0) for k, color in enumerate(COLORS)]
    counts = ", ".join(f"{k}: {int((y == k).sum())}" for k in range(1, 7))
    drawn = f"300 records of EXP6 in six classes ({counts}), with the boundaries f1, f2 and f3"
    text = f"{drawn}; {int(double.sum())} of the {len(places)} places satisfy two rules."
    return Picture("EXP6", "x1", "x2", (0.0, 15.0), (0.0, 15.0), tuple(marks), text, height=1.6)


def _curve_pieces(x: Array, y: Array) -> list[tuple[Array, Array]]:
    """Return the pieces of a curve that lie inside the plotted square."""
    inside = np.flatnonzero((y >= 0) & (y <= 15))
    pieces = np.split(inside, np.flatnonzero(np.diff(inside) > 1) + 1)
    return [(x[piece], y[piece]) for piece in pieces if len(piece) > 1]


def _label_position(x: Array, y: Array) -> tuple[float, float]:
    """Return the position of the name of a boundary: the first point of the boundary inside the plotted square."""
    first = np.flatnonzero((y >= 0) & (y <= 15))[0]
    return float(x[first]) + 0.25, max(float(y[first]), 0.4) + (0.3 if x[first] == 0 else 0.0)


def figure3(source: str) -> Picture:
    """Draw the true error rates of both learners at each lambda, as means over 1,000 training sets of n/2 records.

    Parameters
    ----------
    source : {"EXP6", "Simple", "letter"}
    """
    x, a, b, se, training_sets = _error_rates(source)
    names = _learner_names(source)
    low, high = float(min(a.min(), b.min())), float(max(a.max(), b.max()))
    room = 0.25 * (high - low)
    marks = (
        Line((0.0, 1.0), (float(a[0]), float(a[0])), BLUE, 2.0),
        Links(x, b - 2 * se, b + 2 * se, VERMILLION),
        Curve(x, b, VERMILLION),
        Points(x, a, BLUE, names[0], radius=3.0),
        Points(x, b, VERMILLION, names[1], open=True, radius=3.0),
    )
    fixed, moving = (", ".join(f"{error:.4f}" for error in errors) for errors in (a, b))
    text = f"True error rates on {source} at 0, 0.1, ..., 1, {training_sets}: {names[0]} {fixed}; {names[1]} {moving}."
    xlabel = "delta" if source == "Simple" else "lambda"
    return Picture(f"True error rates on {source}", xlabel, "error rate", (-0.03, 1.03), (low - room, high + room), marks, text)


def _learner_names(source: str) -> tuple[str, str]:
    """Return the name of the learner with a constant setting and the name of the learner whose setting changes."""
    return ("majority", "logistic regression") if source == "Simple" else ("tree", "nearest neighbour")


def _error_rates(source: str, folder: Any = None) -> tuple[Array, Array, Array, Array, str]:
    results = stored_results("errors", folder)
    for result in results:
        if result["source"] == source:
            points = np.array([float(point) for point in result["points"]])
            order = points.argsort()
            training_sets = f"{result['data_sets']} training sets of {result['n']}"
            curve = result["logistic"] if source == "Simple" else result["nearest"]  # error rates of the learner whose setting changes
            moving, se = (np.array(curve[name])[order] for name in ("errors", "se"))
            fixed = np.full(len(moving), result["majority"] if source == "Simple" else result["tree"]["error"])
            return points[order], fixed, moving, se, training_sets
    raise ValueError(f"`source` must be one of {', '.join(result['source'] for result in results) or 'none'}; got {source!r}")


class ErrorRate(NamedTuple):
    """Printed error rate in percent and computed error rate, with the standard error and the number of training sets of the computed rate.

    >>> round(ErrorRate("12.0", 11.7, 0.3, 1000).z * 2**0.5, 6)
    1.0
    """

    printed: str
    error: float
    se: float
    data_sets: int

    @property
    def z(self) -> float:
        """Difference of printed and computed rate in standard errors; the printed rate has a standard error, too (1,000 training sets)."""
        return (float(self.printed) - self.error) / float(np.hypot(self.se, self.se * np.sqrt(self.data_sets / DATA_SETS)))


def exp6_rates(folder: Any = None) -> dict[tuple[str, int], ErrorRate]:
    """Return the error rates of the tree and of the nearest neighbour at its best setting, after training on n records of EXP6."""
    rates = {}
    # results of kind "errors" come last, because their rates (means over more training sets) replace those of the calibration
    for result in (*stored_results("calibration", folder), *stored_results("errors", folder)):
        if result["source"] == "EXP6":
            best, n, nearest = result["values"].index(1.0), result["n"], result["nearest"]
            errors = {"tree": (result["tree"]["error"], result["tree"]["se"]), "nearest": (nearest["errors"][best], nearest["se"][best])}
            for learner, (error, se) in errors.items():
                rates[learner, n] = ErrorRate(PRINTED_EXP6[learner], 100 * error, 100 * se, result["data_sets"])
    return rates


def exp6_readings(folder: Any = None) -> Table:
    """Return printed and computed error rates of EXP6; the printed rates are near the rates after training on 150 records, not on 300.

    Parameters
    ----------
    folder : path, optional
        Folder of results computed again; by default the results of the package.

    Examples
    --------
    >>> print(exp6_readings().lines[0][:2])
    ['tree (C4.5; here CART), error rate in %', '12.27']
    """
    settings = {result["n"]: result["settings"]["0"] for result in stored_results("calibration", folder) if result["source"] == "EXP6"}
    rates = exp6_rates(folder)
    sizes = sorted({n for _, n in rates})
    lines = []
    for learner, name in (("tree", "tree (C4.5; here CART)"), ("nearest", "nearest neighbour at omega = 1")):
        ours = [f"{rate.error:.2f} ± {rate.se:.2f} (z = {rate.z:+.1f})" for rate in (rates[learner, n] for n in sizes)]
        lines.append([f"{name}, error rate in %", PRINTED_EXP6[learner], *ours])
    lines.append(["omega at which both are equal", PRINTED_EXP6["omega"], *(f"{settings[n]:.3f}" if n in settings else "–" for n in sizes)])
    heads = ("", "printed", *(f"ours, training sets of {n}" for n in sizes))
    sets = ", ".join(f"{rates['tree', n].data_sets} of {n} records" for n in sizes)
    title = f"EXP6 with f3 as printed: what are the printed true error rates? (training sets: {sets}; z counts both errors)"
    return Table(heads, lines, title)


def error_table(source: str, folder: Any = None) -> Table:
    """Return Figure 3 as a table: true error rates of both learners at 0, 0.1, ..., 1.

    Parameters
    ----------
    source : {"EXP6", "Simple", "letter"}
        The source.
    folder : path, optional
        Folder of results computed again; by default the results of the package.
    """
    x, fixed, moving, se, training_sets = _error_rates(source, folder)
    lines = [[f"{x_:g}", f"{100 * a:.2f}", f"{100 * b:.2f} ± {100 * e:.2f}"] for x_, a, b, e in zip(x, fixed, moving, se)]
    heads = ("Delta" if source == "Simple" else "lambda", *(f"{name}, %" for name in _learner_names(source)))
    return Table(heads, lines, f"True error rates on {source}: {training_sets}")
