"""Tables of 2 x 2 counts: on how many records both classifiers are right, only one of them, or none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from . import column_names as names
from .cell_numbers import parse_cell, parse_column, plain_number
from .reading_question import ReadingQuestion
from .tabular_data import TabularData

PARTS = re.compile(r"[\s_=:.,()]+")
PAIR_HEADING = re.compile(r"\w+[\s_.]?[12abij]", re.IGNORECASE)
TIE = re.compile(r"(?:tie|draw|both|equal|neither|none|same|unentschieden)\b", re.IGNORECASE)
MAX_LINES = 200  # a longer table is not searched for totals, p-values or a confusion matrix
P_VALUES = re.compile(r"\bp[\s_-]?(?:val|wert)|\bval(?:eur|or|ore)s?(?:es)?[\s_-]p\b", re.IGNORECASE)
FRACTION = re.compile(r"\s*(\d+)\s*(?:/|of|out of)\s*(\d+)\s*")


def find_counts(sheet: TabularData, right_words: Mapping[str, Collection[str]]) -> dict[str, list[int]]:
    """Return the answers (1 right, 0 wrong) of two classifiers whose records are counted; an empty mapping for other tables.

    The labels of both lines and of both columns have a word for right and for wrong answers, such as "A right" and "A wrong".  Totals
    are left out.
    """
    totals = names.known_words("summary", "names")
    columns = [k for k, head in enumerate(sheet.heads) if k and head.lower() not in totals]
    lines = [k for k, cell in enumerate(sheet.columns[0] if columns else ()) if str(cell).strip().lower() not in totals]
    if len(lines) != 2 or len(columns) != 2 or _confused_classes(sheet):
        return {}
    labels = [str(sheet.columns[0][line]) for line in lines], [sheet.heads[column] for column in columns]
    sides = [side for side in (_split_labels(pair, right_words) for pair in labels) if side]
    cells = [(i, j, plain_number(sheet.columns[column][line])) for i, line in enumerate(lines) for j, column in enumerate(columns)]
    if len(sides) < 2 or not all(count is not None and count >= 0 and count % 1 == 0 for _, _, count in cells):
        return {}
    corner = re.split(r"\s*[\\/|]\s*", sheet.heads[0].strip())
    unsure = " ".join(names.known_names()["answers"]["other"]).split()
    if len(corner) != 2 and not (sides[0][0] or sides[1][0]) and labels[1][0].strip().lower() in unsure:
        return {}  # labels such as yes and no may be classes instead of answers
    corner = corner if len(corner) == 2 else ["lines", "columns"]
    sides_named = [name or spare for (name, _), spare in zip(sides, corner, strict=True)]
    answers = [[right[(i, j)[k]] for i, j, count in cells for _ in range(int(count or 0))] for k, (_, right) in enumerate(sides)]
    return dict(zip(sides_named, answers, strict=True)) if sides_named[0] != sides_named[1] else {}


def counted_records(sheet: TabularData, right_words: Mapping[str, Collection[str]]) -> TabularData | None:
    """Return a table with a line for each counted record, with 1 for right and 0 for wrong answers; None for other tables."""
    if not (answers := find_counts(sheet, right_words)):
        return None
    columns = [[*map(str, column)] for column in answers.values()]
    return replace(sheet, heads=[*answers], columns=columns, numbers=range(1, len(columns[0]) + 1), line="record")


def refuse_votes(sheet: TabularData, may_be_predictions: bool = False) -> None:
    """Raise an error if two columns such as model_a and model_b hold names of classifiers, and each line is a comparison of two of them.

    If they may be predictions of two models, they must differ on all lines.  A column of winners without numbers holds votes, too.
    """
    _refuse_winners(sheet)
    pairs = [head for head in sheet.heads if PAIR_HEADING.fullmatch(head) and names.classifier_rank(head[:-1].rstrip("_. ")) == 0]
    if len(pairs) != 2 or pairs[0][:-1] != pairs[1][:-1] or not all(parse_column(sheet[head], sheet.decimal).is_text for head in pairs):
        return
    if may_be_predictions and any(one == other for one, other in zip(*map(sheet.__getitem__, pairs), strict=True)):
        return
    raise ReadingQuestion(
        f"{sheet.name} must hold scores of each classifier; got text in {pairs[0]!r} and {pairs[1]!r}, which may be names of classifiers "
        "or predictions. For votes between two classifiers, use the sign test (without ties). For votes between more classifiers, use the "
        "Bradley-Terry model. For scores, read the table of the scores on each data set"
    )


def _refuse_winners(sheet: TabularData) -> None:
    """Raise an error if a column names the winner of each line, and no other column holds numbers (except numbers of the lines)."""
    found = [head for head in sheet.heads if head.strip().lower() in names.known_words("votes")]
    others = [head for head in sheet.heads if head not in found and names.data_set_rank(head) < 0 and not names.is_identifier_heading(head)]
    if len(found) != 1 or any(parse_column(sheet[head], sheet.decimal).is_numeric for head in others):
        return
    votes = Counter(cell for value in sheet[found[0]] if (cell := str(value).strip()) and not TIE.match(cell))
    (a, won), (b, lost), *more = [*votes.most_common(3), ("", 0), ("", 0)][:3]
    if not lost or more != [("", 0)]:
        return
    raise ReadingQuestion(
        f"{sheet.name} must hold scores of each classifier; got the winner of each line in {found[0]!r}: {won} votes for {a}, {lost} for "
        f"{b}, ties: {len(sheet[found[0]]) - won - lost}. For votes between two classifiers, the sign test compares the numbers of votes "
        f"won, without ties. Write fstats.SignTest([1] * {won} + [-1] * {lost}, labels={[a, b]!r}) for independent votes"
    )


def with_computed_metrics(sheet: TabularData, stated: Collection[str]) -> TabularData:
    """Return a table with accuracy and F1 in the place of the counts TP, FP, FN and TN; other tables unchanged.

    Tables with a metric, and tables of whose columns the user states the roles, are not changed.
    """
    places = {head.strip().lower(): k for k, head in enumerate(sheet.heads) if head not in stated}
    kept = [k for k, head in enumerate(sheet.heads) if head.strip().lower() not in ("tp", "fp", "fn", "tn")]
    if not {"tp", "fp", "fn", "tn"} <= {*places} or any(names.is_score_heading(sheet.heads[k]) for k in kept):
        return sheet
    cells = zip(*(sheet.columns[places[name]] for name in ("tp", "fp", "fn", "tn")), strict=True)
    counts = [[count for cell in line if (count := _whole(str(cell).strip())) is not None] for line in cells]
    if any(len(line) < 4 or not sum(line) for line in counts):
        return sheet
    accuracy = [repr((tp + tn) / (tp + fp + fn + tn)) for tp, fp, fn, tn in counts]
    f1 = [repr(2 * tp / (2 * tp + fp + fn)) if tp + fp + fn else "" for tp, fp, fn, _ in counts]
    note = "Accuracy and F1 were computed from the counts TP, FP, FN and TN of each line."
    heads, columns = [*(sheet.heads[k] for k in kept), "accuracy", "F1"], [*(sheet.columns[k] for k in kept), accuracy, f1]
    return replace(sheet, heads=heads, columns=columns, notes=(*sheet.notes, note))


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


def _confused_classes(sheet: TabularData) -> list[str]:
    """Return the classes of a confusion matrix if a word says which are true or predicted; an empty list for other tables."""
    totals, truth = {"all", *names.known_words("summary", "names")}, names.known_words("true_labels", "truth")
    corner, *heads = ([part for part in PARTS.split(head.lower()) if part] for head in sheet.heads)
    lines = [[part for part in PARTS.split(str(cell).lower()) if part] for cell in sheet.columns[0]]
    sides = [[words for words in side if " ".join(words) not in totals] for side in (lines, heads)]
    if min(map(len, sides)) < 2:
        return []
    shared = {*re.split(r"[^\w]+", " ".join(corner))}.union(*({*words[0]}.intersection(*words) for words in sides))
    stated = {word for word in shared if word in truth or names.is_prediction_heading(word)}
    first, second = ([" ".join(word for word in words if word not in stated) for words in side] for side in sides)
    if not stated or first != second or len({*first}) < len(first):
        return []
    return first if all(plain_number(cell, sheet.decimal) is not None for cells in sheet.columns[1:] for cell in cells) else []


def _refuse_pairs(sheet: TabularData) -> None:
    """Raise an error if the table holds a number from 0 to 1, such as a p-value, for each pair of classifiers, in either order."""
    lines, heads = [str(cell).strip() for cell in sheet.columns[0]], sheet.heads[1:]
    is_titled = P_VALUES.search(f"{sheet.title} {sheet.heads[0]}") is not None
    both, every = {*lines} & {*heads}, {*lines, *heads}
    # a table of p-values may leave out one half; then the first and the last name each occur only in the lines or only in the headings
    if len(both) < (len(every) - 2 or 1 if is_titled else max(2, len(every))):
        return
    cells = ((line, head, str(sheet[head][row]).strip("<≤ ")) for row, line in enumerate(lines) for head in heads)
    numbers = {(line, head): parse_cell(cell, sheet.decimal).number for line, head, cell in cells}
    found = {pair: x for pair, x in numbers.items() if x is None or x == x}
    is_mirrored = all(found.get((head, line), x) == x for (line, head), x in found.items())
    if is_mirrored and all(x is not None and 0 <= x <= 1 and (line != head or x == 1) for (line, head), x in found.items()):
        raise ReadingQuestion(
            f"{sheet.name} must hold scores of each classifier on each data set; got a number for each pair of "
            f"{', '.join(heads[:3])}, such as a p-value. A test needs the scores from which these numbers were computed"
        )


def refuse_totals(sheet: TabularData, right_words: Mapping[str, Collection[str]]) -> None:
    """Raise an error if a table holds only the numbers of right answers of each classifier, a confusion matrix, or numbers of pairs.

    Without the answers to each record the classifiers can be compared only as if they had been tested on different records.
    """
    if len(sheet.columns) < 2 or len(sheet.columns[0]) > MAX_LINES or find_counts(sheet, right_words):
        return
    lines = [sheet.heads, *([str(cell).strip() for cell in line] for line in zip(*sheet.columns, strict=True))]
    if classes := _confused_classes(sheet):
        raise ReadingQuestion(
            f"{sheet.name} must hold results of several classifiers; got the confusion matrix of one classifier, with the classes "
            f"{', '.join(classes[:3])}. Each classifier needs a column with its predictions for the same records"
        )
    _refuse_pairs(sheet)
    found = _totals(lines, right_words) or _totals([*zip(*lines, strict=True)], right_words)
    if len(found) < 2:
        return
    (a, (right_a, n_a)), (b, (right_b, n_b)) = [*found.items()][:2]
    raise ReadingQuestion(
        f"{sheet.name} must hold the answers of the classifiers to each record; got only their numbers of right answers, "
        f"{right_a} of {n_a} of {a} and {right_b} of {n_b} of {b}. For different records, use the test of two proportions; for "
        "the same records, McNemar's test needs the answers to each record. Write "
        f"fstats.DifferenceOfProportions({right_a}, {right_b}, {n_a}, {n_b}, labels={[a, b]!r}) for different records"
    )


def _totals(lines: Sequence[Sequence[str]], right_words: Mapping[str, Collection[str]]) -> dict[str, tuple[int, int]]:
    """Return the number of right answers and of all answers of each classifier; an empty mapping for other tables."""
    heads, body = [head.strip().lower() for head in lines[0]], lines[1:]
    if names.classifier_rank(heads[0]) < 0 <= names.data_set_rank(heads[0]) < 300 or len({line[0] for line in body}) < 2:
        return {}
    if {line[0].lower() for line in body} & {*heads[1:]}:
        return {}  # a name of a line is also a heading, so both are classes
    wrong_words = {"errors", "mistakes"}.union(*right_words.values())
    if len(heads) == 2:
        fractions = [(line[0], FRACTION.fullmatch(line[1])) for line in body]
        counts = {name: (int(part[1]), int(part[2])) for name, part in fractions if part}
    elif len(heads) == 3 and {line[1].lower() for line in body} & {*right_words} and None not in map(_whole, (line[2] for line in body)):
        counts = {line[0]: (0, 0) for line in body}
        for name, outcome, count in body:
            right, total = counts[name]
            counts[name] = right + int(count) * (outcome.lower() in right_words), total + int(count)
        wrong = {line[1].lower() for line in body} - {*right_words}
        return counts if len(body) == 2 * len(counts) and wrong <= wrong_words else {}
    elif len(heads) in (3, 4) and heads[1] in right_words and None not in [_whole(cell) for line in body for cell in line[1:]]:
        kinds = [
            "wrong" if head in wrong_words else "total" if head in {"total", *names.known_words("totals")} else "" for head in heads[2:]
        ]
        if "" in kinds or len({*kinds}) < len(kinds):
            return {}
        counts = {line[0]: (int(line[1]), int(line[2]) + int(line[1]) * (kinds[0] == "wrong")) for line in body}
    else:
        return {}
    return counts if len(counts) == len(body) and all(right <= total > 0 for right, total in counts.values()) else {}


def _whole(cell: str) -> int | None:
    return int(cell) if cell.isdecimal() else None
