"""Mean score of a language model from repeated answers.

Each question has several sampled answers, which give variance components and pass@k.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ...core.arithmetic_steps import mean_step
from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.sums_of_squares import ScaledSquares
from ...core.numerics.zero_division import product, ratio
from ...core.procedure import Procedure
from ...core.rejection_region import BOTH
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.validation.integer_precision import check_mean_precision
from ...core.validation.result_checks import interval_ends, null_distribution
from ...core.value_types import Array, CountsLike, Interval, ScoresLike, Value
from ...distributions.continuous_distributions import StudentT


def answer_scores(value: Any, name: str) -> Array:
    """Check scores for each question (first axis) and each of its answers (second axis), at least two of both."""
    x = check.numbers(value, name)
    if x.ndim < 2 or min(x.shape[:2]) < 2:
        raise ValueError(
            f"`{name}` must have the shape (questions, answers), both at least 2; got shape {x.shape}. With one answer to each question, "
            "use OneSampleT on the scores."
        )
    return check_mean_precision(x, name, (0, 1))


class MeanOverQuestions(ScaledSquares, Procedure):
    """Base class for a mean over independent questions with its standard error; a subclass defines the value of each question."""

    alpha: float = input_field(r"\alpha", "Probability outside the interval.", check=check.level, default=0.05, kw_only=True)

    @step("m_i", over="i", unit="score")
    def question_means(self) -> Array:
        """Contribution of each question."""
        raise TypeError(f"the class {type(self).__name__} must define the contribution of each question")

    n = count_step("n", "question_means", "i", "Number of questions.", check=check.count(2))

    mean = mean_step(r"\bar m", "question_means", "n", "i", "Mean over the questions.", unit="score")

    @step("s_m^2", r"\frac{1}{$n - 1} \sum_i ($question_means - $mean)^2", check=check.nonnegative, unit="score^2")
    def spread(self) -> Value:
        """Variance of the contributions: variance between questions, plus the remaining variance of sampling."""
        distance = round_noise_to_zero(self.question_means - self.mean, np.abs(self.question_means).max(0))
        return (self.in_units(distance) ** 2).sum(0) / (self.n - 1)

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$spread}{$n}}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of the mean: variation over other questions of the same kind and other answers."""
        return self.unit * np.sqrt(self.spread / self.n)

    @step("T_0", r"t_{$n - 1}", relation=r"\sim", check=null_distribution)
    def null(self) -> StudentT:
        """Distribution of the distance of the mean from the true mean, in standard errors."""
        return StudentT(self.n - 1)

    @step("c", BOTH.critical_value_formula, check=check.positive)
    def critical_value(self) -> Any:
        """Half the width of the confidence interval, in standard errors of the mean."""
        return BOTH.critical_value(self.null, self.alpha)

    @step(r"\mathrm{CI}", r"[$mean - $critical_value\,$se,\ $mean + $critical_value\,$se]", over="e", check=interval_ends, unit="score")
    def ci(self) -> Interval:
        """Confidence interval for the mean over all questions of the same kind."""
        reach = product(self.critical_value, self.se)
        return Interval(self.mean - reach, self.mean + reach)


