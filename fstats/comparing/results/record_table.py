"""Tables with one row for each test record: predictions and true class, or right and wrong answers of the classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from operator import eq
from typing import Any

from ...core.metric_direction import is_loss_metric
from ...core.validation.pandas_labels import normalize_name
from . import column_names as names
from .cell_numbers import MISSING_VALUES, plain_number
from .count_table import counted_records, refuse_totals, refuse_votes
from .reading_plan import ReadingOptions, left_out
from .reading_question import ReadingQuestion
from .record_cells import PREDICTION as PREDICTION
from .record_cells import TRUE_CLASS as TRUE_CLASS
from .record_cells import RecordCells, find_models, has_decimals, has_numbers, is_number, may_be_scores
from .repeated_records import FAMILY as FAMILY
from .repeated_records import counters_in_groups, family_question, names_records, names_runs, repetition_question
from .spellings import similar_names, spelling_question
from .tabular_data import TabularData
from .unknown_classes import ask_about_other_words

# word for a right answer -> words for a wrong answer; the keys of SURE_WORDS can only mean a right answer
SURE_WORDS, OTHER_WORDS = (
    {words[0]: {*words[1:]} for words in map(str.split, names.known_names()["answers"][part])} for part in ("sure", "other")
)
RIGHT_WORDS = SURE_WORDS | OTHER_WORDS
SUCCESS_WORDS = {*SURE_WORDS, "success", "solved", "exact", "em"}  # words in the heading of a column that says whether answers are right
RECORD_ROLES = (TRUE_CLASS, PREDICTION, FAMILY)
NUMBERS = ("1", "1.0")  # words for a right answer that may also be scores
DROP, WRONG, KEEP = "drop records", "wrong", "keep"  # values of `missing` for test records
SAMPLE, MAX_WORDS = 200, 4  # number of lines that show whether a column holds words for right and wrong answers, fewer than MAX_WORDS
MAX_CANDIDATES = 8  # largest number of columns that are offered as the true class


@dataclass(frozen=True)
class RecordTable:
    """Columns of a table of test records: the true class (empty for right and wrong answers), the classifiers, the families."""

    sheet: TabularData
    truth: str
    classifiers: tuple[str, ...]
    family: str
    right: str = ""  # cell text that means "right answer", if the table has no true classes
    missing: str = ""  # what is done about records with a missing cell
    # columns of records, classifiers and predictions of a long table
    long: tuple[tuple[str, ...], str, str] = ((), "", "")
    spelled: Mapping[str, str] = field(default_factory=dict)  # other spellings of classes, each with the class
    is_counted: bool = False  # whether the cells of the file are counts of records
    asked: ReadingQuestion | None = None  # question about the lines or the classes, which comes before that about missing cells

    @property
    def names(self) -> dict[str, str]:
        """Names of the classifiers by their headings: the headings without a word such as "prediction" that all of them share."""
        short = names.short_names(self.classifiers, _tells_success if self.right else names.is_prediction_heading)
        short = names.short_names(short, names.is_prediction_heading)
        return dict(zip(self.classifiers, self.classifiers if {*short} & {*self.sheet.heads} else short, strict=True))

    @cached_property
    def _used(self) -> list[str]:
        """Headings of the columns that are compared."""
        return [head for head in (self.truth, *self.classifiers, self.family) if head]

    @property
    def _needed(self) -> list[str]:
        """Headings of the columns without which a record does not count."""
        return {DROP: self._used, WRONG: [head for head in (self.truth, self.family) if head]}.get(self.missing, [])

    def _gaps(self, heads: Sequence[str]) -> list[tuple[int, str]]:
        """Return row and heading of each missing cell in some columns."""
        return [(row, head) for head in heads for row, cell in enumerate(self.sheet[head]) if str(cell).strip().lower() in MISSING_VALUES]

    @cached_property
    def _rows(self) -> list[int]:
        """Numbers of the rows that count."""
        without = {row for row, _ in self._gaps(self._needed)}
        return [row for row in range(len(self.sheet.columns[0])) if row not in without]

    @property
    def changes(self) -> list[str]:
        """Sentences of a paper on records with a missing cell, which were left out or counted as wrong."""
        total, count = len(self.sheet.columns[0]), len({row for row, _ in self._gaps(self._used)})
        left, why = total - len(self._rows), "a class is missing"
        found = [left_out("records", [""] * left, total, why, limit=0)] * bool(left)
        wrong = (count - left) * (self.missing == WRONG)
        return found + [f"Of {total} records, {wrong} with a missing prediction counted as wrong."] * bool(wrong)

    @property
    def question(self) -> ReadingQuestion | None:
        """The question about repeated records, spellings of classes, or missing cells; None if there is none, or if it is answered."""
        if self.asked or self.missing or not (gaps := self._gaps(self._used)):
            return self.asked
        (row, head), count = gaps[0], len({row for row, _ in gaps})
        cell = str(self.sheet[head][row]).strip()
        ways = [f"missing={DROP!r} to leave these records out"]
        ways += [f"missing={WRONG!r} to count missing predictions as wrong answers"] * (not self.is_ranking)
        ways += [f"missing={KEEP!r} if {cell!r} is a class"] * bool(cell and self.truth and not self.long[1])
        return ReadingQuestion(
            f"in {self.sheet.name}, {count} of {len(self.sheet.columns[0])} records have a missing cell, the first in "
            f"{self.sheet.place(row, head)}{f': {cell!r}' * bool(cell)}. Write {', or '.join(ways)}"
        )

    def column(self, head: str) -> list[Any]:
        """Return the cells of a column, with numbers in the place of their texts."""
        cells = self._texts(head)
        values = {cell: plain_number(cell, self.sheet.decimal) for cell in {*cells}}  # parse equal cells only once (faster)
        return [cell if (value := values[cell]) is None or value != value else value for cell in cells]

    def _texts(self, head: str) -> list[str]:
        """Return the cells of a column in the rows that count."""
        cells = self.sheet.texts(head)
        return [cells[row] for row in self._rows]

    @cached_property
    def is_ranking(self) -> bool:
        """Whether the classifiers give scores, and not classes, for two true classes."""
        if not self.truth or len({*self.column(self.truth)} - MISSING_VALUES) != 2:
            return False
        columns = [[cell for cell in self.column(head) if str(cell).lower() not in MISSING_VALUES] for head in self.classifiers]
        return all(len({*column}) > 2 and not any(isinstance(cell, str) for cell in column) for column in columns)

    @cached_property
    def variables(self) -> dict[str, Any]:
        """Values of the variables that tests take: y, columns, clusters."""
        if self.is_ranking:
            return {"y": self.column(self.truth), "columns": {name: self.column(head) for head, name in self.names.items()}}
        columns = {name: [int(cell.lower() == self.right) for cell in self._texts(head)] for head, name in self.names.items()}
        if self.truth:
            truth = self.column(self.truth)
            columns = {name: [*map(int, map(eq, self.column(head), truth))] for head, name in self.names.items()}
        return {"columns": columns, "clusters": self.column(self.family) if self.family else None}

    def code(self, file: str, content: bytes) -> list[str]:
        """Return lines of Python that read the variables from a file with this content."""
        if self.is_counted:
            runs = ((name, groupby(answers)) for name, answers in self.variables["columns"].items())
            listed = ((name, " + ".join(f"[{answer}] * {len([*run])}" for answer, run in each)) for name, each in runs)
            table = ", ".join(f"{name!r}: {answers}" for name, answers in listed)
            return [f"table = pandas.DataFrame({{{table}}})", "columns = {name: table[name] for name in table}"]
        encoding = _encoding(content)
        ids, model, predicted = self.long
        found = {str(self.sheet[head][row]).strip() for row, head in self._gaps(self._used)} - {""} if self.missing else set[str]()
        options = f", encoding={encoding!r}" * bool(encoding) + ", dtype=str" * (
            not self.truth or self.missing == KEEP or bool(self.spelled)
        )
        options += ", keep_default_na=False" if self.missing == KEEP else f", na_values={sorted(found)!r}" * bool(found)
        lines = [f"table = pandas.read_csv({file!r}, sep=None, engine='python'{options})"]
        if self.spelled:
            heads = [self.truth, predicted] if model else [self.truth, *self.classifiers]
            lines.append(f"table[{heads!r}] = table[{heads!r}].apply(lambda column: column.str.strip()).replace({dict(self.spelled)!r})")
        if model:
            index = f"index={[*ids, *[self.truth] * bool(self.truth)]!r}, columns={model!r}, values={predicted!r}"
            lines.append(f"table = table.pivot({index}).rename(columns=str).reset_index()")
        lines += [f"table = table.dropna(subset={self._needed!r})"] * bool(self._needed)
        if any(head != name for head, name in self.names.items()):
            lines.append(f"table = table.rename(columns={self.names!r})")
        cells = "table[name]" if self.is_ranking else f"(table[name] == table[{self.truth!r}]).astype(int)"
        if not self.truth:
            cells = f"(table[name].str.lower() == {self.right!r}).astype(int)"
        lines += [f"columns = {{name: {cells} for name in {[*self.names.values()]!r}}}"] + [f"y = table[{self.truth!r}]"] * self.is_ranking
        return lines + [f"clusters = table[{self.family!r}]"] * bool(self.family)


def _encoding(content: bytes) -> str:
    """Return the encoding of a file for pandas; empty for UTF-8, which pandas assumes."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp1252"
    return ""


