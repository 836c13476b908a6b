"""The sentence for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.classifier_pair import TwoClassifiers
from ..core.hypothesis import HypothesisTest
from ..core.number_format import level_beside, percent, plain, tex
from ..core.procedure import Procedure
from ..core.step import NotStated
from ..core.unit_of_analysis import OfUnits
from ..core.validation import check
from ..core.validation.keyword_arguments import with_suggestions
from ..procedures.bayes.pairwise_rope_comparison import PairsByRegion
from ..procedures.posthoc.posthoc_comparison import Compared
from .experiment_setup import both_told, known, plan_of, setup_told
from .report_parts import Part, effect_told, estimate_told, p_value, places_told, reported_told, sizes_told, statistic_told

MOST_PAIRS = 10  # comparisons whose p-values are all told; of more only those that reject


@dataclass(frozen=True)
class Report:
    """A paragraph as plain text, as LaTeX for a document, and as Markdown for a notebook."""

    text: str
    latex: str

    @property
    def markdown(self) -> str:
        """The same for a cell of Markdown, as JupyterLab shows it."""
        from ..render.markdown_escape import words

        return words(self.text)

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return self.markdown

    def __add__(self, other: Report) -> Report:
        return Report(f"{self.text} {other.text}", f"{self.latex} {other.latex}")


@with_suggestions
def report(test: Procedure, *then: Procedure, unit: str | None = None, setup: bool = False) -> Report:
    """The paragraph for a paper: plan, statistic, p, sample size, both scores, estimate with its interval, effect size, decision.

    Of many classifiers it tells how many there are, on how many data sets, and the mean rank (or mean) of each; of a post-hoc test
    also the critical difference, where it has one, and the adjusted p-value of each comparison (of more than ten, those that reject).
    Of a Bayesian comparison it tells the rope and the probabilities of its regions, of any other procedure what it comes to.

    Parameters
    ----------
    test : test, post-hoc test, Bayesian comparison, or any other procedure
        A single one, not a batch.  Of one that was started from published summaries all that follows from them is told, and why there is
        no decision where p does not.
    *then : the same
        What follows, such as ``report(Friedman(results), Holm.from_test(Pairwise(results)))``; what was told of the first is not told
        again.
    unit : str, optional
        What each score is of, where it is no data set, such as "seed"; the tests take the same setting.
    setup : bool
        Whether a last sentence tells metric, plan, seeds, models with their settings, and versions, as far as the results remember them
        (those of :func:`fstats.compare` and :func:`fstats.benchmark` do).

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
        For what is not a procedure, and for a batch.

    Examples
    --------
    >>> import fstats
    >>> report(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    Paired t-test: t(4) = -0.375, p = 0.727, n = 5 data sets, mean score 79 of A and 79.6 of B, standard deviation of the
    differences 3.578, mean difference -0.6, 95 % confidence interval [-5.042, 3.842], effect size d_z = -0.1677 (negligible). Fail to ...
    """
    paragraph, told = _report(test, frozenset(), unit)
    for one in then:
        said, told = _report(one, told, unit)
        paragraph += said
    if setup:
        text = setup_told(test)
        paragraph += Report(text, _in_latex(text))
    return paragraph


def _report(test: Any, told: frozenset[str], unit: str | None) -> tuple[Report, frozenset[str]]:
    """What is said of one test, and what of it need not be told again of the next one."""
    if not isinstance(test, Procedure):
        raise TypeError(f"report takes a test, such as fstats.PairedT(a, b); got {type(test).__name__}")
    if unit is not None:
        if not isinstance(test, OfUnits):
            raise TypeError(
                f"unit= is for tests of the scores of two classifiers; {type(test).__name__} always speaks of what it takes, such as "
                "data sets: leave it out, and for seeds or runs ask fstats.which_test(results='runs')"
            )
        test = test.assuming(unit=unit)
    if not isinstance(test, (HypothesisTest, Compared)):
        return _in_words(test), told
    from ..render.latex import words

    sizes, places = list(sizes_told(test)), list(places_told(test))
    now = told | dict([*sizes, *places]).keys()
    sizes, places = ([part for part in parts if part[0] not in told] for parts in (sizes, places))
    if isinstance(test, Compared):
        return _of_pairs(test, [*sizes, *places]), now
    found = known(test, "pvalue")
    check.single(np.shape(found), "sentence", "test.at({})", verb="report")
    decided, plan, both = _decided(test), plan_of(test), both_told(test)
    name = title(test) + _whose(test) + f" on {plan}" * bool(plan)
    said_already = " against " in decided and known(test, "metric_a") is not None
    scores = [(both, words(both))] if both and not said_already else []
    parts = [
        *statistic_told(test, found),
        *sizes,
        *scores,
        *reported_told(test),
        *estimate_told(test),
        *effect_told(test),
        *places,
    ]
    texts, formulas = _joined(parts or [("no figures", "no figures")])
    said = f"{name}: {texts}. {decided}", f"{words(name)}: {formulas}. {_in_latex(decided)}"
    return Report(*map(test.of_units, said) if isinstance(test, OfUnits) else said), now


def _whose(test: Any) -> str:
    """The names of two classifiers that have some."""
    if not isinstance(test, TwoClassifiers) or test.__dict__.get("labels") is None:
        return ""
    return " of {} against {}".format(*test.sides)


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
        if (reach := known(test, name)) is not None and not np.ndim(reach):
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
    name += f" against {control}" if (control := known(test, "control")) is not None else ""
    return Report(f"{name}: {texts}. {test.conclusion}", f"{words(name)}: {latex}. {_in_latex(test.conclusion)}")


def _joined(parts: Iterable[Part]) -> tuple[str, str]:
    """The parts of a sentence as text and as LaTeX."""
    texts, formulas = zip(*parts, strict=True)
    return ", ".join(texts), ", ".join(formulas)


def _in_words(test: Any) -> Report:
    """A procedure without a p-value: what a paper tells of it, and what it comes to."""
    if (probabilities := known(test, "probabilities")) is not None:
        check.single(np.shape(probabilities)[len(test.over("probabilities")) :], "sentence", "test.at({})", verb="report")
    told = [text for text, _ in reported_told(test)]
    if (rope := known(test, "rope")) is not None:
        told.insert(0, "infinite rope" if np.isinf(rope) else f"rope {plain(rope)} either way")
    if both := both_told(test):
        told.append(both)
    if isinstance(test, PairsByRegion) and len(test.pairs) <= MOST_PAIRS:
        each = zip(test.pairs, test.estimates, test.low, test.high, strict=True)
        chances = "; ".join(f"{pair} {plain(one)} [{plain(low)}, {plain(high)}]" for pair, one, low, high in each)
        told.append(f"{test.xlabel} with {percent(test.alpha)} % credible intervals: {chances}")
    text = f"{title(test)}{_whose(test)}{': ' * bool(told)}{', '.join(told)}. {getattr(test, 'conclusion', '')}".rstrip()
    if isinstance(test, OfUnits):
        text = test.of_units(text)
    return Report(text, _in_latex(text))
