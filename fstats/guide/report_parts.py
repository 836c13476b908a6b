"""Sentences that report the result of a test.

They hold statistic, p, sample sizes, estimate, interval, effect size, and ranking of the classifiers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..core.classifier_pair import PairedScores, TwoClassifiers, TwoClassifierTest, replace_a_and_b
from ..core.hypothesis import HypothesisTest
from ..core.metric_direction import DEFAULT_METRIC_NAME, ScoreProcedure
from ..core.number_format import DIGITS, format_confidence_level, format_latex, format_level, format_plain, format_pvalue
from ..core.value_types import Interval
from ..distributions.continuous_distributions import ChiSquared, FisherF, StudentT, Uniform
from ..render.latex import escape_document_text
from .effect_size import cohen_magnitude
from .experiment_setup import value_or_none
from .procedure_citation import join_words

Part = tuple[str, str]  # a part of a sentence as plain text and as LaTeX

ESTIMATE_NAMES = {  # maps the symbol of an estimate to its name in the report
    r"\bar d": "mean difference",
    r"\bar x": "mean score",
    r"\hat\pi": "accuracy",
    r"\mathrm{OR}": "odds ratio",
    "d_{11}": "difference on the first fold",
    r"\hat\theta": "Hodges-Lehmann estimate of the difference",
    r"\hat\Delta": "Hodges-Lehmann estimate of the difference",
}
# maps the step with a sample size to the counted unit and the position of the classifier (0 is A, 1 is B)
SAMPLE_SIZE_NAMES = {"n_x": ("data sets", 0), "n_y": ("data sets", 1), "n_a": ("records", 0), "n_b": ("records", 1)}
PLAIN_SYMBOLS = {r"\eta^2": "η²", r"\eta_p^2": "partial η²", r"\Delta r": "Δr"}  # maps the LaTeX symbol of an effect size to plain text


def statistic_part(test: HypothesisTest, pvalue: Any) -> Iterator[Part]:
    """Yield the statistic with its degrees of freedom, and yield p; a statistic that equals p is left out."""
    null, statistic = value_or_none(test, "null"), value_or_none(test, "statistic")
    if statistic is not None and not (isinstance(null, Uniform) and pvalue is not None):
        symbol, degrees = type(test).steps["statistic"].symbol, _degrees_of_freedom(null)
        text, formula = _equation(f"{_plain_symbol(symbol)}{degrees}", f"{symbol}{degrees}", statistic, test.statistic_digits)
        count = _tested_count(test) if symbol == "m" and isinstance(test, TwoClassifierTest) else ""
        yield f"{text} {count}".rstrip(), f"{formula} {escape_document_text(count)}".rstrip()
    if pvalue is not None:
        # the decision states the direction, so do not state it beside p
        one_sided = "" if test.alternative in ("two-sided", "equivalence") else " (one-sided)"
        p, (before, after) = format_pvalue_for_paper(pvalue, test.alpha), re.split(r"\bp\b", pvalue_name(test), maxsplit=1)
        yield f"{before}{p}{after}{one_sided}", f"{before}${p}${after}{one_sided}"


def pvalue_name(test: Any) -> str:
    """Return the name of the p-value of a test, which says how p was computed: "exact p"; "p" if the statistic says it, as t(8) does.

    >>> import fstats
    >>> pvalue_name(fstats.McNemarExact(1, 9)), pvalue_name(fstats.McNemarMidP(1, 9)), pvalue_name(fstats.PairedT([1, 2, 4], [2, 4, 5]))
    ('exact p', 'mid-p', 'p')
    """
    if (null := value_or_none(test, "null")) is None or type(test).steps["statistic"].symbol == "z":
        return "p"
    return str(getattr(test, "p_name", getattr(null, "p_name", "p")))


def _tested_count(test: TwoClassifierTest) -> str:
    """Return a text in brackets that says which of the two counts is the statistic of a test of counts."""
    if test.alternative == "two-sided":
        return "(the smaller count)"
    return f"(for {test.sides[test.alternative == 'greater']})"


def pluralize(value: Any, noun: str) -> str:
    """Return a noun in the plural, or in the singular for 1.

    >>> pluralize(1, "data sets on which the classifiers differ"), pluralize(2, "splits")
    ('data set on which the classifiers differ', 'splits')
    """
    return re.sub(r"\b(data set|record|split|fold|score)s\b", r"\1", noun, count=1) if value == 1 else noun


def sizes_part(test: Any) -> Iterator[Part]:
    """Yield the numbers of data sets, records or splits, the ratio of their sizes, and the number of classifiers."""
    inputs, steps = type(test).inputs, type(test).steps
    for size in ("n", "n_x", "n_y", "n_b"):
        value = value_or_none(test, size)
        if value is None or np.ndim(value):
            continue
        symbol = inputs[size]["symbol"] if size in inputs else steps[size].symbol
        size_name = SAMPLE_SIZE_NAMES.get("n_a" if size == "n" and "n_b" in inputs else size)
        if size_name is not None and isinstance(test, TwoClassifiers):
            noun = f"{size_name[0]} of {test.sides[size_name[1]]}"
        else:
            sentence = inputs["n"]["sentence"] if "n" in inputs else steps["n"].sentence
            noun = sentence.removeprefix("Number of ").split(":")[0].split(",")[0].split(";")[0].rstrip(".")
            if getattr(test, "design", "repeated") == "independent":
                noun = "scores of all classifiers together"
            noun = f"{noun[0].lower()}{noun[1:]}"
        noun = pluralize(value, noun)
        if isinstance(test, PairedScores) and (a := value_or_none(test, "a")) is not None and np.ndim(a) == 1 and len(a) != value:
            noun += f" (of {len(a)})"
        yield f"{_plain_symbol(symbol)} = {format_plain(value)} {noun}", f"${symbol} = {format_latex(value)}$ {escape_document_text(noun)}"
    if isinstance(test, PairedScores) and "n" not in steps and (a := value_or_none(test, "a")) is not None and np.ndim(a) == 1:
        noun = pluralize(len(a), f"{test.default_unit}s")
        yield f"n = {len(a)} {noun}", f"$n = {len(a)}$ {escape_document_text(noun)}"
    if (sizes := value_or_none(test, "test_train_ratio")) is not None:
        yield f"ratio of test to training size {format_plain(sizes)}", f"ratio of test to training size ${format_latex(sizes)}$"
    k = value_or_none(test, "k") if "k" in steps and steps["k"].sentence == "Number of classifiers." else None
    if k is not None and not np.ndim(k):
        yield f"k = {format_plain(k)} classifiers", f"$k = {format_latex(k)}$ classifiers"


def extra_part(test: Any) -> Iterator[Part]:
    """Yield the further figures that a test names for its report."""
    for name, template in test.in_report.items():
        value = value_or_none(test, name)
        if value is None or (np.ndim(value) and not isinstance(value, Interval)):
            continue
        written = value.written(format_plain) if isinstance(value, Interval) else "infinite" if np.isinf(value) else format_plain(value)
        text = pluralize(value, template.format(written))
        if isinstance(test, TwoClassifiers):
            text = replace_a_and_b(text, test.sides)
        yield text, latex_sentence(text)


def estimate_part(test: HypothesisTest) -> Iterator[Part]:
    """Yield the estimated difference between A and B, and its interval."""
    steps = type(test).steps
    if "ci" not in steps:
        return
    if (source := test.__dict__.get("_source")) is not None and "odds_ratio" in steps:
        difference, ends = value_or_none(source, "difference"), value_or_none(source, "difference_ci")
        if difference is not None and isinstance(ends, Interval):
            level, name = format_confidence_level(source.alpha), "difference in accuracy"
            interval = ends.written(format_latex, r",\ ")
            yield (
                f"{name} {format_plain(difference)}, {level} % confidence interval {ends.written(format_plain)}",
                rf"{name} ${format_latex(difference)}$, {level}\,\% confidence interval ${interval}$",
            )
    step = test.estimated_by or next((name for name in ("odds_ratio", "mean") if name in steps), "")
    name = _estimate_name(test, step)
    value = value_or_none(test, step)
    if value is not None:
        infinite = _infinite_text(value)
        yield f"{name} {infinite or format_plain(value)}", f"{escape_document_text(name)} {infinite or f'${format_latex(value)}$'}"
    if isinstance(ends := value_or_none(test, "ci"), Interval):
        level = format_confidence_level(test.alpha * (2 if str(test.alternative) == "equivalence" else 1))
        suffix = f" by {method}'s method" if (method := getattr(test, "interval_method", "")) else ""
        suffix += "" if value is not None else f" of the {name}"
        if np.all(np.isinf(ends)):
            yield f"no finite {level} % confidence interval{suffix}", rf"no finite {level}\,\% confidence interval{suffix}"
        else:
            formula = ends.written(format_latex, r",\ ")
            yield (
                f"{level} % confidence interval{suffix} {ends.written(format_plain)}",
                rf"{level}\,\% confidence interval{suffix} ${formula}$",
            )


def effect_size_part(test: HypothesisTest) -> Iterator[Part]:
    """Yield the effect size with its symbol and Cohen's word for its size."""
    if (size := value_or_none(test, "effect_size")) is not None:
        symbol = type(test).steps["effect_size"].symbol
        text, formula = _equation(_plain_symbol(symbol), symbol, size)
        magnitude = cohen_magnitude(symbol, size) if ".resampling." not in type(test).__module__ else ""
        name = "Kendall's" if symbol == "W" else "effect size"
        yield f"{name} {text}{magnitude}", f"{name} {formula}{magnitude}"


