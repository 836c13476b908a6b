"""How many questions a comparison of two models needs."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...core.number_format import format_plain
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Value
from ...distributions.noncentral_t import noncentral_t_sf
from ..training_variance.crossed_design import round_up

FEW = 200  # families, below which the normal distribution promises too much


class QuestionsNeeded(Procedure):
    r"""Questions needed: how many questions does it take to see that two models differ by so much?

    The mean difference over n questions has the variance V / n, with

    .. math:: V = \omega^2 (1 + (m - 1) \rho_g) + \frac{\sigma_A^2 + \sigma_B^2}{K}, \qquad
              \omega^2 = \omega_A^2 + \omega_B^2 - 2 \rho\, \omega_A \omega_B, \qquad
              n = \left\lceil (z_{1 - \alpha/2} + z_{1 - \beta})^2\, \frac{V}{\delta^2} \right\rceil,

    where :math:`\omega` is how far true scores spread over questions, :math:`\sigma` how far answers to one question do, K the answers
    to each question and m the questions in a family.

    Parameters
    ----------
    delta : float or array_like of shape (...)
        The true difference of the mean scores that is to be seen, above 0.  Axes are plans of their own, here and below.
    spread_a, spread_b : float or array_like of shape (...)
        Standard deviations over questions of the models' true scores.
    correlation : float or array_like
        How these are correlated: about 0.3 to 0.7 for models on the same questions, 0 for each model on questions of its own
        (then n is the number for each).
    sampling_a, sampling_b : float or array_like
        Standard deviations of one answer around the true score of its question; 0 where answers are not sampled.
    answers : int
        Answers to each question.
    family : int
        Questions in a family; n is rounded up to whole families.
    family_correlation : float or array_like
        How the true differences of two questions of one family are correlated.
    power : float
        With which probability the difference is to be seen.
    alpha : float
        Level of the two-sided test.

    Notes
    -----
    The spreads come from a pilot: :class:`fstats.SampledAnswers` has them squared, as `between` (:math:`\omega^2`, of the scores of one
    model or, with correlation included, of the differences) and `within`.  A score of right or wrong whose mean is p has
    :math:`\omega^2 + \sigma^2 = p (1 - p)`.  The plan counts with the normal distribution, as the source does; of fewer than
    200 families (or questions) the test is Student's and needs more, which `by_student` counts and the sentence says.

    More answers shrink only the second part of V, more questions both; pairing shrinks the first, families enlarge it.

    Raises
    ------
    ValueError, TypeError
        For a delta that is not positive, negative spreads, correlations outside [-1, 1] (of a family [0, 1]), numbers of answers or
        questions below 1, a power or level outside (0, 1), a power of half the level or less.

    References
    ----------
    Miller (2024), Adding error bars to evals: a statistical approach to language model evaluations, arXiv 2411.00640, section 5, Eq. 9.
    Kish (1965), Survey sampling, section 5.4 (the factor for families of equal size).

    Examples
    --------
    Two points of a score between 0 and 1, spreads of 0.4: with other questions for each model V = 2 * 0.16, and on the same ones,
    correlated by 0.5, half of that.

    >>> import fstats
    >>> fstats.QuestionsNeeded(0.02, 0.4, 0.4).questions
    np.float64(6280.0)
    >>> fstats.QuestionsNeeded(0.02, 0.4, 0.4, correlation=0.5).questions
    np.float64(3140.0)
    """

    delta: Any = input_field(r"\delta", "True difference that is to be seen.", check=check.positive)
    spread_a: Any = input_field(r"\omega_A", "Spread of A's true scores over questions.", check=check.nonnegative)
    spread_b: Any = input_field(r"\omega_B", "Spread of B's true scores over questions.", check=check.nonnegative)
    correlation: Any = input_field(r"\rho", "How they are correlated.", check=check.number_between(-1, 1), default=0.0, kw_only=True)
    sampling_a: Any = input_field(r"\sigma_A", "How far A's answers stray.", check=check.nonnegative, default=0.0, kw_only=True)
    sampling_b: Any = input_field(r"\sigma_B", "How far B's answers stray.", check=check.nonnegative, default=0.0, kw_only=True)
    answers: int = input_field("K", "Answers to each question.", check=check.count(1), default=1, kw_only=True)
    family: int = input_field("m", "Questions in a family.", check=check.count(1), default=1, kw_only=True)
    family_correlation: Any = input_field(
        r"\rho_g", "How the differences of a family are correlated.", check=check.number_between(0, 1), default=0.0, kw_only=True
    )
    power: float = input_field("1 - \\beta", "Probability of seeing the difference.", check=check.level, default=0.8, kw_only=True)
    alpha: float = input_field(r"\alpha", "Level of the test.", check=check.level, default=0.05, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.power <= self.alpha / 2:
            raise ValueError(f"power must be above half the level, {self.alpha / 2:g}, which needs no difference; got {self.power:g}")

    @step(
        r"\omega^2",
        r"$spread_a^2 + $spread_b^2 - 2\,$correlation\,$spread_a\,$spread_b",
        check=check.nonnegative,
    )
    def between(self) -> Value:
        """Variance over questions of the true difference."""
        return np.maximum(self.spread_a**2 + self.spread_b**2 - 2 * self.correlation * self.spread_a * self.spread_b, 0.0)

    @step(r"\sigma^2", r"\frac{$sampling_a^2 + $sampling_b^2}{$answers}", check=check.nonnegative)
    def within(self) -> Value:
        """What sampling adds to it, with so many answers."""
        return (self.sampling_a**2 + self.sampling_b**2) / self.answers

    @step(r"\mathrm{deff}", r"1 + ($family - 1)\,$family_correlation", check=check.positive)
    def design_effect(self) -> Value:
        """Design effect: what families make of the variance."""
        return 1 + (self.family - 1) * self.family_correlation

    @step("V", r"$between\,$design_effect + $within", check=check.nonnegative)
    def variance(self) -> Value:
        """Variance of the difference on one question: that of a mean over n is V / n."""
        return self.between * self.design_effect + self.within

    @step("f", r"\left\lceil \frac{(z_{1 - $alpha / 2} + z_{$power})^2\,$variance}{$delta^2\,$family} \right\rceil", check=check.counts)
    def families(self) -> Value:
        """Number of families; of questions, where each is its own."""
        reach = special.ndtri(1 - self.alpha / 2) + special.ndtri(self.power)
        return np.vectorize(round_up, otypes=[float])((reach / self.delta) ** 2 * self.variance / self.family)[()]

    @step("n", r"$families\,$family", check=check.counts)
    def questions(self) -> Value:
        """Number of questions."""
        return self.families * self.family

    def by_student(self) -> int:
        """So many questions the plan needs where the test is Student's t on the means of families, of which there are few (of a single
        plan).
        """
        check.check_single_repetition(np.shape(self.questions), "number", "needed.at({}).by_student()")
        families = max(int(self.families), 2)
        while self.variance:
            df, away = families - 1, self.delta * np.sqrt(families * self.family / self.variance)
            if noncentral_t_sf(special.stdtrit(df, 1 - self.alpha / 2), df, float(away)) >= self.power:
                break
            families += 1
        return families * self.family

    @property
    def conclusion(self) -> str:
        """The number in a sentence (of a single plan)."""
        check.check_single_repetition(np.shape(self.questions), "conclusion", "needed.at({}).conclusion")
        few = bool(self.families < FEW)
        n = self.by_student() if few else int(self.questions)
        several = f" in {format_plain(n // self.family)} families" if self.family > 1 else ""
        times = f", {self.answers} answers to each," if self.answers > 1 else ""
        student = f" The normal distribution says {format_plain(self.questions)}, but with so few the test is Student's." * few
        return (
            f"{format_plain(n)} questions{several}{times} show a difference of {format_plain(self.delta)} with probability "
            f"{format_plain(self.power)} at level {format_plain(self.alpha)}.{student}"
        )
