"""Base classes of tests on cross-validation and hold-out scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy import sqrt

from ...core.classifier_pair import TwoClassifierTest
from ...core.numerics.floating_point_ties import noise_free_difference
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import SYMMETRIC_TAILS
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.validation.name_suggestions import unknown_name_message as no_such
from ...core.validation.paired_inputs import check_same_splits
from ...core.value_types import Array, Value
from ..pairwise.confidence_interval import no_spread_note
from ..pairwise.paired_t import PairedT
from .split_plans.split_plan import Plan
from .split_scores.split_scores import EXTRA_RESULTS, Scores

DIFFERENCE_OF_FOLD = "Score of A minus score of B on each fold of each replication."
# result that a test may require besides the scores -> words for it in error messages
RESULT_REQUIREMENTS = {
    "tables": "the counts of right and wrong records (tables). Write scoring='accuracy', or use a test on the differences of scores.",
    "record_difference": "a difference for each record (record_difference). Write scoring='accuracy', or use a test on splits.",
    "record_fold": "the fold that tested each record (record_fold)",
    "halves": "the differences on halves of the records (halves), which must be computed separately",
    "replicates": "the differences after resampling each split (replicates), which must be computed separately",
    "test_train_ratio": "the numbers of training and test records (n_train, n_test). Pass these numbers or the "
    "splits to Scores.from_arrays, or state test_train_ratio",
}

GROUP_NOTE = "Records of the same group are not independent, but this test assumes independence: it may reject a true H0 far too often."


class TwoAlgorithms(TwoClassifierTest):
    """Base class of the tests that compare two learning algorithms on one data set; the plan of a test defines its splits."""

    plan: ClassVar[Plan]
    required_results: ClassVar[tuple[str, ...]] = ()  # fields of Scores that the test requires besides the scores on the splits
    caution: ClassVar[str] = ""  # sentence about a limitation of the test for any data
    other_splits_remedy: ClassVar[str] = ""  # last sentence of an error message: names a test for other splits

    @classmethod
    def counts_records(cls) -> bool:
        """Return whether the test counts right and wrong records as if the records were independent."""
        return bool({"tables", "record_difference"} & {*cls.required_results})

    @classmethod
    def further_splits(cls) -> list[str]:
        """Return the names of the extra splits that the test needs besides the splits of its plan."""
        return [name for name in cls.required_results if name in EXTRA_RESULTS]

    @property
    def group_note(self) -> str:
        """Warning that records of a group are not independent; empty without groups or if the test does not count records."""
        return GROUP_NOTE if self.counts_records() and getattr(self, "grouped", False) else ""

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and the limitations of this test."""
        return " ".join(filter(None, (self._degenerate_data_note, self.caution, self.group_note)))

    @property
    def _degenerate_data_note(self) -> str:
        """Explanation of the result for degenerate data; a hold-out test uses the explanation of the test without a plan."""
        return super().remark

    @classmethod
    def from_scores(cls, scores: Scores, **settings: Any) -> Self:
        """Create the test from the scores of two models on the splits of its plan.

        Axes after those of the plan are independent repetitions.  A test that uses the ratio of test to training records takes this ratio
        from the splits, unless the ratio is given as a setting.
        """
        if not isinstance(scores, Scores):
            raise TypeError(
                f"`scores` must be a fstats.Scores; got {type(scores).__name__}. For lists or arrays, write `{cls.__name__}(...)`."
            )
        if not scores.fits_plan(cls.plan):
            got = f"{scores.actual_plan}. Score on the plan of the test, or use a test for your splits."
            raise ValueError(f"{cls.__name__} needs scores on the splits of the plan {cls.plan}; got scores on {got}")
        for name in cls.required_results:
            if name not in settings and getattr(scores, name) is None:
                raise ValueError(f"{cls.__name__} needs a result that `scores` does not contain: {RESULT_REQUIREMENTS[name]}")
        return cls(**({"labels": scores.labels} | cls._inputs_from(scores) | settings))

    @classmethod
    def from_cross_validate(
        cls, a: Any, b: Any, *, order: Literal["repetitions", "folds"] = "repetitions", metric: str = "test_score", **settings: Any
    ) -> Self:
        """Create the test from the output of scikit-learn's ``cross_validate`` (or ``cross_val_score``) for two models on the same splits.

        Parameters
        ----------
        a, b : dict or array_like, shape (splits,) or (splits, ...)
            Output of ``cross_validate`` for A and for B, or their scores, one number for each split.
        order : {"repetitions", "folds"}
            Order of the splits.  "repetitions": all folds of the first repetition, then all folds of the second (1.1, 1.2, 2.1, 2.2,
            ...), as in ``RepeatedKFold``, ``RepeatedStratifiedKFold`` and :class:`fstats.BlockRegularizedCV`.  "folds": the first fold of
            every repetition, then the second fold of every repetition (1.1, 2.1, 3.1, ...).
        metric : str
            Key of the scores in a dict: ``test_score``, or ``test_`` and the name of one of several scorers.
        **settings
            Arguments of the test: labels, alternative, alpha, ...
        """
        check_same_splits(a, b)
        scores = [_scores_in(value, name, metric) for name, value in (("a", a), ("b", b))]
        sides = (cls._reshape_to_plan(x, name, order) for name, x in zip("ab", scores))
        return cls.from_scores(Scores.from_arrays(cls.plan, *sides), **settings)

    @classmethod
    def _reshape_to_plan(cls, x: Array, name: str, order: str) -> Array:
        """Reshape the scores of all splits from one row to the shape of the plan."""
        if check.choice("repetitions", "folds")(order, "order") and (x.ndim == 0 or len(x) != cls.plan.splits):
            got = f"a list of length {len(x)}" if x.ndim else "a single number"
            got += cls.other_splits_remedy
            raise ValueError(f"`{name}` must have one score for each of the {cls.plan.splits} splits of the plan {cls.plan}; got {got}")
        shape = cls.plan.shape or (1,)
        if order == "folds" and len(shape) == 2:
            return np.swapaxes(x.reshape(*shape[::-1], *x.shape[1:]), 0, 1)
        return x.reshape(*cls.plan.shape, *x.shape[1:])

    @classmethod
    def _inputs_from(cls, scores: Scores) -> dict[str, Any]:
        """Return the inputs of the test that are contained in the scores."""
        inputs = {name: getattr(scores, name) for name in cls.required_results}
        return inputs | ({"d": noise_free_difference(scores.score_a, scores.score_b)} if "d" in cls.inputs else {})


