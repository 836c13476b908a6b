"""What the tests on resampled scores share: the plan of their splits, the way from scores, and a mean over splits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy import sqrt

from ...core.classifier_pair import TwoClassifierTest
from ...core.numerics.floating_point_ties import noise_free_difference
from ...core.numerics.sums_of_squares import standard_deviation
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import SYMMETRIC_TAILS
from ...core.step import input_field, step
from ...core.validation import check
from ...core.validation.name_suggestions import unknown_name_message as no_such
from ...core.validation.paired_inputs import check_same_splits
from ...core.value_types import Array, Value
from ...distributions.continuous_distributions import StudentT
from ..pairwise.confidence_interval import no_spread_note
from ..pairwise.paired_t import PairedT
from .split_plans.split_plan import Plan
from .split_scores.split_scores import EXTRA_RESULTS, Scores

# What a test may need beyond the difference on each split, in words.
RESULT_REQUIREMENTS = {
    "tables": "the counts of right and wrong records (tables): score by accuracy, or take a test of differences",
    "record_difference": "a difference for each record (record_difference): score by accuracy, or take a test of splits",
    "record_fold": "the fold that tested each record (record_fold)",
    "halves": "the differences on halves of the records (halves), which have to be computed apart",
    "replicates": "the differences after resampling each split (replicates), which have to be computed apart",
    "test_train_ratio": "how many records train and test (n_train, n_test): hand them, or the "
    "splits, to Scores.from_arrays, or state test_train_ratio",
}

GROUP_NOTE = "Records of the same group are not independent, which this test takes for granted: a true H0 may be rejected far too often."


class TwoAlgorithms(TwoClassifierTest):
    """A test for two learning algorithms on one data set; it is made for the splits of its plan."""

    plan: ClassVar[Plan]
    needs: ClassVar[tuple[str, ...]] = ()  # of Scores, beyond the score on each split
    caution: ClassVar[str] = ""  # what must be known about this test whatever the data are
    of_other_splits: ClassVar[str] = ""  # what takes the scores on other splits than those of the plan, as the end of a refusal

    @classmethod
    def counts_records(cls) -> bool:
        """Whether right and wrong records are counted, one by one, as if they were independent."""
        return bool({"tables", "record_difference"} & {*cls.needs})

    @classmethod
    def further_splits(cls) -> list[str]:
        """The splits that it needs beyond those of its plan."""
        return [name for name in cls.needs if name in EXTRA_RESULTS]

    @property
    def of_groups(self) -> str:
        """What must be known where records come in groups, which the results say that come first; empty where the test does not mind."""
        return GROUP_NOTE if self.counts_records() and getattr(self, "grouped", False) else ""

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are, and what must be known about this test."""
        return " ".join(filter(None, (self._of_these_data, self.caution, self.of_groups)))

    @property
    def _of_these_data(self) -> str:
        """Why degenerate data are answered as they are; on a hold-out as in the test without a plan."""
        return super().remark

    @classmethod
    def from_scores(cls, scores: Scores, **settings: Any) -> Self:
        """The test on what two models scored on the splits of its plan; axes behind those of the plan are independent repetitions.

        The ratio of test to training records, where a test uses one, is that of the splits; one that is stated as a setting goes first.
        """
        if not isinstance(scores, Scores):
            raise TypeError(f"scores must be a Scores object; got {type(scores).__name__}: call {cls.__name__} itself with lists or arrays")
        if not scores.fit(cls.plan):
            raise ValueError(
                f"{cls.__name__} is made for the plan {cls.plan}; the scores come from {scores.as_split}: "
                "score on that plan, or take a test for the plan that you have"
            )
        for name in cls.needs:
            if name not in settings and getattr(scores, name) is None:
                raise ValueError(f"{cls.__name__} needs what these scores do not hold, {RESULT_REQUIREMENTS[name]}")
        return cls(**({"labels": scores.labels} | cls._found_in(scores) | settings))

    @classmethod
    def from_cross_validate(
        cls, a: Any, b: Any, *, order: Literal["repetitions", "folds"] = "repetitions", metric: str = "test_score", **settings: Any
    ) -> Self:
        """The test on what scikit-learn's ``cross_validate`` (or ``cross_val_score``) gives for two models on the same splits of the plan.

        Parameters
        ----------
        a, b : dict or array_like, shape (splits,) or (splits, ...)
            What ``cross_validate`` returned for A and for B, or their scores, a number for each split.
        order : {"repetitions", "folds"}
            How the splits are ordered.  "repetitions": all folds of the first repetition, then those of the second, as
            ``RepeatedKFold``, ``RepeatedStratifiedKFold`` and :class:`fstats.BlockRegularizedCV` have them: 1.1, 1.2, 2.1, 2.2, ...
            "folds": the first fold of every repetition, then the second of every one: 1.1, 2.1, 3.1, ...
        metric : str
            Which scores are taken from a dict: ``test_score``, or ``test_`` and the name of one of several scorers.
        **settings
            Those of the test: labels, alternative, alpha, ...
        """
        check_same_splits(a, b)
        scores = [_scores_in(value, name, metric) for name, value in (("a", a), ("b", b))]
        return cls.from_scores(Scores.from_arrays(cls.plan, *(cls._in_shape(x, name, order) for name, x in zip("ab", scores))), **settings)

    @classmethod
    def _in_shape(cls, x: Array, name: str, order: str) -> Array:
        """Scores of all splits in a row, as the plan has them."""
        if check.choice("repetitions", "folds")(order, "order") and (x.ndim == 0 or len(x) != cls.plan.splits):
            got = f"{len(x)} of them" if x.ndim else "a single number"
            raise ValueError(
                f"{name} must hold a score for each of the {cls.plan.splits} splits of {cls.plan}; got {got}{cls.of_other_splits}"
            )
        shape = cls.plan.shape or (1,)
        if order == "folds" and len(shape) == 2:
            return np.swapaxes(x.reshape(*shape[::-1], *x.shape[1:]), 0, 1)
        return x.reshape(*cls.plan.shape, *x.shape[1:])

    @classmethod
    def _found_in(cls, scores: Scores) -> dict[str, Any]:
        """The inputs of the test."""
        return {"d": noise_free_difference(scores.score_a, scores.score_b)} | {name: getattr(scores, name) for name in cls.needs}


