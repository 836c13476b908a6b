"""Read notebook files in different formats and encodings.

The formats are versions 3 and 4 of nbformat.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from typing import Any

# maximum number of bytes of a notebook with its pictures; `uploaded_files` does not read larger files
MAX_FILE_SIZE = 20 << 20
MAX_BRACKETS = 500_000  # maximum number of brackets; each one becomes a list or dictionary, which needs more memory than its text


NOT_RUN = "Nothing could be run"  # first words of the message if a file is not a notebook


class NotANotebook(ValueError):
    """Error if the submitted file cannot be read; the message gives the student the reason."""


def notebook_cells(notebook: bytes) -> list[Any]:
    """Return the entries of a notebook's list of cells; the entries themselves are not checked here.

    Raises
    ------
    NotANotebook
        If the file is too large, not JSON, or not a notebook.
    """
    if len(notebook) > MAX_FILE_SIZE:
        raise NotANotebook(
            f"the file has {len(notebook) >> 20} MiB; a notebook may have at most {MAX_FILE_SIZE >> 20} MiB. Clear the outputs and hand "
            "the notebook in again."
        )
    if not notebook.strip():
        raise NotANotebook("the file is empty")
    try:
        text = notebook.decode("utf-16" if notebook.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")  # PowerShell writes UTF-16
    except UnicodeDecodeError:
        raise NotANotebook(
            "the file must be a notebook; got a file that is not text in UTF-8. Save the notebook in Jupyter, and hand in the file again."
        ) from None
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        raise NotANotebook(f"the file has more than {MAX_BRACKETS} brackets, which no notebook of this course needs")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):  # the JSON is invalid, or has brackets that are nested too deeply for the parser
        raise NotANotebook(
            "the file is not a notebook, because its content is not JSON. Save the notebook in Jupyter, and hand in the file that ends "
            "with .ipynb."
        ) from None
    cells = _cells(content) if isinstance(content, dict) else None
    if not isinstance(cells, list):
        raise NotANotebook(
            "the file has no list of cells, perhaps because its format is old. Open the notebook in Jupyter, save the notebook, and "
            "hand the notebook in again."
        )
    return cells


def _cells(content: dict[str, Any]) -> Any:
    """Return the list of cells; in format 3, return the cells of all worksheets, in which the source of code is called "input"."""
    if "cells" in content or not isinstance(sheets := content.get("worksheets"), list):
        return content.get("cells")
    with suppress(TypeError, LookupError, AttributeError):
        return [cell | {"source": cell.get("source", cell.get("input", ""))} for sheet in sheets for cell in sheet["cells"]] or None
    return None
