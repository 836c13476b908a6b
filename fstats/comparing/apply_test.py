"""Apply a statistical test to columns of a table or to models.

The columns come from lists, a CSV file or results of scikit-learn.
"""

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
from .results.results_of_tests import results_from_table
from .results.sklearn_results import has_sklearn_results, is_cross_validate_result, is_search_result
from .results.tabular_input import is_dataframe

FOLDS = 10  # number of cross-validation folds whose mean is the score of a data set


@with_suggestions
def apply_test(test: Any, *args: Any, data: Any = None, rng: int = 0, **settings: Any) -> Any:
    """Apply a test to your own data: lists, a CSV file, results of scikit-learn, or models.

    Parameters
    ----------
    test : class
        The test, such as :class:`fstats.PairedT`, :class:`fstats.McNemarExact`, :class:`fstats.Friedman` or
        :class:`fstats.BlockedFiveByTwoMcNemar`.
    *args
        Several lists, one for each column: the list of each classifier holds a score for each data set.  A test that counts right and
        wrong records takes the true classes and the predictions of each of two classifiers, or the two counts. A test on resampled
        scores takes the differences A minus B, or the scores of A and of B on the same splits.  If repetitions have folds, as in five
        times two, give a list for each repetition: five pairs of differences, or five pairs of scores for each classifier.  Ten scores
        in a row, repetition by repetition, are also allowed (with ``order="folds"``, fold by fold). Instead of lists, give a table of
        these columns, such as a DataFrame, or the path of a CSV file whose first line names the columns.  A first column of text beside
        columns of numbers holds the names of the data sets, and is ignored. Instead of scores, give results of scikit-learn's
        ``cross_validate``.  A test on splits takes the results of A and of B.  A test over data sets takes a list for each classifier,
        with one result for each data set, or any input of :class:`fstats.Results`. Or give two or more models, with ``fit`` and
        ``predict`` as in scikit-learn, together with `data`.
    data : (X, y), or a list of pairs (X, y)
        Data for training and testing models.  A test on resampled scores takes one data set and splits it by its own plan.  A test that
        counts right and wrong records takes one data set, trains on a random half and tests on the other half.  Every other test takes
        several data sets, and uses the mean accuracy of one ten-fold cross-validation on each data set.
    rng : int
        Seed of all splits.
    **settings
        Settings of the test, such as ``alternative="greater"``, ``alpha=0.1`` or ``labels=["forest", "tree"]``; and, with a file, the
        arguments of :class:`fstats.Results` that say how the file is read, such as ``where={"partition": "test"}``.

    Returns
    -------
    test
        The computed test, with all its steps and pictures.

    Raises
    ------
    ValueError, TypeError
        If a file lacks columns that the test needs, if models are given without `data` or data without models, or if the test refuses
        the inputs.

    Notes
    -----
    The test determines the treatment of ties and zeros, and the direction of the alternative.

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
            f"the first argument of apply_test must be the class of a test; got {check.format_received_value(test)}. Write the class "
            "without parentheses, such as `fstats.PairedT`."
        )
    if not args:
        raise TypeError("apply_test needs data after the test; got none. Pass columns, the path of a CSV file, or models.")
    if data is None and any(map(has_sklearn_results, args)):
        return _from_sklearn_results(test, args, settings)
    are_models = [hasattr(model, "fit") and hasattr(model, "predict") for model in args]
    if any(are_models):
        return _from_models(test, args, are_models, data, rng, settings)
    if data is not None:
        raise TypeError("`data=` can be used only with models; got no models. Pass models before `data=`, or leave out `data=`.")
    named = {column for name in extra_inputs(test) if isinstance(column := settings.get(name, name), str)}
    takes_scores = "scores" in test.inputs or ({"a", "b"} <= test.inputs.keys() and not is_cross_validation_test(test) and not named)
    if isinstance(args[0], (str, PathLike)):
        if len(args) > 1:
            raise TypeError(
                f"a string must be the path of a file, and the only input; got {len(args)} inputs. Pass only the path, or list('ab') for "
                "a column with the letters a and b."
            )
        if takes_scores:
            return test(results_from_table(args[0], settings), **settings)
        names, columns = read_columns(args[0], named)
        return test_from_columns(test, columns, names, settings)
    if len(args) == 1 and getattr(type(args[0]), "of_classifiers", False) and takes_scores:
        return test(args[0], **settings)  # pass the Results object, because an array would lose its names and the direction of its metric
    if len(args) == 1 and is_dataframe(args[0]) and not hasattr(args[0], "iloc"):  # only the DataFrames of pandas have the attribute iloc
        names, columns = read_columns(args[0], named)
        return test_from_columns(test, columns, names, metric_settings(args[0], test) | settings)
    return test_from_columns(test, args, None, settings)


def _from_sklearn_results(test: Any, inputs: Sequence[Any], settings: dict[str, Any]) -> Any:
    """Apply the test to results of cross_validate, on the splits of one data set or on one score for each of several data sets."""
    if hasattr(test, "from_cross_validate"):
        if len(inputs) == 2 and all(map(is_cross_validate_result, inputs)):
            return test.from_cross_validate(*inputs, **settings)
        raise ValueError(
            f"{test.__name__} needs the scores of two classifiers on the splits of one data set; got other inputs. Pass two results of "
            f"cross_validate{', or the scores of two candidates of a search' * any(map(is_search_result, inputs))}."
        )
    if hasattr(test, "from_predictions"):
        raise ValueError(f"{test.__name__} needs predictions; got scores of cross_validate. Pass `y` and the results of cross_val_predict.")
    results = Results(inputs[0] if len(inputs) == 1 else _transpose_to_data_sets(inputs))
    if len(results) == 1:
        raise ValueError(
            f"{test.__name__} needs scores on several data sets; got splits of one data set. Pass {{data set: {{classifier: "
            f"cross_validate(...)}}}}, or use a test for splits, such as fstats.KFoldT."
        )
    for note in results.notes:
        warn(note, stacklevel=4)
    return (test.from_results if hasattr(test, "from_results") else test)(results, **settings)


def _transpose_to_data_sets(inputs: Sequence[Any]) -> Any:
    """Convert one list for each classifier into one list for each data set."""
    if all(map(is_cross_validate_result, inputs)):
        return [list(inputs)]
    if any(isinstance(column, Mapping) or not isinstance(column, (list, tuple)) for column in inputs) or len({*map(len, inputs)}) > 1:
        raise ValueError(
            "each classifier must have one list of results of cross_validate, one for each data set; got "
            f"{check.format_first_names([type(column).__name__ for column in inputs])}. Pass lists of the same length, or {{data set: "
            f"{{classifier: cross_validate(...)}}}}."
        )
    return [list(line) for line in zip(*inputs)]


def _from_models(test: Any, models: Sequence[Any], are_models: Sequence[bool], data: Any, rng: int, settings: dict[str, Any]) -> Any:
    if not all(are_models):
        raise TypeError(
            "`models` must have the methods fit and predict; got also inputs that are not models. Pass only models, and write the "
            "training data as `data=(X, y)`."
        )
    if data is None:
        raise TypeError(
            "models need training data; got none. Write `data=(X, y)`, or `data=[(X1, y1), (X2, y2), ...]` for several data sets."
        )
    if is_cross_validation_test(test) or hasattr(test, "from_predictions"):
        if isinstance(data, list):
            raise ValueError(f"{test.__name__} needs one data set; got a list of length {len(data)}. Write `data=(X, y)`.")
        if len(models) != 2:
            raise ValueError(f"{test.__name__} compares two models; got {len(models)} models")
    labels = {"labels": names} if (names := _model_labels(models)) else {}
    if is_cross_validation_test(test):
        return compare(models[0], models[1], data[0], data[1], test=test, rng=rng, **settings)
    if hasattr(test, "from_predictions"):
        return test.from_predictions(*_hold_out_predictions(models, data, rng), **labels | settings)
    if not isinstance(data, list) or len(data) < 2:
        raise ValueError(f"{test.__name__} needs scores on several data sets; got one data set. Write `data=[(X1, y1), (X2, y2), ...]`.")
    return test_from_columns(
        test, [[_cross_validated_accuracy(model, X, y, rng) for X, y in data] for model in models], None, labels | settings
    )


def _model_labels(models: Sequence[Any]) -> list[str]:
    """Return names of the models if they are different; otherwise an empty list."""
    if len(models) == 2:
        return list(distinct_model_names(*models) or ())
    names = [type(model).__name__ for model in models]
    return names if len({*names}) == len(names) else []


def _hold_out_predictions(models: Sequence[Any], data: Any, rng: int) -> list[Any]:
    """Train each model on a random half of the records; return the true classes of the other half and all predictions for it."""
    from sklearn.base import clone
    from sklearn.model_selection import train_test_split

    X, y = data
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=rng, stratify=y)
    return [y_test, *(clone(model).fit(train, y_train).predict(test) for model in models)]


def _cross_validated_accuracy(model: Any, X: Any, y: Any, rng: int) -> float:
    """Return the mean accuracy over the folds of one cross-validation."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    return float(np.mean(cross_val_score(model, X, y, cv=StratifiedKFold(FOLDS, shuffle=True, random_state=rng))))
