"""Messages of the table reader without Python code, and labels of the buttons that answer its questions."""

from __future__ import annotations

import re
from typing import Any

from ...comparing.results.named_columns import LINE
from ...comparing.results.reading_question import ANSWERING
from ...comparing.results.record_table import FAMILY, PREDICTION, TRUE_CLASS
from ...guide.procedure_citation import join_words, names_in_words
from .comparison import Comparison
from .table_facts import ROLE_ARGUMENTS
from .table_reading import IGNORE, PASTED

CODE = re.compile(rf"{ANSWERING.pattern}|\bimport [a-z]|\bopen\(|\b(?:Results\.from_|fstats\.)\w+\(")
CLAUSE = re.compile(r"[.:;] |, or ")
# button labels for a table whose lines have no names
LINES = {
    "data_set": "Each line is a data set",
    "fold": "Each line is a fold of one data set",
    "seed": "Nothing pairs the scores: they are independent runs",
}
WORDS = {  # argument of the table reader -> button label; {} is the value of the argument
    "data_set": "The column {} names the data sets",
    "classifier": "The column {} names the classifiers",
    "fold": "The lines are folds, numbered by {}: average them",
    "repetition": "The lines are repetitions with other splits, numbered by {}",
    "seed": "The lines are runs with different seeds, numbered by {}",
    "scores": "Compare {} as classifiers",
    "ignore": "Leave out {}",
    "metric": "Compare by {}",
    "numbered": "The columns are {}",
    "test_train_ratio": "The ratio of test to training records is {}",
    "where": "Use only the lines with {}",
    "turned": "Turn the table: each line is a classifier",
    "cells": "Read the number before the brackets",
    "na_values": "Scores are missing where the table says {}",
    "right": "Each {} is a right answer",
    "answers": "Compare the confidence interval of the difference with the margin",
}
COMBINED = {"data_set": "Each combination of {} is a data set", "classifier": "Each combination of {} is a classifier"}
ROLE_WORDS = {
    TRUE_CLASS: "The column {} holds the true class",
    PREDICTION: "The cells of {} say whether each answer is right",
    FAMILY: "Lines with the same {} belong to one record",
    IGNORE: "Leave out {}",
}
POLICIES = {  # argument of the table reader -> its values with their button labels
    "repeated": {
        "average": "Average the repeated lines",
        "first": "Keep the first of the repeated lines",
        "folds": "The repeated lines are folds of their data set",
        "drop data sets": "Leave out the data sets with repeated lines",
        "repetitions": "The folds are repeated with other splits",
    },
    "missing": {
        "drop data sets": "Leave out the data sets with missing scores",
        "drop classifiers": "Leave out the classifiers with missing scores",
        "average": "Average the scores that are there",
        "drop folds": "Leave out the folds or seeds with missing scores",
        "drop records": "Leave out the records with a missing cell",
        "wrong": "Count missing predictions as wrong answers",
        "keep": "It is a class like the others",
        "worst": "Replace missing scores by the worst score on the data set",
        "('worst', 'worst')": "Replace all missing scores, more than a tenth, by the worst score on the data set",
    },
    "points": {
        "thousands": "Points separate thousands: 2.005 means 2005",
        "decimals": "Points separate decimals: 2.005 lies between 2 and 3",
    },
    "commas": {
        "thousands": "Commas separate thousands: 2,005 means 2005",
        "decimals": "Commas separate decimals: 2,005 lies between 2 and 3",
    },
    "units": {
        "percent": "Numbers up to 1 are shares: read all scores as percent",
        "same": "All scores are in one unit",
    },
    "spellings": {"same": "These names mean the same", "different": "These names mean different things"},
}


def question_view(comparison: Comparison) -> dict[str, Any]:
    """Return the part of the page that asks the question of the reader; only the error if nothing on the page answers the question."""
    file = comparison.sheet.name
    if comparison.question is None:
        return {"error": plain_message(str(comparison.problem), file)} if comparison.problem is not None else {}
    text, answers, arguments = comparison.question
    roles = [role for role, argument in ROLE_ARGUMENTS.items() if argument in arguments]
    if not answers and not roles:
        return {"error": plain_message(text, file)}
    buttons = [
        {"label": answer_text(answer, purpose, _is_one_data_set(comparison, answer))}
        | {group: answer.get(group, {}) for group in ("roles", "answers")}
        | {"reading": {name: value for name, value in answer.items() if name not in ("roles", "answers")}}
        | {"call": ", ".join(f"{name}={value!r}" for name, value in answer.items())}
        for answer, purpose in answers
    ]
    choice = f"{'Or choose' if answers else 'Choose'} the role {' or '.join(map(repr, roles))} in the menu above a column." * bool(roles)
    return {"question": {"text": plain_message(text, file), "answers": buttons, "choice": choice}}


