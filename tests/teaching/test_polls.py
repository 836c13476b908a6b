"""Bets and polls: cells that are read, that stand before what answers them, and whose answers are true."""

import re
from pathlib import Path

import nbformat
import pytest
from shortcuts import assert_raises, parametrize

from fstats.teaching.lesson import read_lessons
from fstats.teaching.polls import FOLDED, POLL, PollChoice, UnreadablePoll, find_polls

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LESSONS = read_lessons(NOTEBOOKS)
each = pytest.mark.parametrize("taught", LESSONS, ids=lambda taught: taught.name)


def cells_of(name):
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells


def asked(source, answer, folded=(FOLDED,)):
    """A question to the room and what is folded behind it."""
    behind = f"<details><summary>Answer</summary>\n\n{answer}\n\n</details>"
    return [
        nbformat.v4.new_markdown_cell(source, id="asked", metadata={"tags": [POLL]}),
        nbformat.v4.new_markdown_cell(behind, metadata={"tags": list(folded)}),
    ]


# -- the format ------------------------------------------------------------------------------------------------------------------
def test_a_poll_with_choices():
    before = nbformat.v4.new_markdown_cell("# Title")
    cells = asked(
        "**Ask the room.** *Is p small?*\n\n* yes,\n  very\n* no: $p = 0.7$", "* wrong, and tempting\n* **right**: look at\n  its formula"
    )
    (poll,) = find_polls([before, *cells])
    assert (poll.id, poll.is_bet, poll.question, poll.number) == ("asked", False, "*Is p small?*", None)
    assert poll.choices == (
        PollChoice("yes,\n  very", False, "wrong, and tempting"),
        PollChoice("no: $p = 0.7$", True, "**right**: look at\n  its formula"),
    )


@parametrize(
    "answer, number",
    ("**67**: the curve says so.", 67),
    ("**67\u00a0%**", 67),
    ("**1,000.5**", 1000.5),
    ("**−0.6**", -0.6),
    ("**-0.6**", -0.6),
)
def test_a_bet_on_a_number(answer, number):
    (bet,) = find_polls(asked("**The bet.** *How many?*\n\nWrite it down.", answer))
    assert bet.is_bet
    assert (bet.choices, bet.question) == ((), "*How many?*\n\nWrite it down.")
    assert (bet.number, bet.answer) == (number, answer)


def test_polls_come_in_their_order():
    cells = asked("**The bet.** *First?*", "**1**") + asked("**Ask the room.** *Second?*\n\n* a\n* b", "* wrong\n* **right**")
    assert [poll.question for poll in find_polls(cells)] == ["*First?*", "*Second?*"]


@parametrize(
    "cells, complaint",
    (asked("**Guess.** *How many?*", "**1**"), "has the tag 'poll' and must contain a poll"),
    (asked("**The bet.** *How many?*", "**1**", folded=()), "with a folded answer in the next cell"),
    (
        asked("**The bet.** *Which?*\n\n* one", "* **right**"),
        "must have at least 2 choices, each with an answer; the number of choices is 1, and the number of answers is 1",
    ),
    (
        asked("**The bet.** *Which?*\n\n* one\n* two\n* three", "* wrong\n* **right**"),
        "must have at least 2 choices, each with an answer; the number of choices is 3, and the number of answers is 2",
    ),
    (asked("**The bet.** *How many?*", "About **67**"), "its answer must begin with a number in bold; got 'About"),
    (asked("**The bet.** *How many?*", "**many**"), "asks for a number"),
    (asked("**The bet.** *How many?*", "**1**")[:1], "must be followed by a cell with its answer"),
)
def test_what_cannot_be_read_is_named(cells, complaint):
    assert_raises(lambda: list(find_polls(cells)), f"cell asked .*{complaint}", UnreadablePoll)


# -- every lesson ----------------------------------------------------------------------------------------------------------------
@each
def test_a_lesson_asks_for_a_bet_and_polls_the_room(taught):
    """In its core, as slides; of several choices exactly one is right, and of each it is said why."""
    found = list(find_polls(cells_of(taught.name)))
    assert {poll.is_bet for poll in found} == {True, False}
    assert len({poll.id for poll in found}) == len(found) == sum(POLL in one.tags for one in taught.core)
    for poll in found:
        assert sum(choice.right for choice in poll.choices) == bool(poll.choices), poll.id
        for choice in poll.choices:
            assert choice.why.startswith(("**right**", "wrong", "nearly")), (poll.id, choice)
            assert len(choice.why.split()) > 2, (poll.id, choice)
    assert all(one.slide in ("slide", "subslide") for one in taught.core if POLL in one.tags)


PROMPT = r"(?i)\bguess(?: first|\W* before|:\W)|\bbefore you go on|\bwould you bet\b|\bwrite your answer|\bhands up\b"


@each
def test_nothing_else_asks_the_room_to_guess(taught):
    """Neither the text, where the prompt might stand below its answer, nor the notes, which no phone shows."""
    for one in taught.core:
        if not one.is_code and POLL not in one.tags:
            kept = r"\*\*(?:The bet|Poll|Ask the room)\b" if one.is_folded else PROMPT
            assert not re.search(kept, one.source), one.source


def shown(passages):
    """What cells say and show in words, code and what is folded apart."""
    return " ".join(one.printed_text if one.is_code else one.source for one in passages if not one.is_folded)


def numbers(text):
    return [float(found.replace(",", "")) for found in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w,]*\d)", text)]


@pytest.mark.complete
@each
def test_a_question_stands_above_its_answer(taught):
    """What is right was not said above it; a number asked for comes below it (or as a share of 100 or 1000), and no output above has it."""
    places = [place for place, one in enumerate(taught.cells) if POLL in one.tags]
    for poll, place in zip(find_polls(cells_of(taught.name)), places):
        above, below = taught.cells[:place], taught.cells[place + 2 :]
        if poll.number is None:
            (right,) = [choice.words for choice in poll.choices if choice.right]
            assert len(right) < 20 or right.lower() not in shown(above).lower(), right
        else:
            digits = len(re.match(r"\*\*[\d,]+\.?(\d*)", poll.answer)[1])
            assert any(round(scale * value, digits) == poll.number for value in numbers(shown(below)) for scale in (1, 100, 1000)), poll.id
            assert poll.number not in numbers(" ".join(one.printed_text for one in above if one.is_code)), poll.id
