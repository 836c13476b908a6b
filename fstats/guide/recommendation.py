"""Recommendation of a statistical test."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..core.renderer_registry import get_renderer
from ..core.validation.keyword_arguments import with_suggestions
from ..render.display_table import Table
from .decision_questions import QUESTIONS, SEED_QUESTION, TABLES, DecisionQuestion, Rule
from .rules import RULES
from .seed_advice import seed_advice

if TYPE_CHECKING:
    from ..plot.drawing.picture import Picture


BAYESIAN_COUNTERPARTS: dict[str, str] = TABLES["bayesian_counterparts"]
# test for fold scores on several data sets; no question of the guide leads to this test
FOLD_SCORES_TEST = "BayesianHierarchical"
WORST_LEVEL_NOTE = "A search found these cases, in which H0 is true by symmetry; worse cases may exist (fstats reproduce stress)."
LEVELS_NOTE = """\
H0 is true in the first two columns of rates, which have 100 to 4,000 data sets; with roles by a coin, a coin exchanges the two \
learners in every training. The level is 5 % (BayesianCorrelatedT: probability 0.95 in either direction, which is 10 %), and the \
intervals hold together. Tests with more than ten splits were tried in 147 of the 204 conditions, or in 47, with fewer records: a \
lower rate may mean a smaller search. The powers have 2,000 or 300 data sets (–: not computed); the power of a liberal test includes \
false alarms."""
BAYESIAN_NOTE = (
    "the probabilities that A or B is better by more than a rope, and that A and B are equivalent (notebook 14_bayesian_comparison)"
)
LINE_LENGTH, HEADING_LENGTH = 90, 12
ATTRIBUTES_NOT_PRINTED = ("seeds", "details", "needs", "assumes", "why_not", "evidence", "levels", "second", "after", "references", "lines")


def _rule_text(name: str, doc: str) -> property:
    """Return a property that reads a text from the rule."""
    return property(lambda self: getattr(self.rule, name), doc=doc)


@dataclass(frozen=True)
class Recommendation:
    """A recommended test with its reasons.

    Printing shows the most important lines; attributes hold the other texts, and `lines` holds all lines.
    """

    rule: Rule
    answers: Mapping[str, str]

    @property
    def test(self) -> Any:
        """The recommended class; None if no test fits (`why` and `details` then say what can be done)."""
        return public_class(self.rule.test) if self.rule.test else None

    @property
    def then(self) -> tuple[Any, ...]:
        """Classes to choose from if H0 is rejected (or for the p-values of all pairs)."""
        return tuple(map(public_class, self.rule.then))

    @property
    def bayesian(self) -> Any:
        """The Bayesian class for the same question, with probabilities and a region of practical equivalence; None if there is no class.

        For several data sets the class takes one difference for each data set; :attr:`bayesian_of_folds` takes the differences on all
        folds.
        """
        return public_class(BAYESIAN_COUNTERPARTS[self.rule.test]) if self.rule.test in BAYESIAN_COUNTERPARTS else None

    @property
    def bayesian_of_folds(self) -> Any:
        """The Bayesian class for several data sets with scores on the folds of each data set; None for other questions."""
        return public_class(FOLD_SCORES_TEST) if BAYESIAN_COUNTERPARTS.get(self.rule.test) == "BayesianSignedRank" else None

    @property
    def also_fits(self) -> list[str]:
        """Other procedures for the same question, each with its origin."""
        return [_with_origin(other.__name__) for other in (self.bayesian, self.bayesian_of_folds) if other]

    why = _rule_text("why", "Main reason for the test.")
    details = _rule_text("details", "Further explanations; may be empty.")
    needs = _rule_text("needs", "Data that the test needs.")
    assumes = _rule_text("assumes", "Assumptions of the test.")
    report = _rule_text("report", "Figures to report beside the test.")
    after = _rule_text("after", "Advice on the tests that follow a rejected H0; may be empty.")

    @property
    def second(self) -> list[str]:
        """Other tests for the question, each with its origin and with the reason to use it."""
        return [f"{_with_origin(test)}: {reason}" for test, reason in self.rule.second.items()]

    @property
    def why_not(self) -> list[str]:
        """Other tests, each with the reason against the test."""
        return [f"{test}: {reason}" for test, reason in self.rule.avoid.items()]

    @property
    def evidence(self) -> list[str]:
        """Results of simulations of the test."""
        return [text for text in (self.rule.evidence, self._worst_level_text and f"Worst level: {self._worst_level_text}") if text]

    @property
    def references(self) -> list[str]:
        """References, the most important first."""
        return self.rule.reference.split("; ")

    @property
    def seeds(self) -> str:
        """Advice on the seeds of training before the test; empty if there are no seeds, or if the question was not answered."""
        return seed_advice(self.rule, self.answers.get(SEED_QUESTION.name, "none"))

    @property
    def worst_level(self) -> str:
        """Rate of rejections of a true H0 of no difference in the worst cases that a search found, as text; empty without a search."""
        return str(_worst_levels()["texts"].get(self.rule.test, ""))

    @property
    def levels(self) -> Table | None:
        """Table of the worst levels that a search found, and of simulated power, for all tests on splits; None for other tests."""
        if not self.worst_level:
            return None
        rows = [[name, public_class(name).origin().kind, *cells] for name, *cells in _worst_levels()["rows"]]
        return Table(["test", "origin", *_worst_levels()["heads"]], rows, notes=[f"{LEVELS_NOTE} {WORST_LEVEL_NOTE}"])

    @property
    def _worst_level_text(self) -> str:
        """Text on the worst type I error of the recommended test and of its Bayesian counterpart; empty if no search was made."""
        if not self.worst_level:
            return ""
        bayesian = self.bayesian.__name__ if self.bayesian else ""
        texts = _worst_levels()["texts"]
        counterpart = f" {bayesian}: {texts[bayesian]}." if bayesian in texts else ""
        of_difference = " The rates are those of the test of a difference." if self.rule.when["aim"] == "equivalence" else ""
        return f"{self.worst_level}.{counterpart} {WORST_LEVEL_NOTE}{of_difference}"

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The complete recommendation as pairs of heading and text."""
        rule, by_name = self.rule, {question.name: question for question in QUESTIONS}
        folds = f"; for data sets with scores on folds, {_with_origin(FOLD_SCORES_TEST)}" if self.bayesian_of_folds else ""
        lines = [
            ("Because", "; ".join(f"{by_name[name].text} {by_name[name].answers[answer]}" for name, answer in rule.when.items())),
            *self._main_lines[:1],
            ("Then", rule.after),
            ("Why", rule.why),
            ("Details", rule.details),
            ("It needs", rule.needs),
            ("It assumes", rule.assumes),
            ("Evidence", rule.evidence),
            ("Worst level", self._worst_level_text),
            ("Report", rule.report),
            ("Second", "; ".join(self.second)),
            ("Not", "; ".join(self.why_not)),
            ("Reference", rule.reference),
            ("Notebook", rule.notebook),
            ("Bayesian", f"{self.also_fits[0]}: {BAYESIAN_NOTE}{folds}" if self.also_fits else ""),
            ("Seeds", self.seeds),
        ]
        return [(heading, text) for heading, text in lines if text]

    @property
    def _main_lines(self) -> list[tuple[str, str]]:
        """Headings and texts of the printed lines."""
        rule = self.rule
        name = _with_origin(rule.test, rule.origin) if rule.test else "none fits"
        lines = [
            ("Test", name + (f", then {' or '.join(rule.then)}" if rule.then else "")),
            ("Why", rule.why),
            ("Report", rule.report),
            ("Second", ", ".join(map(_with_origin, rule.second))),
            ("Also fits", ", ".join(self.also_fits)),
            ("Reference", self.references[0]),
        ]
        return [(heading, text) for heading, text in lines if text]

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """Draw the decision diagram with the path to this test; `ax`, `title` and `figsize` as in pictures of tests."""
        return get_renderer("decision")(self.rule.when).with_options(ax, title, figsize)

    def __repr__(self) -> str:
        names = [name for name in ATTRIBUTES_NOT_PRINTED if getattr(self, name)]
        rows: list[str] = []
        for heading, text in [*self._main_lines, ("More", " ".join(f".{name}" for name in (*names, "plot()")))]:
            first, following = f"{heading:<{HEADING_LENGTH}}", " " * HEADING_LENGTH
            rows += wrap(text, LINE_LENGTH, initial_indent=first, subsequent_indent=following, break_on_hyphens=False)
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        main = self._main_lines
        rest = [line for line in self.lines if line not in main]
        more = [Table((), rest), *filter(None, [self.levels])]
        return f"{Table((), main)._repr_html_()}<details><summary>More</summary>{''.join(table._repr_html_() for table in more)}</details>"