def find_records(
    sheet: TabularData, roles: Mapping[str, str], missing: str = "", spellings: Mapping[str, str] | str | None = None, right: str = ""
) -> RecordTable | None:
    """Return the columns of a table of test records; None if the table seems to hold scores; raise a question if both are possible.

    The text `right` stands for a right answer; `spellings` may also map other words for classes to the true classes.  The result
    asks a question if lines seem to repeat the same records, or if classes differ only in their spelling.
    """
    if not roles and (lines := counted_records(sheet, RIGHT_WORDS)):
        return RecordTable(lines, "", tuple(lines.heads), "", "1", is_counted=True)
    if not roles:
        refuse_totals(sheet, RIGHT_WORDS)
        refuse_votes(sheet, may_be_predictions=True)
    found, question = _unify_classes(sheet, roles, (missing, right), spellings)
    if found is None or found.family or question:
        return found and replace(found, asked=question or family_question(found.sheet, roles, found.family))
    return replace(found, asked=repetition_question(found.sheet, roles, found.truth, [found.truth, *found.classifiers]))


def _unify_classes(
    sheet: TabularData, roles: Mapping[str, str], given: tuple[str, str], spellings: Mapping[str, str] | str | None
) -> tuple[RecordTable | None, ReadingQuestion | None]:
    """Return the columns after classes that differ only in their spelling became one, and the question whether they are the same."""
    cells, stated = RecordCells(sheet), dict(spellings) if isinstance(spellings, Mapping) else {}
    listed = (name for head in sheet.heads for name in sorted(cells.of[head], key=lambda name: (len(name), name)))
    first = {name: group[0] for group in similar_names(listed, are_answers=True) for name in group} | stated
    ReadingOptions(spellings="same" if isinstance(spellings, Mapping) else spellings)  # checks the value
    if not first or spellings == "different" or not (found := _find_columns(_respelled(sheet, first), roles, *given)) or not found.truth:
        return _find_columns(sheet, roles, *given), None
    heads = [found.truth, *(found.long[2:] if found.long[1] else found.classifiers)]
    groups = similar_names((name for head in heads for name in sorted(cells.of[head]) if name not in stated), are_answers=True)
    spelled = {name: group[0] for group in groups for name in group[1:]} | stated
    found = _find_columns(_respelled(sheet, spelled, heads), roles, *given)
    groups = [group for group in groups if not all(is_number(name, sheet.decimal) for name in group)]  # 1.0 equals 1
    if not found or not groups or spellings:
        return found and replace(found, spelled=spelled if groups or stated or given[0] == KEEP else {}), None
    return found, spelling_question(sheet.name, [("classes", group) for group in groups])


