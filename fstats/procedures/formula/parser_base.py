"""Terms that know their indices, and the words of a formula that are still to be read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

LAWS = {"null", "coins", "posterior"}


class InWords(ValueError):
    """A formula that is words, in part at least."""


@dataclass(frozen=True)
class Term:
    """A piece of Python, and the indices of its value."""

    text: str
    axes: str = ""
    law: bool = False


class Arrays(ABC):
    """Reads one formula; ``over`` holds the indices of all slots, ``target`` those of the step."""

    def __init__(self, over: Mapping[str, str], target: str) -> None:
        self.over, self.target = over, "".join(sorted(target))
        self.known: dict[str, Term] = {}  # what the formula itself defines
        self.fixed: dict[str, str] = {}  # indices that stand at one entry
        self.context: list[str] = []  # the slots that letters with indices belong to
        self.moved: tuple[str, str, str] | None = None  # entries in another order: from which index to which
        self.each = ""  # the slot each of whose entries has the same value
        self.ordinal = False  # ties are ranked in their order
        self.words: list[str] = []
        self.place = 0
        self.in_bars = False

    def _together(self, text: str, *terms: Term, axes: str | None = None) -> Term:
        """An expression of terms whose axes are lined up."""
        frame = "".join(sorted({letter for term in terms for letter in term.axes}))
        return Term(text.format(*(self._lined_up(term, frame) for term in terms)), frame if axes is None else axes)

    @staticmethod
    def _lined_up(term: Term, frame: str) -> str:
        """The same with an axis of length 1 for each index that it lacks."""
        if not term.axes or term.axes == frame:
            return term.text
        return f"{term.text}[{', '.join(':' if letter in term.axes else 'None' for letter in frame)}]"

    def _slot(self, name: str, indices: str = "") -> Term:
        """A slot; with other indices than its own, where some are given."""
        own = self.over[name]
        letters = indices or own
        if len(letters) != len(own):
            raise InWords(f"{name} has the indices {own or 'none'}, not {letters}")
        if name in LAWS:
            return Term(f"t.{name}", own, law=True)
        entries = [self.fixed.get(letter) or (letter if letter.isdigit() else "") for letter in letters]
        text, axes = f"t.{name}", "".join(letter for letter, entry in zip(letters, entries, strict=True) if not entry)
        if any(entries):
            where = [(str(int(entry) - (one not in "uv")) if entry else ":") for one, entry in zip(own, entries, strict=True)]
            text = f"t.{name}[{', '.join(where)}]"
        if list(axes) != sorted(axes):
            order = sorted(range(len(axes)), key=axes.__getitem__)
            text, axes = f"np.moveaxis({text}, {order}, {list(range(len(axes)))})", "".join(sorted(axes))
        return Term(text, axes)

    def _reduced(self, function: str, term: Term, letters: Iterable[str]) -> Term:
        """A function along some axes."""
        if missing := set(letters) - set(term.axes):
            raise InWords(f"nothing has the index {', '.join(sorted(missing))}")
        places = tuple(term.axes.index(letter) for letter in sorted(letters))
        axis = str(places[0]) if len(places) == 1 else str(places)
        return Term(f"{function}({term.text}, axis={axis})", "".join(letter for letter in term.axes if letter not in letters))

    def _side_by_side(self, values: list[Term], letter: str = "") -> Term:
        """Several values along an axis of their own."""
        free = letter or "".join(one for one in self.target if all(one not in value.axes for value in values))
        if len(free) != 1:
            raise InWords("several values for one")
        frame = "".join(sorted({one for value in values for one in value.axes}))
        axes = "".join(sorted(frame + free))
        return Term(f"stack({axes.index(free)}, {', '.join(self._lined_up(value, frame) for value in values)})", axes)

    def _ahead(self) -> str:
        return self.words[self.place] if self.place < len(self.words) else ""

    def _take(self, *expected: str) -> str:
        word = self._ahead()
        if expected and word not in expected:
            raise InWords(f"expected {' or '.join(expected)}, found {word.lstrip(chr(34)) or 'the end'}")
        if not word:
            raise InWords("the formula ends too early")
        self.place += 1
        return word

    def _took(self, *words: str) -> bool:
        """Go past these words, if they stand here."""
        if self.words[self.place : self.place + len(words)] != list(words):
            return False
        self.place += len(words)
        return True

    def _raw(self) -> str:
        """A subscript or superscript as it is written."""
        if not self._took("{"):
            return self._take()
        start, depth = self.place, 1
        while depth:
            depth += {"{": 1, "}": -1, "": -99}.get(self._take(), 0)
            if depth < 0:
                raise InWords("a bracket is not closed")
        return "".join(self.words[start : self.place - 1])

    # -- the grammar, see reading.py ------------------------------------------------------------------------------------------
    @abstractmethod
    def _condition(self) -> Term: ...
    @abstractmethod
    def _sum(self) -> Term: ...
    @abstractmethod
    def _product(self) -> Term: ...
    @abstractmethod
    def _factor(self) -> Term: ...
    @abstractmethod
    def _primary(self) -> Term: ...
    @abstractmethod
    def _closed(self, *closing: str) -> Term: ...
    @abstractmethod
    def _parsed(self, words: list[str]) -> Term: ...
