"""The sentence for a paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import check
from ..hypothesis import HypothesisTest
from ..null import ChiSquared, FisherF, StudentT
from ..number import level_beside, p_beside, percent, plain, tex
from ..posthoc.comparison import Compared
from ..step import NotStated
from ..value import Interval


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


def report(test: HypothesisTest | Compared) -> Report:
    """The sentence for a paper: statistic, degrees of freedom, p, effect size, interval, decision.

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
    Paired t-test: t(4) = -0.375, p = 0.727, effect size -0.168, 95 % confidence interval [-5.042, 3.842]. Fail to reject H0 ...
    """
    if isinstance(test, Compared):
        return _of_pairs(test)
    if not isinstance(test, HypothesisTest):
        raise TypeError(f"report takes a test, such as fstats.PairedT(a, b); got {type(test).__name__}")
    found = _known(test, "pvalue")
    check.single(np.shape(found), "sentence", "test.at({})", verb="report")
    from ..render.latex import prose

    name, steps, told = title(test), type(test).steps, []  # each part as text and as LaTeX
    symbol, digits = steps["statistic"].symbol, test.digits_of_statistic
    if (statistic := _known(test, "statistic")) is not None:
        degrees = _degrees(_known(test, "null"))
        told.append((f"{_spoken(symbol)}{degrees} = {plain(statistic, digits)}", f"${symbol}{degrees} = {tex(statistic, digits)}$"))
    one_sided = "" if test.alternative in ("two-sided", "equivalence") else f" ({test.alternative}, one-sided)"
    if found is not None:
        p = p_value(found, test.alpha)
        told.append((f"{p}{one_sided}", f"${p}$" + one_sided))
    if (size := _known(test, "effect_size")) is not None:
        told.append((f"effect size {plain(size, 3)}", f"${steps['effect_size'].symbol} = {tex(size, 3)}$"))
    if isinstance(ends := _known(test, "ci"), Interval):
        level = percent(test.alpha * (2 if str(test.alternative) == "equivalence" else 1))
        told.append(
            (
                f"{level} % confidence interval [{plain(ends.low)}, {plain(ends.high)}]",
                rf"{level}\,\% confidence interval $[{tex(ends.low)},\ {tex(ends.high)}]$",
            )
        )
    decided = _decided(test)
    texts, formulas = (", ".join(part) for part in zip(*(told or [("no figures", "no figures")]), strict=True))
    return Report(f"{name}: {texts}. {decided}", f"{name}: {formulas}. {prose(decided)}")


def _decided(test: HypothesisTest) -> str:
    """The conclusion without p and the interval, which stand before it; or why there is none, where what was stated does not tell p."""
    try:
        alpha = level_beside(test.alpha, test.pvalue)
    except NotStated as missing:
        return f"No decision: {missing}."
    return f"{test.decision} at alpha = {alpha}{test.verdict}. {test.if_known('remark', '')}".rstrip()


def _known(test: HypothesisTest, step: str) -> Any:
    """The value of a step, or None where the test has none or was started from summaries that do not tell it."""
    try:
        return getattr(test, step) if step in type(test).steps else None
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

    return PLAIN.get(symbol, symbol)


def _of_pairs(test: Any) -> Report:
    """Post-hoc tests: each comparison with its adjusted p-value, and the decisions."""
    from ..render.latex import prose

    check.single(np.shape(test.reject)[1:], "sentence", "test.at({})", verb="report")
    adjusted = test.adjusted if "adjusted" in type(test).steps else test.pvalues
    listed = "; ".join(f"{pair}: {p_value(p, test.alpha)}" for pair, p in zip(test.pairs, adjusted))
    head = f"{title(test)}, p adjusted for {len(test.pairs)} comparisons"
    return Report(f"{head}: {listed}. {test.conclusion}", f"{head}: {prose(listed)}. {prose(test.conclusion)}")
