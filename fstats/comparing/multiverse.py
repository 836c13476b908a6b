"""One question, every analysis of it that the guide recommends: what does the conclusion hinge on?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.number_format import format_plain
from ..core.validation.check import count
from ..core.validation.keyword_arguments import with_suggestions
from ..guide.decision_questions import Rule
from ..guide.rules import RULES
from ..procedures.pairwise.paired_t import PairedT
from ..render.display_table import Table, TableDisplay
from .compare import compare

if TYPE_CHECKING:
    from ..plot.drawing.picture import Picture

ZERO_METHODS = ("drop", "pratt", "split")  # ways to deal with data sets on which both are equally good
ACCURACY_TEST_REPLACEMENTS = {
    "BlockedFiveByTwoT": "CalibratedFiveByTwoF"
}  # and the test of other metrics on the same splits (the rule's `needs`)
CANNOT_REJECT_REASON = "with so few data no outcome could have rejected"
UNRELATED_TESTS = ("TwoSampleT", "WelchT")  # reasons for these are about other data


@dataclass(frozen=True)
class Analysis:
    """One way through the choices, and the worked test at its end."""

    choices: Mapping[str, str]
    test: Any

    @property
    def effect(self) -> float:
        """By how much A is ahead, in the unit of the scores."""
        name = next((name for name in ("estimate", "mean") if name in self.test.steps), "")
        return float(getattr(self.test, name) if name else np.mean(self.test.d))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Its confidence interval, where the test has one."""
        return (float(self.test.ci[0]), float(self.test.ci[1])) if "ci" in self.test.steps else None

    @property
    def in_words(self) -> str:
        """Effect and interval, for a text."""
        return format_plain(self.effect) + (f" ({format_interval(self.interval)})" if self.interval else "")

    @property
    def rejects(self) -> bool:
        """Whether it rejects H0."""
        return bool(self.test.reject)

    @property
    def could_reject(self) -> bool:
        """Whether some outcome would have rejected with as many data."""
        return not np.isinf(self.test.critical_value) or self.rejects


def format_interval(interval: tuple[float, float]) -> str:
    """An interval in words; a one-sided one has no end on the other side.

    >>> format_interval((float("-inf"), 2.0)), format_interval((1.0, 2.0))
    ('up to 2', '1 to 2')
    """
    low, high = (format_plain(end) if np.isfinite(end) else "" for end in interval)
    return f"{low} to {high}" if low and high else f"up to {high}" if high else f"from {low}" if low else "all values"