@dataclass(frozen=True)
class Undecided:
    """The tests that are still possible after the given answers, and the next question."""

    rules: tuple[Rule, ...]
    question: DecisionQuestion  # next question whose answer changes the recommendation

    def __repr__(self) -> str:
        tests = f"Not decided yet between {', '.join(dict.fromkeys(rule.end for rule in self.rules))}."
        rows = [tests, f"Next question: {self.question.text}"]
        rows += [f'  {self.question.name}="{answer}": {description}' for answer, description in self.question.answers.items()]
        return "\n".join(line for row in rows for line in wrap(row, LINE_LENGTH, subsequent_indent="    ", break_on_hyphens=False))


@with_suggestions
def which_test(
    *,
    aim: str | None = None,
    classifiers: str | int | None = None,
    data_sets: str | int | None = None,
    results: str | None = None,
    paired: str | bool | None = None,
    normal: str | bool | None = None,
    size: str | None = None,
    seeds: str | int | None = None,
) -> Recommendation | Undecided:
    """Recommend the test that fits the question and the data.

    If an answer that matters is missing, the result is the next question.  Other words for an answer, and numbers, are also understood:
    ``classifiers=3``, ``data_sets="several"``, ``results="CV"``.

    Parameters
    ----------
    aim : {"difference", "equivalence"}
        Whether to show a difference, or that there is no difference larger than a margin.
    classifiers : {"two", "many", "one"}
        "two" means two classifiers, "many" means three or more.  "one" means a single classifier, whose accuracy or mean score is
        compared with a stated value; the aim is then a difference from this value.
    data_sets : {"many", "one"}
        "many" means several data sets, "one" means a single data set.
    results : {"scores", "records", "rankings", "runs"}
        Results on one data set.  "scores": scores on splits on which all classifiers can be trained anew.  "records": right and wrong
        answers to the records of a test set.  "rankings": each classifier's score for each test record, to compare areas under ROC
        curves.  "runs": scores on one fixed split, one score for each of several seeds of training.
    paired : {"yes", "no"} or bool
        Whether data sets, splits and records are the same for all classifiers.
    normal : {"yes", "no"} or bool
        Whether the differences are roughly normal, and comparable between data sets.
    size : {"large", "small"}
        "large" means at least 10 data sets, or at least 25 discordant records (for different records: 10 right and 10 wrong answers of
        each classifier).  For scores, "large" means that half of the records suffice for training, or that training takes long.
        "small" means smaller numbers.
    seeds : {"none", "one", "several"}
        Whether training depends on a seed, and with how many seeds each model was trained.  This question is never asked and does not
        change the test.  The attribute `seeds` of the result is advice on the use of the seeds before the test.

    Returns
    -------
    Recommendation or Undecided
        The test with its reasons, or the next question.  Attributes of a recommendation: `test`, `then`, `why`, `details`, `needs`,
        `assumes`, `report`, `second`, `also_fits`, `why_not`, `evidence`, `after`, `references`, `seeds`; `lines` holds everything.  For
        tests on splits, `levels` is a table of worst levels and of power.  The printed name of a test says whether the test is
        published, a variant of a published test, or ours.  "This use: ours" means that no source uses the test in this way.  The page
        "What differs from the sources" of the reference lists the procedures, intervals and defaults that are not published.

    Raises
    ------
    ValueError
        If an argument is not among the answers to its question.

    Examples
    --------
    >>> which_test(aim="difference", classifiers="two", data_sets="many", paired=True, normal=False).test.__name__
    'SignedRank'
    >>> which_test(aim="difference", classifiers="many", data_sets="one")
    Not decided yet between CochranQ, McNemarMidP, DifferenceOfProportions, RankSum,
        CorrectedRepeatedKFoldT, WelchT, DeLong, UnpairedDeLong.
    Next question: What is known on each data set?
      results="scores": scores: on splits on which all classifiers can be trained anew
      ...

    How sure is one accuracy?

    >>> which_test(classifiers="one", data_sets="one", results="records").test.__name__
    'BinomialProportion'

    If no test is valid, the recommendation says what can be done instead:

    >>> advice = which_test(aim="equivalence", data_sets="one", results="records", paired=True, size="small")
    >>> print(advice.test, advice.assumes)
    None Many records are needed: if no record is discordant, a margin of 5 % needs 59 records, a margin of 1 % needs 299.

    Seeds change the scores on which the test is computed:

    >>> which_test(aim="difference", classifiers="two", data_sets="many", paired=True, normal=False, seeds="several").seeds
    'Average the scores of each model over its seeds on each data set, with the same number of seeds for every model. ...'
    """
    given = zip((*QUESTIONS, SEED_QUESTION), (aim, classifiers, data_sets, results, paired, normal, size, seeds), strict=True)
    return decide({question.name: question.interpret(answer) for question, answer in given if answer is not None})


def decide(answers: Mapping[str, str]) -> Recommendation | Undecided:
    """Return the recommendation for the given answers, or the next question whose answer changes the recommendation."""
    if answers.get("classifiers") == "one":
        # for one accuracy, the same confidence interval answers the questions about a difference and about a margin
        answers = {**answers, "aim": "difference"}
    rules = tuple(rule for rule in RULES if rule.fits(answers))
    missing = {name for rule in rules for name in rule.when} - answers.keys()
    open_questions = [question for question in QUESTIONS if question.name in missing]
    return Undecided(rules, open_questions[0]) if open_questions else Recommendation(rules[0], answers)


@cache
def _worst_levels() -> dict[str, Any]:
    """Return the worst type I errors of fstats.studies.stress, from a copy, because the guide must not import fstats.studies."""
    return json.loads(files(__package__).joinpath("worst_levels.json").read_text(encoding="utf-8"))


def _with_origin(name: str, use: str = "") -> str:
    """Return the name of a test and its origin (published, variant or ours); if `use` is given, it is the origin of this use."""
    return f"fstats.{name} ({f'this use: {use}' if use else public_class(name).origin().kind})"


def public_class(name: str) -> Any:
    """Return a class of the package by its name."""
    import fstats

    return getattr(fstats, name)
