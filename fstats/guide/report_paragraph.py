"""The sentence for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.classifier_pair import TwoClassifiers
from ..core.hypothesis import HypothesisTest
from ..core.number_format import format_confidence_level, format_latex, format_level, format_plain
from ..core.procedure import Procedure
from ..core.step import NotStated
from ..core.unit_of_analysis import UnitOfAnalysis
from ..core.validation import check
from ..core.validation.keyword_arguments import with_suggestions
from ..procedures.bayes.pairwise_rope_comparison import PairwiseRopeComparison
from ..procedures.posthoc.posthoc_comparison import Compared
from .experiment_setup import plan_text, scores_part, setup_sentence, value_or_none
from .report_parts import (
    Part,
    effect_size_part,
    estimate_part,
    extra_part,
    format_pvalue_for_paper,
    ranking_part,
    sizes_part,
    statistic_part,
)

MAX_LISTED_PAIRS = 10  # comparisons whose p-values are all told; of more only those that reject


@dataclass(frozen=True)
class Report:
    """A paragraph as plain text, as LaTeX for a document, and as Markdown for a notebook."""

    text: str
    latex: str

    @property
    def markdown(self) -> str:
        """The same for a cell of Markdown, as JupyterLab shows it."""
        from ..render.markdown_escape import escape_markdown

        return escape_markdown(self.text)

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
    paragraph, told = _test_report(test, frozenset(), unit)
    for one in then:
        said, told = _test_report(one, told, unit)
        paragraph += said
    if setup:
        text = setup_sentence(test)
        paragraph += Report(text, _latex_sentence(text))
    return paragraph


def _test_report(test: Any, told: frozenset[str], unit: str | None) -> tuple[Report, frozenset[str]]:
    """What is said of one test, and what of it need not be told again of the next one."""
    if not isinstance(test, Procedure):
        raise TypeError(f"report takes a test, such as fstats.PairedT(a, b); got {type(test).__name__}")
    if unit is not None:
        if not isinstance(test, UnitOfAnalysis):
            raise TypeError(
                f"unit= is for tests of the scores of two classifiers; {type(test).__name__} always speaks of what it takes, such as "
                "data sets: leave it out, and for seeds or runs ask fstats.which_test(results='runs')"
            )
        test = test.assuming(unit=unit)
    if not isinstance(test, (HypothesisTest, Compared)):
        return _sentence_without_pvalue(test), told
    from ..render.latex import escape_document_text

    sizes, places = list(sizes_part(test)), list(ranking_part(test))
    now = told | dict([*sizes, *places]).keys()
    sizes, places = ([part for part in parts if part[0] not in told] for parts in (sizes, places))
    if isinstance(test, Compared):
        return _pairwise_parts(test, [*sizes, *places]), now
    found = value_or_none(test, "pvalue")
    check.check_single_repetition(np.shape(found), "sentence", "test.at({})", verb="report")
    decided, plan, both = _decision_sentence(test), plan_text(test), scores_part(test)
    name = test_name(test) + _classifier_names(test) + f" on {plan}" * bool(plan)
    said_already = " against " in decided and value_or_none(test, "metric_a") is not None
    scores = [(both, escape_document_text(both))] if both and not said_already else []
    parts = [
        *statistic_part(test, found),
        *sizes,
        *scores,
        *extra_part(test),
        *estimate_part(test),
        *effect_size_part(test),
        *places,
    ]
    texts, formulas = _join_parts(parts or [("no figures", "no figures")])
    said = f"{name}: {texts}. {decided}", f"{escape_document_text(name)}: {formulas}. {_latex_sentence(decided)}"
    return Report(*map(test.with_unit_words, said) if isinstance(test, UnitOfAnalysis) else said), now


def _classifier_names(test: Any) -> str:
    """The names of two classifiers that have some."""
    if not isinstance(test, TwoClassifiers) or test.__dict__.get("labels") is None:
        return ""
    return " of {} against {}".format(*test.sides)


def _latex_sentence(sentence: str) -> str:
    """A sentence of ours as LaTeX, H0 and alpha as symbols."""
    from ..render.latex import escape_document_text

    found = re.sub(r"\balpha = ([\d.]+(?:e-?\d+)?\d|\d)", lambda level: rf"$\alpha = {level[1]}$", escape_document_text(sentence))
    return re.sub(r"\bH0\b", "$H_0$", found)


def _decision_sentence(test: HypothesisTest) -> str:
    """The conclusion without p and the interval, which stand before it; or why there is none, where what was stated does not tell p."""
    try:
        alpha = format_level(test.alpha, test.pvalue)
    except NotStated as missing:
        return f"No decision: {missing}."
    return f"{test.decision} at alpha = {alpha}{test.verdict}. {test.remarks}".rstrip()


def test_name(test: Any) -> str:
    """The name of a test in words, from the first line of its documentation."""
    return _class_title(type(test))


def _class_title(kind: type) -> str:
    return " ".join((kind.__doc__ or kind.__name__).split("\n\n")[0].split()).partition(":")[0]


def _pairwise_parts(test: Any, parts: list[Part]) -> Report:
    """Post-hoc tests: how many classifiers, the critical difference, comparisons with their adjusted p-values, and the decisions."""
    from ..render.latex import escape_document_text

    check.check_single_repetition(np.shape(test.reject)[1:], "sentence", "test.at({})", verb="report")
    adjusted = test.adjusted if "adjusted" in type(test).steps else test.pvalues
    for name in ("cd", "hsd"):
        if (reach := value_or_none(test, name)) is not None and not np.ndim(reach):
            parts.append((f"{name.upper()} = {format_plain(reach)}", rf"$\mathrm{{{name.upper()}}} = {format_latex(reach)}$"))
    many = len(test.pairs) > MAX_LISTED_PAIRS
    told = [
        (str(pair), format_pvalue_for_paper(p, test.alpha))
        for pair, p, reject in zip(test.pairs, adjusted, test.reject.tolist(), strict=True)
        if reject or not many
    ]
    head = f" adjusted for {len(test.pairs)} comparisons" + " (only those that reject)" * bool(many and told) + ": " * bool(told)
    text, formula = "; ".join(f"{pair}: {p}" for pair, p in told), "; ".join(f"{escape_document_text(pair)}: ${p}$" for pair, p in told)
    parts.append((f"p{head}{text}", f"$p${head}{formula}"))
    texts, latex = _join_parts(parts)
    using = getattr(test, "using", None)  # of the paired tests before it
    name = test_name(test) + (f" on each pair's {_class_title(using)}" if using else "")
    name += f" against {control}" if (control := value_or_none(test, "control")) is not None else ""
    return Report(f"{name}: {texts}. {test.conclusion}", f"{escape_document_text(name)}: {latex}. {_latex_sentence(test.conclusion)}")


def _join_parts(parts: Iterable[Part]) -> tuple[str, str]:
    """The parts of a sentence as text and as LaTeX."""
    texts, formulas = zip(*parts, strict=True)
    return ", ".join(texts), ", ".join(formulas)


def _sentence_without_pvalue(test: Any) -> Report:
    """A procedure without a p-value: what a paper tells of it, and what it comes to."""
    if (probabilities := value_or_none(test, "probabilities")) is not None:
        check.check_single_repetition(np.shape(probabilities)[len(test.over("probabilities")) :], "sentence", "test.at({})", verb="report")
    told = [text for text, _ in extra_part(test)]
    if (rope := value_or_none(test, "rope")) is not None:
        told.insert(0, "infinite rope" if np.isinf(rope) else f"rope {format_plain(rope)} either way")
    if both := scores_part(test):
        told.append(both)
    if isinstance(test, PairwiseRopeComparison) and len(test.pairs) <= MAX_LISTED_PAIRS:
        each = zip(test.pairs, test.estimates, test.low, test.high, strict=True)
        chances = "; ".join(f"{pair} {format_plain(one)} [{format_plain(low)}, {format_plain(high)}]" for pair, one, low, high in each)
        told.append(f"{test.xlabel} with {format_confidence_level(test.alpha)} % credible intervals: {chances}")
    text = f"{test_name(test)}{_classifier_names(test)}{': ' * bool(told)}{', '.join(told)}. {getattr(test, 'conclusion', '')}".rstrip()
    if isinstance(test, UnitOfAnalysis):
        text = test.with_unit_words(text)
    return Report(text, _latex_sentence(text))