def plain_message(message: str, file: str = PASTED) -> str:
    """Return a message of the reader as a sentence, without the part that tells what to write in Python.

    >>> plain_message("table.csv: the column 'n' holds sizes; write ignore='n' to leave it out")
    "The column 'n' holds sizes."
    """
    message = re.sub(r" \(in pandas .*?\)(?=, or )", "", message)
    words = names_in_words(message)
    if code := CODE.search(words):
        ends = [end.start() for end in CLAUSE.finditer(words, 0, code.start())]
        words = words[: ends[-1]] if ends else words
    words = words.removeprefix(f"{file}: ").replace(PASTED, "the table").replace("`", "").rstrip(".")
    return re.sub("^(the|in|a|all|there|every|each|lines|no|not|nothing|scores|text)\\b", lambda first: first[0].capitalize(), words) + "."


def _is_one_data_set(comparison: Comparison, reading: dict[str, Any]) -> bool:
    """Return whether an answer gives folds of one data set, which are compared and not averaged."""
    if "fold" not in reading:
        return False
    other = comparison.with_settings(reading=comparison.settings["reading"] | reading)
    return other.reading_error is None and other.kind == "folds"


def answer_text(reading: dict[str, Any], purpose: str = "", is_one_data_set: bool = False) -> str:
    """Return an answer to a question of the reader as words on a button.

    >>> answer_text({"where": {"part": "test"}})
    'Use only the lines with part = test'
    >>> answer_text({"data_set": ["task", "size"]}, "if each combination is a data set of its own")
    'Each combination of task and size is a data set'
    >>> answer_text({"ignore": "step"}, "if each line is a data set")
    'Leave out step: each line is a data set'
    """
    texts = []
    for name, value in reading.items():
        parts = (
            [f"{head} = {cell}" for head, cell in value.items()]
            if name == "where"
            else [str(part) for part in (value if isinstance(value, (list, tuple)) else [value])]
        )
        nameless = {"ignore": "the columns without a heading", "fold": "the first column"}.get(name, "without a heading")
        listed = join_words([repr(part) if name == "na_values" else part or nameless for part in parts])
        if value == LINE:
            texts.append(LINES[name])
        elif name == "roles":
            heads = {role: join_words([head for head in value if value[head] == role]) for role in value.values()}
            words = ROLE_WORDS | ({PREDICTION: "the columns {} hold predictions"} if TRUE_CLASS in heads else {})
            words |= {FAMILY: "Records with the same {} depend on each other"} if "depend on each other" in purpose else {}
            texts += [words.get(role, f"The role of {{}} is {role}").format(listed) for role, listed in heads.items()]
        elif name == "missing" and "seed" in reading:
            continue  # samples of different sizes have no gaps
        elif name in POLICIES:
            texts.append(POLICIES[name].get(str(value), f"{name} lines: {listed}"))
        elif name == "higher_is_better":
            directions = value.items() if isinstance(value, dict) else [("", value)]
            texts += [f"{'Higher' if higher else 'Lower'} {metric + ' ' * bool(metric)}is better" for metric, higher in directions]
        elif name == "fold" and is_one_data_set:
            texts.append(f"The lines are folds of one data set, numbered by {listed}")
        else:
            texts.append((COMBINED if parts[1:] else {}).get(name, WORDS.get(name, f"{name}: {{}}")).format(listed))
    explained = {"test_train_ratio", "higher_is_better"} & {*reading}
    is_left_out = "ignore" in reading or IGNORE in reading.get("roles", {}).values()
    says_more = (is_left_out or explained) and purpose.startswith("if ") and "lower is better" not in purpose
    return "; ".join(texts) + f": {purpose[3:]}" * bool(says_more)
