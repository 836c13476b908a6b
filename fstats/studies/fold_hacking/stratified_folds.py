"""Stratified K-fold cross-validation for many seeds at once.

The folds are those of current scikit-learn or of version 0.20.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

FoldNumbers = NDArray[np.int8]  # fold that tests each record, shape (records, splits)
Splitter = Callable[[NDArray[np.int64], Sequence[int], int], FoldNumbers]


def stratified(y: NDArray[np.int64], seeds: Sequence[int], folds: int = 5) -> FoldNumbers:
    """Return the folds of ``StratifiedKFold(folds, shuffle=True, random_state=seed)`` for each seed, as in scikit-learn since 0.22.

    The records, sorted by class, are dealt to the folds like cards, which determines the number of members of each class in a fold.  Then
    one random generator shuffles the members of one class after the other.

    Parameters
    ----------
    y : array
        Class of each record.
    seeds : sequence of int
        One seed for each split.
    folds : int
        Number of folds, at least 2.

    Returns
    -------
    array of shape (records, seeds)
        Fold of each record.

    Raises
    ------
    ValueError
        If a class has fewer members than there are folds.

    Examples
    --------
    >>> stratified(np.array([0, 0, 0, 1, 1]), [7, 8], folds=2).T
    array([[1, 0, 0, 1, 0],
           [1, 0, 0, 0, 1]], dtype=int8)
    """
    from sklearn.model_selection import StratifiedKFold

    check_class_sizes(y, folds)
    fold_numbers = np.empty((len(y), len(seeds)), np.int8)
    for s, seed in enumerate(seeds):
        for number, (_, test) in enumerate(StratifiedKFold(folds, shuffle=True, random_state=seed).split(y, y)):
            fold_numbers[test, s] = number
    return fold_numbers


def stratified_until_0_20_2(y: NDArray[np.int64], seeds: Sequence[int], folds: int = 5) -> FoldNumbers:
    """Return the folds of :func:`stratified` as in scikit-learn until 0.20.2: each class is cut separately, EVERY class with the same seed.

    A class of m members was cut by ``KFold(folds, shuffle=True, random_state=seed)`` of max(m, folds) positions; positions beyond m have
    no record.  In every class the first folds are the larger folds, so that fold sizes may differ by the number of classes.  Classes
    of equal size are shuffled in the same way.

    Parameters
    ----------
    y, seeds, folds
        The parameters of :func:`stratified`.

    Returns
    -------
    array of shape (records, seeds)
        Fold of each record.

    Raises
    ------
    ValueError
        If a class has fewer members than there are folds (scikit-learn 0.20.2 only warned, and left folds without the class).

    Examples
    --------
    >>> stratified_until_0_20_2(np.array([0, 0, 1, 1, 1]), [7], folds=2).T
    array([[0, 1, 1, 0, 0]], dtype=int8)
    """
    check_class_sizes(y, folds)
    fold_numbers = np.empty((len(y), len(seeds)), np.int8)
    rng = np.random.RandomState()
    for name in np.unique(y):
        members = np.flatnonzero(y == name)
        cut = np.sort(np.arange(len(members)) % folds)  # if the division has a remainder, the first folds get one member more
        for s, seed in enumerate(seeds):
            rng.seed(seed)
            fold_numbers[rng.permutation(members), s] = cut
    return fold_numbers


def check_class_sizes(y: NDArray[np.int64], folds: int) -> None:
    """Raise ValueError if a class has fewer members than there are folds."""
    names, sizes = np.unique(y, return_counts=True)
    if (sizes < folds).any():
        rare = int(np.argmin(sizes))
        got = f"class {names.tolist()[rare]!r} has {sizes[rare]}. Use fewer folds, or leave out that class."
        raise ValueError(f"{folds} stratified folds need at least {folds} members of each class; {got}")
