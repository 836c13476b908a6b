"""Find passages that two texts share and that are rare in other texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import exp, log

from .plagiarism_flags import COMMON_SHARE

SEQUENCE_LENGTH = 10  # minimum number of words and punctuation marks in a passage
WORD = re.compile(r"\w+|[^\w\s]")
LONGEST = 20_000  # maximum number of words of a student that are compared

Words = tuple[str, ...]
PassagePair = tuple[str, str]


class StudentText:
    """Text of a student, with the list of words in the text."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.text = "\n\n".join(parts)
        self.matches = [*islice(WORD.finditer(self.text), LONGEST)]
        self.words = [match[0].casefold() for match in self.matches]
        self.sequences = word_sequences(self.words)

    def passage(self, start: int, end: int) -> str:
        """Return the original text between two words."""
        return self.text[self.matches[start].start() : self.matches[end - 1].end()]


def word_sequences(words: Sequence[str]) -> dict[Words, int]:
    """Return the first position of each sequence of words."""
    return {tuple(words[k : k + SEQUENCE_LENGTH]): k for k in reversed(range(len(words) - SEQUENCE_LENGTH + 1))}


class Texts:
    """Texts of one kind by all students of a class.

    Parameters
    ----------
    written : mapping
        Parts of the text of each student, by student.
    given : sequence of str
        Texts of the exercise or the solution, which everybody may have and which therefore are no passages.
    """

    def __init__(self, written: Mapping[str, Sequence[str]], given: Iterable[str]) -> None:
        self.by_student = {student: StudentText(parts) for student, parts in written.items() if parts}
        self.given = {sequence for text in given for sequence in StudentText([text]).sequences}
        self.students_by_sequence: dict[Words, set[str]] = {}
        for student, text in self.by_student.items():
            for sequence in text.sequences.keys() - self.given:
                self.students_by_sequence.setdefault(sequence, set()).add(student)

    def pairs(self) -> Iterator[tuple[str, str, tuple[PassagePair, ...], float]]:
        """Yield two students, the passages that they share with few others, and an upper bound of the number of such pairs by chance."""
        most = max(COMMON_SHARE[0], COMMON_SHARE[1] * len(self.by_student))
        shared: dict[tuple[str, str], set[Words]] = {}
        for sequence, students in self.students_by_sequence.items():
            for pair in combinations(sorted(students), 2) if len(students) <= most else ():
                shared.setdefault(pair, set()).add(sequence)
        every = len(self.by_student) * (len(self.by_student) - 1) / 2
        for (one, other), sequences in shared.items():
            left, right, chance, passages = self.by_student[one], self.by_student[other], log(every), []
            for start, end in _merge_sequences(left.sequences, sequences):
                chance += self._log_probability(left.words[start:end], one, other)
                first = right.sequences[tuple(left.words[start : start + SEQUENCE_LENGTH])]
                passages.append((left.passage(start, end), right.passage(first, min(first + end - start, len(right.words)))))
            yield one, other, tuple(passages), exp(min(chance, log(every)))

    def _log_probability(self, words: Sequence[str], one: str, other: str) -> float:
        """Return the log probability, at most 0, that another student writes the same passage at any position.

        The probability of each ten words is the frequency of these words among all other students plus this pair; remaining words are
        ignored.
        """
        total = log(len(self.by_student[one].words))
        for k in range(0, len(words) - SEQUENCE_LENGTH + 1, SEQUENCE_LENGTH):
            others = self.students_by_sequence.get(tuple(words[k : k + SEQUENCE_LENGTH]), set()) - {one, other}
            total += log((len(others) + 1) / (len(self.by_student) - 1))
        return min(total, 0.0)


def _merge_sequences(positions: Mapping[Words, int], sequences: Iterable[Words]) -> Iterator[tuple[int, int]]:
    """Merge overlapping sequences into passages; yield the first position of each passage, and the position after its end."""
    starts = sorted(positions[sequence] for sequence in sequences)
    begin = starts[0]
    for here, following in zip(starts, [*starts[1:], None], strict=True):
        if following is None or following > here + SEQUENCE_LENGTH:
            yield begin, here + SEQUENCE_LENGTH
            begin = following if following is not None else begin
