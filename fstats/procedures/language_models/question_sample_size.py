"""Sample size for comparing two language models."""

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

MIN_NORMAL_FAMILIES = 200  # with fewer families of questions, the normal approximation overstates the power


class QuestionsNeeded(Procedure):
    r"""Questions needed: how many questions must two language models answer so that a test detects a given difference?

    Origin: published, Miller (2024).

    The mean difference over n questions has the variance V / n, with

    .. math:: V = \omega^2 (1 + (m - 1) \rho_g) + \frac{\sigma_A^2 + \sigma_B^2}{K}, \qquad
              \omega^2 = \omega_A^2 + \omega_B^2 - 2 \rho\, \omega_A \omega_B, \qquad
              n = \left\lceil (z_{1 - \alpha/2} + z_{1 - \beta})^2\, \frac{V}{\delta^2} \right\rceil.

    In these formulas :math:`\omega` is the standard deviation of the true scores over questions, and :math:`\sigma` is the standard
    deviation of the scores of the answers to one question.  In these formulas K is the number of answers to each question, and m is the
    number of questions in a family.

    Parameters
    ----------
    delta : float or array_like of shape (...)
        True difference of the mean scores that the test should detect, above 0.  Axes of this and of the other arrays are separate plans.
    spread_a, spread_b : float or array_like of shape (...)
        Standard deviation of the true scores of each model over questions.
    correlation : float or array_like
        Correlation of the true scores of the two models: about 0.3 to 0.7 for models on the same questions, 0 if each model has its own n
        questions.
    sampling_a, sampling_b : float or array_like
        Standard deviation of one answer around the true score of its question, for each model; 0 if answers are not sampled.
    answers : int
        Number of answers to each question.
    family : int
        Number of questions in a family; n is rounded up to whole families.
    family_correlation : float or array_like
        Correlation of the true differences of two questions of one family.
    power : float
        Probability of detecting the difference.
    alpha : float
        Significance level of the two-sided test.

    Notes
    -----
    Estimate the standard deviations from a pilot study: :class:`fstats.SampledAnswers` estimates the squared standard deviations,
    `between` (:math:`\omega^2`, for the scores of one model or, including the correlation, for the differences) and `within`.  A score of
    right or wrong with mean p has :math:`\omega^2 + \sigma^2 = p (1 - p)`.  The plan uses the normal distribution, as the source does.
    With fewer than 200 families (or questions) the test is Student's t-test and needs more questions; `by_student` computes them, and the
    conclusion reports them.

    More answers reduce only the second part of V; more questions reduce both parts of V / n.  Pairing reduces the first part of V;
    families increase the first part.

    Raises
    ------
    ValueError, TypeError
        For a delta that is not positive, negative spreads, correlations outside [-1, 1] (for a family [0, 1]), numbers of answers or
        questions below 1, a power or level outside (0, 1), or a power of at most half the level.

    References
    ----------
    Miller (2024), Adding error bars to evals: a statistical approach to language model evaluations, arXiv 2411.00640, section 5, Eq. 9.
    Kish (1965), Survey sampling, section 5.4 (the factor for families of equal size).

    Examples
    --------
    For a difference of 0.02 in scores between 0 and 1, with standard deviations of 0.4 and different questions for each model, V = 2 *
    0.16.  On the same questions, with correlation 0.5, V is half as large.

    >>> import fstats
    >>> fstats.QuestionsNeeded(0.02, 0.4, 0.4).questions
    np.float64(6280.0)
    >>> fstats.QuestionsNeeded(0.02, 0.4, 0.4, correlation=0.5).questions
    np.float64(3140.0)
    """

    delta: Any = input_field(r"\delta", "True difference to detect.", check=check.positive)
    spread_a: Any = input_field(r"\omega_A", "Standard deviation of A's true scores over questions.", check=check.nonnegative)
    spread_b: Any = input_field(r"\omega_B", "Standard deviation of B's true scores over questions.", check=check.nonnegative)
    correlation: Any = input_field(r"\rho", "Correlation of the true scores.", check=check.number_between(-1, 1), default=0.0, kw_only=True)
    sampling_a: Any = input_field(
        r"\sigma_A", "Standard deviation of A's answers to one question.", check=check.nonnegative, default=0.0, kw_only=True
    )
    sampling_b: Any = input_field(
        r"\sigma_B", "Standard deviation of B's answers to one question.", check=check.nonnegative, default=0.0, kw_only=True
    )
    answers: int = input_field("K", "Number of answers to each question.", check=check.count(1), default=1, kw_only=True)
    family: int = input_field("m", "Number of questions in a family.", check=check.count(1), default=1, kw_only=True)
    family_correlation: Any = input_field(
        r"\rho_g", "Correlation of the differences in a family.", check=check.number_between(0, 1), default=0.0, kw_only=True
    )
    power: float = input_field("1 - \\beta", "Probability of detecting the difference.", check=check.level, default=0.8, kw_only=True)
    alpha: float = input_field(r"\alpha", "Significance level of the test.", check=check.level, default=0.05, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.power <= self.alpha / 2:
            least = self.alpha / 2
            raise ValueError(f"`power` must be above alpha/2 = {least:g}, the power without a difference; got {self.power:g}")

    @step(r"\omega^2", r"$spread_a^2 + $spread_b^2 - 2\,$correlation\,$spread_a\,$spread_b", check=check.nonnegative)
    def between(self) -> Value:
        """Variance of the true difference over questions."""
        return np.maximum(self.spread_a**2 + self.spread_b**2 - 2 * self.correlation * self.spread_a * self.spread_b, 0.0)

    @step(r"\sigma^2", r"\frac{$sampling_a^2 + $sampling_b^2}{$answers}", check=check.nonnegative)
    def within(self) -> Value:
        """Additional variance due to the sampling of the answers."""
        return (self.sampling_a**2 + self.sampling_b**2) / self.answers

    @step(r"\mathrm{deff}", r"1 + ($family - 1)\,$family_correlation", check=check.positive)
    def design_effect(self) -> Value:
        """Design effect: factor by which families increase the variance between questions."""
        return 1 + (self.family - 1) * self.family_correlation

    @step("V", r"$between\,$design_effect + $within", check=check.nonnegative)
    def variance(self) -> Value:
        """Variance of the difference on one question; the variance of the mean over n questions is V / n."""
        return self.between * self.design_effect + self.within

    @step("f", r"\left\lceil \frac{(z_{1 - $alpha / 2} + z_{$power})^2\,$variance}{$delta^2\,$family} \right\rceil", check=check.counts)
    def families(self) -> Value:
        """Number of families; the number of questions if each question is its own family."""
        z_sum = special.ndtri(1 - self.alpha / 2) + special.ndtri(self.power)
        return np.vectorize(round_up, otypes=[float])((z_sum / self.delta) ** 2 * self.variance / self.family)[()]

    @step("n", r"$families\,$family", check=check.counts)
    def questions(self) -> Value:
        """Number of questions."""
        return self.families * self.family

    def by_student(self) -> int:
        """Return the number of questions if the test is Student's t on the means of few families (for a single plan)."""
        check.check_single_repetition(np.shape(self.questions), "number", "needed.at({}).by_student()")
        families = max(int(self.families), 2)
        while self.variance:
            df, noncentrality = families - 1, self.delta * np.sqrt(families * self.family / self.variance)
            if noncentral_t_sf(special.stdtrit(df, 1 - self.alpha / 2), df, float(noncentrality)) >= self.power:
                break
            families += 1
        return families * self.family

    @property
    def conclusion(self) -> str:
        """Number of questions, as a sentence (for a single plan)."""
        check.check_single_repetition(np.shape(self.questions), "conclusion", "needed.at({}).conclusion")
        use_t = bool(self.families < MIN_NORMAL_FAMILIES)
        n = self.by_student() if use_t else int(self.questions)
        families_text = f" in {format_plain(n // self.family)} families" if self.family > 1 else ""
        answers_text = f", {self.answers} answers to each," if self.answers > 1 else ""
        t_note = f" The normal distribution gives {format_plain(self.questions)}, but with so few the test is Student's t-test." * use_t
        return (
            f"{format_plain(n)} questions{families_text}{answers_text} detect a difference of {format_plain(self.delta)} with probability "
            f"{format_plain(self.power)} at level {format_plain(self.alpha)}.{t_note}"
        )
