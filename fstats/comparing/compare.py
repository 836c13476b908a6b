"""Compare two models on one data set with a resampling test."""

from __future__ import annotations

from typing import Any

from ..core.hypothesis import HypothesisTest
from ..core.validation.check import format_received_value
from ..core.validation.keyword_arguments import with_suggestions
from ..procedures.resampling.algorithm_comparison import check_cross_validation_test, check_settings
from ..procedures.resampling.five_by_two.five_by_two_f import CalibratedFiveByTwoF
from ..procedures.resampling.five_by_two.five_by_two_t import FiveByTwoT
from ..procedures.resampling.split_plans.split_plan import Plan
from ..procedures.resampling.split_scores.split_scores import REPLICATES, Scores
from .model_comparison import ModelComparison
from .model_evaluation import short_repr
from .split_results import SplitResults
from .training_jobs import StorePath


@with_suggestions
def compare(
    model_a: Any,
    model_b: Any,
    X: Any,
    y: Any,
    test: Any = None,
    *,
    rng: Any = 0,
    jobs: int = 1,
    scoring: Any = "accuracy",
    groups: Any = None,
    stratify: bool = False,
    splits: Any = None,
    sample_weight: Any = None,
    store: StorePath = None,
    progress: bool = True,
    alpha: float = 0.05,
    **settings: Any,
) -> HypothesisTest:
    r"""Test whether one of two learning algorithms is better on this data set; train both on the splits of the test.

    Parameters
    ----------
    model_a, model_b : estimator
        Any estimators or pipelines with ``fit`` and ``predict`` as in scikit-learn.  The models are copied, never changed.
    X : array_like, sparse matrix or DataFrame
        The records.
    y : array_like
        The class of each record: text, booleans or whole numbers; with a scoring other than accuracy, any target that the models predict.
    test : class, optional
        The resampling test; it determines the plan of the splits.  Default: the test that :func:`fstats.which_test` recommends,
        :class:`fstats.CalibratedFiveByTwoF`, or for a one-sided alternative, which an F-test does not have, :class:`fstats.FiveByTwoT`.
    rng : int, numpy Generator or None
        Seed of the splits (as in ``test.plan.splitter(rng)``) and of the models.  None draws a random seed, which the result states.
    jobs : int
        Number of workers; -1 uses all cores.  :func:`joblib.parallel_config` sets the kind of workers: local processes, or a Dask cluster
        with ``backend="dask"``.  The result does not depend on the number of workers.
    scoring : str or callable
        The name of a scorer of scikit-learn, or ``callable(estimator, X, y)``; higher is better.  Tests that count right and wrong records
        need "accuracy".
    groups : array_like, optional
        The group of each record; records of one group are never split between training and test set.  Not every plan can keep groups, and
        few groups allow few plans.
    stratify : bool
        Whether test sets keep the proportions of the classes.
    splits : splitter of scikit-learn, or sequence of (train, test), optional
        Your own splits instead of random splits, in the same number and order as in the test's plan; for example
        ``RepeatedStratifiedKFold(n_splits=2, n_repeats=5)`` for five times two.  Your splits must meet the requirements of the test's
        plan (``test.plan.requires``): every record tested once in each repetition, halves, training sets that share a quarter of the
        records, no duplicate splits, no near-copies of a split, no order in time.
    sample_weight : array_like, optional
        Weight of each record when the models are fitted (in a pipeline, the weights go to the last step).  Test sets count each record
        once.
    store : path, optional
        A file that stores the results of each split at once.  After a crash, a kill or Ctrl-C the same call continues where the run
        stopped; tests on the same plan may share the file.
    progress : bool
        Whether to show a progress bar on standard error if the work takes longer than a second.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.
    **settings
        Further settings of the test, such as ``alternative="greater"`` (A is better).

    Returns
    -------
    test
        The test, with the results on each split as its first rows; ``test.scores.save(path)`` saves these results.

    Notes
    -----
    On each split both models start from fresh copies.  Each parameter called ``random_state`` (also of nested estimators and pipeline
    steps) that is None gets a seed that depends only on ``rng`` and the split, and is the same for both models.  Because the seeds are
    equal, two identical models have the same scores, and p = 1.  A ``random_state`` that you set is used on every split.

    The names of the models are their classes; for two models of one class, the names also contain the settings in which the models
    differ; ``labels=["bayes", "stump"]`` sets other names.

    With ``groups``, tests that count right and wrong records (McNemar's, the Z-tests of proportions and of one cross-validation) treat
    records of one group as independent.  These tests may reject a true H0 too often; their conclusion contains a warning.

    Tests that use the ratio of test to training records compute this ratio from the splits: the mean number of test records divided by
    the mean number of training records.

    Raises
    ------
    ValueError, TypeError
        If a model has no ``fit`` or ``predict``, fails on a split (the error names the split), or predicts labels that are not in y
        (real numbers and regressors need another scoring); if X and y have different lengths, or the same row labels in another order;
        if the splits do not meet a requirement of the plan (the error names the requirement, the split, and tests for these splits); if
        the plan cannot keep the groups or classes; if the test cannot use the scoring; if a setting is unknown.

    References
    ----------
    Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms, Neural Computation
    10, section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import fstats
    >>> test = fstats.compare(GaussianNB(), DecisionTreeClassifier(max_depth=1), *load_iris(return_X_y=True))
    >>> test.only_a.sum() > test.only_b.sum(), test.reject
    (np.True_, np.True_)
    """
    if test is None:
        test = CalibratedFiveByTwoF if settings.get("alternative", "two-sided") == "two-sided" else FiveByTwoT
    check_test_settings(test, scoring, alpha, settings)
    comparison = ModelComparison.from_arguments(
        model_a, model_b, X, y, rng=rng, scoring=scoring, groups=groups, stratify=stratify, splits=splits, sample_weight=sample_weight
    )
    plans = {test.plan: test.further_splits()}
    scores = comparison.train_and_score(plans, jobs=jobs, progress=progress, store=store)[test.plan].scores
    return with_split_results(test.from_scores(scores, alpha=alpha, **settings), scores, comparison, scoring)