def _scores_in(value: Any, name: str, metric: str) -> Array:
    """The scores that a result of cross_validate holds, or those handed in."""
    if isinstance(value, Mapping):
        if metric not in value:
            there = [key for key in value if str(key).startswith("test_")]
            raise ValueError(f"{name} has no {metric!r}; it has {', '.join(map(repr, there)) or 'no scores of test sets'}: say metric=...")
        value = value[metric]
    return check.numbers(value, name)


def is_cross_validation_test(test: Any) -> bool:
    """Whether it is a class that tests scores on a plan."""
    return isinstance(test, type) and issubclass(test, TwoAlgorithms) and hasattr(test, "plan")


def check_cross_validation_test(test: Any, name: str = "test") -> None:
    """Refuse what is no class that tests scores on a plan."""
    if not is_cross_validation_test(test):
        got = test.__name__ if isinstance(test, type) else check.format_received_value(test)
        raise TypeError(
            f"{name} must be a test on resampled scores, a class such as "
            f"fstats.BlockedFiveByTwoMcNemar or fstats.CombinedFiveByTwoF; got {got}"
        )


def check_settings(test: type[TwoAlgorithms], alpha: float, settings: dict[str, Any]) -> None:
    """Refuse what the test would refuse, before the scores are there: after hours of work it would be too late."""
    known = [name for name in test.inputs if name in test.defaults or name == "test_train_ratio"]
    if unknown := settings.keys() - {*known}:
        raise TypeError(no_such(test.__name__, unknown, known))
    test.from_steps(alpha=alpha, **settings)


