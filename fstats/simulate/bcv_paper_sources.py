"""Data sources of a paper on 5x2 cross-validation.

They are EXP6, Simple and UCI letter.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from ..core.step import make_read_only
from ..core.validation import check
from ..core.value_types import Array
from ..runtime.optional_dependencies import require_extra
from .data_sources import ErrorRates
from .exp6_population import exp6_records
from .logistic_regression import fit_logistic
from .simulation_classifiers import Logistic, Majority, NearestNeighbour
from .training_sources import LabelledRecords, TableSource, Trained

LETTER_FILE = "letter.csv.gz", "80eb801563ed392f29a313657ab15eff4f120b7e328042da107009969d1c4b7d"


@cache
def _tree(leaf: int, split: int) -> Any:
    """Return a classification tree that splits by entropy; equal arguments give the same object, so that sources train it once."""
    with require_extra("sklearn", "a source that trains trees"):
        from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=leaf, min_samples_split=split, random_state=0)


_nearest_neighbour = cache(NearestNeighbour)  # sources with equal feature weights share one learner and its results


# -- EXP6 --------------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class EXP6(TableSource):
    """Six classes in a square: A is a classification tree; B is the nearest neighbour in a square squeezed in one direction.

    Parameters
    ----------
    omega : float
        Weight of the first feature in the squared distance, above 0 and at most 1; the second feature has weight 1/omega.  The nearest
        neighbour is best for omega = 1, worse for smaller values, and as bad as the tree for omega of about 0.29.
    n : int
        Number of records, drawn with replacement from the 22,801 points of the grid.

    Notes
    -----
    The paper's tree is C4.5 without pruning; here it is CART by entropy with at least 2 records in a leaf, as in C4.5.  Classes follow
    Equations 16 and 17; at points where two rules hold (166 points), the first rule determines the class.

    References
    ----------
    Kong and Dietterich (1995), Error-correcting output coding corrects bias and variance, Proceedings of the 12th International
    Conference on Machine Learning, pages 313 to 321.  Wang and Li, Block-regularized 5x2
    cross-validated McNemar's test for comparing two classification algorithms, section 5.2, synthetic data set 2.

    Examples
    --------
    >>> rates = EXP6(omega=1.0).true_error_rates(20, n=150)
    >>> bool(rates.a > 0.11), bool(rates.b < 0.095)
    (True, True)
    """

    omega: float = 0.29
    n: int = 300

    def __post_init__(self) -> None:
        if not 0 < self.omega <= 1:
            raise ValueError(f"`omega` must be above 0 and at most 1; got {self.omega!r}")
        check.count(2)(self.n, "n")

    @property
    def learners(self) -> tuple[Any, NearestNeighbour]:
        """The tree and the nearest neighbour."""
        return _tree(2, 2), _nearest_neighbour((self.omega, 1 / self.omega))

    @property
    def records(self) -> LabelledRecords:
        """The points of the grid."""
        return exp6_records()


# -- Simple ------------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Simple(Trained):
    """Two normal classes: A is logistic regression; B predicts the more frequent class.

    Parameters
    ----------
    delta : float
        Distance of the means of the two classes; each class has standard deviation 1.  For delta = 0 there is nothing to learn, and H0
        is true.
    n : int
        Number of records, each of either class with probability 1/2.

    References
    ----------
    Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 5.2,
    synthetic data set 3.

    Examples
    --------
    With known means, the error rate is 0.3085: the probability that a standard normal value exceeds half the distance of the means.

    >>> rates = Simple(delta=1.0).true_error_rates(100)
    >>> round(rates.a, 3), rates.b, rates.se_b
    (0.309, 0.5, 0.0)
    """

    delta: float = 0.0
    n: int = 1000

    def __post_init__(self) -> None:
        if not np.isfinite(self.delta):
            raise ValueError(f"`delta` must be a number; got {self.delta!r}")
        check.count(2)(self.n, "n")

    @property
    def learners(self) -> tuple[Logistic, Majority]:
        """Logistic regression and the majority class."""
        return _LOGISTIC, _MAJORITY

    def draw(self, rng: np.random.Generator, repetitions: int, n: int | None = None) -> list[LabelledRecords]:
        """Draw the classes, then the feature."""
        y = rng.integers(2, size=(repetitions, n or self.n))
        x = rng.normal(size=y.shape) + self.delta * y
        return list(zip(x[..., np.newaxis], y, strict=True))

    def true_error_rates(self, data_sets: int = 1000, *, rng: int = 0, n: int | None = None) -> ErrorRates:
        """Return error rates after training on n records: logistic regression by averaged normal probabilities; majority vote 1/2."""
        size = int(check.count(1)(self.n if n is None else n, "n"))
        drawn = self.draw(np.random.default_rng(rng), int(check.count(2)(data_sets, "data_sets")), size)
        return ErrorRates.of([self.true_error_rate(fit_logistic(np.column_stack([np.ones(size), x]), y)) for x, y in drawn], 0.5, size)

    def true_error_rate(self, coefficients: Array) -> float:
        """Return the true error rate of the rule that predicts 1 if intercept + slope x is above 0."""
        intercept, slope = coefficients
        if slope == 0:
            return 0.5
        # probability of predicting class 1, for records of class 0 and of class 1
        predicts_one = ndtr(np.sign(slope) * (np.array([0.0, self.delta]) + intercept / slope))
        return float(predicts_one[0] + 1 - predicts_one[1]) / 2


_LOGISTIC, _MAJORITY = Logistic(), Majority()

# -- UCI letter --------------------------------------------------------------------------------------------------------------
# indices (from 0) of the features in each group of Equation 19 of the paper
LETTER_FEATURE_GROUPS = ((0, 2, 8, 15), (1, 3, 5, 6, 7, 9, 11, 13, 14), (4, 10, 12))


def letter_weights(v: float) -> tuple[float, ...]:
    """Return the weights of the 16 features: v, 1 or 1/v."""
    power = {feature: 1 - k for k, group in enumerate(LETTER_FEATURE_GROUPS) for feature in group}
    return tuple(float(v) ** power[feature] for feature in range(16))


def data_folder(data_dir: Any = None) -> Path:
    """Return the folder of data files: the given folder, or the folder in the environment variable FSTATS_DATA."""
    named = os.environ.get("FSTATS_DATA") if data_dir is None else data_dir
    if not named:
        remedy = "Write data_dir=..., or set the environment variable FSTATS_DATA."
        raise ValueError(f"the source Letter needs the folder of {LETTER_FILE[0]}; got no folder. {remedy}")
    return Path(named)


@cache
def _letter_records(folder: Path) -> tuple[Array, NDArray[np.int64]]:
    path = folder / LETTER_FILE[0]
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise ValueError(f"UCI letter cannot be read from {path}: {error}") from None
    if (digest := hashlib.sha256(packed).hexdigest()) != LETTER_FILE[1]:
        raise ValueError(f"the file {path} of UCI letter must have the checksum sha256 {LETTER_FILE[1]}; got {digest}")
    rows = np.array(list(csv.reader(gzip.decompress(packed).decode().splitlines()))[1:], np.int64)
    return make_read_only(rows[:, :16].astype(float)), make_read_only(rows[:, 16])


@dataclass(frozen=True)
class Letter(TableSource):
    """UCI letter recognition: A is a classification tree; B is the nearest neighbour with a distorted distance.

    Parameters
    ----------
    v : float
        Distortion from 1 (none) to 50: 4 features have weight v, 3 features have weight 1/v in the squared distance (Equation 19).
    n : int
        Number of records, drawn with replacement from the 20,000 records of the file.
    data_dir : path, optional
        The folder with letter.csv.gz (header, 16 features, target); by default the folder in the environment variable FSTATS_DATA.

    Notes
    -----
    The tree in the paper is from R's package ``tree``, with at least 10 records in a node and 5 in a leaf; the tree in this source is
    CART by entropy with the same two numbers.  Because the trees differ, the two learners are equally good at another v than in the
    paper.

    Raises
    ------
    ValueError
        If v is outside 1 to 50.  When data are drawn: if the folder has no file letter.csv.gz, or another file of that name.

    References
    ----------
    Frey and Slate (1991), Letter recognition using Holland-style adaptive classifiers, Machine Learning 6, pages 161 to 182.  Nadeau
    and Bengio (2003), Inference for the generalization error, Machine Learning 52, pages 239 to 281.  Wang and Li, section 5.2,
    real-world data set 1.

    Examples
    --------
    >>> Letter(v=2.0).learners[1].weights[:5]
    (2.0, 1.0, 2.0, 1.0, 0.5)
    """

    v: float = 30.09
    n: int = 300
    data_dir: Any = None

    def __post_init__(self) -> None:
        if not 1 <= self.v <= 50:
            raise ValueError(f"`v` must be between 1 and 50; got {self.v!r}")
        check.count(2)(self.n, "n")

    def __repr__(self) -> str:
        return f"Letter(v={self.v!r}, n={self.n!r})"  # without the folder of the file, because a checksum identifies the file

    @property
    def learners(self) -> tuple[Any, NearestNeighbour]:
        """The tree and the nearest neighbour."""
        return _tree(5, 10), _nearest_neighbour(letter_weights(self.v))

    @property
    def records(self) -> LabelledRecords:
        """The 20,000 records."""
        return _letter_records(data_folder(self.data_dir))
