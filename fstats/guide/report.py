"""The sentence for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core import check
from ..core.hypothesis import HypothesisTest
from ..core.keywords import with_suggestions
from ..core.number import level_beside, plain, tex
from ..core.pair import TwoClassifiers
from ..core.step import NotStated
from ..core.units import OfUnits
from ..procedures.bayes.pairs_by_region import PairsByRegion
from ..procedures.bayes.rope import RopeComparison
from ..procedures.posthoc.comparison import Compared
from .told import Part, effect_told, estimate_told, if_told, p_value, places_told, singular_of_one, sizes_told, statistic_told

MOST_PAIRS = 10  # comparisons whose p-values are all told; of more only those that reject


@dataclass(frozen=True)
class Report:
    """A paragraph as plain text, as LaTeX for a document, and as Markdown for a notebook."""

    text: str
    latex: str

    @property
    def markdown(self) -> str:
        """The same for a cell of Markdown, as JupyterLab shows it."""
        from ..render.markdown import words

        return words(self.text)

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return self.markdown

    def __add__(self, other: Report) -> Report:
        return Report(f"{self.text} {other.text}", f"{self.latex} {other.latex}")


Reported = HypothesisTest | Compared | RopeComparison | PairsByRegion


@with_suggestions
def report(test: Reported, *then: Reported) -> Report:
    """The paragraph for a paper: statistic, degrees of freedom, p, sample size, estimate with its interval, effect size, decision.

    Of many classifiers it tells how many there are, on how many data sets, and the mean rank (or mean) of each; of a post-hoc test
    also the critical difference, where it has one, and the adjusted p-value of each comparison (of more than ten, those that reject).
    Of a Bayesian comparison it tells the rope and the probabilities of its three regions.

    Parameters
    ----------
    test : HypothesisTest, post-hoc test or Bayesian comparison
        A single test, not a batch.  Of one that was started from published summaries all that follows from them is told, and why there is
        no decision where p does not.
    *then : HypothesisTest or post-hoc test
        Tests that follow, such as ``report(Friedman(results), Holm.from_test(Pairwise(results)))``; what was told of the first is not told
        again.

    Returns
    -------
    Report
        With `text`, `latex` (for a document; needs no package) and `markdown`.

    Notes
    -----
    How large an effect is called follows Cohen (1988), Statistical power analysis for the behavioral sciences, sections 2.2, 3.2, 5.2,
    6.2 and 8.2: conventions for want of better knowledge.  Tests on splits of one data set have none, since their effect sizes depend
    on the plan.

    Raises
    ------
    TypeError, ValueError
        For what is not a test, and for a batch.

    Examples
    --------
    >>> import fstats
    >>> report(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    Paired t-test: t(4) = -0.375, p = 0.727, n = 5 data sets, mean difference -0.6, 95 % confidence interval [-5.042, 3.842], effect size
    d_z = -0.168 (negligible). Fail to ...
    """
    paragraph, told = _report(test, frozenset())
    for one in then:
        said, told = _report(one, told)
        paragraph += said
    return paragraph


def _report(test: Any, told: frozenset[str]) -> tuple[Report, frozenset[str]]:
    """What is said of one test, and what of it need not be told again of the next one."""
    if isinstance(test, (RopeComparison, PairsByRegion)):
        return _of_regions(test), told
    if not isinstance(test, (HypothesisTest, Compared)):
        raise TypeError(f"report takes a test, such as fstats.PairedT(a, b); got {type(test).__name__}")
    from ..render.latex import words

    sizes, places = list(sizes_told(test)), list(places_told(test))
    now = told | dict([*sizes, *places]).keys()
    sizes, places = ([part for part in parts if part[0] not in told] for parts in (sizes, places))
    if isinstance(test, Compared):
        return _of_pairs(test, [*sizes, *places]), now
    found = if_told(test, "pvalue")
    check.single(np.shape(found), "sentence", "test.at({})", verb="report")
    labels = test.sides if isinstance(test, TwoClassifiers) and test.labels is not None else ()
    name = title(test) + (f" of {labels[0]} against {labels[1]}" if labels else "")
    parts = [*statistic_told(test, found), *sizes, *estimate_told(test), *effect_told(test), *places]
    decided = _decided(test)
    texts, formulas = _joined(parts or [("no figures", "no figures")])
    said = f"{name}: {texts}. {decided}", f"{words(name)}: {formulas}. {_in_latex(decided)}"
    return Report(*map(test.of_units, said) if isinstance(test, OfUnits) else said), now


def _in_latex(sentence: str) -> str:
    """A sentence of ours as LaTeX, H0 and alpha as symbols."""
    from ..render.latex import words

    found = re.sub(r"\balpha = ([\d.]+(?:e-?\d+)?\d|\d)", lambda level: rf"$\alpha = {level[1]}$", words(sentence))
    return re.sub(r"\bH0\b", "$H_0$", found)


def _decided(test: HypothesisTest) -> str:
    """The conclusion without p and the interval, which stand before it; or why there is none, where what was stated does not tell p."""
    try:
        alpha = level_beside(test.alpha, test.pvalue)
    except NotStated as missing:
        return f"No decision: {missing}."
    return f"{test.decision} at alpha = {alpha}{test.verdict}. {test.remarks}".rstrip()


def title(test: Any) -> str:
    """The name of a test in words, from the first line of its documentation."""
    return _title_of(type(test))


def _title_of(kind: type) -> str:
    return " ".join((kind.__doc__ or kind.__name__).split("\n\n")[0].split()).partition(":")[0]


def _of_pairs(test: Any, parts: list[Part]) -> Report:
    """Post-hoc tests: how many classifiers, the critical difference, comparisons with their adjusted p-values, and the decisions."""
    from ..render.latex import words

    check.single(np.shape(test.reject)[1:], "sentence", "test.at({})", verb="report")
    adjusted = test.adjusted if "adjusted" in type(test).steps else test.pvalues
    for name in ("cd", "hsd"):
        if (reach := if_told(test, name)) is not None and not np.ndim(reach):
            parts.append((f"{name.upper()} = {plain(reach)}", rf"$\mathrm{{{name.upper()}}} = {tex(reach)}$"))
    many = len(test.pairs) > MOST_PAIRS
    told = [
        (str(pair), p_value(p, test.alpha))
        for pair, p, reject in zip(test.pairs, adjusted, test.reject.tolist(), strict=True)
        if reject or not many
    ]
    head = f" adjusted for {len(test.pairs)} comparisons" + " (only those that reject)" * bool(many and told) + ": " * bool(told)
    text, formula = "; ".join(f"{pair}: {p}" for pair, p in told), "; ".join(f"{words(pair)}: ${p}$" for pair, p in told)
    parts.append((f"p{head}{text}", f"$p${head}{formula}"))
    texts, latex = _joined(parts)
    using = getattr(test, "using", None)  # of the paired tests before it
    name = title(test) + (f" on each pair's {_title_of(using)}" if using else "")
    return Report(f"{name}: {texts}. {test.conclusion}", f"{words(name)}: {latex}. {_in_latex(test.conclusion)}")


def _joined(parts: Iterable[Part]) -> tuple[str, str]:
    """The parts of a sentence as text and as LaTeX."""
    texts, formulas = zip(*parts, strict=True)
    return ", ".join(texts), ", ".join(formulas)


def _of_regions(test: Any) -> Report:
    """A Bayesian comparison: the rope, the prior, the probabilities of the three regions, and what they come to."""
    check.single(np.shape(test.probabilities)[len(test.over("probabilities")) :], "sentence", "test.at({})", verb="report")
    told = ["infinite rope" if np.isinf(test.rope) else f"rope {plain(test.rope)} either way"]
    for name, said in test.reported.items():
        if (value := if_told(test, name)) is not None:
            told.append(singular_of_one(value, said.format("infinite" if np.isinf(value) else plain(value))))
    text = f"{title(test)}: {', '.join(told)}. {test.conclusion}"
    if isinstance(test, OfUnits):
        text = test.of_units(text)
    return Report(text, _in_latex(text))