def _respelled(sheet: TabularData, spelled: Mapping[str, str], heads: Sequence[str] = ()) -> TabularData:
    """Return a table with other spellings of the names in some columns, or in all."""
    pairs = zip(sheet.heads, sheet.columns, strict=True)
    changed = ([*map(spelled.get, map(str.strip, map(str, cells)), cells)] if head in (heads or [head]) else cells for head, cells in pairs)
    return replace(sheet, columns=[*changed])


def _find_columns(sheet: TabularData, roles: Mapping[str, str], missing: str, stated_right: str) -> RecordTable | None:
    """Return the columns of a table of test records, without the question about repeated records."""
    table = RecordCells(sheet)
    cells, rows = table.of, table.rows
    repeated = {head for head in sheet.heads if sheet.heads.count(head) > 1 and head not in roles}
    stated = {role: [head for head in sheet.heads if roles.get(head) == role] for role in (TRUE_CLASS, PREDICTION, FAMILY)}
    free = [head for head in sheet.heads if head not in roles and head not in repeated]
    few = [head for head in free if len(cells[head]) < rows]
    ranks = {head: rank for head in few if (rank := names.truth_rank(head)) >= 0}
    sizes = [head for head in free if names.is_count_heading(head) and not names.is_identifier_heading(head) and has_numbers(table, head)]
    sizes = sizes if len(sizes) > 1 else [head for head in sizes if not head[:1].isalpha()]
    # a column "real" of numbers with decimals holds scores, and "classes" beside "attributes" the sizes of data sets
    ranks = {head: rank for head, rank in ranks.items() if not has_decimals(table, head) and head not in sizes}
    keys = [head for word in names.known_names()["answers"]["keys"] for head in few if normalize_name(head) == word]
    keys = [head for head in keys if not ranks and table.labels(head, [one for one in free if not (_tells_success(one) or one in keys)])]
    ranks |= dict.fromkeys(keys[:1], 2)
    known = names.known_words("data_set", "words")
    named = {sheet.heads.index(head) for head in free if known & {*names.words_of(head)} and len(cells[head]) == rows > 1}
    if any(not is_number(cell, sheet.decimal) for place in named for cell in sheet.columns[place]):
        ranks = {}  # each line is a data set, and a column "classes" is its number of classes
    pool = stated[PREDICTION] or free
    # a column "category" beside answers whose cells are none of its cells holds no true classes
    answers = {head for head in free if any(table.words[head] <= {right, *wrong} for right, wrong in RIGHT_WORDS.items())}
    if any(len(cells[head]) > 1 and cells[head] <= {"0", "1"} for head in pool):
        if (label := min(ranks, key=lambda head: ranks[head], default="")) and not stated_right and not any(stated.values()):
            unlike = [head for head in free if head not in ranks and not _tells_success(head)]
            ask_about_other_words(table, label, table.labels(label, unlike), unlike, answers)
        ranks = {head: rank for head, rank in ranks.items() if table.labels(head, pool) or table.graded(head, pool)}
    truths = stated[TRUE_CLASS] or sorted(ranks, key=lambda head: ranks[head]) * (not stated_right)
    families = stated[FAMILY] or [head for head in few if normalize_name(head) in names.known_words("families")]
    family = families[0] if families else ""
    counters = counters_in_groups(sheet)
    others = [head for head in free if head not in (*families, *truths[:1], *counters, *counters.values())]
    if truths:
        truth = truths[0]
        same = [head for head in truths[1:] if ranks.get(head) == ranks.get(truth) and head not in stated[TRUE_CLASS]]
        if twins := [head for head in same if table.labels(head, [truth]) and [*sheet[head]] != [*sheet[truth]]]:
            raise truth_question(sheet, [truth, *twins])
        others = [head for head in others if head not in same and not _numbers_records(head)]
        if long := _long_predictions(table, truth, stated[PREDICTION] or others, families[:1]):
            return replace(long, family=family, missing=missing)
        # in a long table of scores, a column such as "category" describes the data sets, and the names of classifiers are no classes
        models = [] if stated[PREDICTION] else find_models(table, others)
        is_scored = bool(models) and any(names.is_score_heading(head) and has_decimals(table, head) for head in others)
        others = [head for head in others if not (is_scored and head in models)]
        found = stated[PREDICTION] or table.labels(truth, others) or ([] if is_scored else table.graded(truth, others))
        if found and not stated[TRUE_CLASS] and len(cells[truth]) > 2 and all(cells[head] <= {"0", "1"} for head in found):
            graded = dict.fromkeys(found, PREDICTION) | {truth: "ignore"}
            raise truth_question(sheet, [truth], f"roles={graded!r} if each 1 is a right answer")
        if not stated[PREDICTION]:
            _ask_about_features(table, truth, found, others)
            ask_about_other_words(table, truth, found, others, answers)
        # it is unclear which of the columns with equal headings holds the predictions of a classifier
        is_unclear = any(cells[head] <= cells[truth] for head in repeated)
        if found or is_unclear or stated[TRUE_CLASS]:
            return None if is_unclear or not found else RecordTable(sheet, truth, tuple(found), family, missing=missing)
    pairs = [*(table.words[head] for head in others)]
    stated_words = {word: set().union(*(pair for pair in pairs if word in pair and len(pair) < 3)) for word in [stated_right.lower()]}
    for right, wrong in ({} if repeated or truths else stated_words if stated_right else RIGHT_WORDS).items():
        words = {head: table.words[head] for head in stated[PREDICTION] or others}
        found = [head for head in words if words[head] and words[head] <= {right, *wrong} and rows > 1]
        success = [head for head in found if _tells_success(head)]
        found = success if len(success) > 1 else found  # beside gpt_correct stands the answer itself, gpt_answer
        numbered = [head for head in words if right not in NUMBERS and (names_records(head) or names_runs(head))]
        identified = [head for head in words if head not in found and (head in numbered or len(words[head]) == rows)]
        counts = [head for head in identified if head not in numbered and not names_records(head) and has_numbers(table, head)]
        identified = [head for head in identified if head not in counts or len(identified) == 1]
        rest = [head for head in words if head not in found and head not in identified]
        if len(found) < 2 or len({frozenset(words[head]) for head in found}) > 3:
            continue
        if not rest or stated_right or found == success or (identified and not may_be_scores(table, rest, found)):
            is_sure = right in SURE_WORDS or stated_right or found == success
            if len(found) > rows and (lines := find_models(table, identified, rows + 1)):
                raise ReadingQuestion(
                    f"in {sheet.name}, each line holds the answers of one {lines[0]!r}, and each column those to one question. Write a "
                    "line for each question and a column for each classifier"
                )
            if len(found) > 2 and not is_sure and not stated[PREDICTION]:
                raise truth_question(sheet, found, f"roles={dict.fromkeys(found, PREDICTION)!r} if each {right} is a right answer")
            return RecordTable(sheet, "", tuple(found), family, right, missing)
    listed = None if repeated else _long_answers(table, stated[PREDICTION], [head for head in free if head not in families], families[:1])
    if not (listed or truths) and (ways := _right_ways(table, stated[PREDICTION])):
        raise ReadingQuestion(f"in {sheet.name}, nothing says which cells are right answers. Write {ways}")
    return listed and replace(listed, family=family, missing=missing)


