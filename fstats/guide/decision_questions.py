"""The questions that lead to a test, and what a rule is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class DecisionQuestion:
    """A question with two answers, or three."""

    name: str
    asked: str
    answers: Mapping[str, str]  # the answer as an argument -> in words


QUESTIONS = (
    DecisionQuestion(
        "aim", "What is to be shown?", {"difference": "that they differ", "equivalence": "that they are alike, up to a margin"}
    ),
    DecisionQuestion("classifiers", "How many classifiers?", {"two": "two", "many": "three or more"}),
    DecisionQuestion("data_sets", "How many data sets?", {"many": "several", "one": "one"}),
    DecisionQuestion(
        "results",
        "What is known on each data set?",
        {
            "scores": "scores: of splits on which both can be trained anew",
            "records": "records: right or wrong for each of one test set (or of one for each classifier)",
            "rankings": "rankings: how strongly each record of a test set is held to be positive, compared by AUC",
            "runs": "runs: one fixed split, and a score for each of several seeds of training",
        },
    ),
    DecisionQuestion("paired", "Same data sets, splits and records for all?", {"yes": "yes", "no": "no"}),
    DecisionQuestion(
        "normal", "Are differences (unpaired: scores) roughly normal, and comparable?", {"yes": "yes", "no": "no, or unknown"}
    ),
    DecisionQuestion(
        "size",
        "How much is there?",
        {
            "large": "large: 10 data sets; 25 discordant records (of different records: 10 right and 10 wrong of each); "
            "half of the records train well, or training takes long",
            "small": "small: less than that",
        },
    ),
)

NO_TEST = ""  # the test of a rule that says what can be done where no test fits


@dataclass(frozen=True)
class Rule:
    """What is recommended where the answers fit `when`; questions that are not named there do not matter."""

    when: Mapping[str, str]
    test: str
    why: str
    needs: str  # the data that must be at hand; it stands in the rule because the test cannot see how they came about
    assumes: str
    report: str
    avoid: Mapping[str, str]
    reference: str
    notebook: str
    then: tuple[str, ...] = ()  # what follows if H0 is rejected
    after: str = ""  # how, and why in this order

    @property
    def end(self) -> str:
        """Where the rule leads, in a word."""
        return self.test or "none"

    def fits(self, answers: Mapping[str, str]) -> bool:
        """Whether these answers lead here, as far as they go."""
        return all(answers.get(name, answer) == answer for name, answer in self.when.items())
