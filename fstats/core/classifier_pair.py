"""Base classes of tests that compare two classifiers.

They hold the names of the classifiers, the direction of the metric, and the conclusion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np

from . import unit_of_analysis
from .hypothesis import HypothesisTest, format_confidence_interval
from .mathematics_in_names import plain_name
from .metric_direction import DEFAULT_METRIC_NAME, MIN_PERCENT, ScoreProcedure, is_loss_metric, metric_attributes
from .number_format import format_plain
from .procedure import Procedure
from .rejection_region import SYMMETRIC_TAILS
from .step import Step, T, input_field, step
from .validation import check, tables
from .validation.pandas_labels import column_names
from .validation.score_lists import is_number_list, score_lists_of_mapping
from .value_types import Value
from .worked_example_row import IndexHeader, Row

_A_OR_B = re.compile(r"\b[AB]\b")
MAX_NAME_LENGTH = 40  # maximum length of a classifier name in a sentence
# usual ranges of accuracies, as proportions and in percent; values that all lie in one range are probably scores, not differences
LIKELY_SCORES = ((0.3, 1.0), (30.0, 100.0))
MAX_HEADER_LENGTH = 16  # longer names in a table header could make the table wider than a page


def classifier_names(value: Any, name: str) -> Any:
    """Return two different names as an array of text; runs of white space become one space."""
    names = tables.distinct_names(value, 2, name)
    return tables.distinct_names([" ".join(entry.split()) for entry in names.tolist()], 2, name)


def shorten_name(name: str, longest: int = MAX_NAME_LENGTH) -> str:
    """Shorten a long name to its beginning and its end."""
    if len(plain := plain_name(name)) <= longest:
        return name
    end = longest // 3
    return f"{plain[: longest - end - 1]}…{plain[-end:]}"


def shorten_name_pair(a: str, b: str) -> tuple[str, str]:
    """Shorten two different names, and keep the part in which the names differ.

    >>> shorten_name_pair("RandomForestClassifier(max_depth=5, n_estimators=100)", "RandomForestClassifier(max_depth=7, n_estimators=100)")
    ('RandomForest…er(max_depth=5, n_estimato…', 'RandomForest…er(max_depth=7, n_estimato…')
    """
    short = shorten_name(a), shorten_name(b)
    if short[0] != short[1]:
        return short
    first, second = plain_name(a), plain_name(b)
    position = next((k for k, (x, y) in enumerate(zip(first, second)) if x != y), min(len(first), len(second)))
    short = _shorten_around(first, position), _shorten_around(second, position)
    # two shortened names may be equal, for example names of 50 and of 51 equal letters; in this case, return the full names
    return short if short[0] != short[1] else (a, b)


def _shorten_around(name: str, position: int) -> str:
    """Shorten a name to its beginning and the text around a position; at most :data:`MAX_NAME_LENGTH` characters."""
    head = MAX_NAME_LENGTH // 3 - 1
    rest = MAX_NAME_LENGTH - head - 2  # space for the text around the position; two characters are ellipses
    start = max(head, min(position - rest // 2, len(name) - rest))
    if start == head:
        return f"{name[: MAX_NAME_LENGTH - 1]}…" if len(name) > MAX_NAME_LENGTH else name
    end = start + rest
    return f"{name[:head]}…{name[start:end]}…" if end < len(name) else f"{name[:head]}…{name[start - 1 :]}"


def series_names(a: Any, b: Any) -> list[str] | None:
    """Return the names of two pandas Series; None unless both names are text and differ."""
    first, second = getattr(a, "name", None), getattr(b, "name", None)
    if not (isinstance(first, str) and isinstance(second, str)):
        return None
    names = [" ".join(name.split()) for name in (first, second)]
    return names if all(names) and names[0] != names[1] else None


def metric_settings(table: Any, test: type[Procedure]) -> dict[str, Any]:
    """Return the keyword arguments of a test that say which metric a table holds and whether higher is better.

    Raise ValueError if lower scores are better and the test cannot take such scores, or if the table holds a single data set.
    """
    if not getattr(type(table), "of_classifiers", False):
        known = metric_attributes(table)
        return {name: known[name] for name in known if name in test.inputs}
    parts = next(((word, len(names[0])) for word, names in (("seeds", table.seeds), ("folds", table.folds)) if len(names[0]) > 1), None)
    if len(table) == 1 and parts is not None:
        advice = "WelchT(*results.seed_scores[0], unit='seed') compares two classifiers by their runs. " * (parts[0] == "seeds")
        raise ValueError(
            f"{test.__name__} needs several data sets; got {parts[1]} {parts[0]} of one data set. {advice}fstats.which_test names the "
            f"tests for {parts[0]}."
        )
    settings = {} if table.metric == DEFAULT_METRIC_NAME or "metric" not in test.inputs else {"metric": table.metric}
    if "higher_is_better" in test.inputs:
        return settings | {"higher_is_better": table.higher_is_better}
    if table.higher_is_better:
        return settings
    raise ValueError(
        f"{test.__name__} needs scores for which higher is better; got scores of {table.metric}, for which lower is better. Change the "
        f"signs first, as in {test.__name__}(-a, -b)."
    )


def directed_formula(formula: str) -> dict[bool, str]:
    """Return the formula for each value of `higher_is_better`; for errors and losses the inputs a and b are exchanged.

    >>> directed_formula("$a - $b > $alpha")[False]
    '$b - $a > $alpha'
    """
    return {True: formula, False: re.sub(r"\$[ab]\b", lambda match: "$b" if match[0] == "$a" else "$a", formula)}


def directed_step(symbol: str, formula: str, **options: Any) -> Callable[[Callable[[Any], T]], Step[T]]:
    """Return the decorator of a step whose formula exchanges the inputs a and b for errors and losses (:func:`directed_formula`)."""
    return step(symbol, directed_formula(formula), by="higher_is_better", **options)


class TwoClassifiers(Procedure):
    """A comparison of two classifiers, A and B.

    In the sentences of a comparison the words A and B always mean the names of the classifiers.
    """

    scored: ClassVar[tuple[str, str]] = ("a", "b")  # names of the inputs or steps that hold the scores of A and of B

    labels: Any = input_field(
        r"\text{labels}", "Names of the two classifiers: first A, then B.", over="c", check=classifier_names, default=None, kw_only=True
    )

    @classmethod
    def _from_other_form(cls, values: tuple[Any, ...], named: Mapping[str, Any]) -> Self | None:
        """Accept one table with two columns (results, a DataFrame, a dictionary of two lists) instead of two lists of scores."""
        if len(values) != 1:
            return None
        by_position = tuple(name for name, about in cls.inputs.items() if not about["setting"])
        if by_position[:2] != cls.scored or by_position[1] in named:
            return None
        table, settings = values[0], dict(named)
        make: Any = cls  # the type is Any, because subclasses declare the inputs
        if (lists := score_lists_of_mapping(table)) is not None:
            columns: Any = lists.labels
        elif by_position[:2] != ("a", "b") or (columns := column_names(table)) is None:
            return None
        if len(columns) != 2:
            raise ValueError(
                f"{cls.__name__} compares two classifiers; got a table with the columns {', '.join(map(str, columns))}. Choose two "
                "columns, as in frame[[...]] or results.select(classifiers=[...])."
            )
        if lists is not None:
            return make(*lists.lists, **{"labels": lists.labels} | settings)
        unit = getattr(table, "in_setup", {}).get("unit") if "unit" in cls.inputs else None
        settings = metric_settings(table, cls) | ({"unit": unit} if unit else {}) | settings
        if hasattr(table, "iloc"):
            test = make(table.iloc[:, 0], table.iloc[:, 1], **settings)
        else:
            test = make(*np.asarray(table).T, **{"labels": list(columns)} | settings)
        test.__dict__["_setup"] = getattr(table, "in_setup", None)
        return cast("Self", test)

    def __post_init__(self) -> None:
        values = self.__dict__
        a, b = self.scored
        if values.get("labels") is None:
            values["labels"] = series_names(values.get(a), values.get(b))
        super().__post_init__()

    @property
    def sides(self) -> tuple[str, str]:
        """Names of the two classifiers in a sentence, shortened if long; A and B if the classifiers have no names."""
        labels = self.__dict__.get("labels")
        if labels is None:
            return "A", "B"
        a, b = labels.tolist()
        return shorten_name_pair(a, b)

    def _rows(self) -> Iterator[Row]:
        """Yield the rows with the names of the classifiers in sentences and headers; without names, omit the row `labels`."""
        short = max(map(len, self.sides)) <= MAX_HEADER_LENGTH
        owners = dict(zip(self.scored, self.sides, strict=True)) if short else {}

        source = self.__dict__.get("_source")
        named_rows = len(source.worked()) if isinstance(source, TwoClassifiers) and source.labels is not None else 0
        for number, row in enumerate(super()._rows()):
            if row.name == "labels":
                if row.value is not None:
                    yield replace(row, heads=(IndexHeader("labels", row.value),))
            elif self.labels is None or number < named_rows or row.name in ("alternative", "claim", "conclusion"):
                yield row
            else:
                heads = row.heads
                if short:
                    heads = tuple(
                        head and IndexHeader(head.title, [replace_a_and_b(str(entry), self.sides) for entry in head.entries])
                        for head in heads
                    )
                yield replace(row, sentence=replace_a_and_b(row.sentence, self.sides), heads=heads, owner=owners.get(row.name, ""))


class TwoClassifierScores(ScoreProcedure, TwoClassifiers):
    """Scores, errors or losses of two classifiers; a difference is positive if A is better."""

    def _scores_in_mixed_units(self) -> Mapping[str, Any]:
        a, b = map(self.__dict__.get, self.scored)
        if type(a) is not np.ndarray or type(b) is not np.ndarray or (a.size and b.size and max(a.item(0), b.item(0)) < MIN_PERCENT):
            return {}  # fast path: both first scores are too small for scores in percent
        if max(a.min(), b.min()) < MIN_PERCENT or min(a.max(), b.max()) > 1:
            return {}
        return dict(zip(self.sides, (a, b), strict=True))


class PairedDifferences(TwoClassifierScores):
    """Paired scores, errors or losses of two classifiers."""

    if TYPE_CHECKING:  # subclasses define these inputs; type checkers need a declaration here
        a: Any
        b: Any

    @property
    def terms(self) -> tuple[Any, Any]:
        """Minuend and subtrahend of the differences: A and B for scores, B and A for errors and losses."""
        return (self.a, self.b) if self.higher_is_better else (self.b, self.a)


class PairedScores(unit_of_analysis.UnitOfAnalysis, PairedDifferences):
    """Paired scores on the same data sets, or on other units such as seeds."""

    @classmethod
    def _from_other_form(cls, values: tuple[Any, ...], named: Mapping[str, Any]) -> Self | None:
        """Accept the differences A - B, or an array of two columns, instead of two lists of scores.

        With `higher_is_better=False`, change the signs of the differences, because the step `d` is positive if A is better.
        """
        if len(values) != 1:
            return None
        if (test := super()._from_other_form(values, named)) is not None:
            return test
        needed = sorted(cls.inputs.keys() - cls.defaults.keys() - {"a", "b"})
        if "b" in named or not named.keys() >= set(needed):
            return None
        title, settings = cls.__name__, "".join(f", {name}={name}" for name in needed)
        starts_from_d = "d" in cls.steps and not any({"a", "b"} & set(s.slots) for s in cls.steps.values() if s.name != "d")
        for_differences = f", or {title}.from_steps(d=x{settings}) for differences" * starts_from_d
        rule = "a and b, or a list of their differences"
        if not is_number_list(values[0]):
            shape = check.as_array(values[0], "a").shape
            if len(shape) < 2:
                return None
            if len(shape) == 2 < shape[0] and shape[1] == 2:
                return cls(*np.asarray(values[0]).T, **named)
            remedy = check.column_shape_hint("x", shape) or (
                f". Write {title}(x[0], x[1]{settings}) for two rows, {title}(x[:, 0], x[:, 1]{settings}) for two columns{for_differences}"
            )
            raise TypeError(f"{title} must be given {rule}; got one array of shape {shape}{remedy}")
        d = check.scores(values[0], "differences")
        if any(low < d.min() and d.max() <= high for low, high in LIKELY_SCORES):
            raise TypeError(
                f"{title} must be given {rule}; got scores from {d.min():g} to {d.max():g}. Write {title}(a, b{settings}){for_differences}."
            )
        # state the direction: if it were guessed, a check would reject negative differences, because losses are not negative
        if (higher := named.get("higher_is_better")) is None:
            higher = not is_loss_metric(str(named.get("metric", DEFAULT_METRIC_NAME)))
        settings_with_direction = dict(named) | {"higher_is_better": higher}
        if starts_from_d:
            return cls.from_steps(d=d if higher else -d, **settings_with_direction)
        return cls(d, np.zeros_like(d), **settings_with_direction)


class TwoClassifierTest(TwoClassifiers, HypothesisTest):
    """A hypothesis test of two classifiers; the sentences of the test say whether A or B is better, and by how much."""

    unproven_claim = "that they are equal"

    @property
    def claim(self) -> str:
        """Claim of the alternative, without a negation: the end of a sentence that begins "the data show" or "the data do not show"."""
        a, b = self.sides
        return {
            "two-sided": f"a difference in {self.compared} between {a} and {b}",
            "greater": f"that {a} is better than {b} in {self.compared}{self.direction}",
            "less": f"that {a} is worse than {b} in {self.compared}{self.direction}",
        }[self.alternative]

    @property
    def finding(self) -> str:
        """Statement that a rejection supports: the claim and, if known, which classifier is better and by how much."""
        if not self.better_sign:
            return self.claim
        a, b = self.sides
        word, size = "better" if self.better_sign > 0 else "worse", self.get_or_default("effect_text", "")
        return f"that {a} is {word} than {b} in {self.compared}{self.direction}{size}"

    @property
    def direction(self) -> str:
        """The words "(lower is better)"; empty if higher scores are better, because readers assume so."""
        return ""

    @property
    def better_sign(self) -> float:
        """Sign of the better classifier: 1 for A, -1 for B, 0 if unknown."""
        return {"greater": 1.0, "less": -1.0}.get(self.alternative) or float(np.sign(self.get_or_default("difference_sign", 0.0)))

    @property
    def difference_sign(self) -> Value:
        """A number above 0 if A looks better and below 0 if B looks better."""
        return self.statistic if self.tails == SYMMETRIC_TAILS else getattr(self, "effect_size", np.float64(0))

    @property
    def effect_text(self) -> str:
        """Size of the difference, as the end of a sentence; empty if the size is unknown."""
        by = getattr(self, self.estimated_by) * self.better_sign if self.estimated_by else 0
        how = "" if not self.direction else "lower " if self.better_sign > 0 else "higher "
        return f", {how}by {format_plain(by)}" if by > 0 else ""

    @property
    def interval_text(self) -> str:
        """Confidence interval of the difference, in brackets; empty if the test has no interval."""
        ends = self.get_or_default("ci", None) if "ci" in self.steps and self.get_or_default("effect_text", "") else None
        return format_confidence_interval(ends if self.better_sign > 0 or ends is None else ends.mirrored(), self.alpha)


def replace_a_and_b(text: str, sides: tuple[str, str]) -> str:
    """Replace the words A and B of a sentence by the names of the classifiers.

    >>> replace_a_and_b("A beats B", ("forest", "tree"))
    'forest beats tree'
    """
    return _A_OR_B.sub(lambda match: sides["AB".index(match[0])], text)
