"""What is told of a test in a paper, part by part: statistic, p, sizes, estimate, interval, effect size, places of the classifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.classifier_pair import PairedScores, TwoClassifiers, TwoClassifierTest, replace_a_and_b
from ..core.hypothesis import HypothesisTest
from ..core.metric_direction import DEFAULT_METRIC_NAME, ScoreProcedure
from ..core.number_format import DIGITS, format_confidence_level, format_latex, format_level, format_plain, format_pvalue
from ..core.value_types import Interval
from ..distributions.continuous_distributions import ChiSquared, FisherF, StudentT, Uniform
from .experiment_setup import value_or_none

Part = tuple[str, str]  # of the sentence, as text and as LaTeX

ESTIMATE_NAMES = {  # estimates by their symbols
    r"\bar d": "mean difference",
    r"\bar x": "mean score",
    r"\mathrm{OR}": "odds ratio",
    "d_{11}": "difference on the first fold",
    r"\hat\theta": "Hodges-Lehmann estimate of the difference",
    r"\hat\Delta": "Hodges-Lehmann estimate of the difference",
}
SAMPLE_SIZE_NAMES = {"n_x": ("data sets", 0), "n_y": ("data sets", 1), "n_a": ("records", 0), "n_b": ("records", 1)}  # of A, or of B, alone
PLAIN_SYMBOLS = {r"\eta^2": "η²", r"\eta_p^2": "partial η²", r"\Delta r": "Δr"}  # symbols of effect sizes outside formulas


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


def statistic_part(test: HypothesisTest, found: Any) -> Iterator[Part]:
    """The statistic with its degrees of freedom, and p; a statistic that is p itself is told once."""
    from ..render.latex import escape_document_text

    null, statistic = value_or_none(test, "null"), value_or_none(test, "statistic")
    if statistic is not None and not (isinstance(null, Uniform) and found is not None):
        symbol, degrees = type(test).steps["statistic"].symbol, _degrees_of_freedom(null)
        text, formula = _equation(f"{_plain_symbol(symbol)}{degrees}", f"{symbol}{degrees}", statistic, test.statistic_digits)
        whose = _tested_count(test) if symbol == "m" and isinstance(test, TwoClassifierTest) else ""
        yield text + whose, formula + escape_document_text(whose)
    if found is not None:
        one_sided = "" if test.alternative in ("two-sided", "equivalence") else " (one-sided)"  # the decision says which side
        p = format_pvalue_for_paper(found, test.alpha)
        yield f"{p}{one_sided}", f"${p}$" + one_sided


def _tested_count(test: TwoClassifierTest) -> str:
    """Which of the two counts a test of counts looks at."""
    if test.alternative == "two-sided":
        return " (the smaller count)"
    return f" (for {test.sides[test.alternative == 'greater']})"


def pluralize(value: Any, noun: str) -> str:
    """Words for so many of something.

    >>> pluralize(1, "data sets on which the classifiers differ"), pluralize(2, "splits")
    ('data set on which the classifiers differ', 'splits')
    """
    return re.sub(r"\b(data set|record|split|fold|score)s\b", r"\1", noun, count=1) if value == 1 else noun


def sizes_part(test: Any) -> Iterator[Part]:
    """How many data sets, records or splits there were, and how many classifiers."""
    from ..render.latex import escape_document_text

    inputs, steps = type(test).inputs, type(test).steps
    for size in ("n", "n_x", "n_y", "n_b"):
        value = value_or_none(test, size)
        if value is None or np.ndim(value):
            continue
        symbol = inputs[size]["symbol"] if size in inputs else steps[size].symbol
        alone = SAMPLE_SIZE_NAMES.get("n_a" if size == "n" and "n_b" in inputs else size)
        if alone is not None and isinstance(test, TwoClassifiers):
            noun = f"{alone[0]} of {test.sides[alone[1]]}"
        else:
            noun = steps["n"].sentence.removeprefix("Number of ").split(":")[0].split(",")[0].split(";")[0].rstrip(".")
            if getattr(test, "design", "repeated") == "independent":
                noun = "scores of all classifiers together"
            noun = f"{noun[0].lower()}{noun[1:]}".replace("data sets that count", "data sets counted as won or lost")
        noun = pluralize(value, noun)
        yield f"{_plain_symbol(symbol)} = {format_plain(value)} {noun}", f"${symbol} = {format_latex(value)}$ {escape_document_text(noun)}"
    if isinstance(test, PairedScores) and "n" not in steps and (a := value_or_none(test, "a")) is not None and np.ndim(a) == 1:
        noun = pluralize(len(a), f"{test.default_unit}s")
        yield f"n = {len(a)} {noun}", f"$n = {len(a)}$ {escape_document_text(noun)}"
    k = value_or_none(test, "k") if "k" in steps and steps["k"].sentence == "Number of classifiers." else None
    if k is not None and not np.ndim(k):
        yield f"k = {format_plain(k)} classifiers", f"$k = {format_latex(k)}$ classifiers"


def extra_part(test: Any) -> Iterator[Part]:
    """What else a paper tells of this test, by its own words."""
    from ..render.latex import escape_document_text

    for name, said in test.in_report.items():
        value = value_or_none(test, name)
        if value is None or (np.ndim(value) and not isinstance(value, Interval)):
            continue
        written = value.written(format_plain) if isinstance(value, Interval) else "infinite" if np.isinf(value) else format_plain(value)
        text = pluralize(value, said.format(written))
        if isinstance(test, TwoClassifiers):
            text = replace_a_and_b(text, test.sides)
        yield text, escape_document_text(text)


def estimate_part(test: HypothesisTest) -> Iterator[Part]:
    """By how much A is better, and the interval that belongs to it."""
    steps = type(test).steps
    if "ci" not in steps:
        return
    step = test.estimated_by or next((name for name in ("odds_ratio", "mean") if name in steps), "")
    words = _estimate_name(test, step)
    value = value_or_none(test, step)
    if value is not None:
        infinite = _infinite_text(value)
        yield f"{words} {infinite or format_plain(value)}", f"{words} {infinite or f'${format_latex(value)}$'}"
    if isinstance(ends := value_or_none(test, "ci"), Interval):
        level = format_confidence_level(test.alpha * (2 if str(test.alternative) == "equivalence" else 1))
        of = "" if value is not None else f" of the {words}"
        if np.all(np.isinf(ends)):
            yield f"no finite {level} % confidence interval{of}", rf"no finite {level}\,\% confidence interval{of}"
        else:
            formula = ends.written(format_latex, r",\ ")
            yield f"{level} % confidence interval{of} {ends.written(format_plain)}", rf"{level}\,\% confidence interval{of} ${formula}$"


def effect_size_part(test: HypothesisTest) -> Iterator[Part]:
    """The effect size by its symbol."""
    if (size := value_or_none(test, "effect_size")) is not None:
        symbol = type(test).steps["effect_size"].symbol
        text, formula = _equation(_plain_symbol(symbol), symbol, size)
        called = cohen_magnitude(symbol, size) if ".resampling." not in type(test).__module__ else ""
        yield f"effect size {text}{called}", f"effect size {formula}{called}"


def cohen_magnitude(symbol: str, size: Any) -> str:
    """What Cohen calls an effect of that size, in brackets; empty where he has no word for its kind, and for an infinite one.

    >>> cohen_magnitude("W", 0.31), cohen_magnitude("d_z", -0.1), cohen_magnitude("B / A", 0.5)
    (' (medium)', ' (negligible)', '')
    """
    if symbol not in MAGNITUDES or np.isinf(size):
        return ""
    return f" ({('negligible', 'small', 'medium', 'large')[sum(abs(float(size)) >= least for least in MAGNITUDES[symbol])]})"


def _equation(text: str, symbol: str, value: Any, digits: int = DIGITS) -> Part:
    """What a symbol is worth; an infinite value in words."""
    if infinite := _infinite_text(value):
        return f"{text} is {infinite}", f"${symbol}$ is {infinite}"
    return f"{text} = {format_plain(value, digits)}", f"${symbol} = {format_latex(value, digits)}$"


def _infinite_text(value: Any) -> str:
    """An infinite value in words; nothing for a finite one."""
    return ("infinite" if value > 0 else "negatively infinite") if np.isinf(value) else ""


def _estimate_name(test: HypothesisTest, step: str) -> str:
    """What the interval of a test is about, in words."""
    symbol = type(test).steps[step].symbol if step else ""
    words = ESTIMATE_NAMES.get(symbol) or f"difference in {test.compared}"
    if words == "mean score":
        return test.compared if isinstance(test, ScoreProcedure) else words
    return f"{words} ({' less '.join(reversed(test.sides))})" if isinstance(test, TwoClassifierTest) and test.direction else words


def ranking_part(test: Any) -> Iterator[Part]:
    """Mean rank or mean of each classifier, the best first."""
    from ..render.latex import escape_document_text

    if isinstance(test, TwoClassifiers) or not hasattr(type(test), "steps"):
        return
    for step, plural in (("mean_ranks", "mean ranks"), ("means", "means"), ("accuracies", "accuracies")):
        values, labels = value_or_none(test, step), value_or_none(test, "labels")
        if values is None or labels is None or np.ndim(values) != 1 or len(values) != len(labels):
            continue
        if step == "mean_ranks" and type(test).steps[step].sentence.startswith("Mean aligned rank "):
            plural = "mean aligned ranks"  # from 1 to k N, not to k
        if (metric := value_or_none(test, "metric")) not in (None, DEFAULT_METRIC_NAME):
            plural += f" {'by' if step == 'mean_ranks' else 'of'} {metric}"
        down = step == "mean_ranks" or value_or_none(test, "higher_is_better") is False
        order = np.argsort(values if down else -values, kind="stable").tolist()
        each = [(str(labels[j]), format_plain(values[j])) for j in order]
        yield (
            f"{plural} {', '.join(f'{name} {value}' for name, value in each)}",
            f"{plural} {', '.join(f'{escape_document_text(name)} ${value}$' for name, value in each)}",
        )
        return


def format_pvalue_for_paper(p: Any, alpha: Any = 0.05) -> str:
    """A p-value as papers print it: three decimals, ``< 0.001`` below; more where these do not tell it from alpha.

    >>> format_pvalue_for_paper(0.0412), format_pvalue_for_paper(0.0500004), format_pvalue_for_paper(0.00002), format_pvalue_for_paper(0.00002, alpha=0.00001)
    ('p = 0.041', 'p = 0.0500004', 'p < 0.001', 'p = 2e-05')
    """
    if p < 0.001 <= alpha:
        return "p < 0.001"
    printed = f"{p:.3f}"
    told = alpha >= 0.001 and all((float(printed) <= float(level)) == (p <= alpha) for level in (alpha, format_level(alpha, p)))
    return f"p = {printed}" if told else format_pvalue(p, alpha)


def _degrees_of_freedom(null: Any) -> str:
    """The degrees of freedom of a null distribution, in brackets; empty for one without."""
    if isinstance(null, FisherF):
        return f"({format_plain(null.df)}, {format_plain(null.df_error)})"
    return f"({format_plain(null.df)})" if isinstance(null, (StudentT, ChiSquared)) else ""


def _plain_symbol(symbol: str) -> str:
    """A symbol outside formulas."""
    from ..plot.charts.null_distribution_plot import UNICODE_SYMBOLS

    return PLAIN_SYMBOLS.get(symbol) or UNICODE_SYMBOLS.get(symbol, symbol)
