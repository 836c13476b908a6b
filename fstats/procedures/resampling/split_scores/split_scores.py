"""What two models scored on the splits of a plan: the one thing that passes between models, files, simulations and tests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Self

import numpy as np

from ....core.classifier_pair import classifier_names
from ....core.validation import check, paired_inputs
from ....core.value_types import Array
from ..split_plans.split_plan import Plan
from . import split_scores_checks as checks
from . import split_scores_csv

# Further splits, beyond those of a plan, on which a few tests need differences: on halves of the records, divided in two so many
# times, and on so many replicates of each split.
EXTRA_RESULTS = ("halves", "replicates")
DIVISIONS, REPLICATES = 10, 15


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Results of two models on the splits of a plan.

    The leading axes are those of the plan, ``plan.shape``; further axes are independent repetitions.  A test takes what it needs:
    ``fstats.FiveByTwoT.from_scores(scores)``.  Results from elsewhere come in by :meth:`from_arrays`, which checks them.

    Parameters
    ----------
    plan : Plan
        The splits that were scored.
    score_a, score_b : array, shape ``(*plan.shape, ...)``
        Score of each model on the test set of each split, higher is better.
    tables : array, shape ``(*plan.shape, 2, 2, ...)``, optional
        Records of each test set by [A wrong, A right] and [B wrong, B right].
    record_difference : array, shape (n, ...), optional
        Score of A less score of B on each record, where each is tested once: 1 where only A is right, -1 where only B is.
    record_fold : array, shape (n, ...) or (n,), optional
        The number of the fold that tested it.
    halves : array, shape (10, 2, ...), optional
        Mean differences on the pairs of halves of Nadeau and Bengio's conservative Z.
    replicates : array, shape (15, R, ...), optional
        Differences after resampling each split's training and test set.
    n_train, n_test : array, shape plan.shape, optional
        How many records train and how many test in each split.
    labels : pair of str, optional
        What the models are called in what a test on these scores says; otherwise A and B.
    seeds : tuple of str, optional
        The seeds of training, where every split was trained with each of several; the scores above are then means over them.
    score_a_by_seed, score_b_by_seed : array, shape (splits, seeds, ...), optional
        Score of each model on each split with each seed, the splits in the order of the plan.

    Examples
    --------
    >>> from fstats import FiveByTwoT
    >>> print(Scores.from_arrays(FiveByTwoT.plan, [[0.9, 0.8]] * 5, [[0.8, 0.8]] * 5))
    10 splits (5 x 2-fold cross-validation), mean score 0.85 of A and 0.8 of B
    """

    plan: Plan
    score_a: Array
    score_b: Array
    tables: Array | None = None
    record_difference: Array | None = None
    record_fold: Array | None = None
    halves: Array | None = None
    replicates: Array | None = None
    n_train: Array | None = None
    n_test: Array | None = None
    labels: tuple[str, str] | None = None
    seeds: tuple[str, ...] | None = None
    score_a_by_seed: Array | None = None
    score_b_by_seed: Array | None = None

    @property
    def test_train_ratio(self) -> float | None:
        """Records to test by records to train: the mean over splits of the ones by that of the others.

        In a cross-validation whose splits train on all that they do not test this is 1/(folds - 1), however unequal the folds are; so
        it is without the sizes, too.  Of hold-out splits without their sizes it is not known: None.

        Where sizes differ (groups), it is the ratio of a split of mean size; the largest ratio of a split would make the corrected
        resampled t-test more cautious than it is meant to be.
        """
        if self.n_train is not None and self.n_test is not None:
            return float(np.mean(self.n_test) / np.mean(self.n_train))
        return None if self.plan.kind == "hold-out" else self.plan.test_train_ratio

    @property
    def difference(self) -> Array:
        """Score of A less score of B on each split; positive where A is better."""
        return self.score_a - self.score_b

    @property
    def difference_by_seed(self) -> Array:
        """Score of A less score of B on each split with each seed, shape (splits, seeds, ...); without seeds there is one of them."""
        if self.score_a_by_seed is None or self.score_b_by_seed is None:
            return np.reshape(self.difference, (self.plan.splits, 1, *self.repetitions))
        return self.score_a_by_seed - self.score_b_by_seed

    @property
    def repetitions(self) -> tuple[int, ...]:
        """Shape of the axes behind those of the plan; () for a single comparison."""
        return np.shape(self.score_a)[len(self.plan.shape) :]

    def __str__(self) -> str:
        one = self.plan.splits == 1
        means = " and ".join(
            f"{np.mean(score):.4g} of {name}" for score, name in zip((self.score_a, self.score_b), self.labels or ("A", "B"))
        )
        batch = f", {' x '.join(map(str, self.repetitions))} repetitions" if self.repetitions else ""
        batch += f", the mean of {len(self.seeds)} seeds on each" if self.seeds else ""
        return f"{self.plan.splits} split{'' if one else 's'} ({self.as_split}){batch}, {'' if one and not batch else 'mean '}score {means}"

    def fit(self, plan: Plan) -> bool:
        """Whether a plan may have made these splits: it is theirs, or a hold-out of as many splits and of as many test records."""
        hold_outs = plan.kind == self.plan.kind == "hold-out"
        return plan == self.plan or (hold_outs and plan.repeats == self.plan.repeats and self._tests_as(plan))

    def _tests_as(self, plan: Plan) -> bool:
        """Whether as many records test as a hold-out plan says; of n records, not every share is a whole number."""
        if self.n_test is None or self.n_train is None:
            return False
        tested, n = float(np.mean(self.n_test)), float(np.mean(self.n_test) + np.mean(self.n_train))
        return abs(tested - plan.test_share * n) <= 1

    @property
    def as_split(self) -> Plan:
        """The plan, with the share that was tested if it is another one."""
        if self.plan.kind != "hold-out" or self.n_train is None or self.n_test is None or self._tests_as(self.plan):
            return self.plan
        return replace(self.plan, test_share=float(np.mean(self.n_test) / (np.mean(self.n_test) + np.mean(self.n_train))))

    def __repr__(self) -> str:
        more = [name for name in ("tables", "record_difference", "halves", "replicates") if getattr(self, name) is not None]
        return f"<Scores: {self}{'; with ' if more else ''}{', '.join(more)}>"

    # -- from elsewhere -----------------------------------------------------------------------------------------------
    @classmethod
    def from_arrays(
        cls,
        plan: Plan,
        score_a: Any,
        score_b: Any,
        *,
        tables: Any = None,
        record_difference: Any = None,
        record_fold: Any = None,
        halves: Any = None,
        replicates: Any = None,
        n_train: Any = None,
        n_test: Any = None,
        splits: Any = None,
        groups: Any = None,
        labels: Any = None,
        n: int | None = None,
        seeds: Any = None,
    ) -> Self:
        """Scores that were made elsewhere, checked against the plan; no estimator is needed.

        Parameters
        ----------
        plan : Plan
            The splits; each resampling test names its own: ``fstats.FiveByTwoT.plan``.
        score_a, score_b, tables, record_difference, record_fold, halves, replicates : array_like
            As in :class:`Scores`; all but the scores may be left out, if the test does not need them.
        n_train, n_test : int or array_like, shape plan.shape, optional
            How many records train and how many test, in all splits or in each.  The corrected tests on hold-out splits need them.
        splits : sequence of (train, test), optional
            The splits themselves, as positions of records; they are checked against what the plan requires, and tell `n_train` and
            `n_test`.  They are not kept.
        groups : array_like, optional
            With `splits`, the group of each record, if groups stay whole.
        labels : list of str, optional
            Names of the two models, A first.
        n : int, optional
            Records in the data set: no test set may hold more, and the folds of one cross-validation hold just so many together.
        seeds : list, optional
            The seeds of training, where every split was trained with each of them.  Then both scores have the shape
            ``(*plan.shape, len(seeds), ...)``; tests take the means over the seeds, which are no splits, and `difference_by_seed`
            keeps them apart.

        Raises
        ------
        ValueError, TypeError
            For another shape than the plan's (and the seeds'), tables of several seeds, missing numbers, counts that are negative,
            fractional, above n, or not the same in each repetition of a cross-validation; for splits that lack what the plan requires.

        Examples
        --------
        >>> from fstats import CorrectedResampledT
        >>> a, b = [0.9, 0.8, 0.85] * 5, [0.8, 0.8, 0.8] * 5
        >>> scores = Scores.from_arrays(CorrectedResampledT.plan, a, b, n_train=80, n_test=20)
        >>> float(CorrectedResampledT.from_scores(scores).test_train_ratio)
        0.25
        """
        if not isinstance(plan, Plan):
            raise TypeError(f"plan must be the Plan of a test, such as fstats.FiveByTwoT.plan; got {check.format_received_value(plan)}")
        a, b = (checks.check_split_scores(plan, value, name) for value, name in ((score_a, "score_a"), (score_b, "score_b")))
        paired_inputs.check_paired("score_a", "score_b", {"score_a": score_a, "score_b": score_b}, {"score_a": a, "score_b": b})
        kept = {} if seeds is None else checks.check_seed_scores(plan, a, b, seeds, tables)
        if kept:
            a, b = (x.mean(len(plan.shape)) for x in (a, b))
        more = a.shape[len(plan.shape) :]
        if splits is not None:
            if n_train is not None or n_test is not None:
                raise ValueError("splits tell n_train and n_test: leave these out")
            n_train, n_test, n = checks.split_sizes(plan, splits, groups, n)
        elif groups is not None:
            raise ValueError("groups say which records of the splits belong together: give splits, too, or leave both out")
        counts = None if tables is None else checks.check_tables(plan, tables, more, n)
        train, test = checks.check_sizes(plan, n_train, n_test, counts, n)
        difference, fold = checks.check_records(plan, record_difference, record_fold, more, n)
        if halves is not None:
            halves = check.numbers(halves, "halves")
            if halves.shape[1:2] != (2,) or halves.shape[2:] != more:
                raise ValueError(
                    f"halves must have the shape (10, 2), two halves of each division, and "
                    f"the repetitions {more} behind; got {halves.shape}"
                )
        if replicates is not None:
            replicates, k = checks.check_split_scores(plan, replicates, "replicates"), len(plan.shape)
            if replicates.ndim <= k or replicates.shape[k + 1 :] != more:
                raise ValueError(
                    f"replicates need an axis of replicates behind those of the plan, {plan.shape}, "
                    f"then the repetitions {more}; got {replicates.shape}"
                )
        names = None if labels is None else tuple(classifier_names(labels, "labels").tolist())
        return cls(plan, a, b, counts, difference, fold, halves, replicates, train, test, names, **kept)

    # -- files --------------------------------------------------------------------------------------------------------
    def save(self, path: str | PathLike[str]) -> None:
        """Write a CSV file that :meth:`load` reads back without loss.

        The first line tells the plan; then one line for each split (``part`` split: repetition i, fold j, both scores and the four
        counts of the table n00 to n11), for each record (record i, its fold j and its difference), each half and each replicate.  Scores
        with seeds have a line for each split and seed, and a column ``seed`` that names it.

        Parameters
        ----------
        path : path
            Where to; an old file is replaced.

        Raises
        ------
        ValueError
            For a batch: save one repetition of it.
        """
        if self.repetitions:
            raise ValueError(f"a file holds one comparison; these scores are a batch of shape {self.repetitions}: save them one by one")
        split_scores_csv.write_scores(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read what :meth:`save` wrote; the numbers are checked as in :meth:`from_arrays`.

        Parameters
        ----------
        path : path
            The CSV file.

        Raises
        ------
        ValueError
            For a file that is no file of scores, or whose lines do not fit its plan; it says which line, or which split lacks which seed.
        """
        plan, arrays = split_scores_csv.read_scores(path)
        return cls.from_arrays(plan, **arrays)
