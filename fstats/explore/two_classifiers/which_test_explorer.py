"""Interactive explorer for the choice of a statistical test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...core.worked_example_row import Row
from ...guide.decision_diagram import draw_decision_diagram
from ...guide.decision_questions import QUESTIONS, DecisionQuestion
from ...guide.recommendation import Recommendation, decide
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_layout import MIN_SCALE, PictureLayout
from ..widgets import Control, Explorer, Slider


@dataclass(frozen=True)
class RecommendationRows:
    """A recommendation in the form that an explorer shows: rows and a conclusion."""

    recommendation: Recommendation

    def worked(self) -> tuple[Row, ...]:
        """Return the lines of the recommendation as rows."""
        return tuple(
            Row(head.lower().replace(" ", "_"), rf"\text{{{head}}}", "", "", "", text, "", "", "step")
            for head, text in self.recommendation.lines
        )

    @property
    def conclusion(self) -> str:
        """The recommended test and the reason."""
        rule = self.recommendation.rule
        return f"{f'Use fstats.{rule.test}' if rule.test else 'No test fits'}. {rule.why}"


def question_slider(question: DecisionQuestion) -> Slider[str]:
    """Return the slider of a question, whose texts are the answers without their explanations."""
    return Slider(question.name, question.text, tuple(question.answers), lambda answer: question.answers[answer].partition(":")[0])


class WhichTestExplorer(Explorer[RecommendationRows]):
    """Explorer with a slider for each question and a position for each answer."""

    question = "Which test fits?"
    main_controls = ("aim", "classifiers", "data_sets")

    sliders = tuple(map(question_slider, QUESTIONS))

    def __init__(self) -> None:
        super().__init__("Which test, with a slider for each question", **{question.name: 0 for question in QUESTIONS})

    @property
    def test(self) -> RecommendationRows:
        """Recommendation for the current answers."""
        recommendation = decide(self.values)
        assert isinstance(recommendation, Recommendation)  # all questions have an answer, so the guide gives a recommendation
        return RecommendationRows(recommendation)

    @property
    def controls(self) -> Sequence[Control]:
        """The questions; questions that do not lead to the recommendation are inactive."""
        relevant = {*self.test.recommendation.rule.when, "classifiers"}
        if self.values["classifiers"] == "one":
            # one classifier is always compared with a stated value, so the aim does not matter
            relevant.remove("aim")
        return [replace(control, active=control.name in relevant) for control in super().controls]

    def pictures(self, test: RecommendationRows) -> Sequence[Picture]:
        """Return the path through the diagram to the recommendation, with the other branches if there is space for them."""
        with_branches, path_only = (
            draw_decision_diagram(test.recommendation.rule.when, whole=False, forks=forks, across=self.picture_width)
            for forks in (True, False)
        )
        has_space = MIN_SCALE * PictureLayout(with_branches, self._picture_size).height <= self._picture_size.most
        return [with_branches if has_space else path_only]


def which_test() -> WhichTestExplorer:
    """Explore the choice of a test with a slider for each question."""
    return WhichTestExplorer()
