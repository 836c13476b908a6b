"""The explorer of the choice of a test: a slider for each question, the diagram, and the recommendation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...core.worked_example_row import Row
from ...guide.decision_diagram import draw_decision_diagram
from ...guide.decision_questions import QUESTIONS, DecisionQuestion
from ...guide.recommendation import Recommendation, decide
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_layout import MIN_SCALE, PictureLayout
from ..widgets.explorer import Explorer
from ..widgets.slider import Control, Slider


@dataclass(frozen=True)
class RecommendationRows:
    """A recommendation as an explorer shows it."""

    found: Recommendation

    def worked(self) -> tuple[Row, ...]:
        """Its lines."""
        return tuple(
            Row(head.lower().replace(" ", "_"), rf"\text{{{head}}}", "", "", "", text, "", "", "step") for head, text in self.found.lines
        )

    @property
    def conclusion(self) -> str:
        """The test and why."""
        rule = self.found.rule
        return f"{f'Use fstats.{rule.test}' if rule.test else 'No test fits'}. {rule.why}"


def question_slider(question: DecisionQuestion) -> Slider[str]:
    """A question as a slider, which tells each answer without its explanation."""
    return Slider(question.name, question.text, tuple(question.answers), lambda answer: question.answers[answer].partition(":")[0])


class WhichTestExplorer(Explorer[RecommendationRows]):
    """A slider for each question, with a position for each answer."""

    question = "Which test fits?"
    leading = ("aim", "classifiers", "data_sets")

    sliders = tuple(map(question_slider, QUESTIONS))

    def __init__(self) -> None:
        super().__init__("Which test, with a slider for each question", **{question.name: 0 for question in QUESTIONS})

    @property
    def test(self) -> RecommendationRows:
        """The recommendation for the answers as they stand."""
        found = decide(self.values)
        assert isinstance(found, Recommendation)  # all questions are answered
        return RecommendationRows(found)

    @property
    def controls(self) -> Sequence[Control]:
        """The questions; one that the way to the recommendation does not meet is inactive."""
        met = self.test.found.rule.when
        return [replace(control, active=control.name in met) for control in super().controls]

    def pictures(self, test: RecommendationRows) -> Sequence[Picture]:
        """The way to the recommendation through the diagram; where it forks, too, if that has room."""
        forked, straight = (
            draw_decision_diagram(test.found.rule.when, whole=False, forks=forks, across=self.across) for forks in (True, False)
        )
        return [forked if MIN_SCALE * PictureLayout(forked, self._room).height <= self._room.most else straight]


def which_test() -> WhichTestExplorer:
    """The choice of a test with sliders: one for each question."""
    return WhichTestExplorer()
