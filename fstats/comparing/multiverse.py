"""Multiverse analysis of a comparison of classifiers.

It runs every recommended analysis of a question, and finds the choices that change the conclusion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import product
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.classifier_pair import metric_settings
from ..core.number_format import format_plain
from ..core.validation.check import count
from ..core.validation.keyword_arguments import with_suggestions
from ..guide.decision_questions import Rule
from ..guide.recommendation import public_class
from ..guide.rules import RULES
from ..procedures.pairwise.paired_t import PairedT
from ..render.display_table import Table, TableDisplay
from .compare import compare
from .results.results_of_tests import results_from_table

if TYPE_CHECKING:
    from ..plot.drawing.picture import Picture

ZERO_METHODS = ("drop", "pratt", "split")  # methods of the signed-rank test for zero differences
CANNOT_REJECT_REASON = "with so few data no outcome could have rejected"
# tests that `left_out` does not mention, because the guide names them only for other kinds of data
UNRELATED_TESTS = ("TwoSampleT", "WelchT")


@dataclass(frozen=True)
class Analysis:
    """One combination of choices, with its test."""

    choices: Mapping[str, str]
    test: Any

    @property
    def effect(self) -> float:
        """Difference of A and B, in the unit of the scores; positive if A is better."""
        name = next((name for name in ("estimate", "mean") if name in self.test.steps), "")
        return float(getattr(self.test, name) if name else np.mean(self.test.d))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Confidence interval, if the test has one."""
        return (float(self.test.ci[0]), float(self.test.ci[1])) if "ci" in self.test.steps else None

    @property
    def in_words(self) -> str:
        """Effect and interval as text."""
        return format_plain(self.effect) + (f" ({format_interval(self.interval)})" if self.interval else "")

    @property
    def rejects(self) -> bool:
        """Whether the test rejects H0."""
        return bool(self.test.reject)

    @property
    def could_reject(self) -> bool:
        """Whether H0 could have been rejected for any outcome with this number of data."""
        return not np.isinf(self.test.critical_value) or self.rejects


def format_interval(interval: tuple[float, float]) -> str:
    """Return an interval as text; a one-sided interval has only one end.

    >>> format_interval((float("-inf"), 2.0)), format_interval((1.0, 2.0))
    ('up to 2', '1 to 2')
    """
    low, high = (format_plain(end) if np.isfinite(end) else "" for end in interval)
    return f"{low} to {high}" if low and high else f"up to {high}" if high else f"from {low}" if low else "all values"


