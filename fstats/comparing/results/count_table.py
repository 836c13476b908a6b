"""Tables of 2 x 2 counts: on how many records both classifiers are right, only one of them, or none."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from .cell_numbers import plain_number
from .column_names import known_words
from .tabular_input import TabularData

PARTS = re.compile(r"[\s_=:.,()]+")


def find_counts(sheet: TabularData, right_words: Mapping[str, Collection[str]]) -> dict[str, list[int]]:
    """Return the answers (1 right, 0 wrong) of two classifiers whose records are counted; an empty mapping for other tables.

    The labels of both lines and of both columns have a word for right and for wrong answers, such as "A right" and "A wrong".  Totals
    are left out.
    """
    totals = known_words("summary", "names")
    columns = [k for k, head in enumerate(sheet.heads) if k and head.lower() not in totals]
    lines = [k for k, cell in enumerate(sheet.columns[0] if columns else ()) if str(cell).strip().lower() not in totals]
    if len(lines) != 2 or len(columns) != 2:
        return {}
    labels = [str(sheet.columns[0][line]) for line in lines], [sheet.heads[column] for column in columns]
    sides = [side for side in (_split_labels(pair, right_words) for pair in labels) if side]
    cells = [(i, j, plain_number(sheet.columns[column][line])) for i, line in enumerate(lines) for j, column in enumerate(columns)]
    if len(sides) < 2 or not all(count is not None and count >= 0 and count % 1 == 0 for _, _, count in cells):
        return {}
    corner = re.split(r"\s*[\\/|]\s*", sheet.heads[0].strip())
    corner = corner if len(corner) == 2 else ["lines", "columns"]
    names = [name or spare for (name, _), spare in zip(sides, corner, strict=True)]
    answers = [[right[(i, j)[k]] for i, j, count in cells for _ in range(int(count or 0))] for k, (_, right) in enumerate(sides)]
    return dict(zip(names, answers, strict=True)) if names[0] != names[1] else {}


def counted_records(sheet: TabularData, right_words: Mapping[str, Collection[str]]) -> TabularData | None:
    """Return a table with a line for each counted record, with 1 for right and 0 for wrong answers; None for other tables."""
    if not (answers := find_counts(sheet, right_words)):
        return None
    columns = [[*map(str, column)] for column in answers.values()]
    return replace(sheet, heads=[*answers], columns=columns, numbers=range(1, len(columns[0]) + 1), line="record")


def _split_labels(labels: Sequence[str], right_words: Mapping[str, Collection[str]]) -> tuple[str, tuple[int, int]] | None:
    """Return the name that two labels share, and 1 for the label of right answers, 0 for the other; None for other labels.

    >>> _split_labels(["A wrong", "A right"], {"right": ["wrong"]}), _split_labels(["iris", "wine"], {"right": ["wrong"]})
    (('A', (0, 1)), None)
    """
    first, second = ([part for part in PARTS.split(label.strip()) if part] for label in labels)
    for right, wrong in right_words.items():
        for one, other, answers in ((first, second, (1, 0)), (second, first, (0, 1))):
            rest = [part for part in one if part.lower() != right]
            other_rest = [part for part in other if part.lower() not in wrong]
            if len(rest) < len(one) == len(other) and rest == other_rest:
                return " ".join(rest), answers
    return None
