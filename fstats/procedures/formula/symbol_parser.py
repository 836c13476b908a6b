"""Parser of letters in formulas: distributions, counts, indices, entries of slots."""

from __future__ import annotations

from .distribution_parser import DistributionParser
from .parser_base import DISTRIBUTION_SLOTS, Term, VerbalFormulaError

COUNTS = {"n": "i", "k": "j", "m": "rh", "N": "rk", "K": "k"}  # letter of a count without slot -> index whose entries are counted
UP_TO = {"r": "m", "i": "n", "h": "m"}  # index that no slot has -> letter of its upper end
DISTINCT = {"k": "folds", "g": "clusters"}  # index of the different entries of a slot -> slot


class SymbolParser(DistributionParser):
    """Parser of letters and single words."""

    def _symbol(self, word: str) -> Term:
        """Parse a letter: a definition of the formula, a distribution, a count, an index, or an entry of a slot."""
        if word in ("t", "T", "F", "q", "z") and self._peek() == "_":
            return self._distribution_symbol(word)
        name, indices = word, ""
        if self._consume("_"):
            indices = self._raw_script()
            name += "_" + indices
        if self._peek() == "^" and self.tokens[self.position + 1] in "+-":
            name += "^" + self.tokens[self.position + 1]
            self.position += 2
        if name in self.definitions:
            return self.definitions[name]
        if name == "Z":
            return Term("normal()", is_distribution=True)
        if name == word and (term := self._entry_count(word)):
            return term
        if name in ("n^+", "n^-") and "d" in self.over:
            return Term(f"count(t.d {'>' if name[-1] == '+' else '<'} 0)")
        if word == "\\mathrmSE" and "se" in self.over:
            return self._slot("se")
        return self._symbol_of_context(word, indices)

    def _distribution_symbol(self, word: str) -> Term:
        """Parse a distribution with its parameters in the subscript, or the quantile z."""
        parameters = self._parameters()
        if word == "z":
            return self._join_terms("normal_quantile({})", *parameters)
        if word == "F" and len(parameters) == 1:
            return Term(f"FisherF(*{parameters[0].text})", is_distribution=True)
        if word == "t" and self._consume("("):
            mean = self._sum()
            self._next_token(",")
            return self._distribution("LocatedT", [*parameters, mean, self._join_terms("np.sqrt({})", self._bracketed(")"))], 3)
        kind, count = {"t": ("StudentT", 1), "T": ("StudentT", 1), "F": ("FisherF", 2), "q": ("StudentizedRange", 2)}[word]
        return self._distribution(kind, parameters, count)

    def _entry_count(self, word: str) -> Term | None:
        """Return the number of entries of an index, or the numbers of its entries; None for other letters."""
        owners = {letter: name for name, axes in self.over.items() for letter in axes}
        for letter in COUNTS.get(word, ""):
            if letter in owners:
                return Term(f"entry_count(t.{owners[letter]}, {self.over[owners[letter]].index(letter)})")
        if word in ("u", "v") and word in self.target:
            return Term("np.arange(2)", word)
        if DISTINCT.get(word) in self.over:
            return Term(f"np.unique(t.{DISTINCT[word]})", word)
        if word in owners:
            return Term(f"up_to(entry_count(t.{owners[word]}, {self.over[owners[word]].index(word)}))", word)
        if word in self.target and UP_TO.get(word) in self.over:
            return Term(f"up_to(t.{UP_TO[word]})", word)
        return None

    def _symbol_of_context(self, word: str, indices: str) -> Term:
        """Return the term of a letter that belongs to a slot of the context: an entry, a mean, or a standard deviation."""
        if "pairs" in self.over and indices in ("j", "l"):  # entries of the first or second classifier of each pair
            slot = next(name for name, axes in self.over.items() if axes == "j" and name != "labels")
            return Term(f"pair_entries(t.{slot}, t.pairs, t.labels, {'jl'.index(indices)})", "h")
        arrays = self.context or [name for name, axes in self.over.items() if axes]
        letter = word.removeprefix("\\bar")
        if word != letter and letter + indices in self.over:
            slot = letter + indices
            return self._reduce_axes("np.mean", self._slot(slot), self.over[slot])
        if len(arrays) == 2 and word == "s" and indices in ("", "A", "B"):
            sample = {"": f"concatenate(t.{arrays[0]}, t.{arrays[1]})", "A": f"t.{arrays[0]}", "B": f"t.{arrays[1]}"}[indices]
            return Term(f"sample_sd({sample})")
        slot = letter if letter in arrays else arrays[0] if len(arrays) == 1 else ""
        if not slot:
            raise VerbalFormulaError(f"the symbol {word} of the formula is not defined")
        return self._slot_symbol(slot, word, indices)

    def _slot_symbol(self, slot: str, word: str, indices: str) -> Term:
        """Return the term of a letter that belongs to this slot."""
        if slot in DISTRIBUTION_SLOTS and word in ("E", "s"):
            return Term(f"{'distribution_mean' if word == 'E' else 'distribution_sd'}(t.{slot})")
        if indices in ("01", "10") and self.over[slot] == "c":
            return self._slot(slot, str(1 + int(indices[0])))
        if word.startswith("\\bar"):
            return self._reduce_axes("np.mean", self._slot(slot), set(self.over[slot]) - set(indices))
        if word == "s" and indices in ("", slot):
            return Term(f"np.std(t.{slot}, ddof=1)")
        if not indices:
            raise VerbalFormulaError(f"the symbol {word} of the formula is not defined")
        return self._slot(slot, indices)

    def _named_function(self, words: str) -> Term:
        """Parse a function whose name is a word."""
        if words in ("lower quartile of", "upper quartile of"):
            return Term(f"np.quantile({self._factor().text}, {0.25 if words[0] == 'l' else 0.75})")
        if words in ("mean of", "standard deviation of"):
            term = self._factor()
            if term.is_distribution:
                raise VerbalFormulaError("the formula has the mean or the standard deviation of a distribution")
            if words[0] == "s":
                return Term(f"np.std({term.text}, ddof=1)")
            return self._reduce_axes("np.mean", term, term.axes)
        if words == "sorted":
            return self._sorted_values()
        raise VerbalFormulaError(words)

    def _sorted_values(self) -> Term:
        term = self._factor()
        if self._consume('"from the top'):
            return Term(f"-np.sort(-{term.text}, 0)", term.axes)
        return Term(f"np.sort({term.text}, 0)", term.axes)
