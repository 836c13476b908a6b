"""Unit of analysis of a statistical test.

The unit is the data set, seed or other thing to which each score belongs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from .procedure import Procedure
from .step import input_field
from .validation.check import format_received_value
from .validation.pandas_labels import RUNS, has_fold_index, has_seed_index, is_fold_name, normalize_name
from .worked_example_row import Row

DEFAULT_UNIT = "data set"
MAX_UNIT_LENGTH = 30


def singular(value: Any, name: str) -> str:
    """Check the word for a unit, such as "seed", and return its singular.

    >>> singular("seeds", "unit"), singular("class", "unit")
    ('seed', 'class')
    """
    if not isinstance(value, str) or not re.fullmatch(r"[^\W\d_]+(?:[ -][^\W\d_]+)*", value) or len(value) > MAX_UNIT_LENGTH:
        message = f"`{name}` must be a word for the unit of each score, in the singular, such as 'seed'; got {format_received_value(value)}"
        raise ValueError(message)
    word = value if re.search(r"[A-Z]", value[1:]) else value.lower()
    return word[:-1] if re.search(r"[^siu]s$", word) else word


def plural(unit: str) -> str:
    """Return the plural of a unit.

    >>> plural("seed"), plural("query"), plural("class"), plural("day")
    ('seeds', 'queries', 'classes', 'days')
    """
    if re.search(r"[^aeiou]y$", unit):
        return f"{unit[:-1]}ies"
    return f"{unit}es" if re.search(r"(s|x|z|ch|sh)$", unit) else f"{unit}s"


def replace_unit_words(text: str, default: str, unit: str, names: Iterable[str] = ()) -> str:
    """Replace the words for the default unit, such as "data sets", in a text; the names of classifiers stay unchanged.

    >>> replace_unit_words("2 data sets, each data set once", "data set", "query")
    '2 queries, each query once'
    """
    if unit == default:
        return text
    words = {default: unit, plural(default): plural(unit)}
    words |= {old.capitalize(): new.capitalize() for old, new in words.items()}
    unchanged = [re.escape(name) for name in names if len(name) > 1]
    return re.sub("|".join([*unchanged, *(rf"\b{word}\b" for word in words)]), lambda match: words.get(match[0], match[0]), text)


class UnitOfAnalysis(Procedure):
    """A procedure in which each score belongs to a data set, or to the unit named in `unit`; the sentences name that unit."""

    default_unit: ClassVar[str] = DEFAULT_UNIT

    unit: str = input_field(r"\text{unit}", "Unit of each score.", check=singular, default=DEFAULT_UNIT, kw_only=True)

    def __post_init__(self) -> None:
        values = self.__dict__
        if values.get("unit") == DEFAULT_UNIT:
            values["unit"] = self.default_unit
            first = values.get(next(iter(getattr(type(self), "scored", ())), ""))
            if type(first) is not np.ndarray and has_seed_index(first):
                values["unit"] = "run"
        elif "unit" in values:  # the caller has named the unit, so folds or seeds in the index are allowed
            for name in getattr(type(self), "scored", ()):
                if has_fold_index(values.get(name)):
                    values[name] = values[name].rename_axis(None)
        super().__post_init__()

    @property
    def input_warning(self) -> str:
        """Warning that folds are no independent units; empty for other units."""
        unit = self.__dict__.get("unit", "")
        if not is_fold_name(unit) or normalize_name(unit) in RUNS:
            return ""
        return f"{plural(unit).capitalize()} share training data, so that p is too small: fstats.which_test names tests for them."

    def with_unit_words(self, text: str) -> str:
        """Replace the words for the default unit by the words for the actual unit; names of classifiers stay unchanged."""
        names, unit = getattr(self, "sides", None) or self.get_or_default("labels", None), self.__dict__.get("unit", self.default_unit)
        return replace_unit_words(text, self.default_unit, unit, () if names is None else map(str, names))

    def _rows(self) -> Iterator[Row]:
        for row in super()._rows():
            if row.name != "unit":
                yield replace(row, sentence=self.with_unit_words(row.sentence))

    @property
    def conclusion(self) -> str:
        """The decision of a single test in one sentence, followed by the remarks if there are any."""
        sentence: str = super().conclusion  # type: ignore[misc]  # defined by the test class with which this class is combined
        return self.with_unit_words(sentence)
