"""What the Bayesian comparisons share: the region of practical equivalence, three probabilities, and what they come to in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from ...core.worked_example_row import Row

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture

REGIONS = ("B better", "equivalent", "A better")
WORSE, EQUIVALENT, BETTER = range(3)
MOST_PRIOR = 1e9


def rope_width(value: Any, name: str) -> float:
    """Half the width of the region: one number not below 0, infinite where no difference would matter."""
    if isinstance(value, (float, int, np.floating)) and not isinstance(value, bool) and np.isposinf(value):
        return float("inf")
    return float(check.single_number(check.nonnegative, ", the largest difference that does not matter")(value, name))


draws = check.single_number(check.count(100))  # how many random ones


def seed(value: Any, name: str) -> int:
    """A whole number from which the same draws follow again: that given, one that a Generator draws, or a fresh one for None."""
    if value is None or isinstance(value, np.random.Generator):
        return int(np.random.default_rng(value).integers(2**53))
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise TypeError(f"{name} must be a whole number not below 0, a numpy Generator or None; got {check.format_received_value(value)}")
    return int(value)


def prior_strength(value: Any, name: str) -> float:
    """The weight of a prior, in data sets: one number from 0 to a billion, beside which no data count any more."""
    x = check.single_number(check.nonnegative)(value, name)
    if x > MOST_PRIOR:
        raise ValueError(f"{name} must be at most {MOST_PRIOR:g} data sets, or the data count for nothing; got {x:g}")
    return float(x)


def positive_prior_strength(value: Any, name: str) -> float:
    """The same, but above 0."""
    return prior_strength(check.positive(value, name), name)


class RopeComparison(TwoClassifiers, Procedure, ending=True):
    """Steps of its own, then the probabilities of three regions, and which of them, if any, is probable enough to say so."""

    names_by_index: ClassVar[Mapping[str, Any]] = {"c": REGIONS}
    asks: ClassVar[str]  # what the probabilities are of, for the beginning of a sentence

    rope: float = input_field(
        "r", "The largest difference that does not matter in practice, either way.", check=rope_width, kw_only=True, unit="score"
    )
    alpha: float = input_field(
        r"\alpha", "A region is decided for if its probability is at least 1 less this.", check=check.level, default=0.05, kw_only=True
    )

    @step("P_c", over="c", check=check.probabilities)
    def probabilities(self) -> Array:
        """Probability of each region."""
        raise TypeError(f"{type(self).__name__} must say how its probabilities are computed")

    @step(r"\text{decided}_c", r"$probabilities \geq 1 - $alpha", over="c", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def decided(self) -> NDArray[np.bool]:
        """Whether the region is probable enough to decide for it; often none is."""
        return np.greater_equal(self.probabilities, 1 - self.alpha)

    # -- one by one ----------------------------------------------------------------------------------------------------
    @property
    def p_worse(self) -> Value:
        """Probability that B is practically better."""
        return self.probabilities[WORSE]

    @property
    def p_rope(self) -> Value:
        """Probability that the two are practically equivalent."""
        return self.probabilities[EQUIVALENT]

    @property
    def p_better(self) -> Value:
        """Probability that A is practically better."""
        return self.probabilities[BETTER]

    # -- in words ------------------------------------------------------------------------------------------------------
    @property
    def regions(self) -> tuple[str, str, str]:
        """What each region says, for sentences."""
        a, b = self.sides
        if self.rope == 0:
            return f"{b} is better", "they are equal", f"{a} is better"
        most = "infinity" if np.isinf(self.rope) else format_plain(self.rope)
        return f"{b} is better by more than {most}", f"they differ by at most {most}", f"{a} is better by more than {most}"

    def known(self, name: str) -> Any:
        """The value of an input or a step, or None where the comparison was started from what does not tell it."""
        return self.get_or_default(name, None)

    def told(self, region: int) -> str:
        """A probability in a sentence; what is not certain is not rounded to 1."""
        others = sum(float(self.probabilities[other]) for other in range(3) if other != region)
        said = format_probability(p := self.probabilities[region], digits_to_distinguish(1 - self.alpha, p))
        return f"1 - {format_plain(others, 2)}" if said == "1" and others else said

    def _digits(self) -> int:
        """With so many digits every probability is seen to be on the side of 1 - alpha on which it is."""
        found: Array = np.array([] if self.known("probabilities") is None else np.ravel(self.probabilities))
        return max((digits_to_distinguish(1 - self.alpha, p) for p in found), default=DIGITS)

    @property
    def verdict(self) -> str:
        """Which region is decided for (of a single comparison)."""
        level = format_plain(1 - self.alpha)
        if not self.decided.any():
            return f"No probability reaches {level}: the data leave it open."
        if self.decided.sum() > 1:
            return f"More than one of them is at least {level}, which decides nothing: for a decision alpha must be below 1/2."
        return f"The first probability is at least {level}, which decides for that outcome."

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are; empty for ordinary data."""
        return ""

    @property
    def about_rope(self) -> str:
        """What must be known about a rope of width 0, or without an end."""
        if self.rope == 0:
            return "With a rope of 0 only an exact tie is equivalent."
        return "With an infinite rope nothing could matter, whatever the data." if np.isinf(self.rope) else ""

    @property
    def conclusion(self) -> str:
        """The three probabilities and the decision, if there is one, in words (of a single comparison)."""
        check.check_single_repetition(np.shape(self.probabilities)[1:], "conclusion", "test.at({}).conclusion")
        order = sorted(range(3), key=lambda region: -float(self.probabilities[region]))
        told = "; with ".join(f"{self.told(region)}, that {self.regions[region]}" for region in order)
        return " ".join(filter(None, [f"{self.asks}, with probability {told}.", self.verdict, self.remark, self.about_rope]))

    def _rows(self) -> Iterator[Row]:
        """One row for each input and step, and the conclusion of a single comparison."""
        yield from super()._rows()
        if "probabilities" in self.__dict__ and np.ndim(self.probabilities) == 1:
            yield Row("conclusion", "", "", "", "", self.conclusion, "The probabilities in words.", "", "conclusion")

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """The posterior, with the probabilities of the three regions; `ax`, `title` and `figsize` as for a test."""
        return get_renderer("posterior")(self, ax=ax, title=title, figsize=figsize)