def _ask_about_features(table: RecordCells, truth: str, found: Sequence[str], others: Sequence[str]) -> None:
    """Raise a question if columns such as "sex" among features have the same cells as predictions."""
    places, classes = table.sheet.heads.index, table.of[truth]
    features = [head for head in others if head not in found and 1 < len(table.of[head]) < table.rows and not _numbers_records(head)]
    if len(found) < 2 or not features or all(map(names.is_prediction_heading, found)):
        return
    sides = {places(head) < places(truth) for head in features}
    groups = (
        [head for head in found if sides == {places(head) < places(truth)}],
        [head for head in found if not table.of[head] <= classes],
        [head for head in found if not names.looks_like([head], "classifiers")],
    )
    doubtful = next((group for group in groups if 0 < len(group) < len(found)), [])
    if doubtful:
        raise ReadingQuestion(
            f"in {table.sheet.name}, {', '.join(map(repr, doubtful))} may be predictions, or features like {features[0]!r}. Write "
            f"roles={dict.fromkeys(doubtful, 'ignore')!r} to leave features out, "
            f"or roles={ {truth: TRUE_CLASS} | dict.fromkeys(found, PREDICTION)!r} if all are predictions"
        )


def truth_candidates(sheet: TabularData, roles: Mapping[str, str]) -> list[str]:
    """Return the columns of a table without a known truth that may hold the true class: others have the same classes, or shares."""
    table = RecordCells(sheet)
    free = [head for head in sheet.heads if head not in roles and sheet.heads.count(head) == 1 and not _numbers_records(head)]
    few = [head for head in free if 1 < len(table.of[head]) <= table.rows / 2]
    truths = [head for head in few if names.classifier_rank(head)]  # a column "model" names the classifiers
    labels = [head for head in truths if table.labels(head, [other for other in few if other != head])]
    return (labels if len(labels) > 1 else [head for head in truths if len(table.graded(head, free)) > 1])[:MAX_CANDIDATES]


