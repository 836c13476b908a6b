"""Audience polls in lecture notebooks.

A slide deck shows a poll, and the audience answers by phone. In a bet, the audience predicts a result.

A cell with the tag ``poll`` contains the question and its choices, if any. The folded cell after it, with the
tag ``answers``, says for each choice whether it is right and why. If the answer is a number, the folded cell gives the number::

    **Ask the room.** *p is 73 %. What does that say?*

    * $H_0$ is true with probability 73 %
    * if A and B were equally good, 73 of 100 such experiments would look at least as different

    <details><summary>Answer</summary>

    * wrong, and tempting: p is computed as if $H_0$ were true, so it cannot be its probability
    * **right**

    </details>

A bet begins with ``**The bet.**``; an answer that is a number begins with the number in bold: ``**67**: the curve says so``.

For a reader alone, the cells that show the answer are covered until the reader chooses (``bets.js``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

POLL, FOLDED = "poll", "answers"  # tags of the cell with the question and of the cell with the answer
_ASKED = re.compile(r"\*\*(?P<kind>The bet|Ask the room)\.\*\*\s+(?P<question>.+?)\s*(?P<choices>(?:^\* .+\n?(?:  .+\n?)*)*)", re.M | re.S)
_LINE = re.compile(r"^\* (.+(?:\n  .+)*)", re.M)
_NUMBER = re.compile(r"\*\*([−-]?[\d.,]+)(\s%)?\*\*")  # number in bold, with or without a no-break space and "%"


class UnreadablePoll(ValueError):
    """Error if a cell with the tag of a poll does not have the form of a poll."""


class PollChoice(NamedTuple):
    """A choice of a poll, whether it is right, and the reason."""

    words: str
    right: bool
    why: str


@dataclass(frozen=True)
class Poll:
    """A question to the room: the id of the cell, and the text as Markdown; a question without choices asks for a number."""

    id: str
    is_bet: bool
    question: str
    choices: tuple[PollChoice, ...]
    answer: str
    number: float | None

    @classmethod
    def read(cls, asked: Any, answered: Any) -> Poll:
        """Parse the poll of two cells, the question and the folded answer after it."""
        match = _ASKED.fullmatch(asked.source.strip())
        inside = re.fullmatch(r"(?s)<details><summary>Answers?</summary>\s*(.+?)\s*</details>", answered.source.strip())
        if not match or not inside or FOLDED not in answered.metadata.get("tags", ()):
            raise UnreadablePoll(
                f"cell {asked.id} has the tag {POLL!r} and must contain a poll, with a folded answer in the next cell; got {asked.source!r}"
            )
        words, reasons = _LINE.findall(match["choices"]), _LINE.findall(inside[1])
        if words and (len(words) != len(reasons) or len(words) < 2):
            raise UnreadablePoll(
                f"cell {asked.id} must have at least 2 choices, each with an answer; the number of choices is {len(words)}, and the "
                f"number of answers is {len(reasons)}"
            )
        choices = tuple(PollChoice(choice, reason.startswith("**right**"), reason) for choice, reason in zip(words, reasons))
        number = None if words else _NUMBER.match(inside[1])
        if not words and number is None:
            raise UnreadablePoll(f"cell {asked.id} asks for a number, so the answer must begin with a number in bold; got {inside[1]!r}")
        value = float(number[1].replace("−", "-").replace(",", "")) if number else None
        return cls(asked.id, match["kind"] == "The bet", match["question"], choices, inside[1], value)


def find_polls(cells: Iterable[Any]) -> Iterator[Poll]:
    """Yield the polls among the cells of a notebook, in the order of the cells."""
    listed = list(cells)
    for k, cell in enumerate(listed):
        if POLL in cell.metadata.get("tags", ()):
            if k + 1 == len(listed):
                raise UnreadablePoll(f"cell {cell.id} must be followed by a cell with the answer; got no further cell")
            yield Poll.read(cell, listed[k + 1])


def covered_cells(cells: Sequence[Any], poll: str) -> range:
    """Return the places of the cells that show the answer of a poll: the folded answer, and the cells before the next heading.

    Headings within cells do not count. If the heading follows directly, its section shows the answer, unless the section has an explorer,
    which answers only when it is moved. If a later section shows the answer, the metadata of the poll name a cell of this section:
    ``"fstats": {"answered_by": "id"}``. ``hall.js`` has the same rule.
    """
    ids = [cell.id for cell in cells]
    texts = [cell.source if cell.cell_type == "markdown" else "" for cell in cells]
    place = ids.index(poll)
    named = cells[place].metadata.get("fstats", {}).get("answered_by")
    end = (ids.index(named) if named else place + 1) + 1
    if not named and texts[end : end + 1] and texts[end].startswith("## ") and not texts[end].startswith("## Move it yourself"):
        end += 1
    while end < len(cells) and not texts[end].startswith("## "):
        end += 1
    return range(place + 1, end)
