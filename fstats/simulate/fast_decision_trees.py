"""scikit-learn's classification tree on many splits without what it checks anew each time: a third to a half of the time.

The same splitter and builder are called as by ``DecisionTreeClassifier.fit``, in the same order of random numbers, so that the same tree
grows.  Where a release of scikit-learn calls them otherwise, or settings are unusual, ``fit`` and ``predict`` do the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..comparing.model_evaluation import Model
from ..comparing.splits import Split
from ..runtime.optional_dependencies import require_extra

UNLIMITED = int(np.iinfo(np.int32).max)  # depth, as scikit-learn writes it
SUPPORTED_SETTINGS = {  # settings with which a tree is grown here
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
    """Whether it is such a tree, with such settings, on a plain table of numbers."""
    with require_extra("sklearn", "a source that trains trees"):
        from sklearn.tree import DecisionTreeClassifier

    if type(estimator) is not DecisionTreeClassifier or not isinstance(X, np.ndarray) or X.dtype.kind not in "fiu":
        return False
    settings = estimator.get_params()
    whole = all(isinstance(settings[name], int) for name in ("min_samples_leaf", "min_samples_split"))
    return whole and settings["criterion"] in ("gini", "entropy", "log_loss") and SUPPORTED_SETTINGS.items() <= settings.items()


def predict_on_splits(model: Model, X: Any, y: NDArray[Any], splits: Sequence[Split], rng: int) -> list[NDArray[Any]]:
    """What the tree predicts in the test set of each split."""
    x = np.ascontiguousarray(X, np.float32)
    if not np.isfinite(x).all():  # missing values, which it can learn from, are not dealt with here
        return [_fit_and_predict(model, x, y, split, rng) for split in splits]
    names, numbers = np.unique(y, return_inverse=True)
    codes = numbers.astype(np.float64)[:, np.newaxis]
    found = []
    states: dict[Any, Any] = {}
    for split in splits:
        estimator = model.seeded_copy(rng, split)
        try:
            tree, there = _grow_tree(estimator, x[split.train], codes[split.train], _random_state(estimator.random_state, states))
        except (ImportError, TypeError, AttributeError):  # another release of scikit-learn
            found.append(_fit_and_predict(model, x, y, split, rng))
            continue
        counts = tree.predict(x[split.test]).reshape(len(split.test), -1)
        found.append(names[there[counts.argmax(1)]])
    return found


def _fit_and_predict(model: Model, x: Any, y: NDArray[Any], split: Split, rng: int) -> NDArray[Any]:
    fitted: Any = model.seeded_copy(rng, split).fit(x[split.train], y[split.train])
    return np.asarray(fitted.predict(x[split.test]))


def _random_state(seed: Any, states: dict[Any, Any]) -> Any:
    """The random numbers of a seed from their beginning; to go back there is faster than to seed anew."""
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
    """A tree grown on a training set, and the codes of the classes that it knows."""
    from sklearn.tree._criterion import Entropy, Gini
    from sklearn.tree._splitter import BestSplitter
    from sklearn.tree._tree import DepthFirstTreeBuilder, Tree

    there, own = np.unique(codes[:, 0], return_inverse=True)
    classes = np.array([len(there)], np.intp)
    leaf = estimator.min_samples_leaf
    split = max(estimator.min_samples_split, 2 * leaf)
    depth = UNLIMITED if estimator.max_depth is None else estimator.max_depth
    criterion = (Gini if estimator.criterion == "gini" else Entropy)(1, classes)
    splitter = BestSplitter(criterion, x.shape[1], leaf, 0.0, random, None)
    tree = Tree(x.shape[1], classes, 1)
    DepthFirstTreeBuilder(splitter, split, leaf, 0.0, depth, 0.0).build(tree, x, own.astype(np.float64)[:, np.newaxis], None, None)
    return tree, there.astype(np.int64)
