"""Questions and rules for the choice of a test.

The questions are read from decision_questions.toml.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from numbers import Integral
from typing import Any


@dataclass(frozen=True)
class DecisionQuestion:
    """A question with its possible answers."""

    name: str
    text: str
    answers: Mapping[str, str]  # maps each value of the argument of which_test to a description of the answer
    synonyms: Mapping[str, str]  # maps each answer to its other names
    # maps an answer to the smallest and the largest number that mean this answer
    counts: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def interpret(self, answer: Any) -> str:
        """Return the answer that a word or a number means; raise ValueError for a word that fits no answer or several answers."""
        if isinstance(answer, bool) and "yes" in self.answers:
            return "yes" if answer else "no"
        word = re.sub(r"(?<=\w)[-_\s]+(?=\w)", " ", str(answer).strip().lower()) if isinstance(answer, (str, Integral)) else ""
        fitting = {key for key, words in self.synonyms.items() if word == key or word in words.split(", ")}
        if not fitting and (count := parse_count(word)) is not None and not isinstance(answer, bool):
            fitting = {key for key, (least, most) in self.counts.items() if least <= count <= most}
        if not fitting and len(word) >= 4:
            fitting = {key for key in self.answers if key.startswith(word) or word.startswith(key)}
        if len(fitting) == 1:
            return fitting.pop()
        raise ValueError(f"{self.name} must be {' or '.join(map(repr, self.answers))} ({self.text}); got {answer!r}")


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


TABLES: dict[str, Any] = tomllib.loads(files(__package__).joinpath("decision_questions.toml").read_text(encoding="utf-8"))
*QUESTIONS, SEED_QUESTION = (DecisionQuestion(**table) for table in TABLES["questions"])


@dataclass(frozen=True)
class Rule:
    """A recommendation for all answers that agree with `when`; questions that are not in `when` do not matter."""

    when: Mapping[str, str]  # maps the name of a question to the answer
    test: str  # name of the test; empty if no test fits (then `why` and `details` say what can be done)
    why: str  # main reason, short enough to be printed in the recommendation
    needs: str  # requirements on the data that the test itself cannot check
    assumes: str
    report: str  # numbers that a paper should report beside the result of the test
    avoid: Mapping[str, str]  # maps each test that should not be used to the reason
    reference: str  # references, separated by semicolons, the most important reference first
    notebook: str
    details: str = ""  # explanations that `why` leaves out
    evidence: str = ""  # results of simulations of the test
    origin: str = ""  # origin of this use of the test (published, variant or ours), if it differs from the origin of the test
    # maps an alternative test to the reason for it, or to the cases in which to use it
    second: Mapping[str, str] = field(default_factory=dict)
    then: tuple[str, ...] = ()  # names of possible post-hoc tests after H0 is rejected
    after: str = ""  # advice on the tests in `then`, and reasons for their order

    @property
    def end(self) -> str:
        """Name of the recommended test, or "none"."""
        return self.test or "none"

    def fits(self, answers: Mapping[str, str]) -> bool:
        """Return whether the rule agrees with all answers given so far."""
        return all(answers.get(name, answer) == answer for name, answer in self.when.items())