@with_suggestions
def scores_on(
    plan: Any,
    model_a: Any,
    model_b: Any,
    X: Any,
    y: Any,
    *,
    rng: Any = 0,
    jobs: int = 1,
    scoring: Any = "accuracy",
    groups: Any = None,
    stratify: bool = False,
    splits: Any = None,
    sample_weight: Any = None,
    store: StorePath = None,
    replicates: int = REPLICATES,
    progress: bool = True,
) -> Scores:
    """Score two models on the splits of a plan without a test; the scores can be inspected, saved, or used for any test on that plan.

    Parameters
    ----------
    plan : Plan, or class of a resampling test, or a list of such classes
        The splits.  For a test, its plan and all further splits that it needs are used; several tests must have the same plan.
    model_a, model_b, X, y, rng, jobs, scoring, groups, stratify, splits, sample_weight, store, progress
        As in :func:`fstats.compare`.
    replicates : int
        Number of resamples of each split for the pseudo-bootstrap tests, if `plan` contains such a test.

    Returns
    -------
    Scores
        ``fstats.FiveByTwoT.from_scores(scores)`` is a test on these scores; ``scores.save(path)`` saves the scores.

    Raises
    ------
    ValueError, TypeError
        As in :func:`fstats.compare`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import fstats
    >>> scores = fstats.scores_on(fstats.FiveByTwoT, GaussianNB(), GaussianNB(), *load_iris(return_X_y=True))
    >>> fstats.FiveByTwoT.from_scores(scores).pvalue, fstats.CombinedFiveByTwoF.from_scores(scores).pvalue
    (np.float64(1.0), np.float64(1.0))
    """
    tests = [] if isinstance(plan, Plan) else list(plan) if isinstance(plan, (list, tuple)) else [plan]
    for test in tests:
        check_cross_validation_test(test, "plan")
    plans = {test.plan for test in tests} or {plan}
    if len(plans) > 1:
        raise ValueError(
            f"all tests must use the same plan of splits; got {', '.join(f'{test.__name__} ({test.plan})' for test in tests)}. Call "
            "compare for each plan."
        )
    comparison = ModelComparison.from_arguments(
        model_a,
        model_b,
        X,
        y,
        rng=rng,
        scoring=scoring,
        groups=groups,
        stratify=stratify,
        splits=splits,
        sample_weight=sample_weight,
        replicates=replicates,
    )
    (plan,) = plans
    further = sorted({part for test in tests for part in test.further_splits()})
    return comparison.train_and_score({plan: further}, jobs=jobs, progress=progress, store=store)[plan].scores


def with_split_results(test: Any, scores: Scores, comparison: ModelComparison, scoring: Any) -> HypothesisTest:
    """Return the test with the results on the splits as its first rows."""
    a, b = (short_repr(model.estimator) for model in comparison.models)
    name = scoring if isinstance(scoring, str) else getattr(scoring, "__name__", short_repr(scoring))
    rng, grouped = comparison.records.rng, comparison.records.groups is not None
    return SplitResults.before(test, scores, model_a=a, model_b=b, scoring=name, rng=rng, grouped=grouped)


def check_test_settings(test: Any, scoring: Any, alpha: float, settings: dict[str, Any]) -> None:
    """Raise an error before hours of training for settings that the test would refuse after the training."""
    check_cross_validation_test(test)
    if test.counts_records() and not (isinstance(scoring, str) and scoring == "accuracy"):
        raise ValueError(
            f"{test.__name__} needs scoring='accuracy', because it counts right predictions; got "
            f"scoring={format_received_value(scoring)}. For scores, use a test such as fstats.CombinedFiveByTwoF."
        )
    if "test_train_ratio" in settings:
        raise TypeError(
            "`test_train_ratio` must be left out, because the splits determine the ratio. For another ratio, call the test with the "
            "differences of scores."
        )
    check_settings(test, alpha, settings)