@dataclass(frozen=True, repr=False)
class Multiverse(TableDisplay):
    """All recommended analyses of one question, sorted by metric and then by effect, and reasons against other tests."""

    analyses: tuple[Analysis, ...]
    left_out: Mapping[str, str]  # maps the name of a test that was left out to the reason

    @property
    def rejecting(self) -> int:
        """Number of analyses that reject H0; the number is no evidence, because all analyses use the same data."""
        return sum(analysis.rejects for analysis in self.analyses)

    @cached_property
    def hinges(self) -> dict[str, dict[str, tuple[int, int]]]:
        """Mapping of each open choice and each answer to the number of analyses that reject and the number of analyses."""
        counts: dict[str, dict[str, tuple[int, int]]] = {}
        for analysis in self.analyses:
            for name, answer in analysis.choices.items():
                rejecting, total = counts.setdefault(name, {}).get(answer, (0, 0))
                counts[name][answer] = rejecting + analysis.rejects, total + 1
        return {name: dict(sorted(answers.items())) for name, answers in counts.items() if len(answers) > 1}

    def called(self, analysis: Analysis) -> str:
        """Return the name of an analysis, made of its answers to the open choices."""
        return ", ".join(answer for name, answer in analysis.choices.items() if name in self.hinges) or analysis.choices["test"]

    @property
    def decided_by(self) -> str:
        """The choice on which the conclusion depends (for each answer, all analyses or no analyses reject); empty if no choice does."""
        return next((name for name, answers in self.hinges.items() if all(count in (0, total) for count, total in answers.values())), "")

    def _effects(self) -> str:
        """Return a sentence with the range of the effects of each metric, because each metric has its own unit."""
        by_metric: dict[str, list[float]] = {}
        for analysis in self.analyses:
            by_metric.setdefault(analysis.choices.get("metric", ""), []).append(analysis.effect)
        ranges = []
        for metric, effects in by_metric.items():
            low, high = format_plain(min(effects)), format_plain(max(effects))
            ranges.append((f"between {low} and {high}" if low != high else f"at {low}") + f" (in {metric})" * (len(by_metric) > 1))
        if ranges[0].startswith("at") and len(ranges) == 1:
            return f"{'All see' if len(self.analyses) > 1 else 'It sees'} an effect of {ranges[0][3:]}."
        signs = {analysis.effect > 0 for analysis in self.analyses if analysis.effect}
        return f"Effects lie {', '.join(ranges)}.{' Not even their sign is the same.' * (len(signs) > 1)}"

    @property
    def conclusion(self) -> str:
        """The result of all analyses together, and the analyses that differ from the majority."""
        rejecting, total = self.rejecting, len(self.analyses)
        alpha, single = format_plain(self.analyses[0].test.alpha), f"The one analysis, {self.analyses[0].choices['test']},"
        text = f"{rejecting} of {total} analyses reject" if total > 1 else f"{single} {'rejects' if rejecting else 'fails to reject'}"
        text += f" H0 at alpha = {alpha}. {self._effects()}"
        if unable := [test for test, reason in self.left_out.items() if reason == CANNOT_REJECT_REASON]:
            text += f" Left out, because these tests could not have rejected with so few data: {', '.join(unable)}."
        if 0 < rejecting < total:
            minority = [analysis for analysis in self.analyses if analysis.rejects == (rejecting * 2 < total)]
            names = "; ".join(map(self.called, minority[:4])) + ("; ..." if len(minority) > 4 else "")
            verb = "The analyses that reject" if rejecting * 2 < total else "The analyses that do not reject"
            choice = f"the {self.decided_by}" if self.decided_by else "a choice"
            text += f" {verb}: {names}. The conclusion depends on {choice}: report which choice was made before the data were seen."
        notes = {a.test.remark for a in self.analyses if a.rejects and not float(a.test.pvalue) and a.test.remark}
        return " ".join([text, *sorted(notes), *["All analyses use the same data, so their number is no evidence."] * (total > 1)])

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """Draw the specification curve: the effects in order with their intervals, and below each effect the choices."""
        draw: Any = import_module("fstats.plot.charts.specification_curve").specification
        return draw(self).with_options(ax, title, figsize)

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """Cells of the table: for each analysis its choices, effect, interval and p."""
        return [
            (
                *analysis.choices.values(),
                format_plain(analysis.effect),
                format_interval(analysis.interval) if analysis.interval else "",
                format_plain(float(analysis.test.pvalue)),
            )
            for analysis in self.analyses
        ]

    @property
    def _table(self) -> Table:
        notes = tuple(f"Left out: {test}, because {why}." for test, why in self.left_out.items())
        return Table((*self.analyses[0].choices, "effect", "interval", "p"), self.lines, notes=(self.conclusion, *notes))


