"""Find the classifier and data set columns of a long table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from ...core.validation.pandas_labels import normalize_name
from . import column_names as names
from .cell_numbers import MISSING_VALUES
from .reading_plan import FAR_SCALE, IGNORED, ReadingPlan, as_list, some
from .reading_question import ReadingQuestion, TurnedTable
from .repeated_records import names_runs
from .wide_columns import numbered_parts

LINE = "line"  # name by which a caller can refer to the line numbers, as if they were a column
# rank of uncertain headings, such as "version" and "config", which may name classifiers or their settings
WEAK = 2
# functions that recognize headings of columns without scores
DESCRIPTIONS = (names.is_summary_heading, names.is_spread_heading, names.is_count_heading, names.is_time_heading, names.is_rank_heading)
MAX_RESAMPLES = 30  # more resamples than this are taken for bootstrap replicates


def find_classifiers(plan: ReadingPlan) -> bool:
    """Find the column that names the classifier of each row; return whether there is one, so that the table is long."""
    if plan.classifier:
        return True
    listed, sheet = as_list(plan.options.scores), plan.sheet
    ranks = {head: rank for head in plan.free if head not in listed and (rank := names.classifier_rank(head)) >= 0}
    ranks = {head: rank for head, rank in ranks.items() if not plan.has_decimals(head) and (rank < WEAK or _names_variants(plan, head))}
    if not ranks:
        return False if len(listed) > 1 else _find_unnamed_classifiers(plan)
    found = [head for head, rank in ranks.items() if rank == min(ranks.values())]
    # prefer text: a column of numbers beside it, such as "models" beside "framework", holds counts
    found = [head for head in found if not plan.is_numeric(head)] or found
    varying = [head for head in found if plan.varies(head)] or found[:1]
    finest = [head for head in varying if all(plan.depends_on(other, [head]) for other in varying)]
    if not finest:
        first, second = varying[:2]
        raise ReadingQuestion(
            f"in {sheet.name}, each of the columns {' and '.join(map(repr, varying))} may name the classifier. Write classifier={first!r} "
            f"or classifier={second!r}; or classifier=[{first!r}, {second!r}] if a classifier is a combination of both"
        )
    _ask_whether_turned(plan, finest[0])
    _set_classifier(plan, finest[0], "its name")
    return True


def _names_variants(plan: ReadingPlan, head: str) -> bool:
    """Return whether a column holds different texts, and each data set has several lines, unlike in a wide table."""
    data_sets = plan.data_set or [other for other in plan.free if 0 <= names.data_set_rank(other) < 300 and other != head][:1]
    return plan.is_text(head) and plan.varies(head) and not (data_sets and plan.is_unique(data_sets))


def _set_classifier(plan: ReadingPlan, head: str, reason: str) -> None:
    plan.classifier = [head]
    plan.give(head, "classifier", reason)


def _find_unnamed_classifiers(plan: ReadingPlan) -> bool:
    """Return whether a table without a usual heading for classifiers is long: two columns of text together identify each row."""
    texts = [head for head in plan.free if plan.is_text(head) and not _is_part(plan, head)]
    column = texts[0] if texts and texts[:1] == plan.free[:1] and numbered_parts(plan)[0] else None
    is_weak = column is not None and names.data_set_rank(column) >= 300 and names.looks_like(plan.read_names(column), "classifiers")
    if is_weak or (column == "" and not names.looks_like(plan.read_names(""), "data_sets")):
        _set_classifier(plan, texts[0], "the other columns are numbered")
        plan.doubts.append("The first column was taken for the classifiers: the other columns hold numbered scores of each line.")
        return True
    named = [head for head in plan.free if names.data_set_rank(head) >= 0 and not plan.has_decimals(head)]
    numeric = [head for head in plan.numeric if head not in named]
    others = [head for head in texts if head not in named and plan.varies(head)]
    first = plan.data_set or sorted(named, key=names.data_set_rank)[:1]
    if not numeric or not others or (first and plan.is_unique(first)):
        return False  # there is one row for each data set
    metric = [head for head in plan.free if names.is_metric_heading(head)]
    if first and len(numeric) > 1 and metric and plan.is_unique([*first, *metric]):
        return False  # there is one row for each metric on each data set
    parts = [head for head in plan.free if _is_part(plan, head)]
    if first:
        fitting = [head for head in others if not plan.depends_on(head, first) and plan.is_unique([*first, head, *parts])]
        if len(fitting) == 1 and len(numeric) > 1 and not any(map(names.is_score_heading, numeric)) and not parts:
            raise plan.question(
                f"the columns {first[0]!r} and {fitting[0]!r} ({some(plan.read_names(fitting[0]))}) together name "
                f"each line, and the columns {some(numeric)} have no names of metrics. Write data_set={[*first, fitting[0]]!r} if these "
                f"columns are classifiers, or classifier={fitting[0]!r} if {fitting[0]!r} names the classifiers"
            )
        if len(fitting) == 1:
            _set_classifier(plan, fitting[0], f"with {first[0]!r} it names each line once")
            plan.doubts.append(
                f"The column {fitting[0]!r} was taken for the classifiers; if it is not, write classifier= with another column."
            )
            return True
        return False
    if len(others) == len([head for head in numeric if not _is_part(plan, head)]) == 1 and not plan.is_unique(others):
        raise plan.question(
            f"several lines have the same {others[0]!r} ({some(plan.read_names(others[0]))}), and only one column "
            f"holds scores. Write classifier={others[0]!r} if {others[0]!r} names the classifiers"
        )
    if len(others) < 2 or plan.is_unique(others[:1]) or plan.is_unique(others[1:2]):
        return False
    pairs = [(a, b) for a, b in combinations(others, 2) if not plan.depends_on(a, [b]) and not plan.depends_on(b, [a])]
    if not pairs:
        return False
    a, b = pairs[0]
    raise plan.question(
        f"the columns {a!r} ({some(plan.read_names(a))}) and {b!r} ({some(plan.read_names(b))}) hold names, and no "
        f"heading says which are the data sets. Write data_set={a!r}, classifier={b!r}, or data_set={b!r}, classifier={a!r}"
    )


def _is_part(plan: ReadingPlan, head: str) -> bool:
    return names.is_metric_heading(head) or names_runs(head) or bool(plan.partitions(head))


def _ask_whether_turned(plan: ReadingPlan, head: str) -> None:
    """Raise an error if each row is a classifier and the other columns seem to be the data sets."""
    _ask_about_settings(plan, head)
    others = [other for other in plan.free if other != head]
    if plan.options.turned or plan.data_set or not plan.is_unique([head]) or any(names.data_set_rank(other) >= 0 for other in others):
        return
    numeric = [*filter(plan.is_numeric, others)]
    parts = [other for other in numeric if names.begin_with_partitions([other])]  # such as Public LB and Private LB
    parts = parts if len(parts) > 1 == len({*(tuple(names.words_of(part)[1:]) for part in parts)}) else []
    scored = [other for other in _scored(numeric) if other not in parts]
    metrics = [other for other in scored if names.is_score_heading(other)]
    if any(_is_part(plan, other) for other in plan.free) or len(plan.rows) < 2 or numbered_parts(plan)[1]:
        return
    bare = names.bare_measures(numeric) or ([] if scored else parts or numeric)
    if len(scored) > 1 and len(metrics) * 2 < len(scored) and not bare:
        raise (TurnedTable if are_data_sets(plan, head, numeric) else ReadingQuestion)(
            f"{plan.sheet.name} seems to be transposed: each line is one {head!r} ({some(plan.read_names(head))}), and the "
            f"columns {some(numeric)} seem to be data sets. Write turned=True if each column is a data set; otherwise name the column of "
            "data sets by data_set="
        )
    if numeric:
        measures = bare or (metrics if names.are_several_measures(metrics) else [*filter(names.is_metric_name, metrics)])
        few = not bare and len(measures) * 2 <= len(numeric)
        verb = "are measures, not data sets" if measures[1:] else "is a measure, not a data set"
        verb = "seem to hold scores on parts of the data, not on different data sets" if parts and bare == parts else verb
        measured = f". {some(measures)} {verb}" * (not few)
        raise ReadingQuestion(
            f"{plan.sheet.name} must have a column with the data set; got one line for each {head!r} ({some(plan.read_names(head))}) and "
            f"the columns {', '.join(plan.sheet.heads[:8])}{measured}. Name the column of data sets by "
            f"data_set={', or write turned=True if each column is a data set' * few}"
        )


def _scored(heads: Sequence[str]) -> list[str]:
    """Return the headings that are no names of summaries, spreads, counts, times or ranks."""
    return [head for head in heads if not any(is_role(head) for is_role in DESCRIPTIONS)]


def are_data_sets(plan: ReadingPlan, head: str, numeric: Sequence[str]) -> bool:
    """Return whether columns can only be data sets: no other role fits their headings, and their numbers have one scale."""
    found = _scored(numeric)
    medians = [abs(float(np.nanmedian(plan.numbers(one)))) for one in found]
    is_unlike = names.looks_like(found, "classifiers") or names.partition_words(found) or any(map(names.is_score_heading, found))
    is_named = names.classifier_rank(head) == 0 or head in plan.columns
    return is_named and len(found) > 1 and not is_unlike and max(medians) < FAR_SCALE * min(medians)


def _ask_about_settings(plan: ReadingPlan, head: str) -> None:
    """Raise an error if several lines are settings of one classifier, and the other columns seem to be data sets."""
    others = [other for other in plan.free if other != head and plan.varies(other)]
    repeated = [other for other in others if names_runs(other)]
    settings = [other for other in others if other not in repeated and (plan.is_text(other) or names.is_setting_heading(other))]
    columns = [other for other in others if other not in (*repeated, *settings) and plan.is_numeric(other)]
    if plan.options.turned or plan.options.scores or plan.data_set or plan.is_unique([head, *repeated]) or len(columns) < 3:
        return
    if not are_data_sets(plan, head, columns) or any(names.data_set_rank(one) >= 0 and not names.unit_of_heading(one) for one in others):
        return
    for other in [other for other in settings if plan.is_unique([head, *repeated, other])][:1]:
        wheres = [{one: next(filter(None, plan.read_names(one)))} for one in (other, head)]
        raise plan.question(
            f"the lines differ in {head!r} ({some(plan.read_names(head))}) and {other!r} ({some(plan.read_names(other))}), and the columns "
            f"{some(columns)} seem to be benchmarks. Write classifier={[head, other]!r} if each combination is a classifier, "
            f"classifier={head!r} and where={wheres[0]!r} to compare only these lines, classifier={other!r} and where={wheres[1]!r} to "
            f"compare {other!r}, or data_set={other!r} if the columns are metrics"
        )


def find_data_sets(plan: ReadingPlan, is_long: bool) -> None:
    """Find the column that names the data sets."""
    if plan.data_set:
        return
    listed = as_list(plan.options.scores)
    free = [head for head in plan.free if head not in listed]
    found = [head for head in sorted(free, key=names.data_set_rank) if names.data_set_rank(head) >= 0 and not plan.has_decimals(head)]
    weak = [head for head in found if names.data_set_rank(head) >= 300]
    texts = [head for head in free if plan.is_text(head) and head not in found]
    if (found and found == weak and texts and free.index(texts[0]) < free.index(weak[0])) and not is_long:
        found = []
    varying = [head for head in found if plan.varies(head)]
    if found:
        chosen = (varying or found)[0]
        keys = [*plan.classifier, *plan.fold, *as_list(plan.seed), *as_list(plan.metric)]
        if is_long and not plan.is_unique([chosen, *keys]):
            # prefer the finer column, such as the names of time series to the names of their collections
            for head in [head for head in varying if head not in weak]:
                chosen = head if plan.depends_on(chosen, [head]) and not plan.depends_on(head, [chosen]) else chosen
        if is_long and not plan.varies(chosen) and not plan.is_unique([chosen, *keys]):
            chosen = _instead_of_constant(plan, chosen, [head for head in texts if plan.is_unique([head, *keys])])
        plan.data_set = [chosen]
        plan.give(chosen, "data set", "its name")
        if not is_long:
            _ask_about_names_of_classifiers(plan, [chosen, *(head for head in free if head != chosen)])
        return
    if is_long:
        _find_unnamed_data_sets(plan, [head for head in texts if plan.varies(head)] or texts[:1])
    elif free and (free[0] == "" or not plan.is_numeric(free[0])) and any(value is None for value in plan.parsed(free[0]).numbers):
        plan.data_set = [free[0]]
        plan.give(free[0], "data set", "the first column holds names")
        _ask_about_names_of_classifiers(plan, free)
    elif free and not plan.fold and plan.seed is None and plan.metric is None:
        _ask_about_training_curve(plan)


def ask_what_lines_are(plan: ReadingPlan) -> None:
    """Raise an error if the lines of a file may be data sets or folds, because no column, or a column "id" of line numbers, names them.

    Lines that are classes of one data set are asked about, too.
    """
    for head in plan.data_set if plan.sheet.line == "line" and len(plan.data_set) == 1 else ():
        if plan.columns[head].reason != "stated" and normalize_name(head) in names.known_words("data_set", "classes"):
            raise plan.question(
                f"the column {head!r} ({some(plan.read_names(head))}) seems to name classes of one data set, whose scores are not "
                f"independent. Compare the predictions for the records, or write data_set={head!r} if each line is a data set of its own"
            )
    if plan.sheet.line == "line" and not plan.data_set:
        _refuse_replicates(plan)
    if plan.sheet.line != "line" or plan.classifier or plan.fold or plan.seed is not None or plan.metric is not None:
        return
    head = plan.data_set[0] if plan.data_set else LINE
    if plan.data_set:
        numbers = plan.numbers(head)
        if names.data_set_rank(head) < 300 or plan.columns[head].reason == "stated" or numbers[0] not in (0, 1):
            return
        if numbers != [numbers[0] + k for k in range(len(numbers))]:
            return
    raise plan.question(
        f"no column names the data sets, so nothing says what the {len(plan.rows)} lines are. Write data_set={head!r} if each line is a "
        f"data set, fold={head!r} if each line is a fold of one data set{or_unrelated(plan, head)}. For test records, the table must hold "
        "the true class and the predicted classes"
    )


def _refuse_replicates(plan: ReadingPlan) -> None:
    """Raise an error if the lines are bootstrap replicates of one data set, which are not independent observations."""
    for head in plan.fold:
        word, count = normalize_name(head), plan.count([head])
        if plan.columns[head].reason != "stated" and (word.startswith("boot") or (word.startswith("resampl") and count > MAX_RESAMPLES)):
            stated = "" if word.startswith("boot") else repr(head)
            raise plan.question(
                f"the {count} lines of {head!r} seem to be bootstrap replicates of one data set, which are not independent. Use the 2.5 % "
                f"and 97.5 % quantiles of the differences, or write fold={stated} if each line is a training on other records, tested on "
                "records of its own"
            )


def or_unrelated(plan: ReadingPlan, head: str = LINE) -> str:
    """Return an argument that reads the scores of the classifiers as independent samples, which may have different lengths."""
    counts = Counter(zip(*map(plan.read_names, plan.classifier)))
    gaps = any(number != number for head in plan.scores for number in plan.numbers(head)) or len({*counts.values()}) > 1
    return f", or seed={head!r}{', missing=' * gaps}{repr('keep') * gaps} if nothing pairs the scores, such as runs with different seeds"


def _ask_about_training_curve(plan: ReadingPlan) -> None:
    """Raise an error if a column such as epoch or step grows by the same amount on each line, so that the lines are a training curve."""
    for head in plan.free:
        steps = {round(later - number, 9) for number, later in pairwise(plan.numbers(head))}
        if names.known_words("training_steps").intersection(names.words_of(head)[-1:]) and len(steps) == 1 and steps.pop() > 0:
            others = [other for other in plan.free if other != head]
            ways = f", or write ignore={head!r} if each line is a data set, or fold={head!r} if each line is a repetition"
            raise plan.question(
                f"the column {head!r} ({some(plan.read_names(head))}) says that the lines are steps of one training, "
                f"not data sets. Keep one line for each data set, such as the last step{ways * (names.bare_measures(others) != others)}"
            )


def _instead_of_constant(plan: ReadingPlan, chosen: str, telling: Sequence[str]) -> str:
    """Return the only text column that tells the lines of a classifier apart, to replace a column of data sets with only one name."""
    telling = [head for head in telling if not names.is_date_heading(head)]
    if len(telling) != 1 or plan.count(plan.classifier) < 2:
        return chosen
    plan.doubts.append(
        f"The column {telling[0]!r} was taken for the data sets, because {chosen!r} is the same on all lines; if it is not, write "
        f"classifier= with it, or where={{{telling[0]!r}: ...}}."
    )
    plan.give(chosen, IGNORED, "it is the same on all lines")
    return telling[0]


def _find_unnamed_data_sets(plan: ReadingPlan, texts: Sequence[str]) -> None:
    """Read the only column of text as the data sets of a long table; raise an error if there are several such columns."""
    texts = [head for head in texts if not plan.depends_on(head, plan.classifier) or len({*plan.lines_of(plan.classifier)}) < 2]
    texts = [head for head in texts if not any(cell.lower() in MISSING_VALUES for cell in plan.read_names(head))]
    texts = [head for head in texts if not names.is_date_heading(head)]
    if plan.columns[plan.classifier[0]].reason != "stated":
        texts = [head for head in texts if names.classifier_rank(head) < 0]
    numeric = plan.numeric
    numbers = [head for head in numeric if head.lower().endswith(("_id", " id")) and plan.is_whole(head)]
    crossed = [head for head in [*texts, *numbers] if plan.is_unique([head, *plan.classifier]) and _is_crossed(plan, head)]
    finest = crossed if len(crossed) == 1 else [head for head in texts if all(plan.depends_on(other, [head]) for other in texts)]
    if len(texts) == 1 and 2 * len(plan.rows) < plan.count(texts) * plan.count(plan.classifier):
        texts, finest = [], []  # most names occur with only a few classifiers, so the column does not name data sets
    if (texts and len(texts) == 1) or finest:
        (head,) = finest[:1] or texts[:1]
        plan.data_set = [head]
        plan.give(head, "data set", "the only other column of names" if len(texts) == 1 else "it determines the other columns of names")
        plan.doubts.append(f"The column {head!r} was taken for the data sets; if it is not, write data_set= with another column.")
    elif texts:
        ways = [*(f"data_set={head!r}" for head in texts[:3]), f"data_set={[*texts]!r} if each combination is a data set of its own"]
        raise plan.question(
            f"no heading says which of the columns {', '.join(map(repr, texts))} names the data sets. Write {', or '.join(ways)}"
        )
    elif not (plan.fold or plan.seed or numbered_parts(plan)[1] or are_data_sets(plan, plan.classifier[0], numeric)):
        raise ReadingQuestion(
            f"{plan.sheet.name} must have a column with the data set of each line; got the columns {', '.join(plan.sheet.heads)}. Name "
            f"the column of data sets by data_set={_perhaps(plan)}"
        )


def _perhaps(plan: ReadingPlan) -> str:
    """Return an example for an error message: a column of whole numbers, such as years, that may name the data sets."""
    found = [head for head in plan.free if plan.is_whole(head) and plan.varies(head) and _is_crossed(plan, head)]
    if not found:
        return f"; or number the folds in a column 'fold'{or_unrelated(plan)}"
    return (
        f", such as data_set={found[0]!r} ({some(plan.read_names(found[0]))}), or fold={found[0]!r} if it numbers the folds of one data set"
    )


def _is_crossed(plan: ReadingPlan, head: str) -> bool:
    """Return whether each name in a column occurs exactly once with each classifier."""
    return len({*plan.read_names(head)}) * len({*plan.lines_of(plan.classifier)}) == len(plan.rows)


def _ask_about_names_of_classifiers(plan: ReadingPlan, free: Sequence[str]) -> None:
    """Raise an error if the first column holds names of classifiers, so that rows and columns seem to be exchanged."""
    lines, heads = plan.read_names(free[0]), [head for head in free[1:] if plan.is_numeric(head)]
    both = {*lines} & {*heads}
    if len(both) > 1 and 2 * len(both) > len(heads) and not plan.options.turned:
        counts = ", or each number seems to be a count of a confusion matrix" * all(map(plan.is_whole, heads))
        raise plan.question(
            f"lines and columns have the same names ({some(lines)}): each score seems to belong to training on one "
            f"and testing on the other{counts}. Write turned=True if the lines are trained classifiers and the columns are data sets, or "
            f"data_set={free[0]!r} if the columns are classifiers and the lines are data sets"
        )
    if not heads or names.bare_measures(heads):  # if all headings are names of metrics, a later check asks the user
        return
    classifiers, others = names.looks_like(lines, "classifiers"), names.looks_like(heads, "classifiers")
    # the heading "Dataset" may describe the other columns, but then a larger share of names of classifiers is needed
    share, data_sets = 1 / 2 if free[0] and names.data_set_rank(free[0]) >= 0 else 1 / 3, names.looks_like(heads, "data_sets")
    is_turned = classifiers >= 2 and classifiers > len(lines) * share and (not others or data_sets > others)
    if is_turned or (data_sets > max(1, len(heads) / 2) and not (others or names.looks_like(lines, "data_sets"))):
        raise (TurnedTable if is_turned and data_sets > 1 and not others else ReadingQuestion)(
            f"{plan.sheet.name} seems to be transposed: the lines {some(lines)} seem to be classifiers, and the columns {some(heads)} "
            f"seem to be data sets. Write turned=True if each column is a data set, or data_set={free[0]!r} if each line is a data set"
        )
