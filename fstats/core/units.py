"""What each score is of: a data set, unless a word says something else, such as "seed"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .check import in_short

USUAL = "data set"
LONGEST = 30


def in_the_singular(value: Any, name: str) -> str:
    """A word such as "seed"; "seeds" is read as the same.

    >>> in_the_singular("seeds", "unit"), in_the_singular("class", "unit")
    ('seed', 'class')
    """
    if not isinstance(value, str) or not re.fullmatch(r"[^\W\d_]+(?:[ -][^\W\d_]+)*", value) or len(value) > LONGEST:
        raise ValueError(f"{name} must be a word for what each score is of, in the singular, such as 'seed'; got {in_short(value)}")
    return value[:-1] if re.search(r"[^siu]s$", value) else value


def many(unit: str) -> str:
    """The plural.

    >>> many("seed"), many("query"), many("class"), many("day")
    ('seeds', 'queries', 'classes', 'days')
    """
    if re.search(r"[^aeiou]y$", unit):
        return f"{unit[:-1]}ies"
    return f"{unit}es" if re.search(r"(s|x|z|ch|sh)$", unit) else f"{unit}s"


def of_units(text: str, unit: str, names: Iterable[str] = ()) -> str:
    """A text about data sets, as one about other units; names of classifiers are left as they are.

    >>> of_units("2 data sets, each data set once", "query")
    '2 queries, each query once'
    """
    if unit == USUAL:
        return text
    kept = "|".join(re.escape(name) for name in names if len(name) > 1)
    words = {"data set": unit, "data sets": many(unit), "Data set": unit.capitalize(), "Data sets": many(unit).capitalize()}
    return re.sub(rf"{kept and f'(?:{kept})|'}\b[Dd]ata sets?\b", lambda found: words.get(found[0], found[0]), text)
