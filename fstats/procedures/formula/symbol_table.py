"""Symbol table of a LaTeX formula.

It holds the meaning of each letter: defined value, count, index or input.
"""

from __future__ import annotations

from collections.abc import Mapping

from .formula_terms import Term
from .latex_tokenizer import VerbalFormulaError

DISTRIBUTION_SLOTS = {"null", "coins", "posterior"}
# letter of a count without a slot -> indices; the count is the length of the first of these indices that occurs in a slot
COUNTS = {"n": "i", "k": "j", "m": "rh", "N": "rk", "K": "k"}
UP_TO = {"r": "m", "i": "n", "h": "m"}  # index that does not occur in any slot -> letter of its maximum
DISTINCT = {"k": "folds", "g": "clusters"}  # index of the distinct values of a slot -> name of the slot


class SymbolTable:
    """Letters of one formula; ``over`` holds the indices of all slots, ``target`` holds the indices of the step."""

    def __init__(self, over: Mapping[str, str], target: str) -> None:
        self.over, self.target = over, "".join(sorted(target))
        self.definitions: dict[str, Term] = {}  # letter that the formula defines -> its value
        self.fixed_indices: dict[str, str] = {}  # index -> its fixed value
        self.context: list[str] = []  # slots whose entries are written as letters with indices
        self.ordinal = False  # True if tied values get different ranks, in order of position

    def slot(self, name: str, indices: str = "") -> Term:
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

    def find(self, letter: str, subscript: str, sign: str) -> Term:
        """Return the term of a letter with its subscript and its sign (``^+``): a definition, a count, an index, or an entry of a slot."""
        name = letter + ("_" + subscript if subscript else "") + sign
        if name in self.definitions:
            return self.definitions[name]
        if name == "Z":
            return Term("normal()", is_distribution=True)
        if name == letter and (term := self._count_or_index(letter)):
            return term
        if name in ("n^+", "n^-") and "d" in self.over:
            return Term(f"count(t.d {'>' if sign == '^+' else '<'} 0)")
        if letter == "\\mathrmSE" and "se" in self.over:
            return self.slot("se")
        if "pairs" in self.over and subscript in ("j", "l"):  # j: first classifier of a pair; l: second classifier
            slot = next(slot for slot, axes in self.over.items() if axes == "j" and slot != "labels")
            return Term(f"pair_entries(t.{slot}, t.pairs, t.labels, {'jl'.index(subscript)})", "h")
        return self._statistic(letter, subscript)

    def _count_or_index(self, letter: str) -> Term | None:
        """Return the number of entries of an index, or the numbers of its entries; None for other letters."""
        owners = {index: f"t.{name}, {axes.index(index)}" for name, axes in self.over.items() for index in axes}
        for index in COUNTS.get(letter, ""):
            if index in owners:
                return Term(f"entry_count({owners[index]})")
        if letter in ("u", "v") and letter in self.target:
            return Term("np.arange(2)", letter)
        if DISTINCT.get(letter) in self.over:
            return Term(f"np.unique(t.{DISTINCT[letter]})", letter)
        if letter in owners:
            return Term(f"up_to(entry_count({owners[letter]}))", letter)
        if letter in self.target and UP_TO.get(letter) in self.over:
            return Term(f"up_to(t.{UP_TO[letter]})", letter)
        return None

    def _statistic(self, word: str, indices: str) -> Term:
        """Return the term of a letter that belongs to a slot of the context: an entry, a mean, or a standard deviation."""
        arrays = self.context or [name for name, axes in self.over.items() if axes]
        letter = word.removeprefix("\\bar")
        if word != letter and letter + indices in self.over:
            return self.slot(letter + indices).reduce("np.mean", self.over[letter + indices])
        if len(arrays) == 2 and word == "s" and indices in ("", "A", "B"):
            sample = {"": f"concatenate(t.{arrays[0]}, t.{arrays[1]})", "A": f"t.{arrays[0]}", "B": f"t.{arrays[1]}"}[indices]
            return Term(f"sample_sd({sample})")
        slot = letter if letter in arrays else arrays[0] if len(arrays) == 1 else ""
        if not slot:
            raise VerbalFormulaError(f"the symbol {word} of the formula is not defined")
        if slot in DISTRIBUTION_SLOTS and word in ("E", "s"):
            return Term(f"{'distribution_mean' if word == 'E' else 'distribution_sd'}(t.{slot})")
        if indices in ("01", "10") and self.over[slot] == "c":
            return self.slot(slot, str(1 + int(indices[0])))
        if word != letter:
            return self.slot(slot).reduce("np.mean", set(self.over[slot]) - set(indices))
        if word == "s" and indices in ("", slot):
            return Term(f"np.std(t.{slot}, ddof=1)")
        if not indices:
            raise VerbalFormulaError(f"the symbol {word} of the formula is not defined")
        return self.slot(slot, indices)
