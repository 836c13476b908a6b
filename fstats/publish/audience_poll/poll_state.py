"""State of an audience poll, without networking: questions, votes, and the rules for refusing votes."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable
from math import isfinite
from typing import IO, Any

from .poll_questions import PollQuestion, Vote
from .vote_journal import VoteJournal

HEADS = ("poll", "question", "answer", "right", "votes")  # column headings of the table of votes
# maximum number of characters in a message, maximum absolute value of a number, and maximum number of votes on one question
MAX_MESSAGE_LENGTH, MAX_NUMBER, MAX_VOTES = 400, 1e9, 1000


class VoteRefused(ValueError):
    """Error for a vote that is refused; the message is shown on the phone."""


class VoteTooFast(VoteRefused):
    """Error for a vote that came too soon after the last vote; the phone may send the vote again."""


class PollState:
    """Questions and votes of a poll; votes in the journal are restored."""

    def __init__(self, questions: Iterable[PollQuestion], journal: VoteJournal) -> None:
        self.questions = {question.id: question for question in questions}
        self.votes: dict[str, dict[str, Vote]] = {name: {} for name in self.questions}
        self.answered: set[str] = set()
        # current slide: the id of its question, whether the question accepts votes, and the page with its explorer for phones
        self.current, self.accepts_votes, self.move = ("", False, "")
        self.journal = journal
        for line in journal.lines:
            match line:
                case {"vote": poll, "phone": str(phone), "sent": list(sent) | int(sent)} if poll in self.votes:
                    value = tuple(sent) if isinstance(sent, list) else sent
                    if self.questions[poll].accepts(value):  # the lesson may have changed since the vote, so check the vote again
                        self.votes[poll][phone] = value
                case {"answered": poll} if poll in self.votes:
                    self.answered.add(poll)

    @property
    def is_open(self) -> bool:
        """Whether phones may vote: the slide asks a question, and the answer has not been shown."""
        return self.accepts_votes and bool(self.current) and self.current not in self.answered

    def show_slide(self, message: Any) -> None:
        """Set the state of the slide: its question, whether it asks the question or shows the answer, and a page for phones."""
        match message:
            case {"show": str(poll), "vote": bool(vote), "answer": bool(answer), "move": str(move)} if poll in self.questions or not poll:
                self.current, self.accepts_votes, self.move = poll, vote, move
                if poll and answer and poll not in self.answered:
                    self.journal.write({"answered": poll})
                    self.answered.add(poll)
            case _:
                raise VoteRefused("the lesson has no question of this name")

    def vote(self, phone: str, message: str | bytes) -> dict[str, Any]:
        """Record a new or changed vote, and return the reply to the phone."""
        poll, sent = self._parse_vote(message)
        votes = self.votes[poll]
        if phone not in votes and len(votes) >= MAX_VOTES:
            raise VoteRefused("too many people have voted")
        if votes.get(phone) != sent:
            self.journal.write({"vote": poll, "phone": phone, "sent": sent})
            votes[phone] = sent
        return {"of": poll, "mine": sent}

    def _parse_vote(self, message: str | bytes) -> tuple[str, Vote]:
        if not isinstance(message, str) or len(message) > MAX_MESSAGE_LENGTH:
            raise VoteRefused("the message is not a vote")
        try:
            read = json.loads(message)
        except (ValueError, RecursionError):
            raise VoteRefused("the message is not a vote") from None
        match read:
            case {"poll": str(poll), "choice": int(choice), **rest} if not rest and not isinstance(choice, bool):
                self._check_open(poll)
                return poll, self._check_answer(poll, choice)
            case {"poll": str(poll), "numbers": list(numbers), **rest} if not rest:
                self._check_open(poll)
                if not all(type(x) in (int, float) and -MAX_NUMBER <= x <= MAX_NUMBER and isfinite(x) for x in numbers):
                    raise VoteRefused("a number of the vote is missing or too large")
                return poll, self._check_answer(poll, tuple(map(float, numbers)))
        raise VoteRefused("the message is not a vote")

    def _check_answer(self, poll: str, sent: Vote) -> Vote:
        if not self.questions[poll].accepts(sent):
            raise VoteRefused("the question needs another kind of answer")
        return sent

    def _check_open(self, poll: str) -> None:
        if poll != self.current or not self.is_open:
            raise VoteRefused("the question is closed")

    def phone_view(self, phone: str) -> dict[str, Any]:
        """Return the content of the voting page of a phone; the right answer is included only after the deck has shown it."""
        if not self.current:
            return {"poll": None, "move": self.move}
        question = self.questions[self.current]
        poll = {name: getattr(question, name) for name in ("id", "question", "choices", "names")} | {"open": self.is_open}
        answer = {"right": question.right, "why": question.why} if question.id in self.answered else None
        return {"poll": {**poll, "mine": self.votes[question.id].get(phone), "answer": answer}, "move": self.move}

    def save(self, file: IO[str]) -> None:
        """Write all votes as a table with a row for each choice and for each number that was sent, and its count."""
        table = csv.writer(file)
        table.writerow(HEADS)
        for poll, question in self.questions.items():
            counts = Counter(self.votes[poll].values())
            for k, choice in enumerate(question.plain_texts[1:]):
                table.writerow([poll, question.plain_texts[0], choice, "yes" if question.right[k] else "no", counts[k]])
            for numbers in sorted(sent for sent in counts if not isinstance(sent, int)):
                right = "" if question.number is None else "yes" if numbers == (question.number,) else "no"
                table.writerow([poll, question.plain_texts[0], "; ".join(f"{x:.10g}" for x in numbers), right, counts[numbers]])
