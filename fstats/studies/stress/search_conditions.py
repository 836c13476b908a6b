"""Conditions of the search for the highest type I error rates: learners, distributions, numbers of records."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ...comparing.datasets import load
from ...simulate import symmetric_pairs
from ...simulate.symmetric_sources import DrawnRecords, NormalClasses, OneRule, Rules, Symmetric
from ..bcv.bcv_computation import settings
from ..bcv.source_factory import make_source
from ..data_folder import data_folder

Pairs = Callable[..., symmetric_pairs.EqualPair]

# kind -> function that makes a pair of equally good learners, a short description, and a description for the guide
PAIR_KINDS: Mapping[str, tuple[Pairs, str, str]] = {
    "mirrored": (symmetric_pairs.mirrored, "on mirrored features", "the same learner twice, on features that mirror each other"),
    "seeds": (symmetric_pairs.seeds, "with two seeds", "the same learner with two seeds"),
    "halves": (
        symmetric_pairs.record_halves,
        "on halves of the training records",
        "the same learner twice, on either half of the training records",
    ),
    "leaning": (symmetric_pairs.leaning, "leaning to either class", "two learners that lean to either of two classes"),
    "coin": (symmetric_pairs.by_coin, "by a coin in every training", "two learners whose roles a coin exchanges in every training"),
}
ORDINARY = ("mirrored", "seeds", "halves", "leaning")  # kinds of pairs whose learners are trained as usual


@cache
def _learners() -> dict[str, tuple[Any, ...]]:
    """Return the learners by name: one learner, or the two learners of a pair."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
    from sklearn.neural_network import MLPClassifier
    from sklearn.tree import DecisionTreeClassifier

    lda, bayes, tree, stump = LinearDiscriminantAnalysis, GaussianNB, DecisionTreeClassifier, DecisionTreeClassifier(max_depth=1)
    weights = [{0: 2, 1: 1}, {0: 1, 1: 2}]
    return {
        "naive Bayes": (bayes(),),
        "LDA": (lda(),),
        "logistic regression": (LogisticRegression(),),
        "ridge": (RidgeClassifier(),),
        "1-NN": (KNeighborsClassifier(1),),
        "15-NN": (KNeighborsClassifier(15),),
        "tree": (tree(),),
        "stump": (stump,),
        "Perceptron": (Perceptron(),),
        "SGD": (SGDClassifier(),),
        "small MLP": (MLPClassifier((10,), max_iter=30),),
        "forest of 10": (RandomForestClassifier(10),),
        "10 bagged trees": (BaggingClassifier(n_estimators=10),),
        "Perceptron, any seed": (Perceptron(random_state=None),),
        "nearest centroid": (NearestCentroid(),),
        "tree of random splits": (tree(splitter="random"),),
        "LDA with priors .7 and .3": tuple(lda(priors=p) for p in ([0.7, 0.3], [0.3, 0.7])),
        "naive Bayes with priors .7 and .3": tuple(bayes(priors=p) for p in ([0.7, 0.3], [0.3, 0.7])),
        "weighted logistic regression": tuple(LogisticRegression(class_weight=w) for w in weights),
        "weighted Perceptron": tuple(Perceptron(class_weight=w) for w in weights),
        "naive Bayes and stump": (bayes(), stump),
        "LDA and tree": (lda(), tree()),
        "1-NN and 15-NN": (KNeighborsClassifier(1), KNeighborsClassifier(15)),
        "rules": (OneRule(0), OneRule(1)),
    }


POPULATIONS: Mapping[str, Any] = {
    "two classes": NormalClasses(),
    "classes 9 : 1": NormalClasses(share=0.1),
    "ten classes": NormalClasses(count=10, share=0.1, apart=4.0),
    "noisy labels": NormalClasses(noise=0.3),
    "nothing to learn": NormalClasses(apart=0.0),
    "spreads 1 and 4": NormalClasses(features=5, spread=4.0),
    "heavy tails": NormalClasses(tails=2.0),
    "rules right .80 and .70": Rules(),
}
RECORDS = ("magic", "spambase", "letter")  # real data sets in the data folder


@cache
def population_by_name(name: str) -> Any:
    """Return the population with this name; real records come from the data folder."""
    if name in POPULATIONS:
        return POPULATIONS[name]
    x, y = load(name, data_folder())
    deviation = x.std(0)
    return DrawnRecords((x - x.mean(0)) / np.where(deviation > 0, deviation, 1), y, name)


class SearchCondition(NamedTuple):
    """Condition of the search: kind of pair, learner, distribution and number of records."""

    kind: str
    learner: str
    population: str
    n: int

    @property
    def key(self) -> str:
        """Key under which results are stored."""
        return "; ".join(map(str, self))

    def __str__(self) -> str:
        if self in POWER:
            return f"{self.learner} at {self.population}"
        where = "" if self.population == "two classes" else f", {self.population}"
        return f"{self.learner} {PAIR_KINDS[self.kind][1]}{where}, n = {self.n:,}"

    @property
    def description(self) -> str:
        """Description for readers who do not know this study.

        >>> SearchCondition("seeds", "SGD", "magic", 2000).description
        'SGD, 2,000 records, magic: the same learner with two seeds'
        """
        where = "" if self.population == "two classes" else f", {self.population}"
        return f"{self.learner}, {self.n:,} records{where}: {PAIR_KINDS[self.kind][2]}"

    @property
    def source(self) -> Any:
        """Source from which the data sets of the condition are drawn."""
        return _source(self)


@cache
def _source(cell: SearchCondition) -> Any:
    if cell in POWER:
        return make_source(cell.learner, settings()[cell.learner][cell.population])
    return Symmetric(PAIR_KINDS[cell.kind][0](*_learners()[cell.learner]), population_by_name(cell.population), cell.n)


CONDITIONS: dict[str, Any] = tomllib.loads(files(__package__).joinpath("conditions.toml").read_text(encoding="utf-8"))
SLOW = tuple(CONDITIONS["slow"])  # learners with about ten times the usual training time
POWER = tuple(SearchCondition("power", *place) for place in (("EXP6", "0.5", 300), ("Simple", "0.3", 1000), ("EXP6", "0.8", 300)))

CELLS = tuple(
    SearchCondition(kind, *place)
    for kind, learners, populations, sizes in CONDITIONS["grid"]
    for place in product(CONDITIONS[learners] if isinstance(learners, str) else learners, populations, sizes)
)


_SLOW_SOURCES = {("ten classes", "mirrored"), ("letter", "halves")}  # (distribution, kind of pair) with a long training time


def is_cheap(cell: SearchCondition, max_records: int) -> bool:
    """Return whether the condition has at most `max_records` records and training is fast enough for plans with many splits."""
    return cell.learner not in SLOW and cell.n <= max_records and (cell.population, cell.kind) not in _SLOW_SOURCES
