"""Your own numbers through the same steps: columns, a file of columns, or models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any
from warnings import warn

import numpy as np

from ..core.classifier_pair import metric_settings
from ..core.validation import check
from ..core.validation.keyword_arguments import with_suggestions
from ..procedures.resampling.algorithm_comparison import is_cross_validation_test
from .column_inputs import extra_inputs, read_columns, test_from_columns
from .compare import compare
from .model_names import distinct_model_names
from .results.results import Results
from .results.sklearn_results import has_sklearn_results, is_cross_validate_result, is_search_result
from .results.tabular_input import is_dataframe

FOLDS = 10  # of the cross-validation that gives one score for each data set


@with_suggestions
def apply_test(test: Any, *what: Any, data: Any = None, rng: int = 0, **settings: Any) -> Any:
    """What does a test say of my own numbers?  One call for lists, a CSV file, and models.

    Parameters
    ----------
    test : class
        The test, such as :class:`fstats.PairedT`, :class:`fstats.McNemarExact`, :class:`fstats.Friedman` or
        :class:`fstats.BlockedFiveByTwoMcNemar`.
    *what
        A list for each column: the scores of each classifier, one for each data set; for a test that counts right and wrong records the
        true classes and what each of two classifiers says, or the two counts.
        For a test on resampled scores the differences A less B as it takes them, or the scores of A and of B on the same splits.  Where
        repetitions have folds, as five times two, that is a list for each repetition: five pairs of differences, or five pairs for each
        classifier (or ten scores in a row, repetition by repetition; ``order="folds"`` if they come fold by fold).
        Or a table of those columns, such as a DataFrame, or the path of a CSV file, whose first line names them; a first column of words
        beside columns of numbers names the data sets, and is left out.
        Or what scikit-learn's ``cross_validate`` gives: for a test on splits that of A and of B; for a test over data sets a list for each
        classifier, one entry for each data set, or whatever :class:`fstats.Results` takes.
        Or two models or more, with ``fit`` and ``predict`` as scikit-learn's, and `data`.
    data : (X, y), or a list of them
        Where the models learn and are tested.  A test on resampled scores takes one data set and splits it by its own plan; a test that
        counts right and wrong records takes one data set, trains on a random half and tests on the other; every other test takes
        several data sets, and from each the mean accuracy of one ten-fold cross-validation.
    rng : int
        Seed of all splits.
    **settings
        Those of the test, such as ``alternative="greater"``, ``alpha=0.1`` or ``labels=["forest", "tree"]``.

    Returns
    -------
    test
        The worked test, with all its steps and pictures.

    Raises
    ------
    ValueError, TypeError
        For a file without the columns that the test needs, for models without `data` or data without models, and for whatever the test
        itself refuses.

    Notes
    -----
    Ties, zeros and the direction of the alternative are those of the test.

    References
    ----------
    Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning Research 7, section 3:
    one score for each data set.

    Examples
    --------
    >>> import fstats
    >>> float(fstats.apply_test(fstats.PairedT, [85, 70, 79, 78, 83], [87, 68, 85, 75, 83]).mean)
    -0.6
    >>> float(fstats.apply_test(fstats.McNemarExact, list("xxyy"), list("xyyy"), list("xxxx")).n10)
    2.0
    >>> pairs = [0.02, 0.01], [0.00, 0.03], [0.02, 0.02], [0.01, 0.04], [0.03, 0.02]
    >>> print(round(fstats.apply_test(fstats.CombinedFiveByTwoF, *pairs).statistic, 2))
    2.6
    """
    if not (isinstance(test, type) and hasattr(test, "inputs")):
        raise TypeError(
            f"apply_test begins with a test, a class without brackets such as fstats.PairedT; got {check.format_received_value(test)}"
        )
    if not what:
        raise TypeError("apply_test needs columns, the path of a CSV file, or models; got nothing behind the test")
    if data is None and any(map(has_sklearn_results, what)):
        return _from_sklearn_results(test, what, settings)
    are_models = [hasattr(thing, "fit") and hasattr(thing, "predict") for thing in what]
    if any(are_models):
        return _from_models(test, what, are_models, data, rng, settings)
    if data is not None:
        raise TypeError("data is where models learn: name models before it, or leave it out")
    named = {name for one in extra_inputs(test) if isinstance(name := settings.get(one, one), str)}
    if isinstance(what[0], (str, PathLike)):
        if len(what) > 1:
            raise TypeError(
                f"text is the path of one CSV file, which holds all columns; got {len(what)} things (list('ab') makes a column of letters)"
            )
        names, columns = read_columns(what[0], named)
        return test_from_columns(test, columns, names, settings)
    of_scores = "scores" in test.inputs or ({"a", "b"} <= test.inputs.keys() and not is_cross_validation_test(test) and not named)
    if len(what) == 1 and getattr(type(what[0]), "of_classifiers", False) and of_scores:
        return test(what[0], **settings)  # results know more than their columns
    if len(what) == 1 and is_dataframe(what[0]) and not hasattr(what[0], "iloc"):  # whose index is read by the tests
        names, columns = read_columns(what[0], named)
        return test_from_columns(test, columns, names, metric_settings(what[0], test) | settings)
    return test_from_columns(test, what, None, settings)


def _from_sklearn_results(test: Any, what: Sequence[Any], settings: dict[str, Any]) -> Any:
    """The test on what cross_validate gave: the splits of one data set, or a score for each of several."""
    if hasattr(test, "from_cross_validate"):
        if len(what) == 2 and all(map(is_cross_validate_result, what)):
            return test.from_cross_validate(*what, **settings)
        raise ValueError(
            f"{test.__name__} is for two classifiers on the splits of one data set: hand in what cross_validate gave for A and for B"
            f"{', of a search the scores of two candidates' * any(map(is_search_result, what))}; got {len(what)} of another form"
        )
    if hasattr(test, "from_predictions"):
        raise ValueError(
            f"{test.__name__} counts records, and cross_validate tells of splits only: hand in y and what cross_val_predict gives"
        )
    results = Results(what[0] if len(what) == 1 else _transpose_to_data_sets(what))
    if len(results) == 1:
        raise ValueError(
            f"{test.__name__} needs a score for each of several data sets, and the splits of one are not that: they share records. Hand in "
            "{data set: {classifier: cross_validate(...)}}, or take a test on splits, such as fstats.KFoldT"
        )
    for note in results.notes:
        warn(note, stacklevel=4)
    return (test.from_results if hasattr(test, "from_results") else test)(results, **settings)


def _transpose_to_data_sets(what: Sequence[Any]) -> Any:
    """A list for each classifier, turned into one for each data set."""
    if all(map(is_cross_validate_result, what)):
        return [list(what)]
    if any(isinstance(column, Mapping) or not isinstance(column, (list, tuple)) for column in what) or len({*map(len, what)}) > 1:
        raise ValueError(
            "results of cross_validate come as one list for each classifier, all of one length, an entry for each data set; got "
            f"{check.format_first_names([type(column).__name__ for column in what])}: or hand in {{data set: {{classifier: cross_validate(...)}}}}"
        )
    return [list(line) for line in zip(*what)]


def _from_models(test: Any, models: Sequence[Any], are_models: Sequence[bool], data: Any, rng: int, settings: dict[str, Any]) -> Any:
    if not all(are_models):
        raise TypeError("name models only, and where they learn as data=(X, y); the others have no fit and predict")
    if data is None:
        raise TypeError("models need data to learn from: data=(X, y), or data=[(X1, y1), (X2, y2), ...] for a test over several data sets")
    if is_cross_validation_test(test) or hasattr(test, "from_predictions"):
        if isinstance(data, list):
            raise ValueError(f"{test.__name__} is for one data set: data=(X, y); got a list of {len(data)}")
        if len(models) != 2:
            raise ValueError(f"{test.__name__} compares two models; got {len(models)}")
    labels = {"labels": names} if (names := _model_labels(models)) else {}
    if is_cross_validation_test(test):
        return compare(models[0], models[1], data[0], data[1], test=test, rng=rng, **settings)
    if hasattr(test, "from_predictions"):
        return test.from_predictions(*_hold_out_predictions(models, data, rng), **labels | settings)
    if not isinstance(data, list) or len(data) < 2:
        raise ValueError(f"{test.__name__} takes one score for each of several data sets: data=[(X1, y1), (X2, y2), ...]")
    return test_from_columns(
        test, [[_cross_validated_accuracy(model, X, y, rng) for X, y in data] for model in models], None, labels | settings
    )


def _model_labels(models: Sequence[Any]) -> list[str]:
    """What the models are called, where that tells them apart."""
    if len(models) == 2:
        return list(distinct_model_names(*models) or ())
    kinds = [type(model).__name__ for model in models]
    return kinds if len({*kinds}) == len(kinds) else []


def _hold_out_predictions(models: Sequence[Any], data: Any, rng: int) -> list[Any]:
    """The true classes of one half of the records, and what each model says after training on the other."""
    from sklearn.base import clone
    from sklearn.model_selection import train_test_split

    X, y = data
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=rng, stratify=y)
    return [y_test, *(clone(model).fit(train, y_train).predict(test) for model in models)]


def _cross_validated_accuracy(model: Any, X: Any, y: Any, rng: int) -> float:
    """The mean over the folds of one cross-validation."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    return float(np.mean(cross_val_score(model, X, y, cv=StratifiedKFold(FOLDS, shuffle=True, random_state=rng))))
