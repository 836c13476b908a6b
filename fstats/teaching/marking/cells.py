"""What of a notebook is run: the student's code cells in their order, with our own in the place of those that are not the student's."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

FILE = 20 << 20  # bytes of a notebook, pictures and all; of larger files none is read at all (handed_in)
SIZE = 10 << 20  # letters in its cells, without their outputs
BRACKETS = 500_000  # each becomes a list or a dictionary, which is larger than it looks
CELLS = 1_000
SOURCE = 200_000  # letters of one cell
TEXT = 20_000  # letters of a text in the student's own words

OPENS = re.compile(r"""\bexercise\(\s*(["'])(\w+)\1\s*(?:,\s*(?:data\s*=\s*)?(["'])([0-9a-fA-F]*)\3\s*)?\)""")
CHECKS = re.compile(r"""(?:task\.)?check\(\s*["'](\w+)["']\s*,(.*)\)$""", re.DOTALL)
NOISE = re.compile(r"\s+|#.*")


class NotANotebook(ValueError):
    """What was handed in cannot be read; the message says why, for the student."""


@dataclass(frozen=True)
class Piece:
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
    exercises : tuple of str
        Which exercises it opens.
    answered : bool
        Whether any code differs from the exercise as it was given out.
    flags : tuple of str
        What a lecturer should look at.
    """

    cells: tuple[Piece, ...]
    reflections: Mapping[str, str] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    exercises: tuple[str, ...] = ()
    answered: bool = True
    flags: tuple[str, ...] = ()


def read_notebook(notebook: bytes) -> list[dict[str, Any]]:
    """The cells of a notebook: kind, source, id and grade_id of each, and nothing else of it.

    Raises
    ------
    NotANotebook
        For what is too large, no JSON, or no notebook.
    """
    if len(notebook) > FILE:
        raise NotANotebook(
            f"the file has {len(notebook) >> 20} MiB; a notebook may have {FILE >> 20}: clear its outputs and hand it in again"
        )
    if not notebook.strip():
        raise NotANotebook("the file is empty")
    try:
        text = notebook.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotANotebook("the file is no text in UTF-8, which every notebook is: save it in Jupyter and hand it in again") from None
    if text.count("[") + text.count("{") > BRACKETS:
        raise NotANotebook(f"the file has more than {BRACKETS} brackets, which no notebook of this course needs")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):  # of brackets within brackets the parser soon has enough
        raise NotANotebook(
            "the file is no notebook: it is not JSON; save it in Jupyter and hand in the file that ends with .ipynb"
        ) from None
    cells = found.get("cells") if isinstance(found, dict) else None
    if not isinstance(cells, list):
        raise NotANotebook("the file is no notebook of today: it has no list of cells; open it in Jupyter, save it, and hand it in again")
    if len(cells) > CELLS:
        raise NotANotebook(f"the notebook has {len(cells)} cells; it may have {CELLS}")
    read = [_read_cell(cell, number) for number, cell in enumerate(cells, 1)]
    if (size := sum(len(cell["source"]) for cell in read)) > SIZE:
        raise NotANotebook(f"the cells have {size >> 20} million letters; a notebook may have {SIZE >> 20}")
    return read


def _read_cell(cell: Any, number: int) -> dict[str, Any]:
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        raise NotANotebook(f"entry {number} of the notebook is no cell")
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise NotANotebook(f"cell {number} has no text in it")
    if len(source) > SOURCE:
        raise NotANotebook(f"cell {number} has {len(source)} letters; it may have {SOURCE}")
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    own = cell.get("id")
    return {
        "kind": cell["cell_type"],
        "source": _whole(source),
        "grade_id": _whole(name) if isinstance(name, str) else "",
        "id": own if isinstance(own, str) else "",
    }


def _whole(text: str) -> str:
    """A text without halves of surrogate pairs, which are no letters."""
    return text.encode("utf-8", "replace").decode()


def submission(reference: Mapping[str, Any], notebook: bytes, exercise: str, token: str) -> Submission:
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
    ours = read_notebook(json.dumps(reference).encode())
    theirs = read_notebook(notebook)
    expressions = {found[1]: found[2].strip() for cell in ours if (found := _check(cell))}
    given_out = {_bare(cell["source"], cell["kind"] != "code") for cell in ours}
    setups = [cell["source"] for cell in ours if cell["kind"] == "code" and OPENS.search(cell["source"])]
    answers = _answer_cells(ours)
    last_answer = {answers[cell["grade_id"]]: number for number, cell in enumerate(theirs) if cell["grade_id"] in answers}
    checked = {found[1] for cell in theirs if (found := _check(cell))}
    checked |= {cell["grade_id"] for cell in theirs if cell["kind"] == "code" and cell["grade_id"] in expressions}

    cells = [Piece("the opening cell", source) for source in setups]
    done: list[str] = []
    flags: list[str] = []
    reflections = _own_words(ours, theirs, given_out)
    answered = False
    code = 0
    for number, cell in enumerate(theirs):
        code += cell["kind"] == "code"
        bare = _bare(cell["source"], cell["kind"] != "code")
        new = bool(bare) and bare not in given_out
        answered = answered or (new and cell["kind"] == "code")
        if cell["kind"] != "code":
            continue
        found = _check(cell)
        key = cell["grade_id"] if cell["grade_id"] in expressions else found[1] if found and found[1] in expressions else ""
        if key:
            if found is None or _bare(found[2]) != _bare(expressions[key]):
                flags.append(f"The cell that checks {key} was changed; it was run as it stands, and our check behind it.")
                cells.append(Piece(f"code cell {code}", cell["source"]))
            if key in done:
                flags.append(f"There are several cells that check {key}; the last one counts.")
            done.append(key)
            cells.append(Piece(f"the check of {key}", expressions[key], key))
            continue
        if new or not OPENS.search(cell["source"]):
            cells.append(Piece(f"code cell {code}", cell["source"]))
        for key, place in last_answer.items():
            if place == number and key not in checked:
                done.append(key)
                cells.append(Piece(f"the check of {key}", expressions[key], key))
    missing = [key for key in expressions if key not in checked]
    if missing:
        flags.append(f"Cells that check were missing ({', '.join(missing)}); ours were run.")
    cells += [Piece(f"the check of {key}", expressions[key], key) for key in expressions if key not in done]

    opened = [found for cell in theirs if cell["kind"] == "code" for found in OPENS.finditer(cell["source"])]
    tokens = tuple(dict.fromkeys((found[4] or "").lower() for found in opened))
    exercises = tuple(dict.fromkeys(found[2] for found in opened))
    flags += [f"The notebook opens another exercise, {name[:80]}." for name in exercises[:5] if name != exercise]
    flags += _about_tokens(tokens, token)
    return Submission(tuple(cells), reflections, tokens, exercises, answered, tuple(dict.fromkeys(flags)))


def _own_words(ours: Sequence[Mapping[str, str]], theirs: Sequence[Mapping[str, str]], given_out: Collection[str]) -> dict[str, str]:
    """The texts in the student's own words, by their place.

    The cell of that name has them, of whatever kind it has become; where it is untouched or has lost its name, what is new between the
    cell before it and the next one that was given out: many answer in a cell of their own, and some editors keep no names.
    """
    bare = [_bare(cell["source"], cell["kind"] != "code" or cell["grade_id"].startswith("reflection_")) for cell in theirs]
    new = [bool(text) and text not in given_out for text in bare]
    found: dict[str, str] = {}
    for before, place in pairwise(ours):
        name = place["grade_id"]
        if not name.startswith("reflection_"):
            continue
        own = [cell["source"] for k, cell in enumerate(theirs) if cell["grade_id"] == name and new[k]][:1]
        after = bare.index(text) + 1 if (text := _bare(before["source"], before["kind"] != "code")) in bare else len(theirs)
        for k in range(after, len(theirs)) if not own else ():
            if new[k] and theirs[k]["kind"] != "code" and not theirs[k]["grade_id"]:
                own.append(theirs[k]["source"])
            elif bare[k] != _bare(place["source"], text=True):
                break
        if own:
            found[name] = "\n\n".join(own)[:TEXT]
    return found


def _answer_cells(ours: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The question that each cell of an answer belongs to: the one that is checked next."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    for cell in ours:
        if check := _check(cell):
            found |= dict.fromkeys(waiting, check[1])
            waiting = []
        elif cell["grade_id"].startswith("answer_"):
            waiting.append(cell["grade_id"])
    return found


def _check(cell: Mapping[str, str]) -> re.Match[str] | None:
    """The question and the expression of a cell that checks and does nothing else."""
    return CHECKS.match(cell["source"].strip().removesuffix(";")) if cell["kind"] == "code" else None


def _bare(source: str, text: bool = False) -> str:
    """A source without blanks, comments and tokens: what makes it this cell and no other."""
    return "".join(source.split()) if text else NOISE.sub("", OPENS.sub(r"exercise('\2')", source))


def _about_tokens(tokens: tuple[str, ...], token: str) -> list[str]:
    if not tokens:
        return ["The notebook opens no data; it was run on those that belong to the student."]
    if tokens == (token,):
        return []
    others = [f"those of {other[:80]}" if other else "those of the course" for other in tokens[:5] if other != token]
    return [f"The notebook opens other data ({', '.join(others)}); it was run on those that belong to the student."]