@with_suggestions
def multiverse(
    a: Any,
    b: Any = None,
    data: Any = None,
    *,
    seeds: int = 5,
    metrics: str | Sequence[str] = "accuracy",
    progress: bool = True,
    **settings: Any,
) -> Multiverse:
    """Run all recommended analyses of one question, to see whether the analyses agree and which choice changes the conclusion.

    The tests are all tests that :func:`fstats.which_test` recommends for at least one answer to the questions that the data leave open
    (are differences normal? are there many data?).  No other test is used.  `left_out` holds the tests that the guide advises against,
    with the reasons of the guide, and the tests that could not have rejected with so few data, whatever the outcome.

    Parameters
    ----------
    a, b : array_like, or estimators
        Scores of two classifiers on the same data sets, or two models together with `data`.  Instead of both, one table of two classifiers:
        a file, a DataFrame or :class:`fstats.Results`.
    data : (X, y), optional
        The data set on which two models are trained and tested.
    seeds : int
        Number of seeds of the splits for each test and each metric (only for models).
    metrics : str, or sequence of str
        Names of scorers of scikit-learn, for which higher is better (only for models).
    progress : bool
        Whether to show a progress bar if the work takes longer than a second.
    **settings
        `alternative`, `alpha`, `labels`, `higher_is_better`, `metric`, `unit` of the tests; and, with a table, the arguments of
        :class:`fstats.Results` that say how the table is read, such as ``where={"partition": "test"}``.

    Returns
    -------
    Multiverse
        An object with ``analyses`` (each with its choices, effect, interval and test), sorted by effect; ``conclusion``; ``hinges``,
        the numbers of analyses that reject for each choice; ``left_out``; and the method ``plot()``.

    Notes
    -----
    All analyses use the same data, so the share of analyses that reject is neither a probability nor evidence.  Lesson 11 calls the
    choice of one analysis *after* seeing this result hacking.  Show the picture together with the planned analysis, to say on which
    choices the conclusion depends.  Each of the `seeds` determines both the splits and the models.

    References
    ----------
    Steegen, Tuerlinckx, Gelman and Vanpaemel (2016), Increasing transparency through a multiverse analysis, Perspectives on
    Psychological Science 11, pages 702 to 712.  Simonsohn, Simmons and Nelson (2020), Specification curve analysis, Nature Human
    Behaviour 4, pages 1208 to 1214.

    Examples
    --------
    On one data set both scores are equal; three ways of ranking treat this data set differently.

    >>> import fstats
    >>> every_way = fstats.multiverse([85, 70, 79, 78, 83, 88, 90], [82, 68, 75, 75, 83, 84, 91])
    >>> every_way.rejecting, len(every_way.analyses)
    (1, 4)
    >>> every_way.hinges["test"]
    {'PairedT': (1, 1), 'SignedRank': (0, 3)}
    """
    if b is None:
        if not (isinstance(a, (str, PathLike)) or hasattr(a, "columns")):
            raise TypeError("multiverse needs two lists of scores, or one table with a column for each classifier; got one list")
        results = results_from_table(a, settings)
        labels = list(public_class("PairedT")(results).labels)
        settings = metric_settings(results, PairedT) | {"labels": labels} | settings
        a, b = results.scores.T
    if data is None:
        if metrics != "accuracy":
            raise TypeError("`metrics=` can be used only with models; got scores. Write `metric='RMSE'`, the name of one metric.")
        analyses = tuple(_score_analyses(a, b, settings))
        answers = {"data_sets": "many", "paired": "yes"}
    else:
        if "metric" in settings:
            raise TypeError("`metric=` can be used only with scores; got models. Write `metrics=['accuracy', 'f1_macro']`.")
        names = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        analyses = tuple(_model_analyses(a, b, data, count(1)(seeds, "seeds"), names, progress, settings))
        answers = {"data_sets": "one", "results": "scores"}
    left_out = {test: why for rule in _matching_rules(**answers) for test, why in rule.avoid.items() if test not in UNRELATED_TESTS}
    able = [analysis for analysis in analyses if analysis.could_reject] or list(analyses)
    left_out |= {type(analysis.test).__name__: CANNOT_REJECT_REASON for analysis in analyses if analysis not in able}
    included = {type(analysis.test).__name__ for analysis in able}
    order = [analysis.choices.get("metric", "") for analysis in able]
    return Multiverse(
        tuple(sorted(able, key=lambda analysis: (order.index(analysis.choices.get("metric", "")), analysis.effect))),
        {test: why for test, why in left_out.items() if test not in included},
    )


def _matching_rules(**answers: str) -> list[Rule]:
    """Return the rules for two classifiers that agree with the given answers; the other questions stay open."""
    answers = {"aim": "difference", "classifiers": "two", **answers}
    return [rule for rule in RULES if all(rule.when.get(name) == answer for name, answer in answers.items())]


def _score_analyses(a: Any, b: Any, settings: Mapping[str, Any]) -> Iterator[Analysis]:
    has_draws = bool((PairedT(a, b, **settings).d == 0).any())
    for rule in _matching_rules(data_sets="many", paired="yes"):
        for zeros in ZERO_METHODS if rule.test == "SignedRank" and has_draws else ("",):
            more = {"zeros": zeros} if zeros else {}
            choices = {"test": rule.test, "data sets without a winner": zeros or "kept"}
            yield Analysis(choices, public_class(rule.test)(a, b, **more, **settings))


def _model_analyses(
    a: Any, b: Any, data: Any, seeds: int, metrics: tuple[str, ...], progress: bool, settings: Mapping[str, Any]
) -> Iterator[Analysis]:
    X, y = data
    alternative = settings.get("alternative", "two-sided")
    for rule, metric, seed in product(_matching_rules(data_sets="one", results="scores"), metrics, range(seeds)):
        tests = [public_class(name) for name in (rule.test, *rule.second)]
        # F-tests have no one-sided alternative, so take the first test that has the requested alternative
        test_class = next((test for test in tests if alternative in [*test.tails]), tests[0])
        test = compare(a, b, X, y, test_class, scoring=metric, rng=seed, progress=progress, **settings)
        yield Analysis({"test": test_class.__name__, "metric": metric, "seed": f"seed {seed}"}, test)