class SampledAnswers(MeanOverQuestions):
    r"""Sampled answers: how much of the variance of a score comes from the questions, and how much from sampling the answers?

    Origin: published, Miller (2024).

    The score of answer j to question i is :math:`x_{ij} = \mu + q_i + e_{ij}`: questions differ in difficulty, and the answers of the
    model are random.  The means of the K answers to a question have the variance :math:`E(s_m^2) = \omega^2 + \sigma^2 / K`, so that

    .. math:: \hat\sigma^2 = s_w^2, \qquad \hat\omega^2 = s_m^2 - \frac{s_w^2}{K}, \qquad V = \frac{s_m^2}{n} =
              \frac{\hat\omega^2}{n} + \frac{\hat\sigma^2}{n K}.

    More answers to each question reduce only the part of V that comes from sampling the answers.  `least_se` is the standard error for
    infinitely many answers.

    Parameters
    ----------
    scores : array_like, shape (n, K) or (n, K, ...)
        Score of each of the K >= 2 answers to each of the n >= 2 questions: 1 for right and 0 for wrong, or any number.  For two models on
        the same questions pass the differences; pair the answers of the two models in any order.  Further axes are
        independent repetitions.
    alpha : float
        The interval has the confidence level 1 - alpha.

    Notes
    -----
    Questions must be independent of each other.  For questions in families, use :class:`fstats.ClusteredDifference` on the mean score of
    each question.  The estimated variance of the questions can be below 0 by chance if questions hardly differ.  An estimate below 0
    counts as 0 in `between`; `solved` is the unchanged estimate.  The standard error does not use this estimate.  If all scores are
    equal, all variances are 0.

    Raises
    ------
    ValueError, TypeError
        For fewer than two questions or answers, numbers that are not finite, a level outside (0, 1).

    References
    ----------
    Miller (2024), Adding error bars to evals: a statistical approach to language model evaluations, arXiv 2411.00640, section 3.1 (the
    two parts; resampling answers).  Searle, Casella and McCulloch (1992), Variance components, chapter 3 (the one-way layout).

    Examples
    --------
    The means of the questions are 1/2 and 1.  The variance within questions is (1/4 + 1/4) / (n (K - 1)) = 1/4.  The variance of the
    means is 1/8; sampling explains (1/4) / 2 of it.

    >>> import fstats
    >>> sampled = fstats.SampledAnswers([[0, 1], [1, 1]])
    >>> print(sampled.mean, sampled.within, sampled.spread, sampled.between, sampled.se)
    0.75 0.25 0.125 0.0 0.25

    With 400 questions and 5 answers to each, and variances of 0.1 between and 0.15 within, the standard error is

    >>> print(fstats.SampledAnswers.from_steps(between=0.1, within=0.15).se_with(questions=400, answers=5).round(4))
    0.018
    """

    measured = ("scores",)

    scores: ScoresLike = input_field("x_{ij}", "Score of each answer to each question.", over="ij", check=answer_scores, unit="score")

    n_answers = count_step("K", "scores", "j", "Number of answers to each question.", check=check.count(2), axis=1)

    @step("m_i", r"\frac{1}{$n_answers} \sum_j $scores", over="i", check=check.numbers_of_min_length(2), unit="score")
    def question_means(self) -> Array:
        """Mean score of the answers to each question."""
        return self.scores.sum(1) / self.n_answers

    @step("s_w^2", r"\frac{1}{$n ($n_answers - 1)} \sum_{ij} ($scores - $question_means)^2", check=check.nonnegative, unit="score^2")
    def within(self) -> Value:
        """Variance of the answers to one question."""
        distance = round_noise_to_zero(self.scores - self.question_means[:, None], np.abs(self.scores).max((0, 1)))
        return (self.in_units(distance) ** 2).sum((0, 1)) / (self.n * (self.n_answers - 1))

    @step("w^2", r"$spread - \frac{$within}{$n_answers}", after=True, unit="score^2")
    def solved(self) -> Value:
        """Unbiased estimate of the variance of the true scores of the questions, which can be below 0 by chance."""
        return round_noise_to_zero(self.spread - self.within / self.n_answers, self.spread)

    @step(r"\omega^2", r"\max\{0,\ $solved\}", after=True, check=check.nonnegative, unit="score^2")
    def between(self) -> Value:
        """Variance of the true scores of the questions; an estimate below 0 counts as 0."""
        return np.maximum(self.solved, 0.0)

    @step("r", r"\frac{$between}{$between + $within}", after=True, check=check.proportion)
    def share(self) -> Value:
        """Share of the questions in the variance of a single answer."""
        return ratio(self.between, self.between + self.within)

    @step(r"\mathrm{SE}_\infty", r"\sqrt{\frac{$between}{$n}}", after=True, check=check.nonnegative, unit="score")
    def least_se(self) -> Value:
        """Standard error of the mean for infinitely many answers to these questions."""
        return self.unit * np.sqrt(self.between / self.n)

    def se_with(self, questions: int, answers: int) -> Value:
        """Return the standard error of a mean over other numbers of questions and answers, from `between` and `within`.

        For the actual numbers of questions and answers the result equals `se`, unless `solved` is below 0.
        """
        questions, answers = check.count(1)(questions, "questions"), check.count(1)(answers, "answers")
        return self.unit * np.sqrt((self.between + self.within / answers) / questions)

    @property
    def conclusion(self) -> str:
        """Shares of the variance, and the effect of more answers or questions, as text (for a single repetition)."""
        check.check_single_repetition(np.shape(self.mean), "conclusion", "sampled.at({}).conclusion")
        mean = f"The mean {format_plain(self.mean)} has a standard error of {format_plain(self.se)}"
        if not (self.between or self.within):
            return f"{mean}: the scores have no spread."
        if self.solved < 0:
            return (
                f"{mean}. The means of the questions differ less than sampling alone explains, which is chance. The estimated variance of "
                "the questions is below 0, so the effect of more answers or questions cannot be estimated."
            )
        doubled = self.se_with(self.n, 2 * self.n_answers), self.se_with(2 * self.n, self.n_answers)
        return (
            f"{mean}; {100 * self.share:.3g} % of the variance of an answer come from the questions and the rest from sampling. Twice as "
            f"many answers would give the error {format_plain(doubled[0])}, twice as many questions would give {format_plain(doubled[1])}."
        )


