"""What is told of a test in a paper, part by part: statistic, p, sizes, estimate, interval, effect size, places of the classifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.classifier_pair import ComparisonOfTwo, PairedScores, TwoClassifiers, with_names
from ..core.hypothesis import HypothesisTest
from ..core.metric_direction import UNNAMED, OfScores
from ..core.number_format import DIGITS, level_beside, p_beside, percent, plain, tex
from ..core.value_types import Interval
from ..distributions.continuous_distributions import ChiSquared, FisherF, StudentT, Uniform
from .experiment_setup import known

Part = tuple[str, str]  # of the sentence, as text and as LaTeX

ESTIMATED = {  # estimates by their symbols
    r"\bar d": "mean difference",
    r"\bar x": "mean score",
    r"\mathrm{OR}": "odds ratio",
    "d_{11}": "difference on the first fold",
    r"\hat\theta": "Hodges-Lehmann estimate of the difference",
    r"\hat\Delta": "Hodges-Lehmann estimate of the difference",
}
OF_ONE = {"n_x": ("data sets", 0), "n_y": ("data sets", 1), "n_a": ("records", 0), "n_b": ("records", 1)}  # of A, or of B, alone
SPOKEN = {r"\eta^2": "η²", r"\eta_p^2": "partial η²", r"\Delta r": "Δr"}  # symbols of effect sizes outside formulas


# From which size on an effect is small, medium, large: Cohen (1988), for means (d), shares (g), proportions on their scale (h),
# correlations (r, and W, which is one) and shares of a spread (eta squared).
MAGNITUDES = {
    "d": (0.2, 0.5, 0.8),
    "d_z": (0.2, 0.5, 0.8),
    "h": (0.2, 0.5, 0.8),
    "g": (0.05, 0.15, 0.25),
    "r": (0.1, 0.3, 0.5),
    "W": (0.1, 0.3, 0.5),
    r"\eta^2": (0.01, 0.06, 0.14),
    r"\eta_p^2": (0.01, 0.06, 0.14),
}


def statistic_told(test: HypothesisTest, found: Any) -> Iterator[Part]:
    """The statistic with its degrees of freedom, and p; a statistic that is p itself is told once."""
    from ..render.latex import words

    null, statistic = known(test, "null"), known(test, "statistic")
    if statistic is not None and not (isinstance(null, Uniform) and found is not None):
        symbol, degrees = type(test).steps["statistic"].symbol, _degrees(null)
        text, formula = _equal(f"{_spoken(symbol)}{degrees}", f"{symbol}{degrees}", statistic, test.digits_of_statistic)
        whose = _count_of(test) if symbol == "m" and isinstance(test, ComparisonOfTwo) else ""
        yield text + whose, formula + words(whose)
    if found is not None:
        one_sided = "" if test.alternative in ("two-sided", "equivalence") else " (one-sided)"  # the decision says which side
        p = p_value(found, test.alpha)
        yield f"{p}{one_sided}", f"${p}$" + one_sided


def _count_of(test: ComparisonOfTwo) -> str:
    """Which of the two counts a test of counts looks at."""
    if test.alternative == "two-sided":
        return " (the smaller count)"
    return f" (for {test.sides[test.alternative == 'greater']})"


def singular_of_one(value: Any, noun: str) -> str:
    """Words for so many of something.

    >>> singular_of_one(1, "data sets on which the classifiers differ"), singular_of_one(2, "splits")
    ('data set on which the classifiers differ', 'splits')
    """
    return re.sub(r"\b(data set|record|split|fold|score)s\b", r"\1", noun, count=1) if value == 1 else noun


def sizes_told(test: Any) -> Iterator[Part]:
    """How many data sets, records or splits there were, and how many classifiers."""
    from ..render.latex import words

    inputs, steps = type(test).inputs, type(test).steps
    for size in ("n", "n_x", "n_y", "n_b"):
        value = known(test, size)
        if value is None or np.ndim(value):
            continue
        symbol = inputs[size]["symbol"] if size in inputs else steps[size].symbol
        alone = OF_ONE.get("n_a" if size == "n" and "n_b" in inputs else size)
        if alone is not None and isinstance(test, TwoClassifiers):
            noun = f"{alone[0]} of {test.sides[alone[1]]}"
        else:
            noun = steps["n"].sentence.removeprefix("Number of ").split(":")[0].split(",")[0].split(";")[0].rstrip(".")
            if getattr(test, "design", "repeated") == "independent":
                noun = "scores of all classifiers together"
            noun = f"{noun[0].lower()}{noun[1:]}".replace("data sets that count", "data sets counted as won or lost")
        noun = singular_of_one(value, noun)
        yield f"{_spoken(symbol)} = {plain(value)} {noun}", f"${symbol} = {tex(value)}$ {words(noun)}"
    if isinstance(test, PairedScores) and "n" not in steps and (a := known(test, "a")) is not None and np.ndim(a) == 1:
        noun = singular_of_one(len(a), f"{test.usual_unit}s")
        yield f"n = {len(a)} {noun}", f"$n = {len(a)}$ {words(noun)}"
    k = known(test, "k") if "k" in steps and steps["k"].sentence == "Number of classifiers." else None
    if k is not None and not np.ndim(k):
        yield f"k = {plain(k)} classifiers", f"$k = {tex(k)}$ classifiers"


def reported_told(test: Any) -> Iterator[Part]:
    """What else a paper tells of this test, by its own words."""
    from ..render.latex import words

    for name, said in test.in_report.items():
        value = known(test, name)
        if value is None or (np.ndim(value) and not isinstance(value, Interval)):
            continue
        written = value.written(plain) if isinstance(value, Interval) else "infinite" if np.isinf(value) else plain(value)
        text = singular_of_one(value, said.format(written))
        if isinstance(test, TwoClassifiers):
            text = with_names(text, test.sides)
        yield text, words(text)


def estimate_told(test: HypothesisTest) -> Iterator[Part]:
    """By how much A is better, and the interval that belongs to it."""
    steps = type(test).steps
    if "ci" not in steps:
        return
    step = test.estimated_by or next((name for name in ("odds_ratio", "mean") if name in steps), "")
    words = _estimated(test, step)
    value = known(test, step)
    if value is not None:
        infinite = _infinite(value)
        yield f"{words} {infinite or plain(value)}", f"{words} {infinite or f'${tex(value)}$'}"
    if isinstance(ends := known(test, "ci"), Interval):
        level = percent(test.alpha * (2 if str(test.alternative) == "equivalence" else 1))
        of = "" if value is not None else f" of the {words}"
        if np.all(np.isinf(ends)):
            yield f"no finite {level} % confidence interval{of}", rf"no finite {level}\,\% confidence interval{of}"
        else:
            formula = ends.written(tex, r",\ ")
            yield f"{level} % confidence interval{of} {ends.written(plain)}", rf"{level}\,\% confidence interval{of} ${formula}$"


def effect_told(test: HypothesisTest) -> Iterator[Part]:
    """The effect size by its symbol."""
    if (size := known(test, "effect_size")) is not None:
        symbol = type(test).steps["effect_size"].symbol
        text, formula = _equal(_spoken(symbol), symbol, size)
        called = magnitude(symbol, size) if ".resampling." not in type(test).__module__ else ""
        yield f"effect size {text}{called}", f"effect size {formula}{called}"


def magnitude(symbol: str, size: Any) -> str:
    """What Cohen calls an effect of that size, in brackets; empty where he has no word for its kind, and for an infinite one.

    >>> magnitude("W", 0.31), magnitude("d_z", -0.1), magnitude("B / A", 0.5)
    (' (medium)', ' (negligible)', '')
    """
    if symbol not in MAGNITUDES or np.isinf(size):
        return ""
    return f" ({('negligible', 'small', 'medium', 'large')[sum(abs(float(size)) >= least for least in MAGNITUDES[symbol])]})"


def _equal(text: str, symbol: str, value: Any, digits: int = DIGITS) -> Part:
    """What a symbol is worth; an infinite value in words."""
    if infinite := _infinite(value):
        return f"{text} is {infinite}", f"${symbol}$ is {infinite}"
    return f"{text} = {plain(value, digits)}", f"${symbol} = {tex(value, digits)}$"


def _infinite(value: Any) -> str:
    """An infinite value in words; nothing for a finite one."""
    return ("infinite" if value > 0 else "negatively infinite") if np.isinf(value) else ""


def _estimated(test: HypothesisTest, step: str) -> str:
    """What the interval of a test is about, in words."""
    symbol = type(test).steps[step].symbol if step else ""
    words = ESTIMATED.get(symbol) or f"difference in {test.compared}"
    if words == "mean score":
        return test.compared if isinstance(test, OfScores) else words
    return f"{words} ({' less '.join(reversed(test.sides))})" if isinstance(test, ComparisonOfTwo) and test.direction else words


def places_told(test: Any) -> Iterator[Part]:
    """Mean rank or mean of each classifier, the best first."""
    from ..render.latex import words

    if isinstance(test, TwoClassifiers) or not hasattr(type(test), "steps"):
        return
    for step, plural in (("mean_ranks", "mean ranks"), ("means", "means"), ("accuracies", "accuracies")):
        values, labels = known(test, step), known(test, "labels")
        if values is None or labels is None or np.ndim(values) != 1 or len(values) != len(labels):
            continue
        if step == "mean_ranks" and type(test).steps[step].sentence.startswith("Mean aligned rank "):
            plural = "mean aligned ranks"  # from 1 to k N, not to k
        if (metric := known(test, "metric")) not in (None, UNNAMED):
            plural += f" {'by' if step == 'mean_ranks' else 'of'} {metric}"
        down = step == "mean_ranks" or known(test, "higher_is_better") is False
        order = np.argsort(values if down else -values, kind="stable").tolist()
        each = [(str(labels[j]), plain(values[j])) for j in order]
        yield (
            f"{plural} {', '.join(f'{name} {value}' for name, value in each)}",
            f"{plural} {', '.join(f'{words(name)} ${value}$' for name, value in each)}",
        )
        return


def p_value(p: Any, alpha: Any = 0.05) -> str:
    """A p-value as papers print it: three decimals, ``< 0.001`` below; more where these do not tell it from alpha.

    >>> p_value(0.0412), p_value(0.0500004), p_value(0.00002), p_value(0.00002, alpha=0.00001)
    ('p = 0.041', 'p = 0.0500004', 'p < 0.001', 'p = 2e-05')
    """
    if p < 0.001 <= alpha:
        return "p < 0.001"
    printed = f"{p:.3f}"
    told = alpha >= 0.001 and all((float(printed) <= float(level)) == (p <= alpha) for level in (alpha, level_beside(alpha, p)))
    return f"p = {printed}" if told else p_beside(p, alpha)


def _degrees(null: Any) -> str:
    """The degrees of freedom of a null distribution, in brackets; empty for one without."""
    if isinstance(null, FisherF):
        return f"({plain(null.df)}, {plain(null.df_error)})"
    return f"({plain(null.df)})" if isinstance(null, (StudentT, ChiSquared)) else ""


def _spoken(symbol: str) -> str:
    """A symbol outside formulas."""
    from ..plot.charts.null_distribution_plot import PLAIN

    return SPOKEN.get(symbol) or PLAIN.get(symbol, symbol)