def _equation(text: str, symbol: str, value: Any, digits: int = DIGITS) -> Part:
    """Return an equation of a symbol and its value; an infinite value is a word."""
    if infinite := _infinite_text(value):
        return f"{text} is {infinite}", f"${symbol}$ is {infinite}"
    return f"{text} = {format_plain(value, digits)}", f"${symbol} = {format_latex(value, digits)}$"


def _infinite_text(value: Any) -> str:
    """Return an infinite value as words; return an empty text for a finite value."""
    return ("infinite" if value > 0 else "negatively infinite") if np.isinf(value) else ""


def _estimate_name(test: HypothesisTest, step: str) -> str:
    """Return the name of the estimate to which the confidence interval of a test belongs."""
    symbol = type(test).steps[step].symbol if step else ""
    name = ESTIMATE_NAMES.get(symbol) or f"difference in {test.compared}"
    if name == "mean score":
        return test.compared if isinstance(test, ScoreProcedure) else name
    return f"{name} ({' minus '.join(reversed(test.sides))})" if isinstance(test, TwoClassifierTest) and test.direction else name


def ranking_part(test: Any) -> Iterator[Part]:
    """Yield a sentence with the mean rank or mean of each classifier, the best first."""
    if isinstance(test, TwoClassifiers) or not hasattr(type(test), "steps"):
        return
    for step, name in (("mean_ranks", "mean rank"), ("means", "mean"), ("accuracies", "accuracy")):
        values, labels = value_or_none(test, step), value_or_none(test, "labels")
        if values is None or labels is None or np.ndim(values) != 1 or len(values) != len(labels):
            continue
        if step == "mean_ranks" and type(test).steps[step].sentence.startswith("Mean aligned rank "):
            # aligned ranks have other values (1 to k N) than ranks within a data set (1 to k), so name them in the report
            name = "mean aligned rank"
        if (metric := value_or_none(test, "metric")) not in (None, DEFAULT_METRIC_NAME):
            name += f" {'by' if step == 'mean_ranks' else 'of'} {metric}"
        smaller_is_better = step == "mean_ranks" or value_or_none(test, "higher_is_better") is False
        order = np.argsort(values if smaller_is_better else -values, kind="stable").tolist()
        printed = equal_decimals([format_plain(value) for value in values])
        # number of classifiers with the best printed value; it is above 1 after ties
        best = sum(printed[j] == printed[order[0]] for j in order)
        texts = [(str(labels[j]), f"({printed[j]})") for j in order]
        formulas = [(escape_document_text(str(labels[j])), f"(${printed[j]}$)") for j in order]
        text, formula = (
            f"{join_words([label for label, _ in each[:best]])} had the best {what} {each[0][1]}"
            + f", followed by {join_words([f'{label} {value}' for label, value in each[best:]])}" * (best < len(each))
            for each, what in ((texts, name), (formulas, escape_document_text(name)))
        )
        yield f"{text}.", f"{formula}."
        return


