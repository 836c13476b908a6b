"""Read tables of scores in long format.

A long table has one row for each score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from ...core.metric_direction import is_loss_metric
from ...core.validation.pandas_labels import is_seed_name, normalize_name
from . import column_names as names
from .named_columns import LINE, are_data_sets
from .reading_plan import IGNORED, RENUMBERED, RUN_AS_FOLD, ColumnScores, ReadingPlan, as_list, some
from .reading_question import ReadingQuestion
from .wide_columns import numbered_parts

COUNTED = {"n", "num", "number", "count"}  # first words of names of columns with counts, such as "n_seeds"


def find_long_scores(plan: ReadingPlan) -> None:
    """Find the columns of scores of a long table, and ignore numbers that describe data sets, classifiers or lines."""
    listed, sheet = as_list(plan.options.scores), plan.sheet
    if listed:
        for head in listed:
            plan.scores[head] = ColumnScores(metric="" if plan.metric is not None and len(listed) == 1 else head)
            plan.give(head, "scores", "stated")
        for head in plan.free:
            plan.give(head, IGNORED, "scores= names other columns")
        return
    if _find_numbered_parts(plan):
        return
    for head in plan.free:
        if not any(number == number for number in plan.numbers(head)):
            plan.give(head, IGNORED, "it holds text" if any(plan.read_names(head)) else "it is empty")
    spreads = [*filter(names.is_spread_heading, plan.free)]
    for head in spreads if len(spreads) < len(plan.free) else ():
        plan.give(head, f"spread of {names.without_spread(head) or 'the scores'}", "its name")
    if any(normalize_name(head) in ("mean", "avg", "average", "median") for head in plan.free):
        for head in [head for head in plan.free if normalize_name(head) in ("min", "max", "minimum", "maximum")]:
            plan.give(head, "spread of the scores", "its name")
    seed_like = next(
        (h for h in plan.free if names.SEED_LIKE_HEADING.search(h) and not is_seed_name(h) and names.words_of(h)[0] not in COUNTED), ""
    )
    if seed_like and len(plan.free) > 1:
        raise ReadingQuestion(
            f"in {sheet.name}, the column {seed_like!r} seems to hold seeds, not scores. Write seed={seed_like!r} for seeds of training, "
            f"fold={seed_like!r} for seeds of splits, or scores=[...] with the columns of scores"
        )
    counts = [head for head in plan.free if head.lower() in ("tp", "fp", "fn", "tn")]
    has_metric = any(names.is_score_heading(head) for head in plan.free if head not in counts)
    if len(counts) > 2 and plan.options.metric not in counts and not has_metric:
        raise plan.question(
            f"the columns {', '.join(counts)} are counts of a confusion matrix, and nothing says which metric is meant. Add a column with "
            f"the metric, or write scores={counts[0]!r} to compare one of the counts"
        )
    _ignore_repeated_values(plan)
    valued = [head for head in plan.free if names.is_value_heading(head)]
    scored = [head for head in plan.free if names.is_score_heading(head) or head == plan.options.metric]
    recognized = _without_costs(plan, valued if plan.metric is not None and valued else scored)
    surely = [head for head in recognized if not names.is_time_heading(head)]
    ranks = [head for head in recognized if normalize_name(head).endswith("rank") and len(recognized) > 1]
    kept = [head for head in recognized if head not in ranks and not _is_baseline(plan, head, surely)]
    for head in [head for head in plan.free if head not in kept]:
        if reason := _describes(plan, head, surely if head not in recognized else recognized):
            plan.give(head, IGNORED, reason, doubt=not names.is_count_heading(head) and "stands once" not in reason)
    _read_headings_of_data_sets(plan, recognized)
    free = plan.free
    for head in free:
        plan.scores[head] = ColumnScores(metric="" if plan.metric is not None and len(free) == 1 else head)
        plan.give(head, "scores", "its name" if head in recognized else "no other role fits its numbers")
    _ask_about_best(plan)


def _read_headings_of_data_sets(plan: ReadingPlan, recognized: Sequence[str]) -> None:
    """Read the columns as data sets if there is no column of data sets, and no heading is the name of a metric."""
    heads = plan.free
    if recognized or plan.data_set or plan.metric is not None:
        return
    if are_data_sets(plan, plan.classifier[0], [*filter(plan.is_numeric, heads)]):
        plan.doubts.append(f"The columns {some(heads)} were read as data sets, because their headings are no names of metrics.")
        for head in heads:
            plan.scores[head] = ColumnScores(data_set=head)
            plan.give(head, "scores on one data set", "its heading is no name of a metric")


def _without_costs(plan: ReadingPlan, recognized: Sequence[str]) -> list[str]:
    """Return the columns of scores without costs such as FLOPs and energy; costs are ignored if other columns measure quality."""
    costs = [head for head in plan.free if names.is_resource_heading(head) and head != plan.options.metric]
    if {*recognized} <= {*costs}:
        return [*recognized]
    for head in costs:
        plan.give(head, IGNORED, "it holds what the computation needs, and no quality (scores= would read it)", doubt=True)
    return [head for head in recognized if head not in costs]


def _ask_about_best(plan: ReadingPlan) -> None:
    """Raise an error if the best values of several runs are below their means, so that lower seems to be better."""
    found = {normalize_name(head): head for head in plan.scores}
    best, mean = found.get("best"), next((found[name] for name in ("mean", "average", "avg", "median", "worst") if name in found), None)
    if best is None or mean is None or plan.options.higher_is_better is not None:
        return
    differences = [a - b for a, b in zip(plan.numbers(best), plan.numbers(mean)) if a == a and b == b]
    if differences and max(differences) <= 0 > min(differences):
        raise plan.question(
            f"the column {best!r} is never above the column {mean!r}, as if lower scores were better. Write "
            f"higher_is_better=False if lower is better, or higher_is_better=True if not. Add metric={mean!r} to read one column"
        )


def _find_numbered_parts(plan: ReadingPlan) -> bool:
    """Read columns such as "fold 1", "fold 2" as the folds (or seeds) of the classifier of the row; ask about headings 0, 1, 2."""
    role, parts = numbered_parts(plan)
    stated = {"folds": "fold", "seeds": "seed", "repetitions": "repetition"}.get(plan.options.numbered or "", "")
    if parts and not (role or stated):
        raise plan.question(
            f"the columns {some([*parts])} have numbers instead of names. Write numbered='folds' if they are folds, or numbered='seeds' if "
            "they are trainings with different seeds"
        )
    for head, number in parts.items():
        plan.scores[head] = ColumnScores(**{"seed" if (stated or role) == "seed" else "fold": number})
        is_run = not stated and names.RUN_HEADING.fullmatch(head)
        plan.give(head, RUN_AS_FOLD if is_run else f"scores of one {stated or role}", "stated by numbered=" if stated else "its name")
    for head in plan.free if parts else ():
        plan.give(head, IGNORED, f"it holds no scores of {stated or role}s")
    return bool(parts)


def _ignore_repeated_values(plan: ReadingPlan) -> None:
    """Ignore differences of scores, and columns that repeat the scores of other columns.

    For example, "result" may repeat "accuracy" on some lines, and "loss" on the other lines.
    """
    for head in plan.free:  # ignore a difference such as "delta_accuracy" beside the score "accuracy"
        words = names.words_of(head)
        if words and words[0] in names.known_words("differences") and any(names.score_words(other) for other in plan.free if other != head):
            plan.give(head, IGNORED, "its name is that of a difference", doubt=True)
    named = [head for head in plan.free if _is_surely_score(head) and not names.is_value_heading(head) and plan.is_numeric(head)]
    for head in [head for head in plan.free if names.is_value_heading(head) and len(named) > 1]:
        rows = zip(plan.numbers(head), *(plan.numbers(other) for other in named))
        if all(value != value or value in others for value, *others in rows):
            plan.give(head, IGNORED, f"on each line it repeats another column ({some(named)})", doubt=True)


def _is_baseline(plan: ReadingPlan, head: str, recognized: Sequence[str]) -> bool:
    """Return whether a column holds scores of a baseline, which are the same for all classifiers on a data set."""
    return (
        bool(plan.data_set)
        and plan.varies(head)
        and plan.varies(plan.classifier[0])
        and not plan.is_unique(plan.data_set)
        and plan.depends_on(head, plan.data_set)
        and any(other != head and not plan.depends_on(other, plan.data_set) for other in recognized)
    )


def _describes(plan: ReadingPlan, head: str, recognized: Sequence[str]) -> str:
    """Return the reason why a column of numbers does not hold scores; return an empty text if it may hold scores."""
    if _is_baseline(plan, head, recognized):
        return "it stands once for each data set"
    if head in recognized:
        return "ranks follow from the scores" if recognized != [head] else ""
    cells = plan.read_names(head)
    others = [other for other in plan.free if other != head and not (names.is_count_heading(other) or names.is_spread_heading(other))]
    if plan.metric is not None and recognized:
        return "another column holds the values of the metrics"
    if names.is_summary_heading(head) and recognized and not is_loss_metric(head):
        return "it summarizes other numbers"
    if len(plan.rows) < 2:
        return "its name is that of a number or a count" if recognized and names.is_count_heading(head) else ""
    if not others:
        return ""
    if len({*filter(None, cells)}) == 1:
        return "it is the same on all lines"
    if plan.varies(plan.classifier[0]) and plan.data_set and not plan.is_unique(plan.data_set) and plan.depends_on(head, plan.data_set):
        return "it stands once for each data set"
    if names.is_count_heading(head):
        return "its name is that of a number or a count"
    counted = {*plan.numbers(head)}
    if recognized and plan.is_whole(head) and max(counted) - min(counted) + 1 == len(counted) == len(cells):
        return "it numbers the lines"
    if recognized and not plan.is_unique(plan.classifier) and plan.depends_on(head, plan.classifier):
        return "it stands once for each classifier"
    return "not named like a metric (scores= would read it)" if recognized else ""


def ask_what_tells_rows_apart(plan: ReadingPlan) -> None:
    """Raise an error if several rows hold a score of the same name, and a column without a role tells these rows apart."""
    if plan.is_unique(plan.keys):
        return
    keys = plan.lines_of(plan.keys)
    (most, count), *_ = Counter(keys).most_common(1)
    settings = [head for head in plan.scores if len(plan.scores) > 1 and _may_be_setting(plan, head) and not _is_surely_score(head)]
    free = [head for head, one in plan.columns.items() if (one.role == IGNORED and one.reason != "stated") or head in settings]
    free = [head for head in free if not names.is_resource_heading(head) and "memory" not in names.words_of(head)]
    candidates = [head for head in free if plan.is_text(head) or not plan.is_unique([head])]
    candidates = [head for head in candidates if plan.varies(head) and not plan.depends_on(head, plan.keys)]
    # prefer columns with few different names that distinguish the rows
    candidates.sort(key=lambda head: len({*plan.read_names(head)}))
    for size in (1, 2, 3):
        for chosen in combinations(candidates, size):
            if plan.is_unique([*plan.keys, *chosen]):
                _raise_question(plan, chosen, most, count)
    if candidates and Counter(keys).most_common()[-1][1] != count:
        _raise_question(plan, candidates[:1], most, count)
    telling = [head for head in candidates if plan.is_text(head)]
    if telling:
        _raise_question(plan, telling[:2], most, count)


def _may_be_setting(plan: ReadingPlan, head: str) -> bool:
    """Return whether a column may be a setting: it holds whole numbers, or its numbers are crossed with the names."""
    return plan.is_whole(head) or (not names.is_score_heading(head) and plan.count([head]) * plan.count(plan.keys) == len(plan.rows))


def _is_surely_score(head: str) -> bool:
    return names.is_score_heading(head) and not names.is_time_heading(head)


def _raise_question(plan: ReadingPlan, chosen: Sequence[str], key: Sequence[str], count: int) -> None:
    rows = [row for row, other in zip(plan.rows, plan.lines_of(plan.keys)) if other == tuple(key)]
    which = " and ".join(map(repr, chosen))
    cells = {head: list(dict.fromkeys(plan.read_names(head))) for head in chosen}
    where = "{" + ", ".join(f"{head!r}: {max(found[:2], key=bool)!r}" for head, found in cells.items()) + "}"
    is_curve = any(names.known_words("training_steps").intersection(names.words_of(head)[-1:]) for head in chosen)
    if is_curve:  # suggest the last step; steps of one training are no repetitions
        where = repr({head: found[-1] for head, found in cells.items()})
    fold, names_of = ([*chosen] if len(chosen) > 1 else chosen[0]), [*plan.classifier, *chosen]
    kinds = dict.fromkeys(plan.fold, "fold ") | dict.fromkeys(as_list(plan.seed), "seed ")
    named = [kinds.get(head, "") + cell for head, cell in zip(plan.keys, key) if cell]
    raise plan.question(
        f"there are {count} scores of {', '.join(named)} ({plan.sheet.rows(rows)}), which differ in {which} "
        f"({'; '.join(some(found) for found in cells.values())}). Write where={where} to read only these lines, classifier={names_of!r} to "
        f"compare each combination, data_set={[*plan.data_set, *chosen]!r} if each combination is a data set of its own"
        + f", or fold={fold!r} to average the lines"
        * (not is_curve)
    )


def check_ignored_text(plan: ReadingPlan) -> None:
    """Raise an error for unfinished runs that have scores; add a doubt about ignored text that differs within a data set and classifier."""
    for head, column in plan.columns.items():
        if column.role != IGNORED or column.reason == "stated" or not plan.is_text(head) or not plan.varies(head):
            continue
        cells = plan.read_names(head)
        states = list(dict.fromkeys(cells))
        unfinished = [state for state in states if state.lower() in names.known_words("runs", "unfinished")]
        heads = [score for score in plan.scores if score == plan.options.metric] or [*plan.scores]
        numbers = {state for score in heads for state, number in zip(cells, plan.numbers(score)) if number == number}
        if not numbers.isdisjoint(unfinished) and len(unfinished) < len(states):
            finished = next(state for state in states if state not in unfinished)
            raise plan.question(
                f"the column {head!r} ({some(states)}) says which runs finished, but also unfinished runs have scores. Write "
                f"where={{{head!r}: {finished!r}}} to read only finished runs, or ignore={head!r} to read all lines"
            )
        known = names.is_date_heading(head) or plan.is_unique([head]) or head in plan.doubtful
        if not known and not any(
            plan.depends_on(head, part) for part in ([*plan.data_set, *plan.classifier], *([key] for key in plan.keys))
        ):
            plan.give(head, IGNORED, "it holds text, which differs within a data set and classifier", doubt=True)


def check_repetition_names(plan: ReadingPlan) -> None:
    """Treat seeds and runs that differ between the classifiers of a data set as names of repetitions, not as a crossed factor."""
    unit = [*plan.data_set, *plan.classifier, *as_list(plan.metric)]
    seed = plan.seed
    is_apart = seed is not None and plan.fold and plan.columns[seed].reason != "stated" and plan.varies(seed)
    if seed is not None and is_apart and plan.depends_on(seed, [*unit, *plan.fold]):  # folds crossed with seeds would be mostly missing
        plan.seed = None
        plan.give(seed, IGNORED, "each fold has one seed, so the fold names the repetition")
        plan.notes.append(f"The column {seed!r} was ignored: each fold has one seed, so the folds number the repetitions.")
    is_known = plan.seed is not None or (plan.data_set and all(plan.columns[head].reason != "stated" for head in plan.fold if head != LINE))
    if is_known and len(plan.fold) == 1 and plan.is_unique(plan.fold) and plan.is_unique([*unit, *as_list(plan.seed)]):
        plan.give(plan.fold.pop(), IGNORED, "it names each line")
    if not plan.classifier or (plan.fold and len(plan.fold) > 1):
        return
    for head, role in ((plan.fold[0] if plan.fold else None, "fold"), (plan.seed, "seed")):
        if head is None or (plan.fold and plan.seed):
            continue
        if _hangs_on_classifier(plan, head):
            plan.renumber = role
            is_stated = head != LINE and plan.columns[head].reason == "stated"
            plan.give(head, plan.columns[head].role, "stated" if is_stated else RENUMBERED)
            plan.notes.append(f"The entries of {head!r} are different for each classifier; they were numbered 1, 2, ...")


def _hangs_on_classifier(plan: ReadingPlan, head: str) -> bool:
    """Return whether the classifiers have different names in a column, on most data sets and for many of the names."""
    found: dict[tuple[str, ...], dict[tuple[str, ...], set[str]]] = {}
    for data_set, classifier, cell in zip(plan.lines_of(plan.data_set), plan.lines_of(plan.classifier), plan.read_names(head)):
        found.setdefault(data_set, {}).setdefault(classifier, set()).add(cell)
    groups = [[*parts.values()] for parts in found.values() if len(parts) > 1]
    return bool(groups) and sum(len(set().union(*parts)) >= 1.5 * max(map(len, parts)) for parts in groups) > len(groups) / 2