@dataclass(frozen=True, repr=False)
class Multiverse(TableDisplay):
    """All recommended analyses of one question, by their effect (metric by metric), and why others are none."""

    analyses: tuple[Analysis, ...]
    left_out: Mapping[str, str]  # test -> why

    @property
    def rejecting(self) -> int:
        """How many reject H0: a count of choices, not of evidence, as all of them read the same data."""
        return sum(one.rejects for one in self.analyses)

    @cached_property
    def hinges(self) -> dict[str, dict[str, tuple[int, int]]]:
        """For each choice that is open, by its answers: how many of the analyses reject, and how many there are."""
        found: dict[str, dict[str, tuple[int, int]]] = {}
        for one in self.analyses:
            for name, answer in one.choices.items():
                rejecting, of = found.setdefault(name, {}).get(answer, (0, 0))
                found[name][answer] = rejecting + one.rejects, of + 1
        return {name: dict(sorted(answers.items())) for name, answers in found.items() if len(answers) > 1}

    def called(self, one: Analysis) -> str:
        """An analysis by the choices that were open."""
        return ", ".join(answer for name, answer in one.choices.items() if name in self.hinges) or one.choices["test"]

    @property
    def decided_by(self) -> str:
        """The choice whose answers each make all analyses reject, or none: what the conclusion hinges on; empty where no choice does."""
        return next((name for name, answers in self.hinges.items() if all(many in (0, of) for many, of in answers.values())), "")

    def _effects(self) -> str:
        """Between what the effects lie, of each metric, which has a unit of its own."""
        by_metric: dict[str, list[float]] = {}
        for one in self.analyses:
            by_metric.setdefault(one.choices.get("metric", ""), []).append(one.effect)
        found = []
        for metric, effects in by_metric.items():
            low, high = format_plain(min(effects)), format_plain(max(effects))
            found.append((f"between {low} and {high}" if low != high else f"at {low}") + f" (in {metric})" * (len(by_metric) > 1))
        if found[0].startswith("at") and len(found) == 1:
            return f"{'All see' if len(self.analyses) > 1 else 'It sees'} an effect of {found[0][3:]}."
        signs = {one.effect > 0 for one in self.analyses if one.effect}
        return f"Effects lie {', '.join(found)}.{' Not even their sign is the same.' * (len(signs) > 1)}"

    @property
    def conclusion(self) -> str:
        """What the analyses say together, and which of them say otherwise."""
        rejecting, of = self.rejecting, len(self.analyses)
        alpha, one = format_plain(self.analyses[0].test.alpha), f"The one analysis, {self.analyses[0].choices['test']},"
        said = f"{rejecting} of {of} analyses reject" if of > 1 else f"{one} {'rejects' if rejecting else 'fails to reject'}"
        said += f" H0 at alpha = {alpha}. {self._effects()}"
        if unable := [test for test, why in self.left_out.items() if why == CANNOT_REJECT_REASON]:
            said += f" Left out, as with so few data {'they' if len(unable) > 1 else 'it'} could not have rejected: {', '.join(unable)}."
        if 0 < rejecting < of:
            fewer = [one for one in self.analyses if one.rejects == (rejecting * 2 < of)]
            named = "; ".join(map(self.called, fewer[:4])) + ("; ..." if len(fewer) > 4 else "")
            verb = "Those that do" if rejecting * 2 < of else "Those that do not"
            on = f"the {self.decided_by}" if self.decided_by else "a choice"
            said += f" {verb}: {named}. The conclusion hinges on {on}: say which one was made before the data were seen."
        formal = {one.test.remark for one in self.analyses if one.rejects and not float(one.test.pvalue) and one.test.remark}
        return " ".join([said, *sorted(formal), *["All read the same data, so that their number is no evidence."] * (of > 1)])

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """The specification curve: effects in order with their intervals, and the choices behind each below it."""
        draw: Any = import_module("fstats.plot.charts.specification_curve").specification
        return draw(self).with_options(ax, title, figsize)

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """A line for each analysis: its choices, effect, interval, p."""
        return [
            (
                *one.choices.values(),
                format_plain(one.effect),
                format_interval(one.interval) if one.interval else "",
                format_plain(float(one.test.pvalue)),
            )
            for one in self.analyses
        ]

    @property
    def _table(self) -> Table:
        notes = tuple(f"Left out: {test}, because {why}." for test, why in self.left_out.items())
        return Table((*self.analyses[0].choices, "effect", "interval", "p"), self.lines, notes=(self.conclusion, *notes))


