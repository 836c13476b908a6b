"""The sentence for a paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..hypothesis import HypothesisTest
from ..null import ChiSquared, FisherF, Interval, StudentT
from ..number import plain, tex
from ..posthoc.comparison import Compared


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
        A single test, not a batch.

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
    if np.ndim(test.pvalue):
        raise ValueError(
            f"a batch of shape {np.shape(test.pvalue)} has no one sentence; report one repetition, such as test.at({', '.join('0' * np.ndim(test.pvalue))})"
        )
    from ..render.latex import prose

    name = title(test)
    steps, parts, formulas = type(test).steps, [], []
    degrees = _degrees(test.null)
    symbol = steps["statistic"].symbol
    parts.append(f"{_spoken(symbol)}{degrees} = {plain(test.statistic)}")
    formulas.append(f"${symbol}{degrees} = {tex(test.statistic)}$")
    one_sided = "" if test.alternative in ("two-sided", "equivalence") else f" ({test.alternative}, one-sided)"
    parts.append(f"{p_value(test.pvalue)}{one_sided}")
    formulas.append(f"${p_value(test.pvalue)}$" + one_sided)
    if "effect_size" in steps:
        parts.append(f"effect size {plain(test.effect_size, 3)}")  # type: ignore[attr-defined]
        formulas.append(f"${steps['effect_size'].symbol} = {tex(test.effect_size, 3)}$")  # type: ignore[attr-defined]
    ends = getattr(test, "ci", None)
    if isinstance(ends, Interval):
        share = 100 * (1 - test.alpha)
        if str(test.alternative) == "equivalence":
            share = 100 * (1 - 2 * test.alpha)
        parts.append(f"{plain(share)} % confidence interval [{plain(ends.low)}, {plain(ends.high)}]")
        formulas.append(rf"{plain(share)}\,\% confidence interval $[{tex(ends.low)},\ {tex(ends.high)}]$")
    said = f"{test.decision} at alpha = {plain(test.alpha)}{test.verdict}. {test.if_known('remark', '')}".rstrip()
    text = f"{name}: {', '.join(parts)}. {said}"
    latex = f"{name}: {', '.join(formulas)}. {prose(said)}"
    return Report(text, latex)


def title(test: Any) -> str:
    """The name of a test in words, from the first line of its documentation."""
    return " ".join((type(test).__doc__ or type(test).__name__).split("\n\n")[0].split()).partition(":")[0]


def p_value(p: Any) -> str:
    """A p-value as papers print it: three decimals, ``< 0.001`` below."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _degrees(null: Any) -> str:
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

    if np.ndim(test.reject) > 1:
        raise ValueError("a batch has no one sentence; report one repetition, such as test.at(0)")
    adjusted = test.adjusted if "adjusted" in type(test).steps else test.pvalues
    listed = "; ".join(f"{pair}: {p_value(p)}" for pair, p in zip(test.pairs, adjusted))
    head = f"{title(test)}, p adjusted for {len(test.pairs)} comparisons"
    return Report(f"{head}: {listed}. {test.conclusion}", f"{head}: {prose(listed)}. {prose(test.conclusion)}")