class PassAtK(MeanOverQuestions):
    r"""pass@k: how probable is it that at least one of k sampled answers is right?

    Origin: published, Chen et al. (2021); the interval by Student's t is ours.

    If c of m answers to a question are right, the share of all ways to draw k answers without a right answer is

    .. math:: 1 - p_i = \binom{m - c}{k} \Big/ \binom{m}{k},

    and :math:`p_i` is an unbiased estimate, unlike :math:`1 - (1 - c/m)^k`, which is too small.  pass@k is the mean over the questions.

    Parameters
    ----------
    correct : array_like, shape (n,) or (n, ...)
        Number of right answers to each of the n >= 2 questions.  Further axes are independent repetitions.  A table of right (1) and wrong
        (0) answers, a row for each question, takes the place of both counts.
    samples : int or array_like, shape (n,) or (n, ...)
        Number of sampled answers for each question, at least k.
    k : int
        Number of sampled answers of which at least one should be right.
    alpha : float
        The interval has the confidence level 1 - alpha.

    Notes
    -----
    The confidence interval is the interval of the mean over questions (Student's t with n - 1 degrees of freedom), cut at 0 and 1.  The
    interval takes into account other questions of the same kind and other sampled answers.  If all questions have the same value, the
    interval has no width and gives no information.

    Raises
    ------
    ValueError, TypeError
        For fewer than two questions, counts that are negative, fractional or above `samples`, fewer samples than k, a level outside (0, 1).

    References
    ----------
    Chen et al. (2021), Evaluating large language models trained on code, arXiv 2107.03374, Eq. 1 and appendix A (the estimate, and the
    bias of the other one).  Miller (2024), arXiv 2411.00640, section 2 (the standard error over questions).

    Examples
    --------
    Each of three questions has 4 answers, of which 1, 4 and 0 are right.  If 1 of 4 answers is right, 3 of the 6 ways to draw two answers
    miss it.

    >>> import fstats
    >>> passed = fstats.PassAtK([1, 4, 0], 4, k=2)
    >>> print(passed.question_means, passed.mean, passed.se.round(4))
    [0.5 1.  0. ] 0.5 0.2887
    """

    measured = ("question_means",)
    in_report: ClassVar[Mapping[str, str]] = {"k": "k = {}", "n": "{} questions", "mean": "pass@k = {}", "ci": "interval {}"}

    correct: CountsLike = input_field("c_i", "Number of right answers to each question.", over="i", check=check.counts)
    samples: CountsLike = input_field("m_i", "Number of sampled answers for each question.", over="i", check=check.counts)
    k: int = input_field(
        "k", "Number of sampled answers of which at least one should be right.", check=check.count(1), default=1, kw_only=True
    )

    @classmethod
    def _from_other_form(cls, values: tuple[Any, ...], named: Mapping[str, Any]) -> Self | None:
        """Accept a table of right (1) and wrong (0) answers, with a row for each question, instead of both counts."""
        if len(values) != 1 or "samples" in named or isinstance(values[0], Mapping):
            return None
        answers = check.as_array(values[0], "correct")
        if answers.ndim != 2 or not np.isin(answers, (0, 1)).all():
            return None
        return cls(answers.sum(1, dtype=int), answers.shape[1], **named)

    def __post_init__(self) -> None:
        values = self.__dict__
        if "correct" in values and "samples" in values and np.ndim(values["samples"]) < np.ndim(values["correct"]):
            values["samples"] = np.broadcast_to(np.asarray(values["samples"]), np.shape(values["correct"]))
        super().__post_init__()
        if "correct" not in values or "samples" not in values:
            return
        if np.ndim(self.correct) == 0 or len(self.correct) < 2:
            rule = "the number of right answers to at least 2 questions"
            raise ValueError(f"`correct` must hold {rule}; got {check.format_received_value(self.correct)}")
        if (self.correct > self.samples).any():
            raise ValueError(
                f"`correct` must not be above `samples` for any question; got at most {self.correct.max():g} correct answers and at least "
                f"{self.samples.min():g} samples"
            )
        if (self.samples < self.k).any():
            raise ValueError(f"`samples` must be at least k = {self.k} for each question; got {self.samples.min():g}")

    @step("p_i", r"1 - \frac{\binom{$samples - $correct}{$k}}{\binom{$samples}{$k}}", over="i", check=check.proportion)
    def question_means(self) -> Array:
        """Probability that at least one of k answers is right: the share of all ways to draw k answers."""
        miss_probability = np.ones(self.correct.shape)
        for drawn in range(self.k):  # multiply small factors, because binomial coefficients may overflow
            miss_probability *= np.maximum(self.samples - self.correct - drawn, 0) / (self.samples - drawn)
        return 1 - miss_probability

    @step(r"\mathrm{CI}", r"[\max\{0,\ $mean - h\},\ \min\{1,\ $mean + h\}],\ h = $critical_value\,$se", over="e", check=interval_ends)
    def ci(self) -> Interval:
        """Confidence interval for pass@k over all questions of the same kind."""
        reach = product(self.critical_value, self.se)
        return Interval(np.maximum(self.mean - reach, 0.0), np.minimum(self.mean + reach, 1.0))
