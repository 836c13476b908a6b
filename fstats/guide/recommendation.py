"""From answers to a test."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..core.renderer_registry import get_renderer
from ..core.validation.keyword_arguments import with_suggestions
from ..render.display_table import Table
from .decision_questions import QUESTIONS, Question, Rule
from .rules import RULES
from .seed_advice import AVERAGED_SEEDS_TEST, SEED_QUESTION, seed_advice

if TYPE_CHECKING:
    from ..plot.drawing.picture import Picture


BAYESIAN_COUNTERPARTS = {  # the same question, answered by probabilities
    "PairedT": "BayesianSignedRank",
    "EquivalenceT": "BayesianSignedRank",
    "SignedRank": "BayesianSignedRank",
    "EquivalenceSignedRank": "BayesianSignedRank",
    "CorrectedRepeatedKFoldT": "BayesianCorrelatedT",
    "RepeatedAnova": "BayesianMultilevel",
    "Friedman": "BradleyTerry",
    "ImanDavenport": "BradleyTerry",
}
FOLD_SCORES_TEST = "BayesianHierarchical"  # where each data set comes with the scores on its folds, which no answer tells
WORST_LEVEL_NOTE = (
    "H0 is true there by symmetry, and a search for the worst place found it: it is not the usual one (fstats reproduce stress)."
)
BAYESIAN_NOTE = "how probable it is that one is better by more than a rope, and that they are equivalent (notebook 14_bayesian_comparison)"


@dataclass(frozen=True)
class Recommendation:
    """A test, and what there is to say about it."""

    rule: Rule
    answers: Mapping[str, str]

    @property
    def test(self) -> Any:
        """The recommended class; None where no test fits (`rule.why` says what can be done)."""
        return _public_class(self.rule.test) if self.rule.test else None

    @property
    def then(self) -> tuple[Any, ...]:
        """What to choose from if H0 is rejected (or for the p-values of all pairs)."""
        return tuple(map(_public_class, self.rule.then))

    @property
    def bayesian(self) -> Any:
        """The class that answers the same question by probabilities, with a region of practical equivalence; None where there is none.

        On several data sets it takes one difference of each; :attr:`bayesian_of_folds` takes the differences on all folds.
        """
        return _public_class(BAYESIAN_COUNTERPARTS[self.rule.test]) if self.rule.test in BAYESIAN_COUNTERPARTS else None

    @property
    def bayesian_of_folds(self) -> Any:
        """The one for several data sets with the scores on the folds of each; None where the question is another one."""
        return _public_class(FOLD_SCORES_TEST) if BAYESIAN_COUNTERPARTS.get(self.rule.test) == "BayesianSignedRank" else None

    @property
    def seeds(self) -> str:
        """What to do with the seeds of training before the test; empty where there are none, or nobody said."""
        said = seed_advice(self.rule, self.answers.get(SEED_QUESTION.name, "none"))
        return f"{said} Its worst level: {_worst_levels()[AVERAGED_SEEDS_TEST]}." if AVERAGED_SEEDS_TEST in said else said

    @property
    def worst_level(self) -> str:
        """How often the test rejected a true H0 in the worst place that was found, in words; empty where none was searched for."""
        return _worst_levels().get(self.rule.test, "") if self.rule.when["aim"] == "difference" else ""

    @property
    def _of_folds(self) -> str:
        return f"; where each data set comes with its folds, fstats.{FOLD_SCORES_TEST}" if self.bayesian_of_folds else ""

    @property
    def lines(self) -> list[tuple[str, str]]:
        """All of it, as headed lines."""
        rule = self.rule
        told = {question.name: question for question in QUESTIONS}
        return [
            ("Because", "; ".join(f"{told[name].asked} {told[name].answers[answer]}" for name, answer in rule.when.items())),
            ("Test", (f"fstats.{rule.test}" if rule.test else "none fits") + (f", then {' or '.join(rule.then)}" if rule.then else "")),
            *([("Then", rule.after)] if rule.after else []),
            ("Why", rule.why),
            ("It needs", rule.needs),
            ("It assumes", rule.assumes),
            *([("Worst level", f"{found}. {WORST_LEVEL_NOTE}")] if (found := self.worst_level) else []),
            ("Report", rule.report),
            ("Not", "; ".join(f"{test}: {why}" for test, why in rule.avoid.items())),
            ("Reference", rule.reference),
            ("Notebook", rule.notebook),
            *(
                [("Bayesian", f"fstats.{BAYESIAN_COUNTERPARTS[rule.test]}: {BAYESIAN_NOTE}{self._of_folds}")]
                if rule.test in BAYESIAN_COUNTERPARTS
                else []
            ),
            *([("Seeds", self.seeds)] if self.seeds else []),
        ]

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """The decision diagram with the way here; `ax`, `title` and `figsize` as for a test."""
        return get_renderer("decision")(self.rule.when).with_options(ax, title, figsize)

    def __repr__(self) -> str:
        return "\n".join(f"{head:>11}  {text}" for head, text in self.lines)

    def _repr_html_(self) -> str:
        return Table((), self.lines)._repr_html_()


@dataclass(frozen=True)
class Undecided:
    """The answers so far leave several tests."""

    rules: tuple[Rule, ...]
    question: Question  # the next one that matters

    def __repr__(self) -> str:
        tests = ", ".join(dict.fromkeys(rule.end for rule in self.rules))
        answers = "; ".join(f'{self.question.name}="{answer}": {words}' for answer, words in self.question.answers.items())
        return f"Not decided yet between {tests}.\nNext question: {self.question.asked} ({answers})"


@with_suggestions
def which_test(
    *,
    aim: str | None = None,
    classifiers: str | None = None,
    data_sets: str | None = None,
    results: str | None = None,
    paired: str | bool | None = None,
    normal: str | bool | None = None,
    size: str | None = None,
    seeds: str | None = None,
) -> Recommendation | Undecided:
    """Which test fits the question and the data?

    Questions that are left open are asked as soon as they matter.

    Parameters
    ----------
    aim : {"difference", "equivalence"}
        Is a difference to be shown, or that there is none larger than a margin?
    classifiers : {"two", "many"}
        Two, or three and more.
    data_sets : {"many", "one"}
        Several data sets, or one.
    results : {"scores", "records", "rankings", "runs"}
        For one data set: scores of splits on which both can be trained anew, right and wrong answers to the records of a test set, how
        strongly each of these is held to be positive (then areas under ROC curves are compared), or scores of one fixed split, one for
        each of several seeds of training.
    paired : {"yes", "no"} or bool
        Are data sets, splits and records the same for all classifiers?
    normal : {"yes", "no"} or bool
        Are the differences roughly normal, and comparable between data sets?
    size : {"large", "small"}
        "large" is 10 data sets; 25 discordant records (where the records differ: 10 right and 10 wrong answers of each classifier); for
        scores, records of which half train well, or training that takes long.  "small" is less than that.
    seeds : {"none", "one", "several"}
        Does training depend on a seed, and with how many was each model trained?  It is never asked and leads to no other test, but says
        what is done with them before (`seeds`).

    Returns
    -------
    Recommendation or Undecided
        The test with reasons (`test`, `then`, `rule`) and, for tests on splits, the worst level that was found for it (`worst_level`), or
        the next question.

    Raises
    ------
    ValueError
        For an answer that is not among those of its question.

    Examples
    --------
    >>> which_test(aim="difference", classifiers="two", data_sets="many", paired=True, normal=False).test.__name__
    'SignedRank'
    >>> which_test(aim="difference", classifiers="many", data_sets="one")
    Not decided yet between CochranQ, McNemarExact, DifferenceOfProportions, RankSum, CorrectedRepeatedKFoldT, WelchT, ...
    Next question: What is known on each data set? (results="scores": scores: of splits on which both can be ...

    Where no test is honest, it says so and what can be done:

    >>> found = which_test(aim="equivalence", data_sets="one", results="records", paired=True, size="small")
    >>> print(found.test, found.rule.assumes)
    None Many records: where not one is discordant, a margin of 5 % takes 59 of them, one of 1 % takes 299.

    Seeds change what the test is handed:

    >>> which_test(aim="difference", classifiers="two", data_sets="many", paired=True, normal=False, seeds="several").seeds
    'Average the seeds of each model on each data set first, with as many seeds for every model, then test the averages. ...'
    """
    answers: dict[str, str] = {}
    for question, answer in zip(
        (*QUESTIONS, SEED_QUESTION), (aim, classifiers, data_sets, results, paired, normal, size, seeds), strict=True
    ):
        if answer is None:
            continue
        word = {True: "yes", False: "no"}[answer] if isinstance(answer, bool) else answer
        if word not in question.answers:
            raise ValueError(f"{question.name} must be {' or '.join(map(repr, question.answers))} ({question.asked}); got {answer!r}")
        answers[question.name] = word
    return decide(answers)


def decide(answers: Mapping[str, str]) -> Recommendation | Undecided:
    """What these answers lead to."""
    left = tuple(rule for rule in RULES if rule.fits(answers))
    matter = {name for rule in left for name in rule.when} - answers.keys()
    still_open = [question for question in QUESTIONS if question.name in matter]
    return Undecided(left, still_open[0]) if still_open else Recommendation(left[0], answers)


@cache
def _worst_levels() -> dict[str, str]:
    """What the bench of the studies found, in words: they lie above the guide, which keeps no more than this of them."""
    return json.loads(files(__package__).joinpath("worst_levels.json").read_text(encoding="utf-8"))


def _public_class(name: str) -> Any:
    import fstats

    return getattr(fstats, name)
