"""Select the code cells of a submission to run.

Some cells are replaced by the original cells of the exercise.

Each cell is passed to one rule after another; the first rule that applies decides.
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

SIZE = 10 << 20  # maximum number of characters of all cells together, without outputs
CELLS = 1_000
SOURCE = 200_000  # maximum number of characters of a cell
TEXT = 20_000  # maximum number of characters of a free-text answer

OPENING_CALL = re.compile(r"""\bexercise\(\s*(["'])(\w+)\1\s*(?:,\s*(?:data\s*=\s*)?(["'])([0-9a-fA-F]*)\3\s*)?\)""")
CHECK_CALL = re.compile(r"""\A(?:task\.)?check\(\s*["'](\w+)["']\s*,(.*)\)$""", re.DOTALL)
# a definition or an import of another `check`; "check = task.check" in the opening cell is allowed
CHECK_REDEFINITION = re.compile(
    r"""^[ \t]*(?:(?:async[ ]+)?def|class)[ ]+check\b|\bas[ ]+check\b"""
    r"""|^[ \t]*(?:task\.)?check[ \t]*(?::[^=\n]*)?=(?!=|[ \t]*task\.check\b)"""
    r"""|["']check["'][ \t]*\][ \t]*=(?!=)|\bsetattr\((?:(?!\bsetattr\()[^,\n])*+,[ \t]*["']check["']""",
    re.MULTILINE,
)
NOISE = re.compile(r"\s+|#.*")
# links are ignored, because a released notebook contains fewer links than the original
LINK_OR_SPACE = re.compile(r"\]\([^()\s]*+\)|[\[\]\s]+")


@dataclass(frozen=True)
class NotebookCell:
    """The relevant parts of a cell: kind, source, and the `grade_id` that identifies the cell in the exercise (empty if there is none)."""

    kind: str
    source: str
    grade_id: str = ""

    @property
    def is_code(self) -> bool:
        """Whether the cell is a code cell, which can be run."""
        return self.kind == "code"

    @cached_property
    def opened(self) -> list[re.Match[str]]:
        """Exercises that the cell opens, each with its token."""
        return [*OPENING_CALL.finditer(self.source)] if self.is_code else []

    @cached_property
    def check(self) -> tuple[str, str] | None:
        """Question and expression of a cell that contains a check and nothing else."""
        match = CHECK_CALL.match(self.source.strip().removesuffix(";")) if self.is_code else None
        return (match[1], match[2].strip()) if match else None

    @property
    def text(self) -> str:
        """Source without spaces and links."""
        return LINK_OR_SPACE.sub("", self.source)

    @cached_property
    def normalised_source(self) -> str:
        """Content that identifies the cell: its text, or its code without comments and tokens."""
        return normalise_source(self.source) if self.is_code else self.text


def _as_python_reads(source: str) -> str:
    """Convert each character as Python does in names (NFKC), one by one, because `normalize` is very slow on long rows of accents."""
    return source.translate({ord(letter): normalize("NFKC", letter) for letter in {*source} if not letter.isascii()})


def normalise_source(source: str) -> str:
    """Return code without spaces, comments and tokens."""
    return NOISE.sub("", OPENING_CALL.sub(r"exercise('\2')", source))


@dataclass(frozen=True)
class RunCell:
    """A cell to run; a cell with a key is an original check, and its source is the checked expression."""

    name: str
    source: str
    key: str = ""


@dataclass(frozen=True)
class Submission:
    """Content of a submitted notebook.

    Parameters
    ----------
    cells : tuple of RunCell
        Cells that are run.
    reflections : mapping
        Texts in the student's own words, by `grade_id`; unchanged texts are left out.
    tokens : tuple of str
        Tokens of the data that the notebook opens; the tokens are only used for flags.
    answered : bool
        Whether any code differs from the original exercise.
    flags : tuple of str
        Notes for the lecturer.
    """

    cells: tuple[RunCell, ...]
    reflections: Mapping[str, str] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    answered: bool = True
    flags: tuple[str, ...] = ()


def read_notebook(notebook: bytes) -> list[NotebookCell]:
    """Read the cells of a notebook, and nothing else.

    Raises
    ------
    NotANotebook
        If the file is too large, not JSON, or not a notebook.
    """
    cells = notebook_cells(notebook)
    if len(cells) > CELLS:
        raise NotANotebook(f"the notebook has {len(cells)} cells; a notebook may have at most {CELLS} cells")
    read = [_read_cell(cell, number) for number, cell in enumerate(cells, 1)]
    if (size := sum(len(cell.source) for cell in read)) > SIZE:
        raise NotANotebook(f"the cells have {size >> 20} million letters; a notebook may have at most {SIZE >> 20} million letters")
    return read


def readable_cells(notebook: bytes) -> list[NotebookCell]:
    """Return the cells of a submission; an empty list if the file is no notebook."""
    try:
        return read_notebook(notebook)
    except NotANotebook:
        return []


def _read_cell(cell: Any, number: int) -> NotebookCell:
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        raise NotANotebook(f"entry {number} of the notebook is not a cell")
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise NotANotebook(f"cell {number} has no source text")
    if (length := len(source)) > SOURCE:  # a cell that is too long is replaced by an error, and the other cells are run
        source = (
            f"raise ValueError('cell {number} has {length} letters; it may have {SOURCE}')"
            if cell["cell_type"] == "code"
            else source[:SOURCE]
        )
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    return NotebookCell(cell["cell_type"], _without_surrogates(source), _without_surrogates(name) if isinstance(name, str) else "")


def _without_surrogates(text: str) -> str:
    """Return a text without halves of surrogate pairs, since a half is no character."""
    return text.encode("utf-8", "replace").decode()


def select_cells(reference: Mapping[str, Any], notebook: bytes, exercise: str, token: str) -> Submission:
    """Select the cells of a submission that are run.

    Parameters
    ----------
    reference : mapping
        The original exercise notebook, which alone decides which cells belong to the exercise.
    notebook : bytes
        The submitted notebook.
    exercise, token : str
        Name of the exercise, and token of the student's data.

    Raises
    ------
    NotANotebook
        If the submission is no readable notebook; the message is a sentence for the student.
    """
    ours, theirs = read_notebook(json.dumps(reference).encode()), read_notebook(notebook)
    comparison = _NotebookComparison(ours, theirs)
    code = [cell for cell in theirs if cell.is_code]
    cells = [RunCell("the opening cell", cell.source) for cell in ours if cell.opened]
    for number, cell in enumerate(code, 1):
        cells += next(run for rule in RULES if (run := rule(comparison, cell, f"code cell {number}")) is not None)
    if places := [
        str(number)
        for number, cell in enumerate(code, 1)
        if comparison.is_new(cell) and CHECK_REDEFINITION.search(_as_python_reads(cell.source))
    ]:
        comparison.flags.append(f"The name check was redefined (code cell {', '.join(places[:5])}); the original checks were run.")
    missing = [key for key in comparison.expressions if key not in comparison.checked]
    if missing:
        comparison.flags.append(f"Cells with a check were missing ({', '.join(missing)}); the original cells were run.")
    cells += [comparison.our_check(key) for key in comparison.expressions if key not in comparison.done]

    opened = [match for cell in code for match in cell.opened]
    tokens = tuple(dict.fromkeys((match[4] or "").lower() for match in opened))
    flags = [*comparison.flags, *_foreign_exercises(dict.fromkeys(match[2] for match in opened), exercise, tokens, token)]
    reflections = _own_words(ours, theirs, comparison.given_out)
    return Submission(tuple(cells), reflections, tokens, any(map(comparison.is_new, code)), tuple(dict.fromkeys(flags)))


class _NotebookComparison:
    """Comparison of a submitted notebook with the original exercise."""

    def __init__(self, ours: Sequence[NotebookCell], theirs: Sequence[NotebookCell]) -> None:
        self.expressions = dict(cell.check for cell in ours if cell.check)
        self.given_out = {cell.normalised_source for cell in ours}
        self.checked = {cell.check[0] for cell in theirs if cell.check}
        self.checked |= {cell.grade_id for cell in theirs if cell.is_code and cell.grade_id in self.expressions}
        answers = answer_cells(ours)
        # last submitted cell that contains the answer to each question
        self.ends = {answers[cell.grade_id]: cell for cell in theirs if cell.grade_id in answers}
        self.done: set[str] = set()  # questions with an original check that is already in the list of cells to run
        self.flags: list[str] = []

    def is_new(self, cell: NotebookCell) -> bool:
        """Return whether a cell has content that the original exercise lacks."""
        return bool(cell.normalised_source) and cell.normalised_source not in self.given_out

    def our_check(self, key: str) -> RunCell:
        """Return the original check of a question, with the expression of the original exercise."""
        self.done.add(key)
        return RunCell(f"the check of {key}", self.expressions[key], key)


# -- rules for a code cell, in their order --------------------------------------------------------------------------------------------
def rule_check_cell(comparison: _NotebookComparison, cell: NotebookCell, name: str) -> list[RunCell] | None:
    """Replace a check, recognised by its name or content, by the original check; a changed check is run before the original check."""
    key = cell.grade_id if cell.grade_id in comparison.expressions else cell.check[0] if cell.check else ""
    if key not in comparison.expressions:
        return None
    is_ours = cell.check is not None and normalise_source(cell.check[1]) == normalise_source(comparison.expressions[key])
    if not is_ours:
        comparison.flags.append(
            f"The cell with the check of {key} was changed; the cell was run as it is, and the original check after it."
        )
    if key in comparison.done:
        comparison.flags.append(f"There are several cells with a check of {key}; the last check counts.")
    return [*([] if is_ours else [RunCell(name, cell.source)]), comparison.our_check(key)]


def rule_last_answer_cell(comparison: _NotebookComparison, cell: NotebookCell, name: str) -> list[RunCell] | None:
    """Run the last cell of an answer whose check is missing, and run the original check directly after it, before names change."""
    keys = [key for key, end in comparison.ends.items() if end is cell and key not in comparison.checked]
    return [RunCell(name, cell.source), *map(comparison.our_check, keys)] if keys else None


def rule_opening_cell(comparison: _NotebookComparison, cell: NotebookCell, _: str) -> list[RunCell] | None:
    """Skip an unchanged opening cell, since the original opening cell runs first, with the student's own data."""
    return [] if cell.opened and not comparison.is_new(cell) else None


def rule_other_cell(_: _NotebookComparison, cell: NotebookCell, name: str) -> list[RunCell]:
    """Run any other cell without a change."""
    return [RunCell(name, cell.source)]


CellRule = Callable[[_NotebookComparison, NotebookCell, str], list[RunCell] | None]
# the rules are applied in the order of their definitions
RULES: tuple[CellRule, ...] = tuple(rule for name, rule in globals().items() if name.startswith("rule_"))


def _own_words(ours: Sequence[NotebookCell], theirs: Sequence[NotebookCell], given_out: Collection[str]) -> dict[str, str]:
    """Return the texts in the student's own words, by `grade_id`.

    A text is in the cell with its `grade_id`, even if the type of the cell was changed.  If the cell is unchanged or has lost its name, the
    text is the new content between the original cells before and after it: many students answer in a new cell, and some editors drop names.
    """
    content = [cell.text if cell.grade_id.startswith("reflection_") else cell.normalised_source for cell in theirs]
    new = [bool(text) and text not in given_out for text in content]
    texts: dict[str, str] = {}
    for before, place in pairwise(ours):
        name = place.grade_id
        if not name.startswith("reflection_"):
            continue
        own = [cell.source for cell, is_new in zip(theirs, new) if cell.grade_id == name and is_new][:1]
        after = content.index(before.normalised_source) + 1 if before.normalised_source in content else len(theirs)
        for k in range(after, len(theirs)) if not own else ():
            if new[k] and not theirs[k].is_code and not theirs[k].grade_id:
                own.append(theirs[k].source)
            elif content[k] != place.text:
                break
        if own:
            texts[name] = "\n\n".join(own)[:TEXT]
    return texts


def answer_cells(ours: Sequence[NotebookCell]) -> dict[str, str]:
    """Return, for each cell of an answer, the question of the cell: the next question that is checked."""
    questions: dict[str, str] = {}
    key = ""
    for cell in reversed(ours):
        if cell.check:
            key = cell.check[0]
        elif key and cell.grade_id.startswith("answer_"):
            questions[cell.grade_id] = key
    return questions


def _foreign_exercises(exercises: Iterable[str], exercise: str, tokens: Sequence[str], token: str) -> list[str]:
    """Describe the exercises and data that the notebook opens, but that do not belong to the student."""
    flags = [f"The notebook opens another exercise, {name[:80]}." for name in [*exercises][:5] if name != exercise]
    if not tokens:
        return [*flags, "The notebook opens no data; it was run on the student's own data."]
    others = [f"the data of {other[:80]}" if other else "the data of the course" for other in tokens[:5] if other != token]
    if tokens != (token,):
        flags.append(f"The notebook opens other data ({', '.join(others)}); it was run on the student's own data.")
    return flags
