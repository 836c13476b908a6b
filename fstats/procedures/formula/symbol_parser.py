"""What a letter stands for: a law, a number of entries, an index, an entry of a slot."""

from __future__ import annotations

from .distribution_parser import Laws
from .parser_base import LAWS, InWords, Term

COUNTS = {"n": "i", "k": "j", "m": "rh", "N": "rk", "K": "k"}  # a number that is no slot: the index whose entries it counts
UP_TO = {"r": "m", "i": "n", "h": "m"}  # where an index ends that no slot has
DISTINCT = {"k": "folds", "g": "clusters"}  # an index that goes over the different entries of a slot


class Letters(Laws):
    """Reads letters and single words."""

    def _symbol(self, word: str) -> Term:
        """A letter: what the formula defines, a law, a number that counts entries, an index, or an entry of a slot."""
        if word in ("t", "T", "F", "q", "z") and self._ahead() == "_":
            return self._law_of_letter(word)
        name, indices = word, ""
        if self._took("_"):
            indices = self._raw()
            name += "_" + indices
        if self._ahead() == "^" and self.words[self.place + 1] in "+-":
            name += "^" + self.words[self.place + 1]
            self.place += 2
        if name in self.known:
            return self.known[name]
        if name == "Z":
            return Term("normal()", law=True)
        if name == word and (found := self._number(word)):
            return found
        if name in ("n^+", "n^-") and "d" in self.over:
            return Term(f"count(t.d {'>' if name[-1] == '+' else '<'} 0)")
        if word == "\\mathrmSE" and "se" in self.over:
            return self._slot("se")
        return self._of_context(word, indices)

    def _law_of_letter(self, word: str) -> Term:
        """A law whose parameters stand below its letter, or the quantile z."""
        parameters = self._parameters()
        if word == "z":
            return self._together("normal_quantile({})", *parameters)
        if word == "F" and len(parameters) == 1:
            return Term(f"FisherF(*{parameters[0].text})", law=True)
        if word == "t" and self._took("("):
            mean = self._sum()
            self._take(",")
            return self._law("LocatedT", [*parameters, mean, self._together("np.sqrt({})", self._closed(")"))], 3)
        kind, many = {"t": ("StudentT", 1), "T": ("StudentT", 1), "F": ("FisherF", 2), "q": ("StudentizedRange", 2)}[word]
        return self._law(kind, parameters, many)

    def _number(self, word: str) -> Term | None:
        """How many entries an index has, or the number of an entry."""
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

    def _of_context(self, word: str, indices: str) -> Term:
        """A letter that belongs to a slot that is named nearby: an entry, its mean, its spread."""
        if "pairs" in self.over and indices in ("j", "l"):  # of one or the other of a pair
            slot = next(name for name, axes in self.over.items() if axes == "j" and name != "labels")
            return Term(f"pair_entries(t.{slot}, t.pairs, t.labels, {'jl'.index(indices)})", "h")
        arrays = self.context or [name for name, axes in self.over.items() if axes]
        letter = word.removeprefix("\\bar")
        if word != letter and letter + indices in self.over:
            slot = letter + indices
            return self._reduced("np.mean", self._slot(slot), self.over[slot])
        if len(arrays) == 2 and word == "s" and indices in ("", "A", "B"):
            sample = {"": f"concatenate(t.{arrays[0]}, t.{arrays[1]})", "A": f"t.{arrays[0]}", "B": f"t.{arrays[1]}"}[indices]
            return Term(f"sample_sd({sample})")
        slot = letter if letter in arrays else arrays[0] if len(arrays) == 1 else ""
        if not slot:
            raise InWords(f"{word} is nowhere defined")
        return self._of_slot(slot, word, indices)

    def _of_slot(self, slot: str, word: str, indices: str) -> Term:
        """A letter that belongs to this slot."""
        if slot in LAWS and word in ("E", "s"):
            return Term(f"{'distribution_mean' if word == 'E' else 'distribution_sd'}(t.{slot})")
        if indices in ("01", "10") and self.over[slot] == "c":
            return self._slot(slot, str(1 + int(indices[0])))
        if word.startswith("\\bar"):
            return self._reduced("np.mean", self._slot(slot), set(self.over[slot]) - set(indices))
        if word == "s" and indices in ("", slot):
            return Term(f"np.std(t.{slot}, ddof=1)")
        if not indices:
            raise InWords(f"{word} is nowhere defined")
        return self._slot(slot, indices)

    def _said(self, words: str) -> Term:
        """What is computed by a word."""
        if words in ("lower quartile of", "upper quartile of"):
            return Term(f"np.quantile({self._factor().text}, {0.25 if words[0] == 'l' else 0.75})")
        if words in ("mean of", "standard deviation of"):
            term = self._factor()
            if term.law:
                raise InWords("mean of a law")
            if words[0] == "s":
                return Term(f"np.std({term.text}, ddof=1)")
            return self._reduced("np.mean", term, term.axes)
        if words == "sorted":
            return self._in_order()
        raise InWords(words)

    def _in_order(self) -> Term:
        term = self._factor()
        if self._took('"from the top'):
            return Term(f"-np.sort(-{term.text}, 0)", term.axes)
        return Term(f"np.sort({term.text}, 0)", term.axes)
