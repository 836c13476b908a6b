"""Find the metric of a wide table in its headings, in the text above it, or in the name of the file."""

from __future__ import annotations

import re
from collections import Counter

from ...core.metric_direction import DEFAULT_METRIC_NAME, STATED, WORDS, direction_text, is_loss_metric, read_direction
from . import column_names as names
from .reading_plan import ColumnScores, ReadingPlan, some

MAX_METRIC_WORDS = 6  # a longer text above a table is no name of a metric


def split_metrics(plan: ReadingPlan) -> None:
    """Split headings such as svm_accuracy and svm_f1 into classifier and metric; ask about headings such as svm_train and svm_test."""
    heads = list(plan.scores)
    # try the last word of the heading as the metric, then the first word
    for first in (False, True):
        split = {head: names.split_heading(head, first) for head in heads}
        ends = {end for _, end in split.values()}
        if not all(stem and end for stem, end in split.values()) or len(heads) < 2:
            continue
        if (parts := names.partition_words(ends)) and parts == ends and len(ends) > 1:
            chosen = [head for head in heads if split[head][1] == sorted(ends)[0]]
            raise plan.question(
                f"the endings {', '.join(sorted(ends))} of the columns {', '.join(heads[:4])}, ... are parts of the "
                f"data, not classifiers: name the columns to compare by scores={chosen!r}"
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
                f"the columns {some(heads)} hold several metrics ({', '.join(sorted(ends))}), but not each metric "
                "for each classifier: they seem to be measures of one classifier. Write scores=[...] with the columns of one metric"
            )
        if len(ends) == 1 and names.is_score_heading(end := ends.pop()):
            if names.are_loss_functions(heads):
                if plan.options.higher_is_better is None:
                    raise plan.question(
                        f"the headings {some(heads)} name loss functions: write higher_is_better=True if the "
                        "numbers are scores of classifiers that were trained with them, or higher_is_better=False if they are losses"
                    )
                return
            for head, name in zip(heads, names.short_names(heads)):
                plan.scores[head] = ColumnScores(classifier=name)
                plan.give(head, f"{end} of {name}", "its heading joins a classifier and a metric")
            if plan.options.metric == DEFAULT_METRIC_NAME:
                is_arrow = not any(map(str.isalpha, end))
                plan.metric_name = DEFAULT_METRIC_NAME + direction_text(is_loss_metric(end)) if is_arrow else end
                plan.notes.append(
                    f"The metric is {end}, which all headings of scores contain."
                    if not is_arrow
                    else f"{'Lower' if is_loss_metric(end) else 'Higher'} is better, as the arrow {end} in all headings of scores says."
                )
            return
    _split_common_words(plan)


def _split_common_words(plan: ReadingPlan) -> None:
    """Take the last words of all headings as the metric if together they name one, as in "ours miss rate" and "base miss rate"."""
    heads = [head.split() for head in plan.scores]
    shared = [words[0] for words in zip(*(head[::-1] for head in heads)) if len({*words}) == 1][::-1]
    tail = " ".join(shared)
    if len(heads) < 2 or len(shared) < 2 or min(map(len, heads)) <= len(shared) or read_direction(tail)[0] is None:
        return
    if {*(tuple(head[-len(shared) :]) for head in heads)} != {tuple(shared)} or plan.options.metric != DEFAULT_METRIC_NAME:
        return
    for head in plan.scores:
        name = head.removesuffix(tail).strip(" :-")
        plan.scores[head] = ColumnScores(classifier=name)
        plan.give(head, f"{tail} of {name}", "its heading joins a classifier and a metric")
    plan.metric_name = tail
    plan.notes.append(f"The metric is {tail}, which all headings of scores contain.")


def name_metric(plan: ReadingPlan) -> None:
    """Take the metric and its direction from the text above the table or the file name, if exactly one metric is named there."""
    if plan.metric_name != DEFAULT_METRIC_NAME or plan.options.metric != DEFAULT_METRIC_NAME or plan.metric:
        return
    for text, source in ((plan.sheet.title, "the text above the table"), (plan.sheet.name.partition(".")[0], "the name of the file")):
        words = names.metric_words_of_title(text)
        stated = STATED.search(text.lower())
        name = words[0] if len({*words}) == 1 else DEFAULT_METRIC_NAME if stated and text == plan.sheet.title else ""
        if not name:
            # several words, or the name of a cost such as a time, say that the numbers are perhaps no scores
            plain = names.EVERYDAY_PHRASES.sub(" ", text.replace("_", " "))
            if plan.options.higher_is_better is None and not plan.undirected and read_direction(plain)[0]:
                plan.undirected[DEFAULT_METRIC_NAME] = "the numbers"
                plan.doubts.append(
                    f"Higher score is assumed to be better, although {source} speaks of costs or errors ({text!r}). Write "
                    "higher_is_better=False if lower is better, or True."
                )
            continue
        # "Accuracy, rank in brackets": the direction stands in the clause of the metric
        clause = text if stated else next((part for part in re.split("[,;]", text) if name in part.lower()), text)
        lower = read_direction(names.EVERYDAY_PHRASES.sub(" ", clause))[0] if stated or name != DEFAULT_METRIC_NAME else None
        if lower is None or lower == is_loss_metric(name):
            lower = is_loss_metric(name)
        elif text != plan.sheet.title:
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
