"""Base class of Bayesian comparisons of two classifiers.

The comparisons use a region of practical equivalence (ROPE).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.classifier_pair import TwoClassifiers
from ...core.number_format import DIGITS, digits_to_distinguish, format_plain, format_probability
from ...core.procedure import Procedure
from ...core.renderer_registry import get_renderer
from ...core.step import input_field, step
from ...core.validation import check, result_checks
from ...core.value_types import Array, Value
from ..limited_number import limited

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture

REGIONS = ("B better", "equivalent", "A better")
WORSE, EQUIVALENT, BETTER = range(3)
LEVEL_OF_REGION = "The decision is for a region if the probability of the region is at least 1 - alpha."
MOST_PRIOR = 1e9


def rope_width(value: Any, name: str) -> float:
    """Check half the width of the region: one number not below 0; infinity means that no difference is relevant."""
    if isinstance(value, (float, int, np.floating)) and not isinstance(value, bool) and np.isposinf(value):
        return float("inf")
    return float(check.single_number(check.nonnegative, ", the largest difference that is not relevant")(value, name))


draws = check.single_number(check.count(100))


def seed(value: Any, name: str) -> int:
    """Return a seed that reproduces the draws: the given number, a number drawn from a Generator, or a new number for None."""
    if value is None or isinstance(value, np.random.Generator):
        return int(np.random.default_rng(value).integers(2**53))
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise TypeError(
            f"`{name}` must be a whole number of at least 0, a numpy Generator or None; got {check.format_received_value(value)}"
        )
    return int(value)


prior_strength = limited(check.single_number(check.nonnegative), lambda x: x <= MOST_PRIOR, f"at most {MOST_PRIOR:g} data sets")


def positive_prior_strength(value: Any, name: str) -> float:
    """Check the weight of a prior, which must be above 0."""
    return prior_strength(check.positive(value, name), name)


class RopeComparison(TwoClassifiers, Procedure, ending=True):
    """Bayesian comparison of two classifiers: probabilities of three regions, and the decision that follows from them."""

    conclusion_row = ("probabilities", 1, "The probabilities as text.")

    names_by_index: ClassVar[Mapping[str, Any]] = {"c": REGIONS}
    conclusion_opening: ClassVar[str]  # first words of the sentence that states the probabilities

    rope: float = input_field(
        "r", "Largest difference, in either direction, that is not relevant in practice.", check=rope_width, kw_only=True, unit="score"
    )
    alpha: float = input_field(r"\alpha", LEVEL_OF_REGION, check=check.level, default=0.05, kw_only=True)

    @step("P_c", over="c", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probability of each region."""
        raise TypeError(f"the class {type(self).__name__} must define the step `probabilities`")

    @step(r"\text{decided}_c", r"$probabilities \geq 1 - $alpha", over="c", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def decided(self) -> NDArray[np.bool]:
        """Whether the probability of each region is high enough for a decision; often no probability is."""
        return np.greater_equal(self.probabilities, 1 - self.alpha)

    # -- single probabilities ------------------------------------------------------------------------------------------
    @property
    def p_worse(self) -> Value:
        """Probability that B is practically better."""
        return self.probabilities[WORSE]

    @property
    def p_rope(self) -> Value:
        """Probability that A and B are practically equivalent."""
        return self.probabilities[EQUIVALENT]

    @property
    def p_better(self) -> Value:
        """Probability that A is practically better."""
        return self.probabilities[BETTER]

    # -- conclusion ----------------------------------------------------------------------------------------------------
    @property
    def regions(self) -> tuple[str, str, str]:
        """Meaning of each region, as a clause of a sentence."""
        a, b = self.sides
        if self.rope == 0:
            return f"{b} is better", "they are equal", f"{a} is better"
        most = "infinity" if np.isinf(self.rope) else format_plain(self.rope)
        return f"{b} is better by more than {most}", f"they differ by at most {most}", f"{a} is better by more than {most}"

    def probability_text(self, region: int) -> str:
        """Return a probability as text for a sentence; a value below 1 is not rounded to 1."""
        others = sum(float(self.probabilities[other]) for other in range(3) if other != region)
        digits = digits_to_distinguish(1 - self.alpha, p := self.probabilities[region])
        return f"1 - {format_plain(others, 2)}" if format_plain(p, digits) == "1" and others else format_probability(p, digits)

    def _digits(self) -> int:
        """Return the number of digits that show whether each probability is above or below 1 - alpha."""
        probabilities = self.get_or_default("probabilities", None)
        values: Array = np.array([] if probabilities is None else np.ravel(probabilities))
        return max((digits_to_distinguish(1 - self.alpha, p) for p in values), default=DIGITS)

    @property
    def verdict(self) -> str:
        """Decision for a region, as text (for a single comparison)."""
        level = format_plain(1 - self.alpha)
        if not self.decided.any():
            return f"No probability reaches {level}: the data do not decide the question."
        if self.decided.sum() > 1:
            return f"More than one probability is at least {level}, so there is no decision: alpha must be below 1/2 for a decision."
        return f"The first probability is at least {level}, so the data decide for the first outcome."

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data; empty for ordinary data."""
        return ""

    @property
    def rope_note(self) -> str:
        """Note about a rope of width 0, or an infinite rope."""
        if self.rope == 0:
            return "With a rope of 0 only an exact tie is equivalent."
        return "With an infinite rope no difference is relevant, whatever the data." if np.isinf(self.rope) else ""

    @property
    def conclusion(self) -> str:
        """Text with the probabilities of the three regions and the decision, if there is a decision (for a single comparison)."""
        check.check_single_repetition(np.shape(self.probabilities)[1:], "conclusion", "test.at({}).conclusion")
        order = sorted(range(3), key=lambda region: -float(self.probabilities[region]))
        probabilities = "; with ".join(f"{self.probability_text(region)}, that {self.regions[region]}" for region in order)
        opening = f"{self.conclusion_opening}, with probability {probabilities}."
        return " ".join(filter(None, [opening, self.verdict, self.remark, self.rope_note]))

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """Plot the posterior with the probabilities of the three regions; `ax`, `title` and `figsize` are those of any test."""
        return get_renderer("posterior")(self, ax=ax, title=title, figsize=figsize)
