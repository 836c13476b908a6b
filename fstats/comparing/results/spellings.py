"""Names of data sets or classifiers that differ only in their spelling, such as iris and Iris."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from .reading_plan import ReadingPlan, some
from .reading_question import ReadingQuestion

PREFIX = re.compile(r"(the |my |final |correct )*answer( is|:| is:)\s*")  # words before the answer of a language model
NUMBER = re.compile(r"([+-]?\d+)\.0+")  # a whole number that is written with decimals
FOOTNOTE = re.compile(r"(.*[\w)\]])\s*(?:\^?\{?[*†‡§¶]+\}?)")  # a name with footnote marks behind it


def take_off_footnotes(plan: ReadingPlan) -> None:
    """Take footnote marks such as † off the names of classifiers, if these differ without the marks."""
    listed = dict.fromkeys([part.classifier for part in plan.scores.values()])
    for head in plan.classifier if len(plan.classifier) == 1 else ():
        listed = dict.fromkeys(plan.read_names(head))
    marked = {name: match[1] for name in listed if (match := FOOTNOTE.fullmatch(name))}
    if not marked or len({marked.get(name, name) for name in listed}) < len(listed) or any(len(name) < 2 for name in marked.values()):
        return  # keep the marks: A* is a name, and SVM* beside SVM is another classifier
    plan.notes.append(f"Footnote marks were taken off the names of classifiers: {some([*marked])}.")
    for head in plan.classifier:
        plan.rename(head, marked)
    _rename_headings(plan, marked)


def _rename_headings(plan: ReadingPlan, renamed: Mapping[str, str]) -> None:
    plan.scores = {head: part._replace(classifier=renamed.get(part.classifier, part.classifier)) for head, part in plan.scores.items()}


def unify_spellings(plan: ReadingPlan) -> None:
    """Give names that differ only in their spelling one name, if the user says that they are the same; ask if nothing says so."""
    policy = plan.options.spellings
    columns = dict.fromkeys(plan.data_set, "data sets") | dict.fromkeys(plan.classifier, "classifiers")
    found = {head: similar_names(plan.read_names(head)) for head in columns}
    headings = similar_names(part.classifier for part in plan.scores.values())
    groups = [(columns[head], group) for head in columns for group in found[head]] + [("classifiers", group) for group in headings]
    if policy == "different" or not groups:
        return
    if policy is None:
        raise spelling_question(plan.sheet.name, groups)
    plan.notes.append(f"Read as the same, as stated by spellings=: {listed_names(groups)}.")
    for head, same in found.items():
        first = {name: group[0] for group in same for name in group}
        plan.rename(head, first)
    _rename_headings(plan, {name: group[0] for group in headings for name in group})


def listed_names(groups: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return the first groups of similar names in words, each with the kind of its names."""
    return " and ".join(f"the {what} {', '.join(map(repr, group))}" for what, group in groups[:3])


def spelling_question(source: str, groups: Sequence[tuple[str, Sequence[str]]]) -> ReadingQuestion:
    """Return the question whether names are the same that differ only in their spelling."""
    ways = "capital letters, blanks or hyphens"
    if any([*group] not in similar_names(group) for _, group in groups):
        ways = "capital letters, or in the signs and words around them"
    return ReadingQuestion(
        f"in {source}, {listed_names(groups)} differ only in {ways}. Write spellings='same' if they are the same, or "
        "spellings='different' if not"
    )


def bare_answer(name: str) -> str:
    """Return a class without the brackets, dots and words such as "the answer is" around it, and 1.0 as 1.

    >>> [bare_answer(name) for name in ("(C)", "a.", "The answer is 54", "1.0", "-1", ":-)")]
    ['c', 'a', '54', '1', '-1', ':-)']
    """
    text = PREFIX.sub("", name.lower().strip("*\"' "), count=1)
    text = NUMBER.sub(r"\1", text.lstrip("([{\"'* ").rstrip(")]}\"'* .,:;"))
    return text if any(map(str.isalnum, text)) else name


def similar_names(names: Iterable[str], are_answers: bool = False) -> list[list[str]]:
    """Return groups of different names that differ only in capital letters, blanks, hyphens or underscores.

    Answers may also differ in the brackets, dots and words around them.

    >>> similar_names(["iris", "Iris", "k-NN", "kNN", "wine", "set 1 1", "set 11"])
    [['iris', 'Iris'], ['k-NN', 'kNN']]
    """
    spelled: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        # keep blanks and hyphens beside digits, where they may have a meaning, as in 1e-1
        text = bare_answer(name) if are_answers else name.lower()
        bare = re.sub(r"(?<=[^\W\d_])[\s_-]+(?=[^\W\d_])", "", " ".join(text.split()))
        spelled.setdefault(bare, []).append(name)
    return [group for group in spelled.values() if len(group) > 1]
