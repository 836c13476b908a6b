"""Passages that two texts have and few others: found by runs of words, and weighed by how many others have each ten words of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import exp, log

from .plagiarism_flags import COMMON_SHARE

SEQUENCE_LENGTH = 10  # words and signs that a passage has at least
WORD = re.compile(r"\w+|[^\w\s]")
LONGEST = 20_000  # words of one student that are looked at

Words = tuple[str, ...]
PassagePair = tuple[str, str]


class StudentText:
    """What a student wrote, as words and as it stands."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.text = "\n\n".join(parts)
        self.found = [*islice(WORD.finditer(self.text), LONGEST)]
        self.words = [one[0].casefold() for one in self.found]
        self.runs = word_sequences(self.words)

    def passage(self, start: int, end: int) -> str:
        """From a word to another, as it was written."""
        return self.text[self.found[start].start() : self.found[end - 1].end()]


def word_sequences(words: Sequence[str]) -> dict[Words, int]:
    """Where each run of words begins first."""
    return {tuple(words[k : k + SEQUENCE_LENGTH]): k for k in reversed(range(len(words) - SEQUENCE_LENGTH + 1))}


class Texts:
    """The texts of a class of one kind.

    Parameters
    ----------
    written : mapping
        What each student wrote, part by part, by student.
    given : sequence of str
        What was given out or stands in the solution: alike in everybody's, and no passage.
    """

    def __init__(self, written: Mapping[str, Sequence[str]], given: Iterable[str]) -> None:
        self.of = {student: StudentText(parts) for student, parts in written.items() if parts}
        self.given = {run for text in given for run in StudentText([text]).runs}
        self.holders: dict[Words, set[str]] = {}
        for student, text in self.of.items():
            for run in text.runs.keys() - self.given:
                self.holders.setdefault(run, set()).add(student)

    def pairs(self) -> Iterator[tuple[str, str, tuple[PassagePair, ...], float]]:
        """Two students, the passages that both have and few others, and how many such pairs chance makes, at most."""
        most = max(COMMON_SHARE[0], COMMON_SHARE[1] * len(self.of))
        shared: dict[tuple[str, str], set[Words]] = {}
        for run, students in self.holders.items():
            for pair in combinations(sorted(students), 2) if len(students) <= most else ():
                shared.setdefault(pair, set()).add(run)
        every = len(self.of) * (len(self.of) - 1) / 2
        for (one, other), there in shared.items():
            left, right, chance, passages = self.of[one], self.of[other], log(every), []
            for start, end in _merge_sequences(left.runs, there):
                chance += self._likely(left.words[start:end], one, other)
                at = right.runs[tuple(left.words[start : start + SEQUENCE_LENGTH])]
                passages.append((left.passage(start, end), right.passage(at, min(at + end - start, len(right.words)))))
            yield one, other, tuple(passages), exp(min(chance, log(every)))

    def _likely(self, words: Sequence[str], one: str, other: str) -> float:
        """The logarithm of how likely somebody else writes a passage, too, at any of its places: at most 0.

        Each ten words of it are as likely as they are found among all others, and these two; words that are left over count nothing.
        """
        least = log(len(self.of[one].words))
        for k in range(0, len(words) - SEQUENCE_LENGTH + 1, SEQUENCE_LENGTH):
            others = self.holders.get(tuple(words[k : k + SEQUENCE_LENGTH]), set()) - {one, other}
            least += log((len(others) + 1) / (len(self.of) - 1))
        return min(least, 0.0)


def _merge_sequences(places: Mapping[Words, int], there: Iterable[Words]) -> Iterator[tuple[int, int]]:
    """Runs that overlap, as one passage each: where it begins, and behind which word it ends."""
    starts = sorted(places[run] for run in there)
    begin = starts[0]
    for here, following in zip(starts, [*starts[1:], None], strict=True):
        if following is None or following > here + SEQUENCE_LENGTH:
            yield begin, here + SEQUENCE_LENGTH
            begin = following if following is not None else begin
