"""An exercise: a worked test, the questions about its steps, the mistakes that have names, and data for each student."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.procedure import Procedure
from ...core.step import Step
from .answers.answer_value import is_distinct, is_identical
from .mistakes.mistake import Mistake
from .question import Asked, Choice, Function, Question

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture

MAX_DRAWS = 2000  # data sets that are drawn before an exercise is called impossible


@dataclass(frozen=True, eq=False)  # there is one of each
class Exercise:
    """What an exercise is, whoever does it.

    Parameters
    ----------
    name : str
        The name of its module in `fstats.teaching.course`.
    test : type
        The procedure whose steps are asked for.
    given : mapping
        The data of the course: inputs of the test (or steps, where it starts half-way) by name.
    draw : callable
        ``draw(rng)``: such data for one student.  What does not tell all answers apart is drawn again.
    questions, mistakes : tuple
        In the order in which they are asked; mistakes in any order.
    picture : callable
        ``picture(test)``: a picture of the data that gives no answer away.
    neighbours : tuple
        More mistakes that have names.  They are recognised wherever nothing else explains the answer, and have no say in
        which data are drawn: a student's numbers stay the same when one is added.
    elsewhere : mapping
        What the data of an example have otherwise, where a value is the same for all students.
    seconds : float
        Of computing that one cell may take where it is marked: at least three times what the slowest honest way took
        (`tests/teaching/slow_ways.py` measures them: 2 seconds at most, but 126 in one exercise).
    may_use : tuple of str
        Modules of `fstats` from which it lets students take answers; whoever takes one from elsewhere in the package is flagged.
    """

    name: str
    test: type[Procedure]
    given: Mapping[str, Any]
    draw: Callable[[np.random.Generator], Mapping[str, Any]]
    questions: tuple[Asked, ...]
    mistakes: tuple[Mistake, ...] = ()
    picture: Callable[[Any], Picture] | None = None
    neighbours: tuple[Mistake, ...] = ()
    elsewhere: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 10
    may_use: tuple[str, ...] = ()

    def question(self, key: str) -> Asked:
        """The question of this key."""
        for question in self.questions:
            if question.key == key:
                return question
        raise LookupError(f"this exercise has the questions {', '.join(q.key for q in self.questions)}; got {key!r}")

    def tested(self, question: Question | Function) -> type[Procedure]:
        """The class whose step is asked for."""
        return question.of or self.test

    def asked(self, question: Question | Function) -> Step[Any]:
        """The step that is asked for."""
        return self.tested(question).steps[question.step]

    def mistakes_at(self, question: Question | Function) -> list[Mistake]:
        """The mistakes that this question can show, those that happen at its own step first."""
        return self._shown[question.key]

    def home(self, mistake: Mistake) -> Question | Function:
        """The question at which a mistake shows first."""
        return self._homes[mistake]

    @cached_property
    def _shown(self) -> dict[str, list[Mistake]]:
        shown = {}
        for question in self.questions:
            if not isinstance(question, Choice):
                tested = self.tested(question)
                above = required_steps(tested, question.step)
                found = [
                    mistake
                    for mistake in (*self.mistakes, *self.neighbours)
                    if issubclass(mistake.wrong, tested) and mistake.step in above and (not mistake.only or question.key in mistake.only)
                ]
                shown[question.key] = sorted(found, key=lambda mistake: mistake.step != question.step)
        return shown

    @cached_property
    def _homes(self) -> dict[Mistake, Question | Function]:
        asked = [question for question in self.questions if not isinstance(question, Choice)]
        homes = {mistake: question for question in reversed(asked) for mistake in self.mistakes_at(question)}
        if lost := {mistake.name for mistake in self.mistakes if mistake not in homes}:
            raise LookupError(f"no question of {self.name} shows {', '.join(sorted(lost))}")
        return homes

    # -- data ----------------------------------------------------------------------------------------------------------
    def data(self, token: str) -> Mapping[str, Any]:
        """The data of the course (no token), or those that belong to a token: always the same ones."""
        if not token:
            return self.given
        rng = np.random.default_rng(int(token, 16))
        for _ in range(MAX_DRAWS):
            data = self.draw(rng)
            clash = next(self.clashes(data), "")
            if not clash:
                return data
        raise RuntimeError(
            f"none of {MAX_DRAWS} data sets tells all answers of {self.name} apart; the last one: {clash}; draw "
            f"other data, or name in `only` the questions at which a mistake shows"
        )

    def clashes(self, data: Mapping[str, Any]) -> Iterator[str]:
        """Pairs of answers that these data do not tell apart, in words, one by one.

        Each mistake must differ clearly from the right answer and from all others at its own question.  Further down it may
        vanish (turning ranks upside down does not change chi-squared), but not hide behind another one.
        """
        tests = Tests(data)
        for question in self.questions:
            if not isinstance(question, Question):
                continue
            test = tests[self.tested(question)]
            value = getattr(test, question.step)
            if is_verdict(value):
                continue
            within = question.luck(test)  # printed decimals draw no other data
            seen = [("the right answer", value)]
            for mistake in self.mistakes_at(question):
                if mistake in self.neighbours:
                    continue
                other = getattr(tests[mistake.wrong], question.step)
                if self.home(mistake) is not question and is_identical(other, value):
                    continue
                for name, earlier in seen:
                    if not is_distinct(other, earlier, within):
                        yield f"at {question.key}, {mistake.name!r} is not told apart from {name}"
                seen.append((repr(mistake.name), other))


def start_test(cls: type[Procedure], data: Mapping[str, Any]) -> Procedure:
    """A procedure on those of the data that it takes."""
    return cls.from_steps(**{name: value for name, value in data.items() if name in cls.inputs or name in cls.steps})


class Tests(dict[type[Procedure], Procedure]):
    """Procedures on the same data, by their class, each started once."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.data = data
        self.examples: dict[str, tuple[str, ...]] = {}  # hints on data of nobody, by the key of the question that they are for

    def __missing__(self, cls: type[Procedure]) -> Procedure:
        test = self[cls] = start_test(cls, self.data)
        return test


def is_verdict(value: Any) -> bool:
    """Whether a value is one yes or no: too little to tell mistakes apart."""
    return np.asarray(value).dtype.kind == "b" and not np.ndim(value)


def required_steps(cls: type[Procedure], step: str) -> set[str]:
    """A step and all that it follows from."""
    found: set[str] = set()
    waiting = [step]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += cls.steps[name].slots if name in cls.steps else ()
    return found
