"""Base class of the formula parser: tokens of a formula, and Python terms with their indices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

DISTRIBUTION_SLOTS = {"null", "coins", "posterior"}


class VerbalFormulaError(ValueError):
    """Error for a formula that is (partly) written in words and cannot be computed."""


@dataclass(frozen=True)
class Term:
    """A Python expression, the indices of its value, and whether the value is a distribution."""

    text: str
    axes: str = ""
    is_distribution: bool = False


class FormulaParser(ABC):
    """Parser of one formula; ``over`` holds the indices of all slots, ``target`` holds the indices of the step."""

    def __init__(self, over: Mapping[str, str], target: str) -> None:
        self.over, self.target = over, "".join(sorted(target))
        self.definitions: dict[str, Term] = {}  # letters that the formula defines
        self.fixed_indices: dict[str, str] = {}  # indices with a fixed value
        self.context: list[str] = []  # slots of the letters with indices
        self.reordering: tuple[str, str, str] | None = None  # entries in another order: old index, new index, Python template
        self.broadcast_slot = ""  # slot with the shape to which a single value is broadcast
        self.ordinal = False  # whether ties get different ranks, in the order of their positions
        self.tokens: list[str] = []
        self.position = 0
        self.is_inside_bars = False

    def _join_terms(self, text: str, *terms: Term, axes: str | None = None) -> Term:
        """Make an expression of terms whose axes are aligned."""
        frame = "".join(sorted({letter for term in terms for letter in term.axes}))
        return Term(text.format(*(self._align_axes(term, frame) for term in terms)), frame if axes is None else axes)

    @staticmethod
    def _align_axes(term: Term, frame: str) -> str:
        """Return the text of a term with an axis of length 1 for each missing index."""
        if not term.axes or term.axes == frame:
            return term.text
        return f"{term.text}[{', '.join(':' if letter in term.axes else 'None' for letter in frame)}]"

    def _slot(self, name: str, indices: str = "") -> Term:
        """Return the term of a slot; given letters replace the indices of the slot."""
        own = self.over[name]
        letters = indices or own
        if len(letters) != len(own):
            raise VerbalFormulaError(f"the symbol {name} must have the indices {own or 'none'}; got {letters}")
        if name in DISTRIBUTION_SLOTS:
            return Term(f"t.{name}", own, is_distribution=True)
        entries = [self.fixed_indices.get(letter) or (letter if letter.isdigit() else "") for letter in letters]
        text, axes = f"t.{name}", "".join(letter for letter, entry in zip(letters, entries, strict=True) if not entry)
        if any(entries):
            subscript = [(str(int(entry) - (letter not in "uv")) if entry else ":") for letter, entry in zip(own, entries, strict=True)]
            text = f"t.{name}[{', '.join(subscript)}]"
        if list(axes) != sorted(axes):
            order = sorted(range(len(axes)), key=axes.__getitem__)
            text, axes = f"np.moveaxis({text}, {order}, {list(range(len(axes)))})", "".join(sorted(axes))
        return Term(text, axes)

    def _reduce_axes(self, function: str, term: Term, letters: Iterable[str]) -> Term:
        """Apply a function along some axes."""
        if missing := set(letters) - set(term.axes):
            raise VerbalFormulaError(f"no symbol of the formula has the index {', '.join(sorted(missing))}")
        places = tuple(term.axes.index(letter) for letter in sorted(letters))
        axis = str(places[0]) if len(places) == 1 else str(places)
        return Term(f"{function}({term.text}, axis={axis})", "".join(letter for letter in term.axes if letter not in letters))

    def _stack_values(self, values: list[Term], letter: str = "") -> Term:
        """Stack several values along a new axis."""
        free = letter or "".join(index for index in self.target if all(index not in value.axes for value in values))
        if len(free) != 1:
            raise VerbalFormulaError("the formula gives several values, where a single value is needed")
        frame = "".join(sorted({index for value in values for index in value.axes}))
        axes = "".join(sorted(frame + free))
        return Term(f"stack({axes.index(free)}, {', '.join(self._align_axes(value, frame) for value in values)})", axes)

    def _peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def _next_token(self, *expected: str) -> str:
        word = self._peek()
        if expected and word not in expected:
            raise VerbalFormulaError(
                f"the formula must have {' or '.join(expected)} at this position; got {word.lstrip(chr(34)) or 'the end'}"
            )
        if not word:
            raise VerbalFormulaError("the formula ends too early")
        self.position += 1
        return word

    def _consume(self, *words: str) -> bool:
        """Consume given tokens if they are the next tokens; return whether they are."""
        if self.tokens[self.position : self.position + len(words)] != list(words):
            return False
        self.position += len(words)
        return True

    def _raw_script(self) -> str:
        """Return the unparsed text of a subscript or superscript."""
        if not self._consume("{"):
            return self._next_token()
        start, depth = self.position, 1
        while depth:
            depth += {"{": 1, "}": -1, "": -99}.get(self._next_token(), 0)
            if depth < 0:
                raise VerbalFormulaError("a bracket is not closed")
        return "".join(self.tokens[start : self.position - 1])

    # -- the grammar, see latex_parser.py --------------------------------------------------------------------------------------
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
    def _bracketed(self, *closing: str) -> Term: ...
    @abstractmethod
    def _parse_tokens(self, words: list[str]) -> Term: ...
