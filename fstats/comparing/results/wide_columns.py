"""Find the columns of classifiers in a wide table.

Other columns are spreads, summaries, counts, times, folds and metrics.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ...core.validation.pandas_labels import normalize_name
from ...core.value_types import Array
from . import column_names as names
from .cell_numbers import decimal_places
from .measure_columns import ask_about_names_of_metrics, ask_about_several_measures, refuse_predictions
from .metric_headings import are_crossed, name_metric, split_metrics
from .rank_columns import ignore_ranks, note_winners
from .reading_plan import FAR_SCALE, IGNORED, Column, ColumnScores, ReadingPlan, as_list, some
from .reading_question import ReadingQuestion
from .score_units import ask_about_thousands
from .summary_rows import is_among, is_summary_of, summaries

NUMBERED_NAME = re.compile(r"(?P<stem>.*?)[\s._-]*(?P<number>\d+)")
# a column holds no scores of the same metric if all its numbers are smaller by this factor than all other numbers
FAR_BELOW = 5
# reasons to ignore a column because of its name alone
BY_NAME = tuple(f"its name is that of a {kind}" for kind in ("summary", "spread", "time"))
NOT_LISTED = Column(IGNORED, "scores= names other columns")


def plan_score_columns(plan: ReadingPlan) -> None:
    """Decide what each free column of a wide table holds."""
    listed = as_list(plan.options.scores)
    if listed:
        for head in plan.free:
            plan.give(head, *(("scores of one classifier", "stated") if head in listed else NOT_LISTED))
        if left := [head for head, column in plan.columns.items() if column == NOT_LISTED and plan.is_numeric(head)]:
            plan.notes.append(f"Left out, because scores= names other columns: {', '.join(map(repr, left))}.")
        plan.scores = {head: ColumnScores(classifier=head) for head in listed}
        if plan.options.numbered:
            _read_numbered_columns(plan)
        return
    refuse_predictions(plan)
    _ignore_text(plan)
    # in a transposed table, the headings are names of classifiers, and their words do not tell what a column holds
    if not plan.options.turned:
        _ask_about_first_column(plan)
        _ignore_by_name(plan)
        ignore_ranks(plan)
    _ignore_summaries(plan)
    _ignore_repeated_best(plan)
    ask_about_several_measures(plan)
    _ask_about_crossed_settings(plan)
    _ask_about_scales(plan)
    _ask_about_names_of_summaries(plan)
    centres = names.known_words("spread", "centres")  # such as "mean" in "knn mean"
    for head, name in zip(plan.free, names.short_names(plan.free, lambda word: len(word) > 2 and word.lower() in centres)):
        plan.scores[head] = ColumnScores(classifier=name)
        plan.give(head, "scores of one classifier", "a column of numbers")
    ask_about_names_of_metrics(plan)
    split_metrics(plan)
    _read_numbered_columns(plan)
    name_metric(plan)
    note_winners(plan)


def _ignore_text(plan: ReadingPlan) -> None:
    for head in plan.free:
        cells = plan.read_names(head)
        if len({*cells}) == 1 != len(cells) and cells[0] and not plan.is_numeric(head) and not plan.is_text(head):
            plan.give(head, IGNORED, f"it is {cells[0]!r} on all lines", doubt=True)
        elif plan.is_text(head) and len(cells) > 1:
            numbers = [cell for cell in cells if re.match(r"[~≈<>]?\s*[-+]?\d+(?:[.,]\d+)?(?!\d*[-/:]\d)[^\w-]", f"{cell} ")]
            if 2 * len(numbers) > len(cells) and len(plan.free) > 1 and not names.is_summary_heading(head) and head in plan.free[1:]:
                raise plan.question(
                    f"cells of the column {head!r} begin with a number but hold further text ({some(numbers)}). Correct the cells, or "
                    f"write ignore={head!r} to leave the column out"
                )
            if not plan.data_set or plan.depends_on(head, [*plan.data_set, *as_list(plan.metric)]):
                plan.give(head, IGNORED, "it holds text", doubt=not names.is_summary_heading(head))
            else:
                raise _question_about_lines(plan, head, f"classifier={head!r} if it names the classifiers, ")


def _question_about_lines(plan: ReadingPlan, head: str, other: str = "") -> ReadingQuestion:
    """Return a question about a column in which the lines of each data set differ."""
    found = list(dict.fromkeys(plan.read_names(head)))
    return plan.question(
        f"each data set has several lines, which differ in {head!r} ({some(found)}). Write {other}"
        f"where={{{head!r}: {found[0]!r}}} to read only these lines, data_set={[*plan.data_set, head]!r} if each combination is a data set "
        f"of its own, fold={head!r} to average the lines, or ignore={head!r}"
    )


def _ask_about_crossed_settings(plan: ReadingPlan) -> None:
    """Raise an error if a column such as "noise" has the same few numbers on the lines of each data set."""
    if not plan.data_set or plan.fold or plan.seed or plan.metric or plan.is_unique(plan.data_set):
        return
    for head in filter(plan.varies, plan.numeric):
        is_crossed = plan.count([head]) * plan.count(plan.data_set) == len(plan.rows)
        if is_crossed and plan.is_unique([*plan.data_set, head]) and len(plan.free) > 2:
            raise _question_about_lines(plan, head)


def _ignore_by_name(plan: ReadingPlan) -> None:
    """Ignore columns whose headings name spreads, summaries, counts or times; store the column of scores to which each spread belongs."""
    numeric = plan.free
    if seed := next((head for head in numeric if names.SEED_LIKE_HEADING.search(head)), ""):
        raise plan.question(
            f"the column {seed!r} seems to hold seeds, not scores. Write seed={seed!r} for seeds of training, fold={seed!r} for seeds of "
            f"splits, or ignore={seed!r} to leave the column out"
        )
    # the columns "accuracy__MIN" and "accuracy__MAX" are spreads of the column "accuracy"
    for head in numeric:
        centre = re.sub(r"[\s_.-]+(?:min|max|minimum|maximum)$", "", head, flags=re.IGNORECASE)
        for whole in (centre, f"{centre}_mean"):
            if centre != head and whole in numeric and head not in plan.columns:
                plan.give(head, f"spread of {whole}", "its name")
    numeric = plan.free
    plain = {names.without_spread(head): head for head in numeric if not names.is_spread_heading(head)}
    previous = ""
    alternating = 2 * sum(map(names.is_spread_heading, numeric)) == len(numeric)
    for head in numeric:
        # pandas adds numbers to repeated headings: "std", "std.1"
        repeated = re.sub(r"[._]\d+$", "", head)
        bare = names.without_spread(repeated)
        if names.is_spread_heading(repeated) and (bare in plain or (bare == "" and previous and alternating)):
            plan.give(head, f"spread of {plain[bare] if bare else previous}", "its name")
        elif names.is_spread_heading(head) and len(numeric) > 2 and normalize_name(head) in ("std", "sd", "±", "stdev", "se"):
            plan.give(head, IGNORED, BY_NAME[1], doubt=True)
        else:
            previous = head
    if any(column.role.startswith("spread") for column in plan.columns.values()):
        plan.notes.append("Columns of spreads stand beside the scores in tables; tests need only the scores.")
    # if all columns have names of times, the times are the scores
    times = [head for head in plan.free if names.is_time_heading(head) and not all(map(names.is_time_heading, plan.free))]
    times = [head for head in times if names.is_surely_time(head) or _is_apart(plan, head, 3)]
    counts = [head for head in plan.free if names.is_count_heading(head) and not re.fullmatch(r"\d+", head)]
    # True if at least two columns do not have names of counts
    plainly = sum(not names.is_count_heading(head) for head in plan.free) > 1
    scores = [head for head in plan.free if plan.has_decimals(head)]
    parts = [head for head in plan.free if names.partition_words({head.lower()}) and plan.is_whole(head)]
    sizes = [head for head in parts if scores[1:] and _is_apart(plan, head, others=scores)]  # "Train" may also be a score
    for head in plan.free:
        if names.is_summary_heading(re.sub(r"\.\d+$", "", head)):
            plan.give(head, IGNORED, BY_NAME[0], doubt=True)
        elif head in sizes or (head in counts and not (plainly and plan.has_decimals(head) and not _is_apart(plan, head))):
            plan.give(head, IGNORED, "its name is that of a number or a count, not of a classifier", doubt=True)
        elif head in times:
            plan.give(head, IGNORED, BY_NAME[2], doubt=True)


def _is_apart(plan: ReadingPlan, head: str, factor: float = 1, others: Sequence[str] = ()) -> bool:
    """Return whether on every line the number of a column differs by a factor from all other numbers, always in the same direction."""
    table = np.array([plan.numbers(other) for other in others or plan.free if other != head and plan.is_numeric(other)])
    if not plan.is_numeric(head) or not table.size or np.isnan(table).all(axis=0).any():
        return True
    cells = np.array(plan.numbers(head))
    return bool((cells > factor * np.nanmax(table, axis=0)).all() or (factor * cells < np.nanmin(table, axis=0)).all())


def _ignore_summaries(plan: ReadingPlan) -> None:
    """Ignore columns of summaries of the other columns (best, worst, mean, spread, ...), and columns that number the lines."""
    free = plan.numeric
    if len(free) > 2 and len(plan.rows) > 2:
        table = {head: np.array(plan.numbers(head)) for head in free}
        for head in free:
            others = np.array([table[other] for other in free if other != head])
            if not np.isfinite(others).all() or not np.isfinite(table[head]).all() or (np.ptp(others, axis=0) == 0).all():
                continue
            kinds = summaries(others)
            step = 0.51 * 10.0 ** -max(map(decimal_places, plan.sheet[head]))
            if pair := _difference_of(table[head], {other: table[other] for other in free[: free.index(head)]}, 3 * step):
                plan.give(
                    head, IGNORED, f"its number is the difference of the columns {pair[0]!r} and {pair[1]!r} on every line", doubt=True
                )
                free = [other for other in free if other != head]
                continue
            margins = dict.fromkeys(kinds.keys() - {"largest", "smallest"}, step if step < others.std(0).mean() / 10 else -1)
            kind = next((k for k, value in kinds.items() if np.abs(value - table[head]).max() <= margins.get(k, 0)), "")
            if kind and len(plan.rows) > 3 and (len(others) > 2 if kind in margins else len({*others.argmax(0)}) > 1):
                plan.give(head, IGNORED, f"its number is the {kind} of the other columns on every line", doubt=True)
                free = [other for other in free if other != head]
    whole = [head for head in free if plan.is_whole(head)]
    for head in whole[:1] if len(free) > 2 and len(plan.rows) > 2 else ():
        cells = plan.numbers(head)
        # if there are several columns of whole numbers, only the first column can number the lines, because the others may be scores
        first = len(whole) == 1 or (head == free[0] and cells[0] in (0, 1) and len(cells) > 4)
        if first and [cell - cells[0] for cell in cells] == list(range(len(cells))):
            plan.give(head, IGNORED, "it numbers the lines", doubt=True)


def _ask_about_names_of_summaries(plan: ReadingPlan) -> None:
    """Raise an error if a column was ignored because of a name such as "delta", but its numbers are like scores of a classifier."""
    free = plan.numeric
    table = np.array([plan.numbers(head) for head in free])
    named = [head for head, column in plan.columns.items() if column.reason in BY_NAME and plan.is_numeric(head) and len(free) > 1]
    steps = {head: 10.0 ** -max(map(decimal_places, plan.sheet[head])) for head in named}
    numbers = {head: np.array(plan.numbers(head)) for head in named}
    # scores of a classifier such as InceptionTime may lie slightly outside the range of the others
    times = [head for head in named if plan.columns[head].reason == BY_NAME[2] and plan.has_decimals(head)]
    near = [head for head in times if np.nanmin(table) < 1.2 * numbers[head].min() <= 1.2 * numbers[head].max() < 1.5 * np.nanmax(table)]
    found = [head for head in named if head in near or is_among(numbers[head], table)]
    found = [head for head in found if not is_summary_of(numbers[head], table, steps[head])]
    if found:
        scores = [head for head in plan.sheet.heads if head in (*free, *found)]
        one = len(found) == 1
        subject = (
            f"the column {found[0]!r} has the name of a summary or a time"
            if one
            else f"the columns {', '.join(map(repr, found))} have the names of summaries or times"
        )
        raise plan.question(
            f"{subject}, but {'its' if one else 'their'} numbers ({some(plan.read_names(found[0]))}) lie among "
            f"those of the other columns, and are not computed from them. Write ignore={(found[0] if one else found)!r} to leave "
            f"{'it' if one else 'them'} out, or scores={scores!r} if {'it is a classifier' if one else 'they are classifiers'}"
        )


def _ignore_repeated_best(plan: ReadingPlan) -> None:
    """Ignore columns such as best_cost, whose number on every line is the number of another column, but not always of the same column."""
    table = {head: plan.numbers(head) for head in plan.numeric}
    for head in [head for head in table if {"best", "oracle", "vbs", "winner"} & {*names.words_of(head)} and len(table) > 2]:
        others = [table[other] for other in table if other != head]
        if len(plan.rows) > 2 and all(value in line for value, *line in zip(table[head], *others)):
            plan.give(head, IGNORED, "on each line it repeats another column", doubt=True)


def _difference_of(cells: Array, table: Mapping[str, Array], step: float) -> tuple[str, str] | None:
    """Return the two columns whose difference, absolute or in percent, the cells hold; return None if there are no such columns."""
    if len(table) < 2 or cells.std() <= 2 * step:
        return None
    heads, first = list(table), np.array([column[0] for column in table.values()])
    shifts, least = first[:, None] - first, np.where(first == 0, 1.0, np.abs(first))
    # a comparison of all lines is slow, so compare only columns whose first lines have this difference
    near = [np.abs(factor * shifts / part - cells[0]) <= step for factor in (1, 100) for part in (1.0, least)]
    np.fill_diagonal(possible := np.any(near, axis=0), val=False)
    for one, other in ((heads[i], heads[j]) for i, j in np.argwhere(possible)):
        shift = table[one] - table[other]
        if any(np.abs(factor * shift - cells).max() <= step for factor in (1, 100)):
            return one, other
        if table[other].all() and any(np.abs(factor * shift / np.abs(table[other]) - cells).max() <= step for factor in (1, 100)):
            return one, other
    return None


def _ask_about_scales(plan: ReadingPlan) -> None:
    """Raise an error if columns of numbers have different scales, such as counts or percent beside proportions."""
    free = plan.numeric
    if len(free) < 2 + (not plan.data_set) or len(plan.rows) < 2 or any("comma" in plan.parsed(head).forms for head in free):
        return
    _ask_about_settings(plan, free)
    medians = {head: float(np.nanmedian(np.abs(plan.numbers(head)))) for head in free}
    whole = [head for head in free if plan.is_whole(head)]
    others = [head for head in free if head not in whole]
    usual = np.median([medians[other] for other in others] or [1]) or 1
    for head in [head for head in whole if medians[head] and len(whole) <= len(others)]:
        if not 1 / FAR_SCALE < medians[head] / usual < FAR_SCALE or _is_size(plan, head, others):
            ask_about_thousands(plan, dict.fromkeys(free, ""))
            cells = ", ".join(plan.read_names(head)[:3])
            raise _question_about_scale(plan, head, free, f"holds whole numbers ({cells}, ...) of another scale than", "no classifier")
    if are_crossed(free):
        return
    small = [head for head in free if (x := np.array(plan.numbers(head)))[~np.isnan(x)].size and np.nanmin(x) >= 0 and np.nanmax(x) <= 1]
    large = [head for head in free if np.nanmin(plan.numbers(head)) >= 20 and np.nanmax(plan.numbers(head)) <= 100]
    large = [head for head in large if "%" not in plan.parsed(head).forms or not small]  # a percent sign states the unit
    if small and large and len(small) + len(large) == len(free) and 40 < medians[large[0]] / (medians[small[0]] or 1) < 250:
        if plan.options.units or any("%" in plan.parsed(head).forms for head in large):
            return  # the user or a percent sign states the unit
        fewer = small if len(small) <= len(large) else large
        raise plan.question(
            f"the column {small[0]!r} holds numbers from 0 to 1, but the column {large[0]!r} holds numbers up to "
            "100, as if some scores were in percent. Write units='percent' to read all as percent"
            + f", or ignore={fewer[0]!r} to leave the column out"
            * (len(free) > 2)
        )
    for head in free if len(free) > 2 else ():
        higher = np.abs([plan.numbers(other) for other in free if other != head])
        if 0 < FAR_BELOW * np.nanmax(np.abs(plan.numbers(head))) < np.nanmin(higher):
            raise plan.question(
                f"each number of the column {head!r} ({', '.join(plan.read_names(head)[:3])}, ...) is far below all numbers of the other "
                f"columns. Write ignore={head!r} to leave the column out, or scores={[*free]!r} if the column is a classifier"
            )
    spans = sorted(whole, key=medians.__getitem__)
    if len(whole) > len(others) and len(whole) > 1 and medians[spans[-1]] > FAR_SCALE**2 * medians[spans[0]]:
        low, high = (np.abs(plan.numbers(head)) for head in (spans[0], spans[-1]))
        if (high > FAR_SCALE * low).all():
            raise plan.question(
                f"the columns {spans[0]!r} ({some(plan.read_names(spans[0]))}) and {spans[-1]!r} ({some(plan.read_names(spans[-1]))}) hold "
                "whole numbers of different scales: they seem to be different quantities, not scores of classifiers. Write classifier= "
                f"with the column of classifiers, or scores={[*free]!r} if each column is a classifier"
            )


def _ask_about_first_column(plan: ReadingPlan) -> None:
    """Raise an error if the first column of a table without names of data sets holds growing values of a setting, such as noise levels."""
    numeric = plan.numeric
    head = plan.sheet.heads[0]
    if plan.data_set or plan.fold or plan.seed or head not in numeric[:1] or len(numeric) < 3 or len(plan.rows) < 4:
        return
    places = [max(map(decimal_places, plan.sheet[one])) for one in numeric]
    steps = np.diff(plan.numbers(head))
    named = names.is_setting_heading(head)
    rough = places[0] < min(places[1:]) and not plan.is_whole(head) and not names.is_score_heading(head)
    if ((steps > 0).all() or (steps < 0).all()) and (rough or (named and not (steps == 1).all())):
        what = f"({some(plan.read_names(head))}) grows from line to line, unlike"
        raise _question_about_scale(plan, head, numeric, what, "a setting or a size, not a classifier")


def _is_size(plan: ReadingPlan, head: str, others: Sequence[str]) -> bool:
    """Return whether whole numbers are sizes: only they are above 100, or the heading is a single letter, such as d."""
    most = max(np.nanmax(plan.numbers(other)) for other in others)
    letter = len(head) == 1 and head.islower() and all(len(other) > 1 for other in others)
    return len(others) > 1 and (letter or np.nanmax(plan.numbers(head)) > 100 >= most)


def _ask_about_settings(plan: ReadingPlan, free: Sequence[str]) -> None:
    """Raise an error if a column may hold settings or sizes: a growing first column on another scale, or numbers > 1 beside proportions."""
    table = {head: np.array(plan.numbers(head)) for head in free}
    for head in free:
        others = np.array([table[other] for other in free if other != head])
        cells, least, most = table[head], np.nanmin(others), np.nanmax(others)
        grows = head == free[0] and len(others) > 1 and (np.diff(cells) > 0).all() and (cells > 0).all()
        apart = grows and ((cells * FAR_SCALE < others).all() or (cells > FAR_SCALE * others).all())  # on every line
        beside = len(others) > 2 and least >= 0 and most <= 1 and (cells > 1).all()
        if apart or beside:
            what = f"({some(plan.read_names(head))}) holds numbers of another scale than"
            raise _question_about_scale(plan, head, free, what, "a setting or a size, not a classifier")


def _question_about_scale(plan: ReadingPlan, head: str, free: Sequence[str], what: str, kind: str) -> ReadingQuestion:
    """Return a question about a column whose numbers have another scale than those of the other columns."""
    named = "each setting counts as a data set" if "setting" in kind else "it names the data sets"
    others, turn = [one for one in free if one != head], ""
    if "setting" in kind and head == plan.sheet.heads[0] and not names.looks_like(others, "classifiers"):
        turn = "turned=True and numbered='classifiers' if each setting is a classifier and each column is a data set"
    others_ways = f"data_set={head!r} if {named}, or scores={[*free]!r} if it is a classifier"
    ways = f"ignore={head!r} to leave it out, {turn}{', ' * bool(turn)}{others_ways}"
    ways = turn if turn and names.looks_like(others, "data_sets") > 1 else ways
    return plan.question(
        f"the column {head!r} {what} the other columns, and seems to be {kind}. If the columns are measures, write classifier= with the "
        f"column of classifiers. Otherwise, write {ways}"
    )


# -- numbered columns --------------------------------------------------------------------------------------------------------------
def numbered_groups(heads: Sequence[str]) -> Mapping[str, dict[str, str]]:
    """Return the headings that end with a number, as stem -> {heading: number}; a heading of digits has an empty stem.

    >>> {stem: list(group.values()) for stem, group in numbered_groups(["svm-cv0", "svm-cv1", "Run 1", "tree"]).items()}
    {'svm-cv': ['0', '1'], 'Run': ['1']}
    """
    groups: dict[str, dict[str, str]] = {}
    for head in heads:
        if match := NUMBERED_NAME.fullmatch(head.strip()):
            groups.setdefault(match["stem"], {})[head] = match["number"]
    return groups


def numbered_series(heads: Sequence[str]) -> tuple[Mapping[str, dict[str, str]], bool, bool]:
    """Return the groups of several headings, whether each counts 0, 1, 2, ... or 1, 2, 3, ..., and whether all have the same numbers."""
    groups = {stem: group for stem, group in numbered_groups(heads).items() if len(group) > 1}
    series = all(is_numbered_series(list(group.values())) for group in groups.values())
    return groups, series, len({frozenset(group.values()) for group in groups.values()}) == 1


def is_numbered_series(numbers: Sequence[str]) -> bool:
    """Return whether numbers count 0, 1, 2, ... or 1, 2, 3, ... (or 01, 02, ...)."""
    counted = sorted(map(int, numbers))
    return len(counted) > 1 and counted[0] in (0, 1) and counted == list(range(counted[0], counted[0] + len(counted)))


def numbered_parts(plan: ReadingPlan) -> tuple[str, dict[str, str]]:
    """Return the role and the numbers of columns such as "fold 1", "fold 2"; the role of the headings 0, 1, 2 is empty."""
    heads = [head for head in plan.numeric if not names.is_summary_heading(head)]
    if is_numbered_series(digits := [head for head in heads if head.isdecimal()] or ["0"]):
        return "", dict(zip(digits, digits))
    for pattern, taken, role in ((names.FOLD_HEADING, plan.fold, "fold"), (names.SEED_HEADING, plan.seed, "seed")):
        matches = {head: match[1] for head in heads if (match := pattern.fullmatch(head))}
        if matches and len(matches) == len(heads) and not taken:
            return role, matches
    return "", {}


def _read_numbered_columns(plan: ReadingPlan) -> None:
    """Read numbered columns as folds or seeds of one classifier if the user or a heading says so; raise an error if this is unclear."""
    stated = plan.options.numbered
    heads = list(plan.scores)
    groups, series, equal = numbered_series(heads)
    if stated == "classifiers" or not groups:
        return
    covered = [head for group in groups.values() for head in group]
    ends = {stem: ((words := names.words_of(stem)) and words[-1]) or "" for stem in groups}
    says_so = all(end in names.known_words("fold") for end in ends.values())
    if stated or (says_so and equal and len(covered) == len(heads) and len(groups) > 1):
        role = "seed" if stated == "seeds" or (not stated and all(end == "seed" for end in ends.values())) else "fold"
        for stem, group in groups.items():
            words = re.split(r"[\s._-]+", stem)
            name = stem if stated and words[-1].lower() not in names.known_words("fold") else "_".join(words[:-1])
            for head, number in group.items():
                plan.scores[head] = ColumnScores(classifier=name or plan.sheet.name.partition(".")[0], **{role: number})
                plan.give(head, f"{role} {number} of {name or 'one classifier'}", "stated by numbered=" if stated else "its name")
        if not stated:
            plan.doubts.append(
                f"Numbered columns such as {covered[0]!r} were read as {role}s of one classifier: write numbered='classifiers' if each "
                "column is a classifier."
            )
        return
    if len(covered) < len(heads) or not series or not equal:
        many = [group for group in groups.values() if is_numbered_series(list(group.values())) and len(group) > 2]
        if many:
            plan.doubts.append(
                f"The columns {some(list(many[0]))} differ only by a number at the end: they were read as classifiers. Write "
                "numbered='folds' if they are runs of one classifier."
            )
        return
    if len(groups) == 1:
        (stem,) = groups
        word = ends[stem]
        if stem and (word in names.known_words("classifier") or (len(stem) == 1 and stem.lower() not in "rs")):
            return
    kind = "runs of one classifier" if len(groups) == 1 else f"runs of {len(groups)} classifiers ({some(list(groups))})"
    raise plan.question(
        f"the columns {some(covered)} differ only by a number: they seem to be {kind}, not {len(covered)} "
        "classifiers. Write numbered='folds' to average them as folds, numbered='seeds' as trainings with different seeds, or "
        f"numbered='classifiers' if each column is a classifier{'; a comparison needs at least two classifiers' * (len(groups) == 1)}"
    )
