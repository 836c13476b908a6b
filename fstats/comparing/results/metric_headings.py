"""Find the metric of a wide table in its headings, in the text above it, or in the name of the file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile

from ...core.metric_direction import DEFAULT_METRIC_NAME, MODIFIERS, STATED, WORDS, direction_text, is_loss_metric, read_direction
from . import column_names as names
from .reading_plan import ColumnScores, ReadingPlan, some

EVERYDAY_PHRASES = names.known_pattern("patterns", "everyday", r"{}(?![^\W_])", re.IGNORECASE)
MAX_METRIC_WORDS = 6  # a longer text above a table is not used as the name of the metric


def split_metrics(plan: ReadingPlan) -> None:
    """Split headings such as svm_accuracy and svm_f1 into classifier and metric; ask about headings such as svm_train and svm_test."""
    heads = list(plan.scores)
    for pairs in names.split_headings(heads) if len(heads) > 1 else ():
        split, ends = dict(zip(heads, pairs, strict=True)), {end for _, end in pairs}
        if (parts := names.partition_words(ends)) and parts == ends and len(ends) > 1:
            chosen = [head for head in heads if split[head][1] == sorted(ends)[0]]
            raise plan.question(
                f"the columns {some(heads)} end in parts of the data ({', '.join(sorted(ends))}). Name the columns to compare by "
                f"scores={chosen!r}"
            )
        if all(names.is_score_heading(end) and not names.is_summary_heading(end) for end in ends) and len(ends) > 1:
            stems = Counter(stem for stem, _ in split.values())
            if len(stems) == 1:
                raise plan.question(
                    f"the headings {some(heads)} seem to name metrics of one classifier, {next(iter(stems))!r}. "
                    f"Write scores={heads!r} if each of these columns is a classifier"
                )
            if {*stems.values()} == {len(ends)}:
                for head, (stem, end) in split.items():
                    plan.scores[head] = ColumnScores(classifier=stem, metric=end)
                    plan.give(head, f"{end} of {stem}", "its heading joins a classifier and a metric")
                return
            raise plan.question(
                f"the columns {some(heads)} hold several metrics ({', '.join(sorted(ends))}), but not each metric for each classifier. "
                "Write scores=[...] with the columns of one metric"
            )
        if len(ends) == 1 and names.is_score_heading(end := ends.pop()):
            if are_loss_functions(heads):
                if plan.options.higher_is_better is None:
                    raise plan.question(
                        f"the headings {some(heads)} name loss functions. Write higher_is_better=True if the "
                        "numbers are scores of classifiers that were trained with them, or higher_is_better=False if they are losses"
                    )
                return
            if any(map(str.isalpha, end)) or not _split_common_words(plan):
                _share_metric(plan, dict(zip(heads, names.short_names(heads))), end)
            return
    _split_common_words(plan)


def are_loss_functions(heads: Sequence[str]) -> bool:
    """Return whether headings such as "focal loss" and "hinge loss" may name classifiers by the losses with which they were trained.

    >>> are_loss_functions(["focal loss", "hinge loss"]), are_loss_functions(["svm log loss", "tree log loss"])
    (True, False)
    """
    split = [names.split_heading(head) for head in heads]
    is_loss = {word.lower() for _, word in split} in ({"loss"}, {"losses"})
    known = names.known_words("loss_functions")
    common = known.intersection(*(names.words_of(stem) for stem, _ in split))  # a loss function in all headings is the metric
    return is_loss and any((known - common) & {*names.words_of(stem)} for stem, _ in split)


def are_crossed(heads: Sequence[str]) -> bool:
    """Return whether headings join each of several metrics with each of several classifiers.

    >>> are_crossed(["MAE svm", "MAE knn", "R2 svm", "R2 knn"]), are_crossed(["svm_acc", "knn_acc"])
    (True, False)
    """
    for split in names.split_headings(heads):
        stems, ends = {stem for stem, _ in split}, {end for _, end in split}
        if min(len(stems), len(ends)) > 1 and len(stems) * len(ends) == len({*split}) == len(heads):
            return all(map(names.is_score_heading, ends))
    return False


def _share_metric(plan: ReadingPlan, named: Mapping[str, str], metric: str) -> None:
    """Give the columns the names of their classifiers, and the metric that all headings contain."""
    for head, name in named.items():
        plan.scores[head] = ColumnScores(classifier=name)
        plan.give(head, f"{metric} of {name}", "its heading joins a classifier and a metric")
    if plan.options.metric == DEFAULT_METRIC_NAME and any(map(str.isalpha, metric)):
        plan.metric_name = metric
        plan.notes.append(f"The metric is {metric}, which all headings of scores contain.")
    elif plan.options.metric == DEFAULT_METRIC_NAME:
        plan.metric_name = DEFAULT_METRIC_NAME + direction_text(is_loss_metric(metric))
        better = "Lower" if is_loss_metric(metric) else "Higher"
        plan.notes.append(f"{better} is better, as the arrow {metric} in all headings of scores says.")


def _split_common_words(plan: ReadingPlan) -> bool:
    """Take the last words of all headings as the metric, as in "ours miss rate" and "base miss rate"; return whether there is one.

    Words that name no metric, as in "ours KID2" and "base KID2", are a metric of unknown direction, unless they name kinds of classifiers.
    """
    bare = {head: head.rstrip(" ↑↓") for head in plan.scores}
    heads = [re.split(r"[\s_]+", name) for name in bare.values()]
    shared = [words[0] for words in takewhile(lambda words: len({*words}) == 1, zip(*(head[::-1] for head in heads)))]
    tail = " ".join(reversed(shared)).strip("()[]")
    if len(heads) < 2 or not shared or min(map(len, heads)) <= len(shared) or plan.options.metric != DEFAULT_METRIC_NAME:
        return False
    split = {head: re.sub(rf"(?:[\s_]*[^\s_]+){{{len(shared)}}}$", "", name).strip(" :-") for head, name in bare.items()}
    if unknown := read_direction(tail)[0] is None:
        kinds = [names.known_words(kind) for kind in ("classifiers", "classifier", "kinds_of_classifiers", "fold", "partition")]
        kinds.append(names.known_words("spread", "centres"))
        is_kind = not re.search(r"[^\W\d]{2}", tail) or frozenset().union(*kinds) & {*names.words_of(tail)}
        if is_kind or plan.options.turned or plan.sheet.line == "row" or not all(re.search(r"[^\W\d]", name) for name in split.values()):
            return False
    arrows = {head[-1] for head in plan.scores} & {"↑", "↓"}
    _share_metric(plan, split, " ".join([tail, *arrows]))
    if unknown and not arrows and plan.options.higher_is_better is None:
        plan.doubt_direction([tail], ", because its name does not say")
    return True


def name_metric(plan: ReadingPlan) -> None:
    """Take the metric and its direction from the first heading, the text above the table or the file name, if it names one metric."""
    if plan.metric_name != DEFAULT_METRIC_NAME or plan.options.metric != DEFAULT_METRIC_NAME or plan.metric:
        return
    file = plan.sheet.name.partition(".")[0]
    sources = "the heading of the first column", "the text above the table", "the name of the file"
    for text, source in zip((_metric_of_corner(plan), plan.sheet.title, file), sources):
        words = _metric_words_of_title(text)
        stated = STATED.search(text.lower())
        name = words[0] if len({*words}) == 1 else DEFAULT_METRIC_NAME if stated and source != sources[2] else ""
        if not name:
            # the text does not name exactly one metric; if it speaks of costs or errors, the direction is doubtful
            plain = EVERYDAY_PHRASES.sub(" ", text.replace("_", " "))
            if plan.options.higher_is_better is None and not plan.undirected and read_direction(plain)[0]:
                plan.doubt_direction([DEFAULT_METRIC_NAME], f", although {source} speaks of costs or errors ({text!r})")
            continue
        # read the direction only from the clause of the metric: the rank in "Accuracy, rank in brackets" does not reverse it
        clause = text if stated else next((part for part in re.split("[,;]", text) if name in part.lower()), text)
        lower = read_direction(EVERYDAY_PHRASES.sub(" ", clause))[0] if stated or name != DEFAULT_METRIC_NAME else None
        if lower is None or lower == is_loss_metric(name):
            lower = is_loss_metric(name)
        elif source == sources[2]:
            continue  # such as "no_error": the name of a file is too short to say what was measured
        else:  # such as "1 - accuracy", or "Reduction in error (higher is better)"
            phrase = re.split(r"[(\[;]", re.sub(r"^\W*(?:table|tab\.?)\s*\d+\s*[:.]\s*", "", text, flags=re.IGNORECASE))[0].strip(" .")
            name = phrase if name != DEFAULT_METRIC_NAME and len(phrase.split()) <= MAX_METRIC_WORDS else name
        name = _metric_phrase(text, name) if name in words else name
        plan.metric_name = name if is_loss_metric(name) == lower else name + direction_text(lower)
        (plan.doubts if lower else plan.notes).append(
            f"The metric is {name}, and {'lower' if lower else 'higher'} is better, as {source} says ({text!r})."
        )
        return


def _metric_of_corner(plan: ReadingPlan) -> str:
    """Return the heading of the first column without words for data sets and classifiers, if the rest names a metric; otherwise ""."""
    first, *others = plan.sheet.heads
    head, cells = (plan.sheet.corner, others) if plan.sheet.corner else (first, plan.read_names(first))
    is_value = plan.has_decimals(first) or names.known_words("loss_functions") & {*map(str.lower, cells)}
    if first not in (*plan.data_set, *plan.fold) or is_value or names.is_rank_heading(head):
        return ""  # the heading describes its own column, and not the scores
    parts = [part.strip(" )]→") for part in re.split(r"[\\\\/|:;,(\[]", EVERYDAY_PHRASES.sub(" ", head))]
    text = " ".join(part for part in parts if names.score_words(part) or max(names.data_set_rank(part), names.classifier_rank(part)) < 0)
    words = [word for word in text.split() if max(names.data_set_rank(word), names.classifier_rank(word)) < 0]
    beside = names.known_words("before_metrics") | names.CONNECTORS | MODIFIERS | {"d", "di", "rate", "rates"}
    bare = [word for part in words for word in names.words_of(part) if word not in beside]
    return " ".join(words) if bare and names.is_metric_name(" ".join(bare)) else ""


def _metric_words_of_title(text: str) -> list[str]:
    """Return the words of a title or of a file name that are names of metrics and nothing else.

    >>> [*map(_metric_words_of_title, ("Test error of five loss functions", "trial_and_error", "Misclassification error (%)"))]
    [['error'], [], ['error']]
    """
    others = (names.is_value_heading, names.is_time_heading, names.is_resource_heading)
    words = names.words_of(EVERYDAY_PHRASES.sub(" ", text.replace("log loss", "log_loss")))
    found = [names.is_score_heading(word) and not any(is_other(word) for is_other in others) for word in words]
    no_metrics, before = names.known_words("measures", "everyday") | {"↑", "↓"}, names.known_words("before_metrics")
    pairs = zip(words, found, [*found[1:], False])  # "misclassification error" is one metric
    return [word for word, is_found, is_next in pairs if is_found and word not in no_metrics and not (is_next and word in before)]


def _metric_phrase(text: str, word: str) -> str:
    """Return the word for a metric in a text, with the words beside it that belong to it.

    >>> [_metric_phrase(*pair) for pair in (("Taux d'erreur (%)", "erreur"), ("Mean error_rate", "error"), ("RMSE", "rmse"))]
    ["Taux d'erreur", 'error rate', 'rmse']
    """
    before = "|".join(map(re.escape, names.known_words("before_metrics") | names.CONNECTORS | {"d", "di"}))
    part = rf"(?<![^\W_])(?:(?:{before})[\s'’_-]+)*{re.escape(word)}(?:[\s_-]rates?)?(?![^\W_])"
    found = re.search(part, text, re.IGNORECASE)
    phrase = found[0].replace("_", " ") if found else word
    return word if phrase.lower() == word and word not in WORDS["german"] else phrase