def truth_question(sheet: TabularData, heads: Sequence[str], other: str = "") -> ReadingQuestion:
    """Return the question which column holds the true class."""
    ways = " or ".join(repr({head: TRUE_CLASS}) for head in heads)
    other = other or _right_ways(RecordCells(sheet), heads)
    return ReadingQuestion(
        f"in {sheet.name}, no heading says which column holds the true class of each record. Write roles={ways}"
        f"{f', or {other}' * bool(other)}"
    )


def _right_ways(table: RecordCells, heads: Sequence[str]) -> str:
    """Return arguments that state which of the two words in some columns is a right answer; empty if the columns hold other cells."""
    words = sorted(set[str]().union(*(table.of[head] for head in heads)))
    return ", or ".join(f"right={word!r} if each {word} is a right answer" for word in words) if len(words) == 2 else ""


def _numbers_records(head: str) -> bool:
    return names_records(head) or names_runs(head)


def _tells_success(head: str) -> bool:
    return not SUCCESS_WORDS.isdisjoint(names.words_of(head))


def _long_predictions(table: RecordCells, truth: str, heads: Sequence[str], families: Sequence[str]) -> RecordTable | None:
    """Return a table with a column for each classifier, if each line is the prediction of one classifier for one record."""
    # a column "baseline" may hold predictions
    models = [head for head in find_models(table, heads) if not table.of[head] & table.of[truth]]
    found = table.labels(truth, [head for head in heads if head not in models])
    return _wide(table, truth, models[0], found[0], families) if len(models) == len(found) == 1 else None


