"""Tables of test records in which several lines are answers for the same record, as those of runs with different seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from ...core.validation.pandas_labels import is_seed_name, normalize_name
from . import column_names as names
from .reading_plan import some
from .reading_question import ReadingQuestion
from .tabular_data import TabularData

FAMILY = "family"
FEW_FAMILIES = 5  # a column with at most so many names may name topics instead of families
FOLDS = ("fold", "split", "cv")  # beginnings of the names of columns that number folds
MAX_BLOCKS = 0.6  # largest ratio of groups to lines if a column counts the lines of each group
MIN_BLOCK = 5  # smallest number of lines of a run, or of different names, that is evidence of repeated records


def names_records(head: str) -> bool:
    """Return whether a column of this name names test records.

    >>> [names_records(head) for head in ("Nr", "Frage", "question_id", "run", "age")]
    [True, True, True, False, False]
    """
    words = names.words_of(head)
    return names.is_identifier_heading(head) or (
        bool(words) and words[-1] in names.known_words("identifiers", "last_words") and not names_runs(head)
    )


def names_runs(head: str) -> bool:
    """Return whether a column of this name numbers runs, seeds, folds or other repetitions."""
    return names.is_repetition_heading(head) or is_seed_name(head)


def counters_in_groups(sheet: TabularData) -> dict[str, str]:
    """Return the columns that count the lines of each group from 0 or 1, as slices of patients, each with the column of the groups."""
    cells = sheet.different
    groups = [head for head in cells if not names_runs(head) and names.classifier_rank(head) not in (0, 1)]
    found = dict[str, str]()
    for head, counted in cells.items():
        if names_records(head) or names_runs(head) or counted[:1] not in (["0"], ["1"]):
            continue
        starts = [row for row, cell in enumerate(counted) if cell == counted[0]]
        places = [(start, row) for start, end in pairwise([*starts, len(counted)]) for row in range(start, end)]
        counts = all(counted[row] == f"{int(counted[0]) + row - start}" for start, row in places)
        for group in groups if counts and 1 < len(starts) <= MAX_BLOCKS * len(counted) else ():
            if group != head and len({(start, cells[group][row]) for start, row in places}) == len(starts) == len({*cells[group]}):
                found[head] = group
    return found


def repetition_question(sheet: TabularData, roles: Mapping[str, str], truth: str, used: Collection[str]) -> ReadingQuestion | None:
    """Return the question whether lines are answers for the same record; None if nothing says so, or if the user has answered."""
    cells = sheet.different
    named = [head for head in cells if head not in used and names_records(head)]
    others = [head for head in cells if head not in (*used, *roles) and not names_runs(head)]
    repeated = [head for head in others if 1 < len({*cells[head]}) < len(cells[head])]
    named += [group for head, group in counters_in_groups(sheet).items() if head not in used]
    repeated = [head for head in repeated if head in named or (truth and _has_one_class(cells[head], cells[truth]))]
    runs = [head for head in cells if head not in (*used, *roles) and names_runs(head) and len({*cells[head]}) > 1]
    start = f"in {sheet.name}, {len(sheet.columns[0])} lines"
    if repeated:
        ways = [f"roles={ {head: FAMILY}!r} if lines with the same {head} belong to one record" for head in repeated]
        ignored = dict.fromkeys([*repeated, *runs], "ignore")
        return ReadingQuestion(
            f"{start} have only {len({*cells[repeated[0]]})} different cells in the column {repeated[0]!r} ({some(cells[repeated[0]])}): "
            f"each record must count once. Write {', or '.join(ways)}, or roles={ignored!r} if all lines are different records"
        )
    is_named = any(head in roles or len({*cells[head]}) == len(cells[head]) for head in named)
    copied = [head for head in runs if truth and _has_copies(cells[head], cells[truth])]
    folds = names.known_words("fold", "folds")
    copied = copied or [head for head in runs if not (is_named or (name := normalize_name(head)).startswith(FOLDS) or name in folds)]
    if not copied or any(head in roles for head in named):
        return None
    return ReadingQuestion(
        f"{start} seem to hold the same records several times, numbered by {copied[0]!r}, but no column names the record: each record "
        f"must count once. Name the records in a column 'id', or write roles={dict.fromkeys(runs, 'ignore')!r} if all lines are "
        "different records"
    )


def _has_one_class(cells: Sequence[str], truth: Sequence[str]) -> bool:
    """Return whether each cell of a column stands on several lines, all with the same true class, and there are more cells than classes."""
    different = {*cells}
    return (
        len({*zip(cells, truth, strict=True)}) == len(different) > len({*truth})
        and len(different) >= MIN_BLOCK
        and min(Counter(cells).values()) > 1
    )


def _has_copies(runs: Sequence[str], truth: Sequence[str]) -> bool:
    """Return whether all runs have the same true classes in the same order, and are not sorted by class."""
    blocks = {run: [one for other, one in zip(runs, truth, strict=True) if other == run] for run in {*runs}}
    first = blocks[runs[0]]
    changes = sum(one != other for one, other in pairwise(first))
    return len(first) >= MIN_BLOCK and changes >= len({*first}) > 1 and all(block == first for block in blocks.values())


def family_question(sheet: TabularData, roles: Mapping[str, str], head: str) -> ReadingQuestion | None:
    """Return the question whether a column such as "subject" with few names holds families, or topics of independent records."""
    families = {*sheet.texts(head)} if head and head not in roles else set()
    if not 1 < len(families) <= FEW_FAMILIES:
        return None
    return ReadingQuestion(
        f"in {sheet.name}, the column {head!r} ({', '.join(sorted(families))}) may name families of dependent records, or topics. Write "
        f"roles={ {head: FAMILY}!r} if the records of one {head!r} depend on each other, or roles={ {head: 'ignore'}!r} if all records are "
        "independent"
    )
