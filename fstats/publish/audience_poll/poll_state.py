"""A lecture's questions and votes: what is asked now, who may still answer, and what is refused.  Of networks it knows nothing."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable
from math import isfinite
from typing import IO, Any

from .poll_questions import PollQuestion, Vote
from .vote_journal import VoteJournal

HEADS = ("poll", "question", "answer", "right", "votes")  # of the table of votes
MAX_MESSAGE_LENGTH, MAX_NUMBER, MAX_VOTES = 400, 1e9, 1000  # characters of a message; the largest number; votes on one question


class VoteRefused(ValueError):
    """What a phone may not send, with what it is told."""


class VoteTooFast(VoteRefused):
    """What a phone may send in a moment."""


class PollState:
    """The state of a room.  What the journal tells of it has happened."""

    def __init__(self, questions: Iterable[PollQuestion], journal: VoteJournal) -> None:
        self.asked = {one.id: one for one in questions}
        self.votes: dict[str, dict[str, Vote]] = {one: {} for one in self.asked}
        self.answered: set[str] = set()
        self.now, self.takes, self.move = "", False, ""  # the question on the slide, whether it asks, the page that phones may move
        self.journal = journal
        for line in journal.lines:
            match line:
                case {"vote": poll, "phone": str(phone), "sent": list(sent) | int(sent)} if poll in self.votes:
                    value = tuple(sent) if isinstance(sent, list) else sent
                    if self.asked[poll].takes(value):  # the lesson may have been changed
                        self.votes[poll][phone] = value
                case {"answered": poll} if poll in self.votes:
                    self.answered.add(poll)

    @property
    def is_open(self) -> bool:
        """Whether phones may vote: on what the slide asks, until the answer has been seen."""
        return self.takes and bool(self.now) and self.now not in self.answered

    def show(self, message: Any) -> None:
        """What the deck shows: a question or none, whether it asks or looks back at it, with its answer or without, what may be moved."""
        match message:
            case {"show": str(poll), "vote": bool(vote), "answer": bool(answer), "move": str(move)} if poll in self.asked or not poll:
                self.now, self.takes, self.move = poll, vote, move
                if poll and answer and poll not in self.answered:
                    self.journal.write({"answered": poll})
                    self.answered.add(poll)
            case _:
                raise VoteRefused("this lesson asks no such question")

    def vote(self, phone: str, message: str | bytes) -> dict[str, Any]:
        """Take a vote, or the change of one; gives what the phone is told."""
        poll, sent = self._read(message)
        votes = self.votes[poll]
        if phone not in votes and len(votes) >= MAX_VOTES:
            raise VoteRefused("the room is full")
        if votes.get(phone) != sent:
            self.journal.write({"vote": poll, "phone": phone, "sent": sent})
            votes[phone] = sent
        return {"of": poll, "mine": sent}

    def _read(self, message: str | bytes) -> tuple[str, Vote]:
        if not isinstance(message, str) or len(message) > MAX_MESSAGE_LENGTH:
            raise VoteRefused("this is no vote")
        try:
            read = json.loads(message)
        except (ValueError, RecursionError):
            raise VoteRefused("this is no vote") from None
        match read:
            case {"poll": str(poll), "choice": int(choice), **rest} if not rest and not isinstance(choice, bool):
                self._must_be_open(poll)
                return poll, self._taken(poll, choice)
            case {"poll": str(poll), "numbers": list(numbers), **rest} if not rest:
                self._must_be_open(poll)
                if not all(type(x) in (int, float) and -MAX_NUMBER <= x <= MAX_NUMBER and isfinite(x) for x in numbers):
                    raise VoteRefused("a number is missing, or too large")
                return poll, self._taken(poll, tuple(map(float, numbers)))
        raise VoteRefused("this is no vote")

    def _taken(self, poll: str, sent: Vote) -> Vote:
        if not self.asked[poll].takes(sent):
            raise VoteRefused("this question asks for something else")
        return sent

    def _must_be_open(self, poll: str) -> None:
        if poll != self.now or not self.is_open:
            raise VoteRefused("this question is closed")

    def seen_by(self, phone: str) -> dict[str, Any]:
        """What a phone is told: never which answer is right before the deck has shown it."""
        if not self.now:
            return {"poll": None, "move": self.move}
        one = self.asked[self.now]
        poll = {"id": one.id, "question": one.question, "choices": one.choices, "names": one.names, "open": self.is_open}
        answer = {"right": one.right, "why": one.why} if one.id in self.answered else None
        return {"poll": {**poll, "mine": self.votes[one.id].get(phone), "answer": answer}, "move": self.move}

    def save(self, file: IO[str]) -> None:
        """All votes as a table: a line for each choice and each number that was sent, and how many sent it."""
        table = csv.writer(file)
        table.writerow(HEADS)
        for poll, one in self.asked.items():
            counts = Counter(self.votes[poll].values())
            for k, words in enumerate(one.plain[1:]):
                table.writerow([poll, one.plain[0], words, "yes" if one.right[k] else "no", counts[k]])
            for numbers in sorted(sent for sent in counts if not isinstance(sent, int)):
                right = "" if one.number is None else "yes" if numbers == (one.number,) else "no"
                table.writerow([poll, one.plain[0], "; ".join(f"{x:.10g}" for x in numbers), right, counts[numbers]])
