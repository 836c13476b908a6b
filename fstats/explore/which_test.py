"""The explorer of the choice of a test: a slider for each question, the diagram, and the recommendation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..guide.diagram import decision
from ..guide.questions import QUESTIONS
from ..guide.which import Recommendation, decided
from ..picture import Picture
from ..row import Row
from .explorer import Control, Explorer


@dataclass(frozen=True)
class Recommended:
    """A recommendation as an explorer shows it."""

    found: Recommendation

    def worked(self) -> tuple[Row, ...]:
        """Its lines."""
        return tuple(Row(head.lower().replace(" ", "_"), rf"\text{{{head}}}", "", "", "", text, "", "", "step") for head, text in self.found.lines)

    @property
    def conclusion(self) -> str:
        """The test and why."""
        rule = self.found.rule
        return f"{f'Use fstats.{rule.test}' if rule.test else 'No test fits'}. {rule.why}"


class WhichTest(Explorer):
    """Two positions for each question."""

    def __init__(self) -> None:
        super().__init__("Which test, with a slider for each question")

    def _start(self) -> None:
        self._at = {question.name: 0 for question in QUESTIONS}

    def _take(self, moved: Mapping[str, int]) -> None:
        self._at |= moved

    @property
    def answers(self) -> dict[str, str]:
        """The answers as the sliders stand."""
        return {question.name: list(question.answers)[self._at[question.name]] for question in QUESTIONS}

    @property
    def controls(self) -> Sequence[Control]:
        """A slider for each question."""
        return [
            Control(question.name, question.asked, 0, 1, self._at[question.name], question.answers[self.answers[question.name]].partition(":")[0])
            for question in QUESTIONS
        ]

    @property
    def test(self) -> Recommended:  # type: ignore[override]
        """The recommendation for the answers as they stand."""
        found = decided(self.answers)
        assert isinstance(found, Recommendation)  # all questions are answered
        return Recommended(found)

    def pictures(self, test: Any) -> Sequence[Picture]:
        """The diagram with the way to the recommendation."""
        return [decision(test.found.rule.when)]


def which_test() -> WhichTest:
    """The choice of a test with sliders: one for each question."""
    return WhichTest()
