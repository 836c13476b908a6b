"""Questions and rules for the choice of a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class DecisionQuestion:
    """A question with its possible answers."""

    name: str
    text: str
    answers: Mapping[str, str]  # answer as an argument -> description of the answer


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
    report: str  # figures to report beside the test
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
