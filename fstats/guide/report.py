"""The sentence for a paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import check
from ..hypothesis import HypothesisTest
from ..null import ChiSquared, FisherF, StudentT, Uniform
from ..number import DIGITS, level_beside, p_beside, percent, plain, tex
from ..posthoc.comparison import Compared
from ..spelling import spelled
from ..step import NotStated
from ..value import Interval

Part = tuple[str, str]  # of the sentence, as text and as LaTeX

ESTIMATED = {  # estimates by their symbols
    r"\bar d": "mean difference",
    r"\bar x": "mean score",
    r"\mathrm{OR}": "odds ratio",
    "d_{11}": "first difference",
    r"\hat\theta": "Hodges-Lehmann estimate of the difference",
    r"\hat\Delta": "Hodges-Lehmann estimate of the difference",
}
SPOKEN = {r"\eta^2": "η²", r"\eta_p^2": "partial η²"}  # symbols of effect sizes outside formulas


@dataclass(frozen=True)
class Report:
    """A sentence as plain text and as LaTeX."""

    text: str
    latex: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_latex_(self) -> str:
        return self.latex


@spelled
def report(test: HypothesisTest | Compared) -> Report:
    """The sentence for a paper: statistic, degrees of freedom, p, sample size, estimate with its interval, effect size, decision.

    Parameters
    ----------
    test : HypothesisTest or post-hoc test
        A single test, not a batch.  Of one that was started from published summaries all that follows from them is told, and why there is no
        decision where p does not.

    Returns
    -------
    Report
        With `text` and `latex`.

    Raises
    ------
    TypeError, ValueError
        For what is not a test, and for a batch.

    Examples
    --------
    >>> import fstats
    >>> report(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    Paired t-test: t(4) = -0.375, p = 0.727, n = 5 data sets, mean difference -0.6, 95 % confidence interval [-5.042, 3.842], effect size d_z = -0.168. Fail to ...
    """
    if isinstance(test, Compared):
        return _of_pairs(test)
    if not isinstance(test, HypothesisTest):
        raise TypeError(f"report takes a test, such as fstats.PairedT(a, b); got {type(test).__name__}")
    found = _known(test, "pvalue")
    check.single(np.shape(found), "sentence", "test.at({})", verb="report")
    from ..render.latex import prose

    name = title(test)
    told = [*_statistic(test, found), *_sizes(test), *_estimate(test), *_effect_size(test)]
    decided = _decided(test)
    texts, formulas = (", ".join(part) for part in zip(*(told or [("no figures", "no figures")]), strict=True))
    return Report(f"{name}: {texts}. {decided}", f"{name}: {formulas}. {prose(decided)}")


def _statistic(test: HypothesisTest, found: Any) -> Iterator[Part]:
    """The statistic with its degrees of freedom, and p; a statistic that is p itself is told once."""
    null, statistic = _known(test, "null"), _known(test, "statistic")
    if statistic is not None and not (isinstance(null, Uniform) and found is not None):
        symbol, degrees = type(test).steps["statistic"].symbol, _degrees(null)
        yield _valued(f"{_spoken(symbol)}{degrees}", f"{symbol}{degrees}", statistic, test.digits_of_statistic)
    if found is not None:
        one_sided = "" if test.alternative in ("two-sided", "equivalence") else f" ({test.alternative}, one-sided)"
        p = p_value(found, test.alpha)
        yield f"{p}{one_sided}", f"${p}$" + one_sided


def _sizes(test: HypothesisTest) -> Iterator[Part]:
    """How many data sets, records or splits there were."""
    inputs, steps = type(test).inputs, type(test).steps
    for size in ("n", "n_x", "n_y", "n_b"):
        value = _known(test, size)
        if value is None or np.ndim(value):
            continue
        symbol, counted = inputs[size]["symbol"] if size in inputs else steps[size].symbol, ""
        if size == "n" and "n_b" not in inputs:  # of two samples each has its symbol
            noun = steps["n"].sentence.removeprefix("Number of ").split(":")[0].split(",")[0].rstrip(".")
            counted = f" {noun[0].lower()}{noun[1:]}"
        yield f"{_spoken(symbol)} = {plain(value)}{counted}", f"${symbol} = {tex(value)}${counted}"


def _estimate(test: HypothesisTest) -> Iterator[Part]:
    """By how much A is better, and the interval that belongs to it."""
    steps = type(test).steps
    if "ci" not in steps:
        return
    step = test.estimated_by or next((name for name in ("odds_ratio", "mean") if name in steps), "")
    words = _estimated(test, step)
    value = _known(test, step)
    if value is not None:
        yield _valued(words, words, value, DIGITS, between=" ", formula="{}")
    if isinstance(ends := _known(test, "ci"), Interval):
        level = percent(test.alpha * (2 if str(test.alternative) == "equivalence" else 1))
        of = "" if value is not None else f" of the {words}"
        if np.all(np.isinf(ends)):
            yield f"no finite {level} % confidence interval{of}", rf"no finite {level}\,\% confidence interval{of}"
        else:
            opened, closed = "(["[bool(np.isfinite(ends.low))], ")]"[bool(np.isfinite(ends.high))]
            yield (
                f"{level} % confidence interval{of} {opened}{plain(ends.low)}, {plain(ends.high)}{closed}",
                rf"{level}\,\% confidence interval{of} ${opened}{tex(ends.low)},\ {tex(ends.high)}{closed}$",
            )


def _effect_size(test: HypothesisTest) -> Iterator[Part]:
    """The effect size by its symbol."""
    if (size := _known(test, "effect_size")) is not None:
        symbol = type(test).steps["effect_size"].symbol
        yield _valued(f"effect size {_spoken(symbol)}", symbol, size, 3, formula="effect size {}")


def _valued(text: str, symbol: str, value: Any, digits: int, between: str = " = ", formula: str = "{}") -> Part:
    """What a symbol, or words, is worth; an infinite value in words."""
    in_words = between == " "
    if np.isinf(value):
        said = "infinite" if value > 0 else "negatively infinite"
        return f"{text} {said}", f"{formula.format(symbol if in_words else f'${symbol}$')} {said}"
    number = tex(value, digits)
    return f"{text}{between}{plain(value, digits)}", formula.format(f"{symbol} ${number}$" if in_words else f"${symbol} = {number}$")


def _estimated(test: HypothesisTest, step: str) -> str:
    """What the interval of a test is about, in words."""
    symbol = type(test).steps[step].symbol if step else ""
    return ESTIMATED.get(symbol) or f"difference in {test.compares}"


def _decided(test: HypothesisTest) -> str:
    """The conclusion without p and the interval, which stand before it; or why there is none, where what was stated does not tell p."""
    try:
        alpha = level_beside(test.alpha, test.pvalue)
    except NotStated as missing:
        return f"No decision: {missing}."
    return f"{test.decision} at alpha = {alpha}{test.verdict}. {test.if_known('remark', '')}".rstrip()


def _known(test: HypothesisTest, step: str) -> Any:
    """The value of a step or an input, or None where the test has none or was started from summaries that do not tell it."""
    try:
        return getattr(test, step) if step in type(test).steps or step in type(test).inputs else None
    except NotStated:
        return None


def title(test: Any) -> str:
    """The name of a test in words, from the first line of its documentation."""
    return " ".join((type(test).__doc__ or type(test).__name__).split("\n\n")[0].split()).partition(":")[0]


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
    from ..plot.distribution import PLAIN

    return SPOKEN.get(symbol) or PLAIN.get(symbol, symbol)


def _of_pairs(test: Any) -> Report:
    """Post-hoc tests: each comparison with its adjusted p-value, and the decisions."""
    from ..render.latex import prose

    check.single(np.shape(test.reject)[1:], "sentence", "test.at({})", verb="report")
    adjusted = test.adjusted if "adjusted" in type(test).steps else test.pvalues
    listed = "; ".join(f"{pair}: {p_value(p, test.alpha)}" for pair, p in zip(test.pairs, adjusted))
    head = f"{title(test)}, p adjusted for {len(test.pairs)} comparisons"
    return Report(f"{head}: {listed}. {test.conclusion}", f"{head}: {prose(listed)}. {prose(test.conclusion)}")
