"""Naive Bayes, nearest neighbour and decision tree classifiers.

They are those of scikit-learn, trained on many splits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .stratified_folds import FoldNumbers


def current_neighbours() -> Any:
    """Return ``KNeighborsClassifier()``.

    For more than 15 features scikit-learn uses brute force; the number of threads then affects the choice among equally near neighbours.
    """
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier()


def predict_classes(
    x: Any, y: NDArray[np.int64], fold: FoldNumbers, folds: int, seeds: Sequence[int], neighbours: Callable[[], Any] = current_neighbours
) -> NDArray[np.int8]:
    """Return the predictions of each learner for each record in each split, after training on the other folds.

    Parameters
    ----------
    x : array, shape (records, features)
        Features of the records.
    y : array, shape (records,)
        Class of each record, numbered from 0.
    fold : array, shape (records, splits)
        Fold in which each record is tested.
    folds : int
        Number of folds.
    seeds : sequence of int
        Seed of the trees of each split; the trees of all folds have the same seed, as in ``cross_val_score``.
    neighbours : callable
        Function that returns the untrained learner of nearest neighbours.

    Returns
    -------
    array, shape (learners, records, splits)
        Predicted classes of ``GaussianNB()``, nearest neighbours and ``DecisionTreeClassifier(random_state=seed)``.
    """
    from sklearn import config_context
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    predicted = np.empty((3, *fold.shape), np.int8)
    # skip the input checks of scikit-learn, because they would take as long as the training
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for split, number in np.ndindex(fold.shape[1], folds):
            tested = fold[:, split] == number
            for k, learner in enumerate((GaussianNB(), neighbours(), DecisionTreeClassifier(random_state=seeds[split]))):
                predicted[k, tested, split] = learner.fit(x[~tested], y[~tested]).predict(x[tested])
    return predicted