def _long_answers(table: RecordCells, stated: Sequence[str], heads: Sequence[str], families: Sequence[str]) -> RecordTable | None:
    """Return a table with a column for each classifier, if each line says whether the answer of one classifier to one record is right."""
    models, sheet = find_models(table, heads), table.sheet
    others = [head for head in heads if head not in models and not _numbers_records(head)]
    scores = [head for head in others if has_decimals(table, head)]
    for right, wrong in RIGHT_WORDS.items():
        words = {head: table.words[head] for head in stated or others}
        found = [head for head in words if len(words[head]) > 1 and words[head] <= {right, *wrong}]
        named = [*filter(_tells_success, found)]
        (found, is_sure) = (named, True) if named else (found, right in SURE_WORDS or bool(stated))
        # beside scores with decimals, zeros and ones may mean something else, such as whether the training converged
        if len(models) != 1 or len(found) != 1 or (scores and not is_sure):
            continue
        is_loss = right in NUMBERS and is_loss_metric(found[0])
        if not is_sure and not (right in NUMBERS and names.is_score_heading(found[0])):
            raise ReadingQuestion(
                f"in {sheet.name}, the cells of {found[0]!r} may say whether each answer of one {models[0]!r} is right. Write "
                f"roles={ {found[0]: PREDICTION}!r} if {right} is a right answer"
            )
        wide = _wide(table, "", models[0], found[0], families, right in NUMBERS)
        return wide and replace(wide, right=next(iter(wrong)) if is_loss else right)
    return None


