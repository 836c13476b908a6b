"""Report of a test as a paragraph for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.classifier_pair import TwoClassifiers
from ..core.hypothesis import HypothesisTest
from ..core.mathematics_in_names import plain_name
from ..core.number_format import format_confidence_level, format_latex, format_level, format_plain
from ..core.procedure import Procedure
from ..core.step import NotStated
from ..core.unit_of_analysis import UnitOfAnalysis
from ..core.validation import check
from ..core.validation.keyword_arguments import with_suggestions
from ..procedures.bayes.pairwise_rope_comparison import PairwiseRopeComparison
from ..procedures.posthoc.posthoc_comparison import PostHocComparison
from .experiment_setup import plan_text, scores_part, setup_sentence, stored_setup, value_or_none
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

# maximum number of comparisons for which all p-values are listed; if there are more comparisons, only rejections are listed
MAX_LISTED_PAIRS = 10


@dataclass(frozen=True)
class Report:
    """A paragraph for a paper as plain text, LaTeX and Markdown."""

    text: str
    latex: str
    _given: str = field(default="", repr=False, compare=False)  # text in which mathematics in names is still TeX

    def __post_init__(self) -> None:
        object.__setattr__(self, "_given", self._given or self.text)
        object.__setattr__(self, "text", plain_name(self.text))

    @property
    def markdown(self) -> str:
        """The paragraph as Markdown for JupyterLab."""
        from ..render.markdown_escape import escape_markdown

        return escape_markdown(self._given)

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return self.markdown

    def __add__(self, other: Report) -> Report:
        return Report(f"{self._given} {other._given}", f"{self.latex} {other.latex}")


@with_suggestions
def report(test: Procedure, *then: Procedure, unit: str | None = None, setup: bool = False) -> Report:
    """Write the paragraph for a paper: plan, statistic, p, sample size, both scores, estimate with its interval, effect size, decision.

    For many classifiers the paragraph gives their number, the number of data sets, and the mean rank (or mean) of each classifier.  For
    a post-hoc test the paragraph also gives the critical difference, if the test has one, and the adjusted p-value of each comparison
    (of more than ten comparisons, only the rejections).  For a Bayesian comparison the paragraph gives the rope and the probabilities
    of its regions; for any other procedure, the result.

    Parameters
    ----------
    test : test, post-hoc test, Bayesian comparison, or any other procedure
        A single test, not a batch.  For a test that was started from published summaries, the paragraph gives all values that follow
        from the summaries; if p does not follow, the paragraph gives the reason why there is no decision.
    *then : further tests, of the same types
        Tests that follow the first test, such as ``report(Friedman(results), Holm.from_test(Pairwise(results)))``.  Figures of the
        first test are not repeated.
    unit : str, optional
        The unit of each score, such as "seed", if the unit is not a data set; tests have the same setting `unit`.
    setup : bool
        Whether to add a sentence with metric, plan, seeds, models with their settings, and versions, as far as the results store this
        setup (results of :func:`fstats.compare` and :func:`fstats.benchmark` store it).

    Returns
    -------
    Report
        With `text`, `latex` (for a document; needs no package) and `markdown`.

    Notes
    -----
    The words for the size of an effect follow Cohen (1988), Statistical power analysis for the behavioral sciences, sections 2.2, 3.2, 5.2,
    6.2 and 8.2.  These words are conventions for use without better knowledge.  Tests on splits of one data set have no such words,
    because their effect sizes depend on the plan.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a procedure, or is a batch.

    Examples
    --------
    >>> import fstats
    >>> report(fstats.PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83]))
    Paired t-test: t(4) = -0.375, p = 0.727, n = 5 data sets, mean score 79 of A and 79.6 of B, standard deviation of the
    differences 3.578, mean difference -0.6, 95 % confidence interval [-5.042, 3.842], effect size d_z = -0.1677 (negligible). Fail to ...
    """
    paragraph, reported = _test_report(test, frozenset(), unit)
    for follow_up in then:
        addition, reported = _test_report(follow_up, reported, unit)
        paragraph += addition
    doubts = (stored_setup(test) or {}).get("table", "")
    for text in [setup_sentence(test)] if setup else [f"How the table was read: {doubts}"] if doubts else []:
        paragraph += Report(text, _latex_sentence(text))
    return paragraph


def _test_report(test: Any, reported: frozenset[str], unit: str | None) -> tuple[Report, frozenset[str]]:
    """Return the report of one test, and the parts of the report that the next test need not repeat."""
    if not isinstance(test, Procedure):
        raise TypeError(f"report takes a test, such as fstats.PairedT(a, b); got {type(test).__name__}")
    if unit is not None:
        if not isinstance(test, UnitOfAnalysis):
            raise TypeError(
                f"unit= must be left out for {type(test).__name__}, because only tests of the scores of two classifiers have different "
                "units: leave out unit=, and for scores of seeds or runs call fstats.which_test(results='runs')"
            )
        test = test.assuming(unit=unit)
    if not isinstance(test, (HypothesisTest, PostHocComparison)):
        return _sentence_without_pvalue(test), reported
    from ..render.latex import escape_document_text

    sizes, ranking = list(sizes_part(test)), list(ranking_part(test))
    now = reported | dict([*sizes, *ranking]).keys()
    sizes, ranking = ([part for part in parts if part[0] not in reported] for parts in (sizes, ranking))
    if isinstance(test, PostHocComparison):
        return _pairwise_parts(test, [*sizes, *ranking]), now
    pvalue = value_or_none(test, "pvalue")
    check.check_single_repetition(np.shape(pvalue), "sentence", "test.at({})", verb="report")
    decision, plan, both = _decision_sentence(test), plan_text(test), scores_part(test)
    name = test_name(test) + _classifier_names(test) + f" on {plan}" * bool(plan)
    decision_has_scores = " against " in decision and value_or_none(test, "metric_a") is not None
    scores = [(both, escape_document_text(both))] if both and not decision_has_scores else []
    parts = [
        *statistic_part(test, pvalue),
        *sizes,
        *scores,
        *extra_part(test),
        *estimate_part(test),
        *effect_size_part(test),
        *ranking,
    ]
    texts, formulas = _join_parts(parts or [("no figures", "no figures")])
    sentences = f"{name}: {texts}. {decision}", f"{escape_document_text(name)}: {formulas}. {_latex_sentence(decision)}"
    return Report(*map(test.with_unit_words, sentences) if isinstance(test, UnitOfAnalysis) else sentences), now


def _classifier_names(test: Any) -> str:
    """Return " of A against B" with the names of the classifiers; empty if the classifiers have no names."""
    if not isinstance(test, TwoClassifiers) or test.__dict__.get("labels") is None:
        return ""
    return " of {} against {}".format(*test.sides)


def _latex_sentence(sentence: str) -> str:
    """Return a sentence as LaTeX, with H0 and alpha as symbols."""
    from ..render.latex import escape_document_text

    latex = re.sub(r"\balpha = ([\d.]+(?:e-?\d+)?\d|\d)", lambda level: rf"$\alpha = {level[1]}$", escape_document_text(sentence))
    return re.sub(r"\bH0\b", "$H_0$", latex)


def _decision_sentence(test: HypothesisTest) -> str:
    """Return the decision without p and interval, or the reason why the stated values give no decision."""
    try:
        alpha = format_level(test.alpha, test.pvalue)
    except NotStated as missing:
        return f"No decision: {missing}."
    return f"{test.decision} at alpha = {alpha}{test.verdict}. {test.remarks}".rstrip()


def test_name(test: Any) -> str:
    """Return the name of a test, from the first line of its documentation."""
    return _class_title(type(test))


def _class_title(kind: type) -> str:
    return " ".join((kind.__doc__ or kind.__name__).split("\n\n")[0].split()).partition(":")[0]


def _pairwise_parts(test: Any, parts: list[Part]) -> Report:
    """Report post-hoc tests: the number of classifiers, the critical difference, comparisons with their adjusted p-values, decisions."""
    from ..render.latex import escape_document_text

    check.check_single_repetition(np.shape(test.reject)[1:], "sentence", "test.at({})", verb="report")
    adjusted = test.adjusted if "adjusted" in type(test).steps else test.pvalues
    for name in ("cd", "hsd"):
        if (difference := value_or_none(test, name)) is not None and not np.ndim(difference):
            parts.append((f"{name.upper()} = {format_plain(difference)}", rf"$\mathrm{{{name.upper()}}} = {format_latex(difference)}$"))
    only_rejections = len(test.pairs) > MAX_LISTED_PAIRS
    listed = [
        (str(pair), format_pvalue_for_paper(p, test.alpha))
        for pair, p, reject in zip(test.pairs, adjusted, test.reject.tolist(), strict=True)
        if reject or not only_rejections
    ]
    head = f" adjusted for {len(test.pairs)} comparisons" + " (only those that reject)" * bool(only_rejections and listed)
    head += ": " * bool(listed)
    text, formula = "; ".join(f"{pair}: {p}" for pair, p in listed), "; ".join(f"{escape_document_text(pair)}: ${p}$" for pair, p in listed)
    parts.append((f"p{head}{text}", f"$p${head}{formula}"))
    texts, latex = _join_parts(parts)
    using = getattr(test, "using", None)  # class of the test that compares each pair
    name = test_name(test) + (f" on each pair's {_class_title(using)}" if using else "")
    name += f" against {control}" if (control := value_or_none(test, "control")) is not None else ""
    return Report(f"{name}: {texts}. {test.conclusion}", f"{escape_document_text(name)}: {latex}. {_latex_sentence(test.conclusion)}")


def _join_parts(parts: Iterable[Part]) -> tuple[str, str]:
    """Join the parts of a sentence, as text and as LaTeX."""
    texts, formulas = zip(*parts, strict=True)
    return ", ".join(texts), ", ".join(formulas)


def _sentence_without_pvalue(test: Any) -> Report:
    """Report a procedure without a p-value: its figures for a paper, and its conclusion."""
    if (probabilities := value_or_none(test, "probabilities")) is not None:
        check.check_single_repetition(np.shape(probabilities)[len(test.over("probabilities")) :], "sentence", "test.at({})", verb="report")
    parts = [text for text, _ in extra_part(test)]
    if (rope := value_or_none(test, "rope")) is not None:
        parts.insert(0, "infinite rope" if np.isinf(rope) else f"rope {format_plain(rope)} either way")
    if both := scores_part(test):
        parts.append(both)
    if isinstance(test, PairwiseRopeComparison) and len(test.pairs) <= MAX_LISTED_PAIRS:
        each = zip(test.pairs, test.estimates, test.low, test.high, strict=True)
        probabilities = "; ".join(
            f"{pair} {format_plain(estimate)} [{format_plain(low)}, {format_plain(high)}]" for pair, estimate, low, high in each
        )
        parts.append(f"{test.xlabel} with {format_confidence_level(test.alpha)} % credible intervals: {probabilities}")
    text = f"{test_name(test)}{_classifier_names(test)}{': ' * bool(parts)}{', '.join(parts)}. {getattr(test, 'conclusion', '')}".rstrip()
    if isinstance(test, UnitOfAnalysis):
        text = test.with_unit_words(text)
    return Report(text, _latex_sentence(text))
