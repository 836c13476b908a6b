"""Several lines for the same score: folds without numbers, or data sets that stand twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count

import numpy as np

from .missing_scores import check_value
from .named_columns import or_unrelated
from .reading_plan import ARGUMENT_VALUES, IGNORED, SINGLE, ReadingPlan, ScoreEntry, grouped, left_out, some
from .reading_question import ReadingQuestion

REPEATED = f", or write repeated={' or '.join(map(repr, ARGUMENT_VALUES['policies']['repeated'][:-1]))}"
SAME_FOLD = ", or write repeated='repetitions' or 'average' or 'first'"


def joined(plan: ReadingPlan, heads: Sequence[str]) -> list[str]:
    """Return the cells of some columns, joined row by row."""
    return [", ".join(cells) for cells in plan.lines_of(heads)] if heads else []


def fold_of_rows(plan: ReadingPlan, lines: Sequence[tuple[str, str, str, str]]) -> list[str]:
    """Return the fold of each row, from columns that number folds; without such columns, equally many rows with equal names are folds.

    If there is a column of seeds, rows with equal names are refused.
    """
    sheet = plan.sheet
    if plan.fold or plan.options.repeated is not None:
        return joined(plan, plan.fold) or [SINGLE] * len(lines)
    counts = Counter(lines)
    if len(counts) == len(lines):
        return [SINGLE] * len(lines)
    even = len(set(counts.values())) == 1
    seeded = plan.seed is not None or any(part.seed for part in plan.scores.values())
    if seeded and plan.renumber:
        return [SINGLE] * len(lines)
    # without a column of classifiers, repeated names are accepted as folds only if a DataFrame has equally many rows for each data set
    if seeded or (not plan.classifier and not (even and sheet.counted)):
        duplicate = next(line for line, number in counts.items() if number > 1)
        names = ", ".join(filter(None, [*duplicate[:3], f"seed {duplicate[3]}" * bool(duplicate[3])]))
        rows = [row for row, line in zip(plan.rows, lines) if line == duplicate]
        ignored = [head for head, column in plan.columns.items() if column.role == IGNORED and not plan.is_unique([head])]
        telling = [head for head in ignored if plan.is_unique([*plan.keys, head])]
        if telling:
            cells = plan.read_names(telling[0])
            raise ReadingQuestion(
                f"{sheet.name} must have one line for {names}; got {sheet.rows(rows)}, which differ in {telling[0]!r} ({some(cells)}). "
                f"Write fold={telling[0]!r} to average the lines, where={{{telling[0]!r}: {cells[0]!r}}} to read only some, or "
                f"data_set={[*plan.data_set, telling[0]]!r} if each combination is a data set of its own"
            )
        raise ReadingQuestion(
            f"{sheet.name} must have one line for {names}; got {sheet.rows(rows)}. Keep one line, number the folds in a column 'fold' "
            f"(another name by fold=){REPEATED}"
        )
    if not even:
        line, most = counts.most_common(1)[0]
        raise ReadingQuestion(
            f"{sheet.name} must have equally many lines for each name, or a column of folds; got {most} for "
            f"{', '.join(filter(None, line))} and {min(counts.values())} for another name. Add a column 'fold', or name the column by "
            f"fold={'' if plan.data_set else or_unrelated(plan)}{REPEATED}"
        )
    numbers = {line: count(1) for line in counts}
    return [str(next(numbers[line])) for line in lines]


def check_unique_folds(plan: ReadingPlan) -> None:
    """Raise an error for a repeated pair of fold and seed, if no column names the data set."""
    heads = plan.keys
    lines = plan.lines_of(heads)
    line = Counter(lines).most_common(1)[0][0]
    rows = [row for row, other in zip(plan.rows, lines) if other == line]
    if len(rows) > 1 and plan.options.repeated is None:
        cells = ", ".join(f"{head} {cell}" for head, cell in zip(heads, line))
        raise ReadingQuestion(
            f"{plan.sheet.name} must have one line for {cells}, because no column names the data set; got {plan.sheet.rows(rows)}. Add a "
            f"column 'data set', or name the column by data_set= (columns: {', '.join(plan.sheet.heads)}){SAME_FOLD}"
        )


def combine_repeated(plan: ReadingPlan, entries: list[ScoreEntry]) -> list[ScoreEntry]:
    """Return one entry for each score, by the stated policy for several lines with the same names."""
    policy = plan.options.repeated
    if policy is None:
        return entries
    check_value("repeated", policy, "repeated")
    groups = grouped((entry[:5], entry) for entry in entries)
    repeated = [group for group in groups.values() if len(group) > 1]
    if not repeated:
        return entries
    found = list(dict.fromkeys(group[0].data_set for group in repeated))
    names = some(found) if plan.data_set else "each classifier"
    named, of_named = (f"{word}{names}" * bool(plan.data_set) for word in (": ", " for "))
    if policy in ("folds", "repetitions"):
        plan.remarks.append(f"Repeated lines were counted as {policy}{named}.")
        plan.changes.append(plan.remarks[-1])
        # number the lines of each fold in the order of the file, so that the first lines of all folds are the first repetition
        counts = Counter[tuple[str, ...]]()
        places = [counts.update([one[:5]]) or counts[one[:5]] for one in entries]
        numbered = ((one, f"{k}, {one.fold}" if policy == "repetitions" else str(k)) for one, k in zip(entries, places, strict=True))
        return [one._replace(fold=number) if one.data_set in found else one for one, number in numbered]
    if policy == "drop data sets":
        plan.remarks.append(f"Left out, because lines stand twice: {names}.")
        plan.changes.append(left_out("data sets", found, len({entry.data_set for entry in entries}), "lines stand twice"))
        return [entry for entry in entries if entry.data_set not in found]
    is_mean = policy == "average"
    plan.changes.append(f"{'The average' if is_mean else 'The first'} of repeated lines was used{of_named}.")
    plan.remarks.append(f"{'Averaged over repeated lines' if is_mean else 'Only the first of repeated lines counts'}{named}.")
    return [group[0]._replace(value=_mean(group)) if is_mean else group[0] for group in groups.values()]


def _mean(group: Sequence[ScoreEntry]) -> float:
    """Return the mean of the scores that are not missing; nan if all are missing."""
    values = [entry.value for entry in group if entry.value == entry.value]
    return float(np.mean(values)) if values else float("nan")
