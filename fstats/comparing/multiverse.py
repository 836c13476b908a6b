"""One question, every defensible analysis of it: what does the conclusion hinge on?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.check import count
from ..core.keywords import with_suggestions
from ..core.number import plain
from ..guide.questions import Rule
from ..guide.rules import RULES
from ..procedures.pairwise.paired_t import PairedT
from ..render.table import Table, Tabular
from .one_test import compare

if TYPE_CHECKING:
    from ..plot.picture import Picture

ZEROS = ("drop", "pratt", "split")  # ways to deal with data sets on which both are equally good
ON_ACCURACY_ONLY = {"BlockedFiveByTwoT": "CalibratedFiveByTwoF"}  # and the test of other metrics on the same splits (the rule's `needs`)
ASIDE = ("TwoSampleT", "WelchT")  # reasons for these are about other data


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
    def interval(self) -> tuple[float, float]:
        """Its confidence interval, where the test has one; else the effect itself, twice."""
        ends = self.test.ci if "ci" in self.test.steps else (self.effect, self.effect)
        return float(ends[0]), float(ends[1])

    @property
    def rejects(self) -> bool:
        """Whether it rejects H0."""
        return bool(self.test.reject)

    def __str__(self) -> str:
        return ", ".join(self.choices.values())


@dataclass(frozen=True, repr=False)
class Multiverse(Tabular):
    """All defensible analyses of one question, by their effect, and why others are none."""

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

    @property
    def conclusion(self) -> str:
        """What the analyses say together, and which of them say otherwise."""
        rejecting, of = self.rejecting, len(self.analyses)
        low, high = (plain(pick(one.effect for one in self.analyses)) for pick in (min, max))
        effects = f"Effects lie between {low} and {high}" if low != high else f"All see an effect of {low}"
        said = f"{rejecting} of {of} analyses reject H0 at alpha = {plain(self.analyses[0].test.alpha)}. {effects}."
        if 0 < rejecting < of:
            fewer = [one for one in self.analyses if one.rejects == (rejecting * 2 < of)]
            named = "; ".join(map(str, fewer[:4])) + ("; ..." if len(fewer) > 4 else "")
            verb = "Those that do" if rejecting * 2 < of else "Those that do not"
            said += f" {verb}: {named}. The conclusion hinges on a choice: say which one was made before the data were seen."
        return f"{said} All read the same data, so that their number is no evidence."

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """The specification curve: effects in order with their intervals, and the choices behind each below it."""
        draw: Any = import_module("fstats.plot.specification").specification
        return draw(self).placed(ax, title, figsize)

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """A line for each analysis: its choices, effect, interval, p."""
        return [
            (
                *one.choices.values(),
                plain(one.effect),
                f"{plain(low)} to {plain(high)}" if low < high else "",
                plain(float(one.test.pvalue)),
            )
            for one in self.analyses
            for low, high in [one.interval]
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
    metrics: Sequence[str] = ("accuracy",),
    progress: bool = True,
    **settings: Any,
) -> Multiverse:
    """All defensible analyses of one question: do they agree, and if not, on which choice does the conclusion hinge?

    Which tests are defensible says the table behind :func:`fstats.which_test`: those that it recommends for some answer to the questions
    that the data leave open (are differences normal? is there much?).  Those that it warns of are left out, with its reason.

    Parameters
    ----------
    a, b : array_like, or estimators
        Scores of two classifiers on the same data sets, or two models, with `data`.
    data : (X, y), optional
        The one data set on which two models are trained and tested.
    seeds : int
        How many seeds of the splits are tried (of models: each test, with each metric).
    metrics : sequence of str
        Names of scorers of scikit-learn, higher is better (of models).
    progress : bool
        Whether a bar appears where it takes longer than a second.
    **settings
        `alternative`, `alpha`, `labels` of the tests.

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
    >>> every_way = fstats.multiverse([85, 70, 79, 78, 83, 88], [82, 68, 75, 75, 83, 84])
    >>> every_way.rejecting, len(every_way.analyses)
    (1, 4)
    >>> every_way.hinges["test"]
    {'PairedT': (1, 1), 'SignedRank': (0, 3)}
    """
    if data is None:
        found = tuple(_on_scores(a, b, settings))
        asked = {"data_sets": "many", "paired": "yes"}
    else:
        found = tuple(_on_models(a, b, data, count(1)(seeds, "seeds"), tuple(metrics), progress, settings))
        asked = {"data_sets": "one", "results": "scores"}
    left_out = {test: why for rule in _rules(**asked) for test, why in rule.avoid.items() if test not in ASIDE}
    made = {type(one.test).__name__ for one in found}
    return Multiverse(tuple(sorted(found, key=lambda one: one.effect)), {test: why for test, why in left_out.items() if test not in made})


def _rules(**answers: str) -> list[Rule]:
    """The rules for two classifiers that fit these answers, whatever is answered to the questions that they leave open."""
    asked = {"aim": "difference", "classifiers": "two", **answers}
    return [rule for rule in RULES if all(rule.when.get(name) == answer for name, answer in asked.items())]


def _test(name: str) -> Any:
    import fstats

    return getattr(fstats, name)


def _on_scores(a: Any, b: Any, settings: Mapping[str, Any]) -> Iterator[Analysis]:
    drawn = bool((PairedT(a, b, **settings).d == 0).any())
    for rule in _rules(data_sets="many", paired="yes"):
        ways = ZEROS if rule.test == "SignedRank" and drawn else ("",)
        for zeros in ways:
            more = {"zeros": zeros} if zeros else {}
            choices = {"test": rule.test, "data sets without a winner": zeros or "as they are"}
            yield Analysis(choices, _test(rule.test)(a, b, **more, **settings))


def _on_models(
    a: Any, b: Any, data: Any, seeds: int, metrics: tuple[str, ...], progress: bool, settings: Mapping[str, Any]
) -> Iterator[Analysis]:
    X, y = data
    for rule, metric, seed in product(_rules(data_sets="one", results="scores"), metrics, range(seeds)):
        name = rule.test if metric == "accuracy" else ON_ACCURACY_ONLY.get(rule.test, rule.test)
        test = compare(a, b, X, y, _test(name), scoring=metric, rng=seed, progress=progress, **settings)
        yield Analysis({"test": name, "metric": metric, "seed": f"seed {seed}"}, test)
