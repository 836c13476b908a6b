"""Search for the columns of a table of test records: true classes and predictions, or words for right and wrong answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...core.metric_direction import is_loss_metric
from ...core.validation.pandas_labels import normalize_name
from . import column_names as names
from .count_table import counted_records, refuse_totals, refuse_votes
from .reading_plan import ReadingOptions
from .reading_question import ReadingQuestion
from .record_cells import PREDICTION, TRUE_CLASS, RecordCells, find_models, has_decimals, has_numbers, is_number, may_be_scores
from .record_table import KEEP, RIGHT_WORDS, SURE_WORDS, RecordTable, tells_success
from .repeated_records import FAMILY, counters_in_groups, family_question, names_records, names_runs, repetition_question
from .spellings import similar_names, spelling_question
from .tabular_data import TabularData
from .unknown_classes import ask_about_other_words

NUMBERS = ("1", "1.0")  # words for a right answer that may also be scores
SAMPLE, MAX_WORDS = 200, 4  # a column of answers has fewer than MAX_WORDS different words on the first SAMPLE lines
MAX_CANDIDATES = 8  # largest number of columns that are offered as the true class


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
    """Return the columns after unifying the spellings of classes, and a question if nothing says whether they mean the same class."""
    cells, stated = RecordCells(sheet), dict(spellings) if isinstance(spellings, Mapping) else {}
    listed = (name for head in sheet.heads for name in sorted(cells.of[head], key=lambda name: (len(name), name)))
    first = {name: group[0] for group in similar_names(listed, are_answers=True) for name in group} | stated
    ReadingOptions(spellings="same" if isinstance(spellings, Mapping) else spellings)  # raises an error for an unknown value
    found = None if not first or spellings == "different" else _ColumnSearch(_respelled(sheet, first), roles, *given).find()
    if not found or not found.truth:
        return _ColumnSearch(sheet, roles, *given).find(), None
    heads = [found.truth, *(found.long[2:] if found.long[1] else found.classifiers)]
    groups = similar_names((name for head in heads for name in sorted(cells.of[head]) if name not in stated), are_answers=True)
    spelled = {name: group[0] for group in groups for name in group[1:]} | stated
    found = _ColumnSearch(_respelled(sheet, spelled, heads), roles, *given).find()
    groups = [group for group in groups if not all(is_number(name, sheet.decimal) for name in group)]  # 1.0 and 1 need no question
    if not found or not groups or spellings:
        return found and replace(found, spelled=spelled if groups or stated or given[0] == KEEP else {}), None
    return found, spelling_question(sheet.name, [("classes", group) for group in groups])


def _respelled(sheet: TabularData, spelled: Mapping[str, str], heads: Sequence[str] = ()) -> TabularData:
    """Return a table with other spellings of the names in some columns, or in all."""
    pairs = zip(sheet.heads, sheet.columns, strict=True)
    changed = ([*map(spelled.get, map(str.strip, map(str, cells)), cells)] if head in (heads or [head]) else cells for head, cells in pairs)
    return replace(sheet, columns=[*changed])


class _ColumnSearch:
    """Search for the columns of a table of test records, without the question about repeated records."""

    def __init__(self, sheet: TabularData, roles: Mapping[str, str], missing: str, right: str) -> None:
        self.sheet, self.missing, self.right, self.table = sheet, missing, right, RecordCells(sheet)
        self.cells, self.rows = self.table.of, self.table.rows
        self.stated = {role: [head for head in sheet.heads if roles.get(head) == role] for role in (TRUE_CLASS, PREDICTION, FAMILY)}
        repeated = {head for head in sheet.heads if sheet.heads.count(head) > 1}
        if unclear := [head for heads in self.stated.values() for head in heads if head in repeated]:
            raise ReadingQuestion(f"{sheet.name} has several columns {unclear[0]!r}. Give each column its own heading")
        self.repeated = repeated - {*roles}
        self.free = [head for head in sheet.heads if head not in roles and head not in self.repeated]
        self.few = [head for head in self.free if len(self.cells[head]) < self.rows]
        words = self.table.words
        self.answers = {head for head in self.free if any(words[head] <= {right, *wrong} for right, wrong in RIGHT_WORDS.items())}
        self.families = self.stated[FAMILY] or [head for head in self.few if normalize_name(head) in names.known_words("families")]
        self.family = self.families[0] if self.families else ""

    def find(self) -> RecordTable | None:
        """Return the columns of true classes and predictions, of right answers, or of a long table; None if the table may hold scores."""
        ranks = self._truth_ranks()
        truths, predictions = self.stated[TRUE_CLASS] or [*ranks], self.stated[PREDICTION]
        counters = counters_in_groups(self.sheet)
        others = [head for head in self.free if head not in (*self.families, *truths[:1], *counters, *counters.values())]
        if truths:
            same = [head for head in truths[1:] if ranks.get(head) == ranks.get(truths[0]) and head not in self.stated[TRUE_CLASS]]
            found = self._predictions(truths[0], same, [head for head in others if head not in same and not _numbers_records(head)])
        else:
            found = None if self.repeated else self._right_answers(others)
        if found or self.stated[TRUE_CLASS]:
            return found
        heads = [head for head in self.free if head not in self.families]
        listed = None if self.repeated else _long_answers(self.table, predictions, heads, self.families[:1])
        if not (listed or truths) and (ways := _right_ways(self.table, predictions)):
            raise ReadingQuestion(f"in {self.sheet.name}, nothing says which cells are right answers. Write {ways}")
        return listed and replace(listed, family=self.family, missing=self.missing)

    def _truth_ranks(self) -> dict[str, int]:
        """Return the ranks of the columns that may hold the true class, best first; columns with equal ranks are equally probable."""
        table, cells, free = self.table, self.cells, self.free
        ranks = {head: rank for head in self.few if (rank := names.truth_rank(head)) >= 0}
        counts = [head for head in free if names.is_count_heading(head) and not names.is_identifier_heading(head)]
        sizes = [head for head in counts if has_numbers(table, head)]
        sizes = sizes if len(sizes) > 1 else [head for head in sizes if not head[:1].isalpha()]
        # leave out scores (a column "real" of decimals) and sizes of data sets ("classes" beside "attributes")
        ranks = {head: rank for head, rank in ranks.items() if not has_decimals(table, head) and head not in sizes}
        keys = [head for word in names.known_names()["answers"]["keys"] for head in self.few if normalize_name(head) == word]
        others = [head for head in free if head not in keys and not tells_success(head)]
        ranks |= dict.fromkeys([head for head in keys if not ranks and table.labels(head, others)][:1], 2)
        known = names.known_words("data_set", "words")
        named = {self.sheet.heads.index(head) for head in free if known & {*names.words_of(head)} and len(cells[head]) == self.rows > 1}
        if any(not is_number(cell, self.sheet.decimal) for place in named for cell in self.sheet.columns[place]):
            ranks = {}  # each line is a data set, and "classes" holds numbers of classes
        pool = self.stated[PREDICTION] or free
        if any(len(cells[head]) > 1 and cells[head] <= {"0", "1"} for head in pool):
            # beside answers 0 and 1, a column such as "category" holds true classes only if other columns hold predictions of these classes
            if (label := min(ranks, key=lambda head: ranks[head], default="")) and not self.right and not any(self.stated.values()):
                unlike = [head for head in free if head not in ranks and not tells_success(head)]
                ask_about_other_words(table, label, table.labels(label, unlike), unlike, self.answers)
            ranks = {head: rank for head, rank in ranks.items() if table.labels(head, pool) or table.graded(head, pool)}
        return {} if self.right else dict(sorted(ranks.items(), key=lambda pair: pair[1]))

    def _predictions(self, truth: str, same: Sequence[str], others: Sequence[str]) -> RecordTable | None:
        """Return the columns of predictions, or of shares between 0 and 1, beside a column of true classes."""
        table, cells, stated = self.table, self.cells, self.stated[PREDICTION]
        if twins := [head for head in same if table.labels(head, [truth]) and [*self.sheet[head]] != [*self.sheet[truth]]]:
            raise truth_question(self.sheet, [truth, *twins])
        if long := _long_predictions(table, truth, stated or others, self.families[:1]):
            return replace(long, family=self.family, missing=self.missing)
        # in a long table of scores, neither the names of classifiers nor the scores are predictions
        models = [] if stated else find_models(table, others)
        is_scored = bool(models) and any(names.is_score_heading(head) and has_decimals(table, head) for head in others)
        others = [head for head in others if not (is_scored and head in models)]
        found = stated or table.labels(truth, others) or ([] if is_scored else table.graded(truth, others))
        if found and not self.stated[TRUE_CLASS] and len(cells[truth]) > 2 and all(cells[head] <= {"0", "1"} for head in found):
            graded = dict.fromkeys(found, PREDICTION) | {truth: "ignore"}
            raise truth_question(self.sheet, [truth], f"roles={graded!r} if each 1 is a right answer")
        if not stated:
            _ask_about_features(table, truth, found, others)
            ask_about_other_words(table, truth, found, others, self.answers)
        # columns with equal headings that may hold predictions do not tell the classifiers apart
        is_clear = not any(cells[head] <= cells[truth] for head in self.repeated)
        return RecordTable(self.sheet, truth, tuple(found), self.family, missing=self.missing) if found and is_clear else None

    def _right_answers(self, others: Sequence[str]) -> RecordTable | None:
        """Return the columns whose words say whether each answer is right, in a table without true classes."""
        table, rows, stated = self.table, self.rows, self.stated[PREDICTION]
        pairs = [table.words[head] for head in others]
        stated_words = {word: set().union(*(pair for pair in pairs if word in pair and len(pair) < 3)) for word in [self.right.lower()]}
        words = {head: table.words[head] for head in stated or others}
        for right, wrong in (stated_words if self.right else RIGHT_WORDS).items():
            found = [head for head in words if words[head] and words[head] <= {right, *wrong} and rows > 1]
            success = [head for head in found if tells_success(head)]
            found = success if len(success) > 1 else found  # prefer "gpt_correct" to the answer itself, "gpt_answer"
            if len(found) < 2 or len({frozenset(words[head]) for head in found}) > 3:
                continue
            numbered = [head for head in words if right not in NUMBERS and _numbers_records(head)]
            identified = [head for head in words if head not in found and (head in numbered or len(words[head]) == rows)]
            counts = [head for head in identified if head not in numbered and not names_records(head) and has_numbers(table, head)]
            identified = [head for head in identified if head not in counts or len(identified) == 1]
            rest = [head for head in words if head not in found and head not in identified]
            if rest and not self.right and found != success and (not identified or may_be_scores(table, rest, found)):
                continue
            if len(found) > rows and (lines := find_models(table, identified, rows + 1)):
                raise ReadingQuestion(
                    f"in {self.sheet.name}, each line holds the answers of one {lines[0]!r}, and each column those to one question. Write "
                    "a line for each question and a column for each classifier"
                )
            is_sure = right in SURE_WORDS or self.right or found == success
            if len(found) > 2 and not is_sure and not stated:
                raise truth_question(self.sheet, found, f"roles={dict.fromkeys(found, PREDICTION)!r} if each {right} is a right answer")
            return RecordTable(self.sheet, "", tuple(found), self.family, right, self.missing)
        return None


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
    truths = [head for head in few if names.classifier_rank(head)]  # leave out columns such as "model", which name the classifiers
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


def _long_predictions(table: RecordCells, truth: str, heads: Sequence[str], families: Sequence[str]) -> RecordTable | None:
    """Return a table with a column for each classifier, if each line is the prediction of one classifier for one record."""
    # leave out a column such as "baseline" if its cells are true classes, because it may hold predictions
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
        named = [*filter(tells_success, found)]
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
    """Convert a long table to a table with a column for each classifier; return None if its lines may be scores on data sets.

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
            return None  # the lines may be scores, which are averaged for each data set
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