@with_suggestions
def multiverse(
    a: Any,
    b: Any,
    data: Any = None,
    *,
    seeds: int = 5,
    metrics: str | Sequence[str] = "accuracy",
    progress: bool = True,
    **settings: Any,
) -> Multiverse:
    """All recommended analyses of one question: do they agree, and if not, on which choice does the conclusion hinge?

    Which tests are asked says the table behind :func:`fstats.which_test`: those that it recommends for some answer to the questions
    that the data leave open (are differences normal? is there much?).  No other test is asked; `left_out` has those that it warns of, with
    its reason, and those that could not have rejected, whatever the outcome, with so few data.

    Parameters
    ----------
    a, b : array_like, or estimators
        Scores of two classifiers on the same data sets, or two models, with `data`.
    data : (X, y), optional
        The one data set on which two models are trained and tested.
    seeds : int
        How many seeds of the splits are tried (of models: each test, with each metric).
    metrics : str, or sequence of str
        Names of scorers of scikit-learn, higher is better (of models).
    progress : bool
        Whether a bar appears where it takes longer than a second.
    **settings
        `alternative`, `alpha`, `labels`, `higher_is_better`, `metric`, `unit` of the tests.

    Returns
    -------
    Multiverse
        ``analyses`` (each with its choices, effect, interval and worked test) by their effect; ``conclusion``; ``hinges``: how many reject
        by each choice; ``left_out``; ``plot()``.

    Notes
    -----
    All analyses read the same data, so the share of those that reject is no probability and no evidence.  Choosing one of them *after*
    seeing this is what lesson 11 calls hacking; the picture is for saying, before or beside the one that was planned, what it hinges on.
    Seeds here move the splits and the models together.

    References
    ----------
    Steegen, Tuerlinckx, Gelman and Vanpaemel (2016), Increasing transparency through a multiverse analysis, Perspectives on
    Psychological Science 11, pages 702 to 712.  Simonsohn, Simmons and Nelson (2020), Specification curve analysis, Nature Human
    Behaviour 4, pages 1208 to 1214.

    Examples
    --------
    One data set is a draw, which three ways of ranking treat differently.

    >>> import fstats
    >>> every_way = fstats.multiverse([85, 70, 79, 78, 83, 88, 90], [82, 68, 75, 75, 83, 84, 91])
    >>> every_way.rejecting, len(every_way.analyses)
    (1, 4)
    >>> every_way.hinges["test"]
    {'PairedT': (1, 1), 'SignedRank': (0, 3)}
    """
    if data is None:
        if metrics != "accuracy":
            raise TypeError("metrics= are scorers of models; what scores are is said by metric=, such as metric='RMSE'")
        found = tuple(_score_analyses(a, b, settings))
        asked = {"data_sets": "many", "paired": "yes"}
    else:
        if "metric" in settings:
            raise TypeError(
                "metric= says what scores are; scorers of models are named by metrics=, such as metrics=['accuracy', 'f1_macro']"
            )
        named = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        found = tuple(_model_analyses(a, b, data, count(1)(seeds, "seeds"), named, progress, settings))
        asked = {"data_sets": "one", "results": "scores"}
    left_out = {test: why for rule in _matching_rules(**asked) for test, why in rule.avoid.items() if test not in UNRELATED_TESTS}
    able = [one for one in found if one.could_reject] or list(found)
    made = {type(one.test).__name__ for one in able}
    left_out |= {type(one.test).__name__: CANNOT_REJECT_REASON for one in found if one not in able}
    metrics = [one.choices.get("metric", "") for one in able]
    return Multiverse(
        tuple(sorted(able, key=lambda one: (metrics.index(one.choices.get("metric", "")), one.effect))),
        {test: why for test, why in left_out.items() if test not in made},
    )


def _matching_rules(**answers: str) -> list[Rule]:
    """The rules for two classifiers that fit these answers, whatever is answered to the questions that they leave open."""
    asked = {"aim": "difference", "classifiers": "two", **answers}
    return [rule for rule in RULES if all(rule.when.get(name) == answer for name, answer in asked.items())]


def _test_class(name: str) -> Any:
    import fstats

    return getattr(fstats, name)


def _score_analyses(a: Any, b: Any, settings: Mapping[str, Any]) -> Iterator[Analysis]:
    drawn = bool((PairedT(a, b, **settings).d == 0).any())
    for rule in _matching_rules(data_sets="many", paired="yes"):
        ways = ZERO_METHODS if rule.test == "SignedRank" and drawn else ("",)
        for zeros in ways:
            more = {"zeros": zeros} if zeros else {}
            choices = {"test": rule.test, "data sets without a winner": zeros or "kept"}
            yield Analysis(choices, _test_class(rule.test)(a, b, **more, **settings))


def _model_analyses(
    a: Any, b: Any, data: Any, seeds: int, metrics: tuple[str, ...], progress: bool, settings: Mapping[str, Any]
) -> Iterator[Analysis]:
    X, y = data
    for rule, metric, seed in product(_matching_rules(data_sets="one", results="scores"), metrics, range(seeds)):
        name = rule.test if metric == "accuracy" else ACCURACY_TEST_REPLACEMENTS.get(rule.test, rule.test)
        test = compare(a, b, X, y, _test_class(name), scoring=metric, rng=seed, progress=progress, **settings)
        yield Analysis({"test": name, "metric": metric, "seed": f"seed {seed}"}, test)
