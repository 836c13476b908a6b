"""What of a notebook is run: the student's code cells in their order, with our own in the place of those that are not the student's.

Each cell is looked at by one rule after the other; the first that knows what becomes of it says it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any
from unicodedata import normalize

from .notebook_format import NotANotebook, notebook_cells

SIZE = 10 << 20  # letters in its cells, without their outputs
CELLS = 1_000
SOURCE = 200_000  # letters of one cell
TEXT = 20_000  # letters of a text in the student's own words

OPENING_CALL = re.compile(r"""\bexercise\(\s*(["'])(\w+)\1\s*(?:,\s*(?:data\s*=\s*)?(["'])([0-9a-fA-F]*)\3\s*)?\)""")
CHECK_CALL = re.compile(r"""\A(?:task\.)?check\(\s*["'](\w+)["']\s*,(.*)\)$""", re.DOTALL)
# another meaning for the name check, however it is given; "check = task.check", as the opening has it, is its own
CHECK_REDEFINITION = re.compile(
    r"""^[ \t]*(?:(?:async[ ]+)?def|class)[ ]+check\b|\bas[ ]+check\b"""
    r"""|^[ \t]*(?:task\.)?check[ \t]*(?::[^=\n]*)?=(?!=|[ \t]*task\.check\b)"""
    r"""|["']check["'][ \t]*\][ \t]*=(?!=)|\bsetattr\((?:(?!\bsetattr\()[^,\n])*+,[ \t]*["']check["']""",
    re.MULTILINE,
)
NOISE = re.compile(r"\s+|#.*")
LINK_OR_SPACE = re.compile(r"\]\([^()\s]*+\)|[\[\]\s]+")  # a notebook that was released has fewer links than the course's


@dataclass(frozen=True)
class NotebookCell:
    """What is read of a cell: its kind, its source, and the `grade_id` by which an exercise knows it (empty if it has none)."""

    kind: str
    source: str
    grade_id: str = ""

    @property
    def is_code(self) -> bool:
        """Whether it can be run."""
        return self.kind == "code"

    @cached_property
    def opened(self) -> list[re.Match[str]]:
        """The exercises that it opens, each with its token."""
        return [*OPENING_CALL.finditer(self.source)] if self.is_code else []

    @cached_property
    def check(self) -> tuple[str, str] | None:
        """The question and the expression of a cell that checks and does nothing else."""
        found = CHECK_CALL.match(self.source.strip().removesuffix(";")) if self.is_code else None
        return (found[1], found[2].strip()) if found else None

    @property
    def words(self) -> str:
        """Its source without blanks and links."""
        return LINK_OR_SPACE.sub("", self.source)

    @cached_property
    def bare(self) -> str:
        """What makes it this cell and no other: its words, or its code without comments and tokens."""
        return _normalise_source(self.source) if self.is_code else self.words


def _as_python_reads(source: str) -> str:
    """A source with each letter as Python reads it in names: letter by letter, since long rows of accents take `normalize` very long."""
    return source.translate({ord(letter): normalize("NFKC", letter) for letter in {*source} if not letter.isascii()})


def _normalise_source(source: str) -> str:
    """Code without blanks, comments and tokens."""
    return NOISE.sub("", OPENING_CALL.sub(r"exercise('\2')", source))


@dataclass(frozen=True)
class RunCell:
    """A cell to run; one with a key is a check of ours, and its source the expression that it looks at."""

    name: str
    source: str
    key: str = ""


@dataclass(frozen=True)
class Submission:
    """What was found in a notebook.

    Parameters
    ----------
    cells : tuple of Piece
        What is run.
    reflections : mapping
        The texts in the student's own words, by `grade_id`; those that were not touched are not there.
    tokens : tuple of str
        Which data the notebook opens, as it says itself; nothing follows from them but a flag.
    answered : bool
        Whether any code differs from the exercise as it was given out.
    flags : tuple of str
        What a lecturer should look at.
    """

    cells: tuple[RunCell, ...]
    reflections: Mapping[str, str] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    answered: bool = True
    flags: tuple[str, ...] = ()


def read_notebook(notebook: bytes) -> list[NotebookCell]:
    """The cells of a notebook, and nothing else of it.

    Raises
    ------
    NotANotebook
        For what is too large, no JSON, or no notebook.
    """
    cells = notebook_cells(notebook)
    if len(cells) > CELLS:
        raise NotANotebook(f"the notebook has {len(cells)} cells; it may have {CELLS}")
    read = [_read_cell(cell, number) for number, cell in enumerate(cells, 1)]
    if (size := sum(len(cell.source) for cell in read)) > SIZE:
        raise NotANotebook(f"the cells have {size >> 20} million letters; a notebook may have {SIZE >> 20}")
    return read


def _read_cell(cell: Any, number: int) -> NotebookCell:
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        raise NotANotebook(f"entry {number} of the notebook is no cell")
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise NotANotebook(f"cell {number} has no text in it")
    if (many := len(source)) > SOURCE:  # the cell is lost, and no other
        source = (
            f"raise ValueError('cell {number} has {many} letters; it may have {SOURCE}')"
            if cell["cell_type"] == "code"
            else source[:SOURCE]
        )
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    return NotebookCell(cell["cell_type"], _without_surrogates(source), _without_surrogates(name) if isinstance(name, str) else "")


def _without_surrogates(text: str) -> str:
    """A text without halves of surrogate pairs, which are no letters."""
    return text.encode("utf-8", "replace").decode()


def select_cells(reference: Mapping[str, Any], notebook: bytes, exercise: str, token: str) -> Submission:
    """What is run of a notebook that was handed in for an exercise.

    Parameters
    ----------
    reference : mapping
        The exercise notebook of the course: which cells are ours, it alone says.
    notebook : bytes
        What was handed in.
    exercise, token : str
        The exercise, and which data belong to the student.

    Raises
    ------
    NotANotebook
        With a sentence for the student.
    """
    ours, theirs = read_notebook(json.dumps(reference).encode()), read_notebook(notebook)
    reading = _NotebookComparison(ours, theirs)
    code = [cell for cell in theirs if cell.is_code]
    cells = [RunCell("the opening cell", cell.source) for cell in ours if cell.opened]
    for number, cell in enumerate(code, 1):
        cells += next(run for rule in RULES if (run := rule(reading, cell, f"code cell {number}")) is not None)
    if places := [
        str(number)
        for number, cell in enumerate(code, 1)
        if reading.is_new(cell) and CHECK_REDEFINITION.search(_as_python_reads(cell.source))
    ]:
        reading.flags.append(f"The name check was given another meaning (code cell {', '.join(places[:5])}); our checks were run.")
    missing = [key for key in reading.expressions if key not in reading.checked]
    if missing:
        reading.flags.append(f"Cells that check were missing ({', '.join(missing)}); ours were run.")
    cells += [reading.our_check(key) for key in reading.expressions if key not in reading.done]

    opened = [found for cell in code for found in cell.opened]
    tokens = tuple(dict.fromkeys((found[4] or "").lower() for found in opened))
    flags = [*reading.flags, *_foreign_exercises(dict.fromkeys(found[2] for found in opened), exercise, tokens, token)]
    reflections = _own_words(ours, theirs, reading.given_out)
    return Submission(tuple(cells), reflections, tokens, any(map(reading.is_new, code)), tuple(dict.fromkeys(flags)))


class _NotebookComparison:
    """A notebook that is read beside the exercise as it was given out."""

    def __init__(self, ours: Sequence[NotebookCell], theirs: Sequence[NotebookCell]) -> None:
        self.expressions = dict(cell.check for cell in ours if cell.check)
        self.given_out = {cell.bare for cell in ours}
        self.checked = {cell.check[0] for cell in theirs if cell.check}
        self.checked |= {cell.grade_id for cell in theirs if cell.is_code and cell.grade_id in self.expressions}
        answers = _answer_cells(ours)
        self.ends = {answers[cell.grade_id]: cell for cell in theirs if cell.grade_id in answers}  # the last cell of each answer
        self.done: set[str] = set()  # the questions whose check is in its place
        self.flags: list[str] = []

    def is_new(self, cell: NotebookCell) -> bool:
        """Whether there is something in a cell that was not given out."""
        return bool(cell.bare) and cell.bare not in self.given_out

    def our_check(self, key: str) -> RunCell:
        """Our check of a question: what it looks at, we say."""
        self.done.add(key)
        return RunCell(f"the check of {key}", self.expressions[key], key)


# -- what becomes of a code cell: the rules, in their order -------------------------------------------------------------------------
def rule_check_cell(reading: _NotebookComparison, cell: NotebookCell, name: str) -> list[RunCell] | None:
    """A check, by its name or its words: ours stands in its place, behind it if it was changed."""
    key = cell.grade_id if cell.grade_id in reading.expressions else cell.check[0] if cell.check else ""
    if key not in reading.expressions:
        return None
    is_ours = cell.check is not None and _normalise_source(cell.check[1]) == _normalise_source(reading.expressions[key])
    if not is_ours:
        reading.flags.append(f"The cell that checks {key} was changed; it was run as it stands, and our check behind it.")
    if key in reading.done:
        reading.flags.append(f"There are several cells that check {key}; the last one counts.")
    return [*([] if is_ours else [RunCell(name, cell.source)]), reading.our_check(key)]


def rule_last_answer_cell(reading: _NotebookComparison, cell: NotebookCell, name: str) -> list[RunCell] | None:
    """The cell that ends an answer whose check is missing: our check follows, while the names still have their values."""
    keys = [key for key, end in reading.ends.items() if end is cell and key not in reading.checked]
    return [RunCell(name, cell.source), *map(reading.our_check, keys)] if keys else None


def rule_opening_cell(reading: _NotebookComparison, cell: NotebookCell, _: str) -> list[RunCell] | None:
    """The cell that opens the exercise, as it was given out: ours came first, whatever data it names."""
    return [] if cell.opened and not reading.is_new(cell) else None


def rule_other_cell(_: _NotebookComparison, cell: NotebookCell, name: str) -> list[RunCell]:
    """Any other cell is run as it stands."""
    return [RunCell(name, cell.source)]


RULES: tuple[Callable[[_NotebookComparison, NotebookCell, str], list[RunCell] | None], ...] = (
    rule_check_cell,
    rule_last_answer_cell,
    rule_opening_cell,
    rule_other_cell,
)


def _own_words(ours: Sequence[NotebookCell], theirs: Sequence[NotebookCell], given_out: Collection[str]) -> dict[str, str]:
    """The texts in the student's own words, by their place.

    The cell of that name has them, of whatever kind it has become; where it is untouched or has lost its name, what is new between the
    cell before it and the next one that was given out: many answer in a cell of their own, and some editors keep no names.
    """
    bare = [cell.words if cell.grade_id.startswith("reflection_") else cell.bare for cell in theirs]
    new = [bool(text) and text not in given_out for text in bare]
    found: dict[str, str] = {}
    for before, place in pairwise(ours):
        name = place.grade_id
        if not name.startswith("reflection_"):
            continue
        own = [cell.source for cell, is_new in zip(theirs, new) if cell.grade_id == name and is_new][:1]
        after = bare.index(before.bare) + 1 if before.bare in bare else len(theirs)
        for k in range(after, len(theirs)) if not own else ():
            if new[k] and not theirs[k].is_code and not theirs[k].grade_id:
                own.append(theirs[k].source)
            elif bare[k] != place.words:
                break
        if own:
            found[name] = "\n\n".join(own)[:TEXT]
    return found


def _answer_cells(ours: Sequence[NotebookCell]) -> dict[str, str]:
    """The question that each cell of an answer belongs to: the one that is checked next."""
    found: dict[str, str] = {}
    key = ""
    for cell in reversed(ours):
        if cell.check:
            key = cell.check[0]
        elif key and cell.grade_id.startswith("answer_"):
            found[cell.grade_id] = key
    return found


def _foreign_exercises(exercises: Iterable[str], exercise: str, tokens: Sequence[str], token: str) -> list[str]:
    """What the notebook opens that is not its own."""
    said = [f"The notebook opens another exercise, {name[:80]}." for name in [*exercises][:5] if name != exercise]
    if not tokens:
        return [*said, "The notebook opens no data; it was run on those that belong to the student."]
    others = [f"those of {other[:80]}" if other else "those of the course" for other in tokens[:5] if other != token]
    if tokens != (token,):
        said.append(f"The notebook opens other data ({', '.join(others)}); it was run on those that belong to the student.")
    return said
