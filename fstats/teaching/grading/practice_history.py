"""Practice history: questions that a student answered correctly several times in a row, and mistakes that the student repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .question import Section
from .verdicts.feedback import Feedback

IN_A_ROW = 3
AGAIN = 2


class Practice:
    """Replies in all practice rounds of an exercise; each round has other numbers.

    Parameters
    ----------
    sections : mapping
        The section that explains each question.
    """

    def __init__(self, sections: Mapping[str, Section]) -> None:
        self.sections = sections
        self._rounds: list[dict[str, list[Feedback]]] = [{}]

    def note(self, reply: Feedback) -> None:
        """Add a reply, unless the same cell ran again."""
        replies = self._rounds[-1].setdefault(reply.key, [])
        if reply.verdict != "unanswered" and (not replies or replies[-1] != reply):
            replies.append(reply)

    def next_round(self) -> int:
        """Begin the next round and return its number, counted from 1."""
        self._rounds.append({})
        return len(self._rounds) - 1

    def summary(self) -> tuple[str, ...]:
        """Say which questions were right three times in a row, on three data sets, and which mistakes occurred twice, and where to read."""
        lines = []
        if sure := [key for key in self.sections if self._in_a_row(key) >= IN_A_ROW]:
            lines.append(f"Right {IN_A_ROW} times in a row: {', '.join(sure)}.")
        named = [reply for past in self._rounds for replies in past.values() for reply in replies if reply.mistake and not reply.guess]
        places = {reply.mistake: reply.see or self.sections[reply.key] for reply in named}
        counted = Counter(reply.mistake for reply in named)
        lines += [f"{count} times: {name}. Read {places[name]}." for name, count in counted.items() if count >= AGAIN]
        return tuple(lines)

    def _in_a_row(self, key: str) -> int:
        """Return how many of the last rounds ended with a right answer without interruption; rounds without an answer are ignored."""
        last = [past[key][-1].is_right for past in reversed(self._rounds) if past.get(key)]
        return [*last, False].index(False)