def _scores_in(value: Any, name: str, metric: str) -> Array:
    """Return the scores from the output of cross_validate, or the scores themselves."""
    if isinstance(value, Mapping):
        if metric not in value:
            test_keys = [key for key in value if str(key).startswith("test_")]
            keys_text = ", ".join(map(repr, test_keys)) or "no scores of test sets"
            raise ValueError(f"`metric` must be a key of `{name}`; got {metric!r}, but `{name}` has {keys_text}")
        value = value[metric]
    return check.numbers(value, name)


def is_cross_validation_test(test: Any) -> bool:
    """Return whether an object is a class of tests on the scores of a plan."""
    return isinstance(test, type) and issubclass(test, TwoAlgorithms) and hasattr(test, "plan")


def check_cross_validation_test(test: Any, name: str = "test") -> None:
    """Raise TypeError if an object is not a class of tests on the scores of a plan."""
    if not is_cross_validation_test(test):
        got = test.__name__ if isinstance(test, type) else check.format_received_value(test)
        examples = "fstats.BlockedFiveByTwoMcNemar or fstats.CombinedFiveByTwoF"
        raise TypeError(f"`{name}` must be the class of a test on resampled scores, such as {examples}; got {got}")


def check_settings(test: type[TwoAlgorithms], alpha: float, settings: dict[str, Any]) -> None:
    """Raise an error for wrong settings of a test before the scores are computed; computing scores may take hours."""
    known = [name for name in test.inputs if name in test.defaults or name == "test_train_ratio"]
    if unknown := settings.keys() - {*known}:
        raise TypeError(no_such(test.__name__, unknown, known))
    test.from_steps(alpha=alpha, **settings)


