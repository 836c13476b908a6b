"""Classification trees of scikit-learn on many splits, without repeated input checks, which saves a third to a half of the time.

The splitter and the builder are called as in ``DecisionTreeClassifier.fit``, with random numbers in the same order, so that the same
tree grows.  If another release of scikit-learn calls the splitter or the builder differently, or if settings are unusual, ``fit`` and
``predict`` are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..comparing.model_evaluation import Model
from ..comparing.splits import Split
from ..runtime.optional_dependencies import require_extra

UNLIMITED = int(np.iinfo(np.int32).max)  # value for unlimited depth in scikit-learn
SUPPORTED_SETTINGS = {  # settings of the trees that this module can grow
    "splitter": "best",
    "min_weight_fraction_leaf": 0.0,
    "max_features": None,
    "max_leaf_nodes": None,
    "min_impurity_decrease": 0.0,
    "class_weight": None,
    "ccp_alpha": 0.0,
    "monotonic_cst": None,
}


def is_supported_tree(estimator: Any, X: Any) -> bool:
    """Return whether the estimator is a classification tree with supported settings, and X an array of numbers."""
    with require_extra("sklearn", "a source that trains trees"):
        from sklearn.tree import DecisionTreeClassifier

    if type(estimator) is not DecisionTreeClassifier or not isinstance(X, np.ndarray) or X.dtype.kind not in "fiu":
        return False
    settings = estimator.get_params()
    whole = all(isinstance(settings[name], int) for name in ("min_samples_leaf", "min_samples_split"))
    return whole and settings["criterion"] in ("gini", "entropy", "log_loss") and SUPPORTED_SETTINGS.items() <= settings.items()


def predict_on_splits(model: Model, X: Any, y: NDArray[Any], splits: Sequence[Split], rng: int) -> list[NDArray[Any]]:
    """Return the predictions of the tree for the test set of each split."""
    x = np.ascontiguousarray(X, np.float32)
    if not np.isfinite(x).all():  # trees of scikit-learn can learn from missing values, but this module cannot
        return [_fit_and_predict(model, x, y, split, rng) for split in splits]
    names, numbers = np.unique(y, return_inverse=True)
    codes = numbers.astype(np.float64)[:, np.newaxis]
    predictions = []
    states: dict[Any, Any] = {}
    for split in splits:
        estimator = model.seeded_copy(rng, split)
        try:
            tree, classes = _grow_tree(estimator, x[split.train], codes[split.train], _random_state(estimator.random_state, states))
        except (ImportError, TypeError, AttributeError):  # the installed release of scikit-learn has another interface
            predictions.append(_fit_and_predict(model, x, y, split, rng))
            continue
        counts = tree.predict(x[split.test]).reshape(len(split.test), -1)
        predictions.append(names[classes[counts.argmax(1)]])
    return predictions


def _fit_and_predict(model: Model, x: Any, y: NDArray[Any], split: Split, rng: int) -> NDArray[Any]:
    fitted: Any = model.seeded_copy(rng, split).fit(x[split.train], y[split.train])
    return np.asarray(fitted.predict(x[split.test]))


def _random_state(seed: Any, states: dict[Any, Any]) -> Any:
    """Return a random generator in the start state of a seed; restoring the stored state is faster than seeding again."""
    from sklearn.utils import check_random_state

    if not isinstance(seed, int):
        return check_random_state(seed)
    if seed not in states:
        random = check_random_state(seed)
        states.clear()
        states[seed] = random, random.get_state()
    random, state = states[seed]
    random.set_state(state)
    return random


def _grow_tree(estimator: Any, x: NDArray[np.float32], codes: NDArray[np.float64], random: Any) -> tuple[Any, NDArray[np.int64]]:
    """Return a tree grown on a training set, and the codes of its classes."""
    from sklearn.tree._criterion import Entropy, Gini
    from sklearn.tree._splitter import BestSplitter
    from sklearn.tree._tree import DepthFirstTreeBuilder, Tree

    present, own_codes = np.unique(codes[:, 0], return_inverse=True)
    classes = np.array([len(present)], np.intp)
    leaf = estimator.min_samples_leaf
    split = max(estimator.min_samples_split, 2 * leaf)
    depth = UNLIMITED if estimator.max_depth is None else estimator.max_depth
    criterion = (Gini if estimator.criterion == "gini" else Entropy)(1, classes)
    splitter = BestSplitter(criterion, x.shape[1], leaf, 0.0, random, None)
    tree = Tree(x.shape[1], classes, 1)
    DepthFirstTreeBuilder(splitter, split, leaf, 0.0, depth, 0.0).build(tree, x, own_codes.astype(np.float64)[:, np.newaxis], None, None)
    return tree, present.astype(np.int64)
