"""What a lesson asks the room before it answers: bets and polls, cells of its notebook that a deck shows and phones vote on.

A cell with the tag ``poll`` holds the question and, if there is anything to choose from, its choices; the folded cell behind it, with the
tag ``answers``, says of each choice whether it is right and why, or, where a number was asked for, which it is::

    **Ask the room.** *p is 73 %. What does that say?*

    * $H_0$ is true with probability 73 %
    * if A and B were equally good, 73 of 100 such experiments would look at least as different

    <details><summary>Answer</summary>

    * wrong, and tempting: p is computed as if $H_0$ were true, so it cannot be its probability
    * **right**

    </details>

A bet begins with ``**The bet.**``; an answer that is a number begins with it, in bold letters: ``**67**: the curve says so``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

POLL, FOLDED = "poll", "answers"  # tags of the two cells
_ASKED = re.compile(r"\*\*(?P<kind>The bet|Ask the room)\.\*\*\s+(?P<question>.+?)\s*(?P<choices>(?:^\* .+\n?(?:  .+\n?)*)*)", re.M | re.S)
_LINE = re.compile(r"^\* (.+(?:\n  .+)*)", re.M)
_NUMBER = re.compile(r"\*\*([−-]?[\d.,]+)(\s%)?\*\*")  # a no-break space, as everywhere in prose


class UnreadablePoll(ValueError):
    """A cell that is marked as a poll and does not read as one."""


class PollChoice(NamedTuple):
    """One answer that may be chosen; whether it is right, and why or why not."""

    words: str
    right: bool
    why: str


@dataclass(frozen=True)
class Poll:
    """A question to the room: by its cell's id, as Markdown; without choices it asks for a number."""

    id: str
    is_bet: bool
    question: str
    choices: tuple[PollChoice, ...]
    answer: str
    number: float | None

    @classmethod
    def read(cls, asked: Any, answered: Any) -> Poll:
        """The poll of two cells, the question and what is folded behind it."""
        found = _ASKED.fullmatch(asked.source.strip())
        inside = re.fullmatch(r"(?s)<details><summary>Answers?</summary>\s*(.+?)\s*</details>", answered.source.strip())
        if not found or not inside or FOLDED not in answered.metadata.get("tags", ()):
            raise UnreadablePoll(f"cell {asked.id} has the tag {POLL!r} and is none, or no answer is folded behind it: {asked.source!r}")
        words, whys = _LINE.findall(found["choices"]), _LINE.findall(inside[1])
        if words and (len(words) != len(whys) or len(words) < 2):
            raise UnreadablePoll(f"cell {asked.id} has {len(words)} choices, and {len(whys)} answers to them")
        choices = tuple(PollChoice(one, why.startswith("**right**"), why) for one, why in zip(words, whys))
        number = None if words else _NUMBER.match(inside[1])
        if not words and number is None:
            raise UnreadablePoll(f"cell {asked.id} asks for a number; its answer does not begin with one in bold letters: {inside[1]!r}")
        value = float(number[1].replace("−", "-").replace(",", "")) if number else None
        return cls(asked.id, found["kind"] == "The bet", found["question"], choices, inside[1], value)


def find_polls(cells: Iterable[Any]) -> Iterator[Poll]:
    """The polls among the cells of a notebook, in their order."""
    every = list(cells)
    for k, cell in enumerate(every):
        if POLL in cell.metadata.get("tags", ()):
            if k + 1 == len(every):
                raise UnreadablePoll(f"cell {cell.id} is the last: its answer belongs behind it")
            yield Poll.read(cell, every[k + 1])
