"""Definition of an exercise, with questions and common mistakes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ...core.procedure import Procedure
from ...core.step import Step
from .answers.answer_value import is_distinct, is_identical
from .mistakes.mistake import Mistake
from .question import Asked, Choice, Function, Question

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture

Dependency = TypeVar("Dependency", bound=Hashable)
MAX_DRAWS = 2000  # maximum number of data sets that are drawn to find a suitable one; then an error is raised


@dataclass(frozen=True, eq=False)  # eq=False: each exercise has only one object, so comparing identities is enough
class Exercise:
    """The definition of an exercise, the same for all students.

    Parameters
    ----------
    name : str
        The name of its module in `fstats.teaching.course`.
    test : type
        The procedure whose steps the questions ask for.
    given : mapping
        The data of the course by name: inputs of the test, or steps if the exercise starts at a later step.
    draw : callable
        ``draw(rng)`` returns data for one student. Data that do not separate all answers are drawn again.
    questions, mistakes : tuple
        Questions in the order in which they are asked; mistakes in any order.
    picture : callable
        ``picture(test)`` returns a picture of the data that shows no answer.
    neighbours : tuple
        More named mistakes, which are recognised if nothing else explains an answer. These mistakes do not influence which
        data are drawn: adding one leaves the numbers of all students unchanged.
    elsewhere : mapping
        Other values for the data of examples, to replace values that are the same for all students.
    seconds : float
        Computing time that one cell may take when it is marked: at least three times the time of the slowest honest solution
        (`tests/teaching/slow_ways.py` measures them: at most 2 seconds, but 126 in one exercise).
    may_use : tuple of str
        Modules of `fstats` whose functions may compute answers; answers from other modules of the package are flagged.
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
        """Return the question with this key."""
        for question in self.questions:
            if question.key == key:
                return question
        raise LookupError(f"`key` must be one of {', '.join(q.key for q in self.questions)}; got {key!r}")

    def tested(self, question: Question | Function) -> type[Procedure]:
        """Return the class whose step a question asks for."""
        return question.of or self.test

    def asked(self, question: Question | Function) -> Step[Any]:
        """Return the step that a question asks for."""
        return self.tested(question).steps[question.step]

    def mistakes_at(self, question: Question | Function) -> list[Mistake]:
        """Return the mistakes that a question can show; mistakes at its own step come first."""
        return self._shown[question.key]

    def home(self, mistake: Mistake) -> Question | Function:
        """Return the first question at which a mistake shows."""
        return self._homes[mistake]

    @cached_property
    def _shown(self) -> dict[str, list[Mistake]]:
        shown = {}
        for question in self.questions:
            if not isinstance(question, Choice):
                tested = self.tested(question)
                required = required_steps(tested, question.step)
                applicable = [
                    mistake
                    for mistake in (*self.mistakes, *self.neighbours)
                    if issubclass(mistake.wrong, tested) and mistake.step in required and (not mistake.only or question.key in mistake.only)
                ]
                shown[question.key] = sorted(applicable, key=lambda mistake: mistake.step != question.step)
        return shown

    @cached_property
    def _homes(self) -> dict[Mistake, Question | Function]:
        asked = [question for question in self.questions if not isinstance(question, Choice)]
        homes = {mistake: question for question in reversed(asked) for mistake in self.mistakes_at(question)}
        if lost := {mistake.name for mistake in self.mistakes if mistake not in homes}:
            raise LookupError(
                f"each mistake of the exercise {self.name} must change the answer to at least one question; no answer is changed by "
                f"{', '.join(sorted(lost))}"
            )
        return homes

    # -- data ----------------------------------------------------------------------------------------------------------
    def data(self, token: str) -> Mapping[str, Any]:
        """Return the data of the course (empty token), or the data of a token; equal tokens give equal data."""
        if not token:
            return self.given
        rng = np.random.default_rng(int(token, 16))
        for _ in range(MAX_DRAWS):
            data = self.draw(rng)
            clash = next(self.clashes(data), "")
            if not clash:
                return data
        raise RuntimeError(
            f"each answer of the exercise {self.name} must differ from the answers of all mistakes, but they agreed on each of {MAX_DRAWS} "
            f"drawn data sets. On the last data set, {clash}. Draw other data, or limit the mistake to some questions by `only`"
        )

    def clashes(self, data: Mapping[str, Any]) -> Iterator[str]:
        """Yield, in words, the pairs of answers that these data do not separate.

        Each mistake must differ clearly from the right answer and from all other mistakes at its own question. At later questions a mistake
        may have no effect (ranks in reverse order do not change chi-squared), but its value must not equal that of another mistake.
        """
        tests = Tests(data)
        for question in self.questions:
            if not isinstance(question, Question):
                continue
            test = tests[self.tested(question)]
            value = getattr(test, question.step)
            if is_verdict(value):
                continue
            # use a tolerance that does not depend on `decimals`, because `decimals` must not change which data are drawn
            within = question.simulation_tolerance(test)
            seen = [("the right answer", value)]
            for mistake in self.mistakes_at(question):
                if mistake in self.neighbours:
                    continue
                other = getattr(tests[mistake.wrong], question.step)
                if self.home(mistake) is not question and is_identical(other, value):
                    continue
                for name, earlier in seen:
                    if not is_distinct(other, earlier, within):
                        yield f"at {question.key}, {mistake.name!r} is not clearly different from {name}"
                seen.append((repr(mistake.name), other))


def start_test(cls: type[Procedure], data: Mapping[str, Any]) -> Procedure:
    """Start a procedure with the part of the data that the procedure takes."""
    return cls.from_steps(**{name: value for name, value in data.items() if name in cls.inputs or name in cls.steps})


class Tests(dict[type[Procedure], Procedure]):
    """Procedures on the same data, by class; each procedure is started once."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.data = data
        self.kept: dict[Any, Any] = {}  # cached results that depend on a question and its data, but not on an answer

    def __missing__(self, cls: type[Procedure]) -> Procedure:
        test = self[cls] = start_test(cls, self.data)
        return test


def is_verdict(value: Any) -> bool:
    """Whether a value is a single yes or no, which contains too little to separate mistakes."""
    return np.asarray(value).dtype.kind == "b" and not np.ndim(value)


def required_steps(cls: type[Procedure], step: str) -> set[str]:
    """Return the names of a step and of all steps and inputs that it depends on."""
    return reachable([step], lambda name: cls.steps[name].slots if name in cls.steps else ())


def reachable(starts: Iterable[Dependency], following: Callable[[Dependency], Iterable[Dependency]]) -> set[Dependency]:
    """Return the starts, all that follows from them, all that follows from that, and so on."""
    found = {*starts}
    waiting = [*found]
    while waiting:
        new = {*following(waiting.pop())} - found
        found |= new
        waiting += new
    return found