def contingency_cells(scores: Scores) -> Mapping[tuple[int, int], Array]:
    """Records by whether A and B are wrong (0) or right (1), for each split: ``cells(scores)[0, 1]`` is n01."""
    splits = (slice(None),) * len(scores.plan.shape)
    tables: Any = scores.tables
    return {(a, b): tables[(*splits, a, b)] for a in (0, 1) for b in (0, 1)}


def values_for_each(unit: str, what: str = "differences", read: Callable[[Any, str], Any] = check.numbers) -> Callable[[Any, str], Array]:
    """Numbers along the first axis, one for each unit and at least two."""

    def checked(value: Any, name: str) -> Array:
        x = np.asarray(read(value, name))
        if x.ndim == 0 or len(x) < 2:
            got = f"{len(x)} of them" if x.ndim else "a single number"
            raise ValueError(f"{name} must be a list of {what}, one for each {unit} and at least 2; got {got}")
        return x

    return checked


values_by_split = values_for_each("split or fold")


def differences_on_two_folds(replications: int) -> Callable[[Any, str], Array]:
    """A difference for each of the two folds of so many replications."""

    def checked(value: Any, name: str) -> Array:
        x = check.numbers(value, name)
        if x.shape[:2] != (replications, 2):
            hint = ": of numbers in a row, as cross_validate gives them, say their order by from_cross_validate(a, b, order=...)"
            told = hint if x.shape[:1] == (2 * replications,) else ""
            raise ValueError(
                f"{name} must have the shape ({replications}, 2), a line for each replication with its two folds side by side, and "
                f"independent repetitions only behind these two axes; got {x.shape}{told}"
            )
        return x

    return checked


class SplitMeanTest(TwoAlgorithms):
    """The mean difference over splits, in its standard errors.  The tests differ in what they take for the standard error."""

    tails = SYMMETRIC_TAILS
    parameter = r"\mu_d"
    compares = "mean score"
    estimated_by = "mean"
    in_report: ClassVar[Mapping[str, str]] = {"sd": "standard deviation of the differences {}"}

    d: Any = input_field("d_i", "Score of A less score of B on each split.", over="i", check=values_by_split, unit="score")

    @step("J", r"\#\{i : $d\}", check=check.count(2))
    def n(self) -> int:
        """Number of splits."""
        return len(self.d)

    @step(r"\bar d", r"\frac{1}{$n} \sum_i $d", unit="score")
    def mean(self) -> Value:
        """Mean difference; positive where A is better."""
        return self.d.sum(0) / self.n

    @step("s_d", r"\sqrt{\frac{1}{$n - 1} \sum_i ($d - $mean)^2}", check=check.nonnegative, unit="score")
    def sd(self) -> Value:
        """Standard deviation of the differences over the splits."""
        return standard_deviation(self.d, self.mean, self.n - 1)

    @step(r"\mathrm{SE}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error: how far the mean difference strays from the true one by chance."""
        raise TypeError(f"{type(self).__name__} must say its standard error")

    statistic = PairedT.statistic
    ci = PairedT.ci

    @step("d_z", r"\frac{$mean}{$sd}", after=True)
    def effect_size(self) -> Value:
        """The mean difference in standard deviations of the difference on one split; it can be compared between equal plans only."""
        return ratio(self.mean, self.sd)

    @property
    def _of_these_data(self) -> str:
        as_h0_says = "The mean difference is 0 and so is its standard error"
        return no_spread_note(self, "mean", as_h0_says, "The mean difference is {}, but its standard error is 0")


class SplitMeanT(SplitMeanTest):
    """The same, compared with Student's t as if the differences were independent."""

    @step(r"\mathrm{SE}", r"\frac{$sd}{\sqrt{$n}}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of the mean difference, if the splits were independent of each other (they share records)."""
        return self.sd / sqrt(self.n)

    @step(r"\nu", "$n - 1", check=check.count(1))
    def df(self) -> int:
        """Degrees of freedom: a difference for each split, one spent on their mean."""
        return self.n - 1

    @step("T_0", r"t_{$df}", relation=r"\sim")
    def null(self) -> StudentT:
        """What t is compared with: how it varies, roughly, when the true mean difference is 0."""
        return StudentT(self.df)