def equal_decimals(printed: list[str]) -> list[str]:
    """Return printed numbers with the same number of decimals, if they have decimals and no exponents.

    >>> equal_decimals(["1.6", "3.467", "4"]), equal_decimals(["1", "2"])
    (['1.600', '3.467', '4.000'], ['1', '2'])
    """
    places = max(len(number.partition(".")[2]) for number in printed)
    return printed if "e" in "".join(printed) else [f"{float(number):.{places}f}" for number in printed]


def join_parts(parts: Iterable[Part]) -> tuple[str, str]:
    """Join the parts of a sentence, as text and as LaTeX."""
    texts, formulas = zip(*parts, strict=True)
    return ", ".join(texts), ", ".join(formulas)


def latex_sentence(sentence: str) -> str:
    r"""Return a sentence as LaTeX, with H0 and the symbols of numbers as formulas.

    >>> print(latex_sentence("k = 3 classifiers, n10 = 1, adjusted p ≤ 0.011; we reject H0 at alpha = 0.05."))
    $k = 3$ classifiers, $n_{10} = 1$, adjusted $p \leq 0.011$; we reject $H_0$ at $\alpha = 0.05$.
    """

    def formula(match: re.Match[str]) -> str:
        if not (symbol := match["symbol"]):
            return match[0]  # leave a text unchanged that is already a formula
        written = r"\alpha" if symbol == "alpha" else re.sub(r"(\d+)", r"_{\1}", symbol)
        return f"${written} {match['equal'] or match['less']} {match['number']}$"

    latex = _FORMULAS.sub(formula, escape_document_text(sentence))
    return re.sub(r"\bH0\b", "$H_0$", latex)


