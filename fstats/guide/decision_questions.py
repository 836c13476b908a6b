"""Questions and rules for the choice of a test."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any


@dataclass(frozen=True)
class DecisionQuestion:
    """A question with its possible answers."""

    name: str
    text: str
    answers: Mapping[str, str]  # answer as an argument -> description of the answer

    def interpret(self, answer: Any) -> str:
        """Return the answer that a word or a number means; raise ValueError for a word that fits no answer or several answers."""
        if isinstance(answer, bool) and "yes" in self.answers:
            return "yes" if answer else "no"
        word = re.sub(r"(?<=\w)[-_\s]+(?=\w)", " ", str(answer).strip().lower()) if isinstance(answer, (str, Integral)) else ""
        fitting = {key for key, words in SYNONYMS[self.name].items() if word == key or word in words.split(", ")}
        counts = COUNTS.get(self.name, ())
        if not fitting and (count := parse_count(word)) is not None and not isinstance(answer, bool):
            fitting = {key for key, least, most in counts if least <= count <= most}
        if not fitting and len(word) >= 4:
            fitting = {key for key in self.answers if key.startswith(word) or word.startswith(key)}
        if len(fitting) == 1:
            return fitting.pop()
        raise ValueError(f"{self.name} must be {' or '.join(map(repr, self.answers))} ({self.text}); got {answer!r}")


# Question -> answer -> other words for the answer.
SYNONYMS = {
    "aim": {"difference": "different, better, compare, comparison, superiority", "equivalence": "equivalent, equal, same, similar, tost"},
    "classifiers": {"one": "single, a single, only one", "two": "pair, a pair", "many": "several, multiple, all"},
    "data_sets": {"many": "several, multiple, benchmark", "one": "single, a single, only one"},
    "results": {
        "scores": "cv, cross validation, cross validated, folds, splits, resampling, repeated cv, cv scores, fold scores",
        "records": "predictions, test set, hold out, holdout, right or wrong, contingency table",
        "rankings": "auc, roc, roc auc, ranking, probabilities",
        "runs": "run, seeds, several seeds",
    },
    "paired": {"yes": "y, true, paired, same, matched, dependent", "no": "n, false, unpaired, not paired, independent, different"},
    "normal": {"yes": "y, true, normal, gaussian", "no": "n, false, unknown, not normal, non normal, nonnormal, maybe, not sure"},
    "size": {"large": "big, many", "small": "few, little"},
    "seeds": {"none": "no, no seed, no seeds", "one": "single, fixed", "several": "many, multiple"},
}
# Question -> (answer, smallest number, largest number).
COUNTS = {
    "classifiers": (("one", 1, 1), ("two", 2, 2), ("many", 3, float("inf"))),
    "data_sets": (("one", 1, 1), ("many", 2, float("inf"))),
    "seeds": (("none", 0, 0), ("one", 1, 1), ("several", 2, float("inf"))),
}
NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def parse_count(text: str) -> int | None:
    """Return the number in a text, or the least number for "more than", ">" and similar words; None for other texts.

    >>> [parse_count(text) for text in ("2", "three", "more than two", "3 or more", "> 2", "two classifiers", "less than 3", "10+")]
    [2, 3, 3, 3, 3, 2, None, 10]
    """
    match = re.fullmatch(
        r"(more than|over|>|at least|>=|)\s*(\d+|[a-z]+)\s*(or more|\+|)( classifiers?| data sets?| datasets?| seeds?)?", text
    )
    if match is None or not (match[2].isdecimal() or match[2] in NUMBER_WORDS):
        return None
    number = int(match[2]) if match[2].isdecimal() else NUMBER_WORDS.index(match[2])
    return number + (match[1] in ("more than", "over", ">"))


QUESTIONS = (
    DecisionQuestion("aim", "What is to be shown?", {"difference": "a difference", "equivalence": "equivalence within a margin"}),
    DecisionQuestion(
        "classifiers", "How many classifiers?", {"two": "two", "many": "three or more", "one": "one: compared with a stated value"}
    ),
    DecisionQuestion("data_sets", "How many data sets?", {"many": "several", "one": "one"}),
    DecisionQuestion(
        "results",
        "What is known on each data set?",
        {
            "scores": "scores: on splits on which all classifiers can be trained anew",
            "records": "records: right or wrong for each record of a test set",
            "rankings": "rankings: each classifier's score for each test record, compared by AUC",
            "runs": "runs: one fixed split, and a score for each of several seeds of training",
        },
    ),
    DecisionQuestion("paired", "Same data sets, splits and records for all classifiers?", {"yes": "yes", "no": "no"}),
    DecisionQuestion(
        "normal",
        "Are differences (unpaired: scores) roughly normal, and comparable?",
        {"yes": "yes", "no": "no, or unknown"},
    ),
    DecisionQuestion(
        "size",
        "How many data are there?",
        {
            "large": "large: 10 data sets; 25 discordant records (different records: 10 right and 10 wrong answers of each classifier); "
            "half of the records suffice for training, or training takes long",
            "small": "small: fewer",
        },
    ),
)


@dataclass(frozen=True)
class Rule:
    """A recommendation for all answers that agree with `when`; questions that are not in `when` do not matter."""

    when: Mapping[str, str]  # question -> answer
    test: str  # name of the test; empty if no test fits (`why` and `details` then say what can be done)
    why: str  # main reason, short enough to be printed
    needs: str  # required data; the test cannot know how the data were collected
    assumes: str
    report: str  # figures that a paper should report beside the test
    avoid: Mapping[str, str]  # test -> reason against the test
    reference: str  # references, separated by semicolons, the most important reference first
    notebook: str
    details: str = ""  # explanations that `why` leaves out
    evidence: str = ""  # results of simulations of the test
    then: tuple[str, ...] = ()  # tests to choose from if H0 is rejected
    after: str = ""  # advice on the tests in `then`, and reasons for their order

    @property
    def end(self) -> str:
        """Name of the recommended test, or "none"."""
        return self.test or "none"

    def fits(self, answers: Mapping[str, str]) -> bool:
        """Return whether the rule agrees with all answers given so far."""
        return all(answers.get(name, answer) == answer for name, answer in self.when.items())
