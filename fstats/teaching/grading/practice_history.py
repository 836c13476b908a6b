"""What practice shows: what has been right time after time, and which mistake comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .question import Section
from .verdicts.feedback import Feedback

IN_A_ROW = 3
AGAIN = 2


class Practice:
    """The replies to all rounds of an exercise, each on other numbers.

    Parameters
    ----------
    sections : mapping
        Where each question is explained.
    """

    def __init__(self, sections: Mapping[str, Section]) -> None:
        self.sections = sections
        self._rounds: list[dict[str, list[Feedback]]] = [{}]

    def note(self, said: Feedback) -> None:
        """Write a reply down; running a cell again is no news."""
        noted = self._rounds[-1].setdefault(said.key, [])
        if said.verdict != "unanswered" and (not noted or noted[-1] != said):
            noted.append(said)

    def next_round(self) -> int:
        """Begin a round; which one it is, counted from 1."""
        self._rounds.append({})
        return len(self._rounds) - 1

    def told(self) -> tuple[str, ...]:
        """In sentences: what was right three times in a row, on three sets of numbers, and which mistakes came twice, with
        where to read.
        """
        lines = []
        if sure := [key for key in self.sections if self._in_a_row(key) >= IN_A_ROW]:
            lines.append(f"Right {IN_A_ROW} times in a row: {', '.join(sure)}.")
        named = [one for past in self._rounds for replies in past.values() for one in replies if one.mistake and not one.guess]
        places = {one.mistake: one.see or self.sections[one.key] for one in named}
        counted = Counter(one.mistake for one in named)
        lines += [f"{count} times: {name}. Read {places[name]}." for name, count in counted.items() if count >= AGAIN]
        return tuple(lines)

    def _in_a_row(self, key: str) -> int:
        """How many of the last rounds in which it was answered ended with a right answer."""
        last = [past[key][-1].is_right for past in reversed(self._rounds) if past.get(key)]
        return [*last, False].index(False)
