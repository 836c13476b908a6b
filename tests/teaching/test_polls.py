"""Bets and polls: cells that are read, that stand before what answers them, and whose answers are true."""

import re
from pathlib import Path

import nbformat
import pytest
from shortcuts import assert_raises, parametrize

from fstats.teaching.lesson import read_lessons
from fstats.teaching.polls import FOLDED, POLL, PollChoice, UnreadablePoll, covered_cells, find_polls

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LESSONS = read_lessons(NOTEBOOKS)
each = pytest.mark.parametrize("taught", LESSONS, ids=lambda taught: taught.name)


def cells_of(name):
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells


def asked(source, answer, folded=(FOLDED,)):
    """A question to the room and what is folded behind it."""
    behind = f"<details><summary>Answer</summary>\n\n{answer}\n\n</details>"
    cell = nbformat.v4.new_markdown_cell
    return [cell(source, id="asked", metadata={"tags": [POLL]}), cell(behind, metadata={"tags": list(folded)})]


# -- the format ------------------------------------------------------------------------------------------------------------------
def test_a_poll_with_choices():
    before = nbformat.v4.new_markdown_cell("# Title")
    cells = asked(
        "**Ask the room.** *Is p small?*\n\n* yes,\n  very\n* no: $p = 0.7$", "* wrong, and tempting\n* **right**: look at\n  its formula"
    )
    (poll,) = find_polls([before, *cells])
    assert (poll.id, poll.is_bet, poll.question, poll.number) == ("asked", False, "*Is p small?*", None)
    right = PollChoice("no: $p = 0.7$", True, "**right**: look at\n  its formula")
    assert poll.choices == (PollChoice("yes,\n  very", False, "wrong, and tempting"), right)


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
    (asked("**The bet.** *How many?*", "About **67**"), "the answer must begin with a number in bold; got 'About"),
    (asked("**The bet.** *How many?*", "**many**"), "asks for a number"),
    (asked("**The bet.** *How many?*", "**1**")[:1], "must be followed by a cell with the answer"),
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


TELLING = {  # for each poll of a lesson, words of a cell from which a reader learns the answer; "": only the folded answer tells it
    "00_start_here": {"bet": "A 98.9 %, B 96.6 %", "bet-pairs": "p = 0.0002116", "poll": "73 of 100"},
    "01_paired_t": {"bet": "0.727", "poll": "does not show equivalence"},
    "01b_without_pairs": {"bet": "-0.1367", "poll": ""},
    "02_wilcoxon": {"bet": "p = 0.5", "poll": "1/32", "bet-again": ""},
    "03_contingency_table": {"bet": "0.0132", "poll": "0.00027"},
    "04_anova": {"bet": "0.67", "poll": "makes the denominator"},
    "05_friedman": {"bet": "1.929", "poll": ""},
    "05b_post_hoc": {"bet": "for every pair at alpha = 0.05", "poll": "tell apart"},
    "06_cross_validation_is_not_independent": {"bet": "0.489", "poll": "More splits do not bring"},
    "07_five_by_two": {"bet": "1 of 10", "poll": "so their mean has a larger"},
    "08_bcv_mcnemar": {"bet": "1.8182", "poll": "8 rho2"},
    "09_which_test": {"bet": "10 of 18", "poll": "Choose the test first"},
    "10_contingency_simulation": {"bet": "656 of 1000", "poll": "It depends on the learner", "poll-again": "No, for no learner"},
    "11_fold_hacking": {"bet": "680", "bet-seeds": "1.28", "bet-hunt": "77.53", "poll": "so it is not a detail"},
    "12_type_one_error_and_power": {"bet": "All six tests are liberal", "poll": "0.020 to 0.080"},
    "13_block_regularized_cv": {"bet": "(12 %)", "poll": "0.017"},
    "14_bayesian_comparison": {"bet": "0.4994", "poll": "we know different things"},
    "15_unstable_learners": {"bet": "0.26 (", "poll": "variance part from training"},
    "16_language_models": {"bet": "p = 0.022", "poll": "249.8"},
}


@each
def test_what_tells_an_answer_is_covered_until_a_reader_has_chosen(taught):
    """From the first cell on that tells it to the summary, but for what is folded; without need, no cell is named."""
    cells, polls = cells_of(taught.name), list(find_polls(cells_of(taught.name)))
    assert {poll.id for poll in polls} == set(TELLING[taught.name])
    summary = next(k for k, cell in enumerate(cells) if cell.source.startswith("## In five sentences"))
    for poll in polls:
        covered, words = covered_cells(cells, poll.id), TELLING[taught.name][poll.id]
        assert cells[covered.start - 1].id == poll.id
        assert FOLDED in cells[covered.start].metadata["tags"]
        assert covered.stop <= summary
        assert cells[covered.stop].source.startswith("## "), "what follows is a whole section"
        telling = [k for k, one in enumerate(taught.cells[:summary]) if words in shown([one]).replace("\xa0", " ")]
        assert not words or telling, poll.id
        assert not words or set(telling) <= set(covered), (poll.id, telling, covered)
        if cells[covered.start - 1].metadata.pop("fstats", None):
            assert not set(telling) <= set(covered_cells(cells, poll.id)), "this poll need not name a cell"


def test_the_cells_that_a_poll_covers():
    """To the next cell that begins with a heading; a section that follows directly, but no explorer; or to the section that is named."""
    new = nbformat.v4.new_markdown_cell
    poll = asked("**Ask the room.** *Which?*\n\n* a\n* b", "* wrong\n* **right**")
    after = [new("Words.\n\n## B"), nbformat.v4.new_code_cell("## no heading"), new("## C"), new("So.", id="so"), new("## D")]
    assert covered_cells([new("## A"), *poll, *after], "asked") == range(2, 5)
    assert covered_cells([*poll, *after[2:]], "asked") == range(1, 4)
    assert covered_cells([*poll, new("## Move it yourself"), *after], "asked") == range(1, 2)
    assert covered_cells(poll, "asked") == range(1, 2)
    poll[0].metadata["fstats"] = {"answered_by": "so"}
    assert covered_cells([*poll, *after], "asked") == range(1, 6)


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