# matches a formula, which is not changed, or a symbol with its number in escaped text, which becomes a formula
_FORMULAS = re.compile(
    r"(?<!\\)\$[^$]*\$|(?<![\\\w@])(?P<symbol>alpha|[a-zN](?:\d\d)?) (?:(?P<equal>=)|\$(?P<less><|\\leq)\$)"
    r" (?P<number>-?\d+(?:\.\d+)?(?:e-?\d+)?)\b"
)


def format_pvalue_for_paper(p: Any, alpha: Any = 0.05) -> str:
    """Return a p-value for a paper: three decimals or ``< 0.001``; more decimals if three decimals do not distinguish p from alpha.

    >>> format_pvalue_for_paper(0.0412), format_pvalue_for_paper(0.0500004), format_pvalue_for_paper(0.00002)
    ('p = 0.041', 'p = 0.0500004', 'p < 0.001')
    >>> format_pvalue_for_paper(0.00002, alpha=0.00001)
    'p = 2e-05'
    """
    if p < 0.001 <= alpha:
        return "p < 0.001"
    printed = f"{p:.3f}"
    is_distinct = alpha >= 0.001 and all((float(printed) <= float(level)) == (p <= alpha) for level in (alpha, format_level(alpha, p)))
    return f"p = {printed}" if is_distinct else format_pvalue(p, alpha)


def _degrees_of_freedom(null: Any) -> str:
    """Return the degrees of freedom of a null distribution in brackets; return an empty text if it has none."""
    if isinstance(null, FisherF):
        return f"({format_plain(null.df)}, {format_plain(null.df_error)})"
    return f"({format_plain(null.df)})" if isinstance(null, (StudentT, ChiSquared)) else ""


def _plain_symbol(symbol: str) -> str:
    """Return a symbol in plain text."""
    from ..plot.charts.null_distribution_plot import UNICODE_SYMBOLS

    return PLAIN_SYMBOLS.get(symbol) or UNICODE_SYMBOLS.get(symbol, symbol)
