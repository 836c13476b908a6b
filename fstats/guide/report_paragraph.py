"""Report of a test as a paragraph for a paper."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core.classifier_pair import TwoClassifiers
from ..core.hypothesis import HypothesisTest
from ..core.mathematics_in_names import plain_name
from ..core.number_format import format_confidence_level, format_level, format_plain
from ..core.procedure import Procedure
from ..core.step import NotStated
from ..core.unit_of_analysis import DEFAULT_UNIT, UnitOfAnalysis, replace_unit_words
from ..core.validation import check
from ..core.validation.keyword_arguments import with_suggestions
from ..procedures.bayes.pairwise_rope_comparison import PairwiseRopeComparison
from ..procedures.posthoc.posthoc_comparison import PostHocComparison
from . import report_parts
from .experiment_setup import plan_text, scores_part, setup_sentence, stored_setup, value_or_none
from .procedure_citation import citation, cited_title, cited_works, procedure_title
from .report_posthoc import MAX_LISTED_PAIRS, compared_classifiers, pair_test_class, posthoc_text


@dataclass(frozen=True)
class Report:
    """A paragraph for a paper as plain text, LaTeX and Markdown, with the works that it cites, and notes for the author beside it."""

    text: str
    latex: str
    references: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # remarks for the author that do not belong to the paper
    _given: str = field(default="", repr=False, compare=False)  # the text as it was given; names in it may contain TeX formulas

    def __post_init__(self) -> None:
        object.__setattr__(self, "_given", self._given or self.text)
        object.__setattr__(self, "text", plain_name(self.text))

    @property
    def markdown(self) -> str:
        """The paragraph as Markdown for JupyterLab."""
        from ..render.markdown_escape import escape_markdown

        return escape_markdown("\n\n".join([self._given, *self.notes]))

    def __repr__(self) -> str:
        return "\n\n".join([self.text, *self.notes])

    def _repr_markdown_(self) -> str:
        return self.markdown

    def __add__(self, other: Report) -> Report:
        references = tuple(dict.fromkeys(self.references + other.references))
        return Report(f"{self._given} {other._given}", f"{self.latex} {other.latex}", references, self.notes + other.notes)


@with_suggestions
def report(test: Procedure, *then: Procedure, unit: str | None = None, setup: bool = False, remark: str = "") -> Report:
    """Write the paragraph for a paper: plan, statistic, p, sample size, both scores, estimate with its interval, effect size, decision.

    For many classifiers the paragraph gives their number, the number of data sets, and the mean rank (or mean) of each classifier. For a
    post-hoc test the paragraph also gives the critical difference, if the test has one, and the adjusted p-value of each comparison (of
    more than ten comparisons, the largest p of each group of rejections; of more than 45, none). For a Bayesian comparison the paragraph
    gives the rope and the probabilities of its regions; for any other procedure, the result. The authors and the year of the first
    reference stand after the name of each test.

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
    remark : str
        Sentences to add, such as on records that were left out.  What :class:`fstats.Results` left out or filled in, the paragraph says.

    Returns
    -------
    Report
        With `text`, `latex` (for a document; needs no package) and `markdown`, the `references` that the paragraph cites, and `notes`
        on the table that was read, which are not a part of the paragraph.

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
    Paired t-test (Student, 1908): t(4) = -0.375, p = 0.727, n = 5 data sets, mean score 79 of A and 79.6 of B, standard deviation of the
    differences 3.578, mean difference -0.6, 95 % confidence interval [-5.042, 3.842], effect size d_z = -0.1677 (negligible). We fail ...
    """
    paragraph, reported = _test_report(test, frozenset(), unit)
    for follow_up in then:
        addition, reported = _test_report(follow_up, reported, unit)
        paragraph += addition
    stored = stored_setup(test)
    each = f"Each score is {stored['each score'].rstrip('.')}." if stored.get("each score") else ""
    told = setup_sentence(test) if setup else f"{each} {stored.get('changes', '')}".strip()
    for text in filter(None, (told, remark)):
        paragraph += Report(text, report_parts.latex_sentence(text))
    word = next(filter(None, (stored_setup(one).get("unit") for one in (test, *then))), "")
    if word and unit is None:
        names = [str(name) for one in (test, *then) if (labels := value_or_none(one, "labels")) is not None for name in labels]
        text, latex = (replace_unit_words(part, DEFAULT_UNIT, word, names) for part in (paragraph._given, paragraph.latex))
        paragraph = Report(text, latex, paragraph.references)
    notes = (f"How the table was read: {stored['table'].rstrip('.')}.",) if stored.get("table") and not setup else ()
    return replace(paragraph, notes=notes)


def _test_report(test: Any, reported: frozenset[str], unit: str | None) -> tuple[Report, frozenset[str]]:
    """Return the report of one test, and the parts of the report that the next test need not repeat."""
    if not isinstance(test, Procedure):
        raise TypeError(f"report needs a test, such as fstats.PairedT(a, b); got {type(test).__name__}")
    if unit is not None:
        if not isinstance(test, UnitOfAnalysis):
            raise TypeError(
                f"`unit=` must be left out for {type(test).__name__}, because only tests of two classifiers have it. For scores of seeds "
                "or runs, write fstats.which_test(results='runs')."
            )
        test = test.assuming(unit=unit)
    if not isinstance(test, (HypothesisTest, PostHocComparison)):
        return _sentence_without_pvalue(test), reported
    kinds = [pair_test_class(test), type(test)] if isinstance(test, PostHocComparison) else [type(test)]
    references = tuple(dict.fromkeys(line for kind in kinds if kind for line in cited_works(kind)))
    from ..render.latex import escape_document_text

    sizes, ranking = list(report_parts.sizes_part(test)), list(report_parts.ranking_part(test))
    now = reported | dict([*sizes, *ranking]).keys()
    sizes, ranking = ([part for part in parts if part[0] not in reported] for parts in (sizes, ranking))
    if isinstance(test, PostHocComparison):
        return Report(*posthoc_text(test, sizes, ranking, follows=bool(reported)), references), now
    pvalue = value_or_none(test, "pvalue")
    check.check_single_repetition(np.shape(pvalue), "sentence", "test.at({})")
    decision, plan, both = _decision_sentence(test), plan_text(test), scores_part(test)
    name = _test_name(test) + f" on {plan}" * bool(plan)
    # if the sizes are numbers of data sets and of classifiers, state them in the first sentence
    if len(sizes) == 2 and sizes[1][0].endswith(" classifiers"):
        name, sizes = f"{compared_classifiers(sizes)} with {cited_title(type(test))}", []
    decision_has_scores = " against " in decision and value_or_none(test, "metric_a") is not None
    scores = [(both, escape_document_text(both))] if both and not decision_has_scores else []
    parts = [
        *report_parts.statistic_part(test, pvalue),
        *sizes,
        *scores,
        *report_parts.extra_part(test),
        *report_parts.estimate_part(test),
        *report_parts.effect_size_part(test),
    ]
    texts, formulas = report_parts.join_parts(parts or [("no figures", "no figures")])
    ranked, ranked_latex = ranking[0] if ranking else ("", "")
    # the decision must show the scores with as many decimals as the ranking shows
    for number in re.findall(r"\((\d+\.\d*0)\)", ranked):
        decision = decision.replace(f" {number.rstrip('0').rstrip('.')} (", f" {number} (")
    sentences = (
        f"{name}: {texts}. {decision} {ranked}".rstrip(),
        f"{report_parts.latex_sentence(name)}: {formulas}. {report_parts.latex_sentence(decision)} {ranked_latex}".rstrip(),
    )
    text, latex = map(test.with_unit_words, sentences) if isinstance(test, UnitOfAnalysis) else sentences
    return Report(text, latex, references), now


def _test_name(test: Any) -> str:
    """Return the name of a test with its citation; if the classifiers have names, begin with "We compared A against B with"."""
    if not isinstance(test, TwoClassifiers) or test.__dict__.get("labels") is None:
        return procedure_title(type(test)) + citation(type(test))
    return "We compared {} against {} with {}".format(*test.sides, cited_title(type(test)))


def _decision_sentence(test: HypothesisTest) -> str:
    """Return the decision without p-value and interval; if the stated values give no decision, return the reason."""
    try:
        alpha = format_level(test.alpha, test.pvalue)
    except NotStated as missing:
        return f"No decision: {missing}."
    return f"We {test.decision[0].lower()}{test.decision[1:]} at alpha = {alpha}{test.verdict}. {test.remarks}".rstrip()


def _sentence_without_pvalue(test: Any) -> Report:
    """Return the report of a procedure without a p-value: its numbers for a paper, and its conclusion."""
    if (probabilities := value_or_none(test, "probabilities")) is not None:
        check.check_single_repetition(np.shape(probabilities)[len(test.over("probabilities")) :], "sentence", "test.at({})")
    parts = [text for text, _ in report_parts.extra_part(test)]
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
    text = f"{_test_name(test)}{': ' * bool(parts)}{', '.join(parts)}. {getattr(test, 'conclusion', '')}".rstrip()
    if isinstance(test, UnitOfAnalysis):
        text = test.with_unit_words(text)
    return Report(text, report_parts.latex_sentence(text), cited_works(type(test)))
