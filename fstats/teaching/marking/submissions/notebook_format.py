"""The files that notebooks come as: UTF-8 or what Windows makes of it, the format of today or that of ten years ago."""

from __future__ import annotations

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from typing import Any

MAX_FILE_SIZE = 20 << 20  # bytes of a notebook, pictures and all; of larger files none is read at all (handed_in)
MAX_BRACKETS = 500_000  # each becomes a list or a dictionary, which is larger than it looks


NOT_RUN = "Nothing could be run"  # is said of what is no notebook


class NotANotebook(ValueError):
    """What was handed in cannot be read; the message says why, for the student."""


def notebook_cells(notebook: bytes) -> list[Any]:
    """The entries that should be its cells; whether each is one nobody has looked at yet.

    Raises
    ------
    NotANotebook
        For what is too large, no JSON, or no notebook.
    """
    if len(notebook) > MAX_FILE_SIZE:
        raise NotANotebook(
            f"the file has {len(notebook) >> 20} MiB; a notebook may have {MAX_FILE_SIZE >> 20}: clear its outputs and hand it in again"
        )
    if not notebook.strip():
        raise NotANotebook("the file is empty")
    try:
        text = notebook.decode("utf-16" if notebook.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")  # as PowerShell writes
    except UnicodeDecodeError:
        raise NotANotebook("the file is no text in UTF-8, which every notebook is: save it in Jupyter and hand it in again") from None
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        raise NotANotebook(f"the file has more than {MAX_BRACKETS} brackets, which no notebook of this course needs")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):  # of brackets within brackets the parser soon has enough
        raise NotANotebook(
            "the file is no notebook: it is not JSON; save it in Jupyter and hand in the file that ends with .ipynb"
        ) from None
    cells = _cells(found) if isinstance(found, dict) else None
    if not isinstance(cells, list):
        raise NotANotebook("the file is no notebook of today: it has no list of cells; open it in Jupyter, save it, and hand it in again")
    return cells


def _cells(found: dict[str, Any]) -> Any:
    """The list of cells; of format 3 those of its sheets, in which code is called input."""
    if "cells" in found or not isinstance(sheets := found.get("worksheets"), list):
        return found.get("cells")
    with suppress(TypeError, LookupError, AttributeError):
        return [cell | {"source": cell.get("source", cell.get("input", ""))} for sheet in sheets for cell in sheet["cells"]] or None
    return None