def contingency_cells(scores: Scores) -> Mapping[tuple[int, int], Array]:
    """Return counts of records for each split, by A and B wrong (0) or right (1): ``contingency_cells(scores)[0, 1]`` is n01."""
    splits = (slice(None),) * len(scores.plan.shape)
    tables: Any = scores.tables
    return {(a, b): tables[(*splits, a, b)] for a in (0, 1) for b in (0, 1)}


def values_for_each(unit: str, what: str = "differences", read: Callable[[Any, str], Any] = check.numbers) -> Callable[[Any, str], Array]:
    """Create a check of numbers along the first axis, one for each unit and at least two."""

    def checked(value: Any, name: str) -> Array:
        x = np.asarray(read(value, name))
        if x.ndim == 0 or len(x) < 2:
            got = f"a list of length {len(x)}" if x.ndim else "a single number"
            raise ValueError(f"`{name}` must be a list of at least 2 {what}, one for each {unit}; got {got}")
        return x

    return checked


values_by_split = values_for_each("split or fold")


def differences_on_two_folds(replications: int) -> Callable[[Any, str], Array]:
    """Create a check of differences on the two folds of each replication."""

    def checked(value: Any, name: str) -> Array:
        x = check.numbers(value, name)
        if x.shape[:2] != (replications, 2):
            hint = ". For the results of cross_validate, use from_cross_validate(a, b, order=...)."
            advice = hint if x.shape[:1] == (2 * replications,) else ""
            rule = "a row for each replication and a column for each fold"
            raise ValueError(f"`{name}` must have the shape ({replications}, 2), with {rule}; got shape {x.shape}{advice}")
        return x

    return checked


class SplitMeanTest(TwoAlgorithms):
    """Base class of the tests of the mean difference over splits; each subclass defines a standard error."""

    tails = SYMMETRIC_TAILS
    parameter = r"\mu_d"
    compares = "mean score"
    estimated_by = "mean"
    in_report: ClassVar[Mapping[str, str]] = {"sd": "standard deviation of the differences {}"}

    d: Any = input_field("d_i", "Score of A minus score of B on each split.", over="i", check=values_by_split, unit="score")

    n = count_step("J", "d", "i", "Number of splits.", check=check.count(2))

    mean = PairedT.mean.restated("Mean difference; positive if A is better.")

    sd = PairedT.sd.restated("Standard deviation of the differences over the splits.")

    @step(r"\mathrm{SE}", check=check.nonnegative)
    def se(self) -> Value:
        """Standard error of the mean difference: typical size of its random error."""
        raise TypeError(f"the class {type(self).__name__} must define the step 'se'")

    statistic = PairedT.statistic
    ci = PairedT.ci

    @step("d_z", r"\frac{$mean}{$sd}", after=True)
    def effect_size(self) -> Value:
        """Mean difference in standard deviations of the differences; compare effect sizes only between results of the same plan."""
        return ratio(self.mean, self.sd)

    @property
    def _degenerate_data_note(self) -> str:
        mean_and_se_are_0 = "The mean difference is 0, and its standard error is 0"
        return no_spread_note(self, "mean", mean_and_se_are_0, "The mean difference is {}, but its standard error is 0")


class SplitMeanT(SplitMeanTest):
    """Base class of t-tests that treat the differences on the splits as independent."""

    @step(r"\mathrm{SE}", r"\frac{$sd}{\sqrt{$n}}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of the mean difference under the wrong assumption that the splits are independent (splits share records)."""
        return self.sd / sqrt(self.n)

    df = PairedT.df.restated("Degrees of freedom: number of splits minus 1, because the mean is estimated from the same differences.")

    null = PairedT.null.restated("Approximate distribution of t under H0: the true mean difference is 0.")