def refuse_answers(sheet: TabularData) -> None:
    """Raise a question if each line says whether the answer of one classifier to one record is right, because these are no scores."""
    table = RecordCells(replace(sheet, columns=[column[:SAMPLE] for column in sheet.columns]))
    if not find_models(table, sheet.heads) or not any(1 < len(table.of[head]) < MAX_WORDS for head in sheet.heads):
        return
    try:
        found = _long_answers(RecordCells(sheet), (), sheet.heads, ())
    except ReadingQuestion:  # the lines may still be scores
        return
    if found:
        _, model, answer = found.long
        raise ReadingQuestion(
            f"in {sheet.name}, each line says by {answer!r} whether the answer of one {model!r} to one record is right. Use fstats.desk() "
            f"or McNemar's test for records, or write scores={answer!r} if each number is a score"
        )


def _wide(
    table: RecordCells, truth: str, model: str, predicted: str, families: Sequence[str], may_be_scores: bool = False
) -> RecordTable | None:
    """Return a long table with a column for each classifier; None if its lines may be scores on data sets.

    Raise a question if no column names the records.
    """
    sheet = table.sheet
    others = [head for head in sheet.heads if head not in (truth, model, predicted)]
    sets = [head for head in others if names.data_set_rank(head) >= 0]
    ids = tuple(head for head in others if head in (*sets, *families) or _numbers_records(head))
    keys = [*ids, truth] if truth else [*ids]
    cells = {head: sheet.texts(head) for head in (*keys, model, predicted)}
    lines = list(zip(*(cells[head] for head in keys), strict=True)) or [()] * table.rows
    answers = dict(zip(zip(lines, cells[model], strict=True), cells[predicted], strict=True))
    if not ids or len(answers) < table.rows or len({*lines}) * len({*cells[model]}) > 2 * table.rows:
        if may_be_scores and any(len(table.of[head]) > 1 for head in sets):
            return None  # a score on a data set is the mean of its lines
        what = "prediction" if truth else "answer"
        raise ReadingQuestion(
            f"in {sheet.name}, each line seems to be the {what} {predicted!r} of one {model!r}, but no column names the record: a "
            f"comparison needs the {what}s of all classifiers for each record. Name the records in a column 'id'"
            + f", or write roles={ {model: 'ignore'}!r} if all lines are predictions of one classifier"
            * bool(truth)
        )
    records, classifiers = list(dict.fromkeys(lines)), list(dict.fromkeys(cells[model]))
    columns = [*map(list, zip(*records, strict=True)), *([answers.get((line, name), "") for line in records] for name in classifiers)]
    wide = replace(sheet, heads=[*keys, *classifiers], columns=columns, numbers=range(1, len(records) + 1), line="record")
    return RecordTable(wide, truth, tuple(classifiers), "", long=(ids, model, predicted))
