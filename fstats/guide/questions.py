"""The questions that lead to a test, and what a rule is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Question:
    """A question with two answers."""

    name: str
    asked: str
    answers: Mapping[str, str]  # the answer as an argument -> in words


QUESTIONS = (
    Question("aim", "What is to be shown?", {"difference": "that they differ", "equivalence": "that they are alike, up to a margin"}),
    Question("classifiers", "How many classifiers?", {"two": "two", "many": "three or more"}),
    Question("data_sets", "How many data sets?", {"many": "several", "one": "one"}),
    Question(
        "results",
        "What is known on each data set?",
        {"scores": "scores: one, or one for each split", "records": "records: right or wrong for each of one test set"},
    ),
    Question("paired", "Same data sets, splits and records for all?", {"yes": "yes", "no": "no"}),
    Question("normal", "Are the differences roughly normal, and differences comparable?", {"yes": "yes", "no": "no, or unknown"}),
    Question(
        "size",
        "How much is there?",
        {"large": "large: 10 data sets, 25 discordant records, or training that takes long", "small": "small: less than that"},
    ),
)


@dataclass(frozen=True)
class Rule:
    """What is recommended where the answers fit `when`; questions that are not named there do not matter."""

    when: Mapping[str, str]
    test: str
    why: str
    assumes: str
    report: str
    avoid: Mapping[str, str]
    reference: str
    notebook: str
    then: tuple[str, ...] = field(default=())  # what follows if H0 is rejected

    def fits(self, answers: Mapping[str, str]) -> bool:
        """Whether these answers lead here."""
        return all(answers[name] == answer for name, answer in self.when.items())
