"""What compares two classifiers: their names, which stand in sentences, heads of tables and pictures where else A and B stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from . import tables, units
from .hypothesis import HypothesisTest, confident
from .number import plain
from .procedure import Procedure
from .row import Head, Row
from .rows import heads_of
from .scored import UNNAMED, OfScores, attributes
from .step import given
from .tail import SIGNED
from .value import Value

_A_OR_B = re.compile(r"\b[AB]\b")
LONGEST = 40  # letters of a name in a sentence
LONGEST_HEAD = 16  # and in the head of a table, which would be too wide for a page; the row `labels` says who A and B are


def two_names(value: Any, name: str) -> Any:
    """Two different names, as an array of text."""
    found = tables.distinct_names(value, 2, name)
    return tables.distinct_names([" ".join(entry.split()) for entry in found.tolist()], 2, name)


def shortened(name: str, longest: int = LONGEST) -> str:
    """A name as it fits into a sentence: of a long one its beginning and its end."""
    if len(name) <= longest:
        return name
    end = longest // 3
    return f"{name[: longest - end - 1]}…{name[-end:]}"


def told_apart(a: str, b: str) -> tuple[str, str]:
    """Two different names as they fit into a sentence: what differs is kept, what they have in common is shortened.

    >>> told_apart("RandomForestClassifier(max_depth=5, n_estimators=100)", "RandomForestClassifier(max_depth=7, n_estimators=100)")
    ('RandomForest…er(max_depth=5, n_estimato…', 'RandomForest…er(max_depth=7, n_estimato…')
    """
    short = shortened(a), shortened(b)
    if short[0] != short[1]:
        return short
    differ = next((place for place, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    cut = _around(a, differ), _around(b, differ)
    return cut if cut[0] != cut[1] else (a, b)  # such as a letter repeated 50 times, and 51 times


def _around(name: str, place: int) -> str:
    """A long name by its beginning and what stands around a place in it: no longer than :data:`LONGEST`."""
    head = LONGEST // 3 - 1
    rest = LONGEST - head - 2  # without the marks for what is left out
    start = min(place - rest // 2, len(name) - rest)  # behind the head: up to 26 letters all is alike, as `shortened` keeps them
    end = start + rest
    return f"{name[:head]}…{name[start:end]}…" if end < len(name) else f"{name[:head]}…{name[start - 1 :]}"


def own_names(a: Any, b: Any) -> list[str] | None:
    """The names that two pandas Series bring along; None unless both have one, in words, and the two differ."""
    first, second = getattr(a, "name", None), getattr(b, "name", None)
    if not (isinstance(first, str) and isinstance(second, str)):
        return None
    found = [" ".join(name.split()) for name in (first, second)]
    return found if all(found) and found[0] != found[1] else None


def of_a_table(start: Callable[..., None]) -> Callable[..., None]:
    """The same start of a test, which also takes one table, results or a DataFrame, whose two columns are the classifiers."""

    @wraps(start)
    def started(test: Any, *values: Any, **named: Any) -> None:
        if len(values) == 1 and "b" not in named and (columns := heads_of(values[0])) is not None:
            table, name = values[0], type(test).__name__
            if len(columns) != 2:
                raise ValueError(
                    f"{name} compares two classifiers; got a table of {len(columns)} ({', '.join(map(str, columns))}): choose two of them, "
                    "such as results.select(classifiers=[...]), or frame[[...]]"
                )
            named = about_scores(table, type(test)) | named
            test.__dict__["_setup"] = getattr(table, "in_setup", None)
            if hasattr(table, "iloc"):
                values = table.iloc[:, 0], table.iloc[:, 1]
            else:
                values = tuple(np.asarray(table).T)
                named = {"labels": list(columns)} | named
        start(test, *values, **named)

    return started


def about_scores(table: Any, test: type[Procedure]) -> dict[str, Any]:
    """What a test must be told of the scores of a table: by which metric, and that lower is better; who cannot be told that refuses."""
    if not getattr(type(table), "of_classifiers", False):
        known = attributes(table)
        return {name: known[name] for name in known if name in test.inputs}
    parts = next(((word, len(of[0])) for word, of in (("seeds", table.seeds), ("folds", table.folds)) if len(of[0]) > 1), None)
    if len(table) == 1 and parts is not None:
        runs = "WelchT(*results.seed_scores[0], unit='seed') compares two of them by their runs; " * (parts[0] == "seeds")
        raise ValueError(
            f"{test.__name__} takes several data sets; got one with {parts[1]} {parts[0]}, which are no sample of data sets: {runs}"
            "fstats.which_test says what suits them"
        )
    told = {} if table.metric == UNNAMED or "metric" not in test.inputs else {"metric": table.metric}
    if "higher_is_better" in test.inputs:
        return told | {"higher_is_better": table.higher_is_better}
    if table.higher_is_better:
        return told
    raise ValueError(
        f"{test.__name__} takes scores that are better the higher they are; got {table.metric}, where lower is better: turn the signs "
        f"first, such as {test.__name__}(-a, -b)"
    )


def directed(formula: str) -> dict[bool, str]:
    """A formula by `higher_is_better`: of errors and losses the inputs a and b change places.

    >>> directed("$a - $b > $alpha")[False]
    '$b - $a > $alpha'
    """
    return {True: formula, False: re.sub(r"\$[ab]\b", lambda found: "$b" if found[0] == "$a" else "$a", formula)}


class TwoClassifiers(Procedure):
    """What compares two classifiers, A and B.  In its sentences the words A and B, and nothing else, stand for their names."""

    scored: ClassVar[tuple[str, str]] = ("a", "b")  # the inputs or steps that belong to A alone and to B alone

    labels: Any = given(
        r"\text{labels}", "Names of the classifiers, that of A and that of B.", over="c", check=two_names, default=None, kw_only=True
    )

    def __init_subclass__(cls, ending: bool = False) -> None:
        super().__init_subclass__(ending)
        if tuple(f.name for f in fields(cls) if not f.kw_only)[:2] == cls.scored == ("a", "b"):
            cls.__init__ = of_a_table(cls.__init__)  # type: ignore[method-assign]

    def __post_init__(self) -> None:
        values = self.__dict__
        a, b = self.scored
        if values.get("labels") is None:
            values["labels"] = own_names(values.get(a), values.get(b))
        super().__post_init__()

    @property
    def sides(self) -> tuple[str, str]:
        """What the two classifiers are called in a sentence: their names, shortened if long, or A and B."""
        labels = self.__dict__.get("labels")
        if labels is None:
            return "A", "B"
        a, b = labels.tolist()
        return told_apart(a, b)

    def _rows(self) -> Iterator[Row]:
        """The rows with the names in their sentences and heads; without names, no row that tells them."""
        short = max(map(len, self.sides)) <= LONGEST_HEAD
        whose = dict(zip(self.scored, self.sides, strict=True)) if short else {}

        source = self.__dict__.get("_source")
        told = len(source.worked()) if isinstance(source, TwoClassifiers) and source.labels is not None else 0  # with the names already
        for place, row in enumerate(super()._rows()):
            if row.name == "labels":
                if row.value is not None:
                    yield replace(row, heads=(Head("labels", row.value),))
            elif self.labels is None or place < told or row.name in ("alternative", "claim", "conclusion"):
                yield row
            else:
                heads = row.heads
                if short:
                    heads = tuple(
                        head and Head(head.title, [with_names(str(entry), self.sides) for entry in head.entries]) for head in heads
                    )
                yield replace(row, sentence=with_names(row.sentence, self.sides), heads=heads, whose=whose.get(row.name, ""))


class ScoresOfTwo(OfScores, TwoClassifiers):
    """Scores, errors or losses of two classifiers; differences are positive where A is better, whatever they are."""

    def _doubtful(self) -> Mapping[str, Any]:
        found = [self.__dict__.get(name) for name in self.scored]
        a, b = found
        if type(a) is not np.ndarray or type(b) is not np.ndarray or (a.max() <= 1) == (b.max() <= 1):
            return {}
        return dict(zip(self.sides, found, strict=True))


class DirectedPairs(ScoresOfTwo):
    """The same, paired."""

    if TYPE_CHECKING:  # the inputs that every subclass has
        a: Any
        b: Any

    @property
    def terms(self) -> tuple[Any, Any]:
        """The terms of the differences: the scores of A less those of B; errors of B less those of A."""
        return (self.a, self.b) if self.higher_is_better else (self.b, self.a)


class PairedScores(units.OfUnits, DirectedPairs):
    """Scores of the same data sets, or other units."""


class ComparisonOfTwo(TwoClassifiers, HypothesisTest):
    """A test of two classifiers: its sentences say whether A or B is better, and by how much."""

    not_shown = "that they are equal"

    @property
    def claim(self) -> str:
        """What the test looks for, as "the data show ..." and "the data do not show ..." go on; it holds no negation of its own."""
        a, b = self.sides
        return {
            "two-sided": f"a difference in {self.compared} between {a} and {b}",
            "greater": f"that {a} is better than {b} in {self.compared}{self.direction}",
            "less": f"that {a} is worse than {b} in {self.compared}{self.direction}",
        }[self.alternative]

    @property
    def finding(self) -> str:
        """What a rejection shows: the claim and, as far as it is known, who is better and by how much."""
        if not self.favours:
            return self.claim
        a, b = self.sides
        word, size = "better" if self.favours > 0 else "worse", self.if_known("size_in_words", "")
        return f"that {a} is {word} than {b} in {self.compared}{self.direction}{size}"

    @property
    def direction(self) -> str:
        """That lower is better, in brackets; empty where the higher is, as everybody takes scores to be."""
        return ""

    @property
    def favours(self) -> float:
        """Who is better, if anyone is: 1 for A, -1 for B; 0 where nothing tells."""
        return {"greater": 1.0, "less": -1.0}.get(self.alternative) or float(np.sign(self.if_known("leaning", 0.0)))

    @property
    def leaning(self) -> Value:
        """A number above 0 where A looks better and below 0 where B does."""
        return self.statistic if self.tails == SIGNED else getattr(self, "effect_size", np.float64(0))

    @property
    def size_in_words(self) -> str:
        """By how much the better one is ahead, for the end of a sentence; empty where nothing tells."""
        by = getattr(self, self.estimated_by) * self.favours if self.estimated_by else 0
        how = "" if not self.direction else "lower " if self.favours > 0 else "higher "
        return f", {how}by {plain(by)}" if by > 0 else ""

    @property
    def interval_in_words(self) -> str:
        """What that may be in truth, in brackets; empty without an interval."""
        ends = self.if_known("ci", None) if "ci" in self.steps and self.if_known("size_in_words", "") else None
        return confident(ends if self.favours > 0 or ends is None else ends.mirrored(), self.alpha)


def with_names(text: str, sides: tuple[str, str]) -> str:
    """A sentence about A and B with their names.

    >>> with_names("A beats B", ("forest", "tree"))
    'forest beats tree'
    """
    return _A_OR_B.sub(lambda found: sides["AB".index(found[0])], text)
