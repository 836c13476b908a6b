"""Columns beside the true classes whose cells seem to be these classes in other words, such as 0 and 1 for ham and spam."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from . import column_names as names
from .reading_plan import some
from .reading_question import ReadingQuestion
from .record_cells import PREDICTION, RecordCells, find_models, has_decimals
from .repeated_records import names_records, names_runs

MIN_AGREEMENT = 0.6  # in a column of predictions, least share of lines whose cell is the most frequent one beside their true class


def ask_about_other_words(table: RecordCells, truth: str, found: Sequence[str], others: Sequence[str], answers: Collection[str]) -> None:
    """Raise a question about columns that are no predictions of the true classes as they stand, but perhaps in other words.

    The cells of the columns `answers` may also say whether each answer is right.
    """
    columns = {head: _words_of_classes(table, truth, head) for head in others if head not in found or table.of[head] - table.of[truth]}
    columns = {head: words for head, words in columns.items() if any(word != label for word, label in words.items())}
    if found and all(map(names.is_prediction_heading, found)):  # ask only about predictions; the other columns are features
        columns = {head: words for head, words in columns.items() if names.is_prediction_heading(head)}
    if not columns:
        return
    ways, joined = list[str](), {word: label for words in columns.values() for word, label in words.items()}
    is_unique = all(joined[word] == label for words in columns.values() for word, label in words.items())
    cells = set[str]().union(*(table.of[head] for head in columns))
    if is_unique and cells <= {*joined} and all(joined[word] == word for word in cells & table.of[truth]):
        spelled = {word: joined[word] for word in sorted(cells - table.of[truth])}
        ways.append(f"spellings={spelled!r} if {_equations(spelled)}")
        if len(spelled) == len(table.of[truth]) == 2:
            swapped = dict(zip(spelled, [*spelled.values()][::-1], strict=True))
            ways.append(f"spellings={swapped!r} if {_equations(swapped)}")
    may_be_answers = not found and {*columns} <= {*answers} and len(cells) == 2
    if may_be_answers:
        ways.append(f"roles={dict.fromkeys(columns, PREDICTION) | {truth: 'ignore'}!r} for answers that are right or wrong")
    if not (may_be_answers and ways[1:]):
        ways.append(f"roles={dict.fromkeys(columns, 'ignore')!r} to leave {'it' if len(columns) == 1 else 'them'} out")
    raise ReadingQuestion(
        f"in {table.sheet.name}, the cells of {some(list(map(repr, columns)))} ({some(sorted(cells))}) must be words of the true class "
        f"{truth!r} ({some(sorted(table.of[truth]))}). Write {', or '.join(ways)}"
    )


def _equations(spelled: dict[str, str]) -> str:
    return " and ".join(f"{word} is {label}" for word, label in spelled.items())


def _words_of_classes(table: RecordCells, truth: str, head: str) -> dict[str, str]:
    """Map the most frequent cell of a column beside each true class to this class; empty if the column does not seem to hold classes."""
    sheet, cells, classes = table.sheet, table.of[head], table.of[truth]
    is_name = names_records(head) or names_runs(head) or find_models(table, [head])
    if is_name or not 1 < len(cells) <= min(2 * len(classes), table.rows / 2) or has_decimals(table, head):
        return {}
    pairs = zip(sheet.texts(head), sheet.texts(truth), strict=True)
    counts = Counter(pair for pair in pairs if pair[0] in cells and pair[1] in classes)
    first = {label: max((counts[cell, label], cell) for cell in sorted(cells))[1] for label in sorted(classes)}
    agreeing = sum(counts[cell, label] for label, cell in first.items())
    if len({*first.values()}) < len(first) or agreeing < MIN_AGREEMENT * counts.total():
        return {}
    if agreeing == counts.total() and not names.is_prediction_heading(head) and {*names.words_of(head)} & {*names.words_of(truth)}:
        return {}  # a column such as "label_id" only numbers the classes of "label"
    return {cell: label for label, cell in first.items()}
