"""Messages of the table reader without Python code, and labels of the buttons that answer its questions."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any

from ...comparing.results.named_columns import LINE
from ...comparing.results.reading_question import ANSWERING
from ...comparing.results.record_cells import PREDICTION, TRUE_CLASS
from ...comparing.results.repeated_records import FAMILY
from ...guide.procedure_citation import join_words, names_in_words
from .comparison import Comparison
from .table_facts import ROLE_ARGUMENTS
from .table_reading import IGNORE, PASTED

CODE = re.compile(rf"{ANSWERING.pattern}|\bimport [a-z]|\bopen\(|\b(?:Results\.from_|fstats\.)\w+\(")
CLAUSE = re.compile(r"[.:;] |, or ")
LABELS: dict[str, Any] = tomllib.loads((files(__package__) / "button_labels.toml").read_text(encoding="utf-8"))
WORDS, POLICIES, ROLE_WORDS = LABELS["arguments"], LABELS["values"], LABELS["roles"]


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
        | {"reading": {name: joined[name] for name in answer if name not in ("roles", "answers")}}
        | {"call": ", ".join(f"{name}={value!r}" for name, value in answer.items())}
        for answer, purpose in answers
        for joined in [comparison.joined_reading(answer)]
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
    other = comparison.with_settings(reading=comparison.joined_reading(reading))
    _ = other.reading_error  # computes `kind`, unless the table cannot be read
    return vars(other).get("kind") == "folds"


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
            if name in ("where", "spellings") and isinstance(value, dict)
            else [str(part) for part in (value if isinstance(value, (list, tuple)) else [value])]
        )
        nameless = {"ignore": "the columns without a heading", "fold": "the first column"}.get(name, "without a heading")
        listed = join_words([repr(part) if name == "na_values" else part or nameless for part in parts])
        if value == LINE or (name == "seed" and "missing" in reading):
            texts.append(LABELS["lines"][name])
        elif name == "roles":
            heads = {role: join_words([head for head in value if value[head] == role]) for role in value.values()}
            words = ROLE_WORDS | ({PREDICTION: "the columns {} hold predictions"} if TRUE_CLASS in heads else {})
            words |= {FAMILY: "Records with the same {} depend on each other"} if "depend on each other" in purpose else {}
            texts += [words.get(role, f"The role of {{}} is {role}").format(listed) for role, listed in heads.items()]
        elif (name == "missing" and "seed" in reading) or (name == "numbered" and "turned" in reading):
            continue  # unpaired runs have no gaps, and the text of turned= already says that the lines are classifiers
        elif name in POLICIES and not isinstance(value, dict):
            texts.append(POLICIES[name].get(str(value), f"{name} lines: {listed}"))
        elif name == "higher_is_better":
            directions = value.items() if isinstance(value, dict) else [("", value)]
            texts += [f"{'Higher' if higher else 'Lower'} {metric + ' ' * bool(metric)}is better" for metric, higher in directions]
        elif name == "fold" and is_one_data_set:
            texts.append(f"The lines are folds of one data set, numbered by {listed}")
        else:
            texts.append((LABELS["combined"] if parts[1:] else {}).get(name, WORDS.get(name, f"{name}: {{}}")).format(listed))
    explained = {"test_train_ratio", "higher_is_better"} & {*reading}
    is_left_out = "ignore" in reading or "each setting counts" in purpose or IGNORE in reading.get("roles", {}).values()
    says_more = (is_left_out or explained) and purpose.startswith("if ") and "lower is better" not in purpose
    return "; ".join(texts) + f": {purpose[3:]}" * bool(says_more)
