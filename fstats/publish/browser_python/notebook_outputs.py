"""What a cell has shown, as a notebook stores it."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from typing import Any

MOST = 1_000_000  # letters of a cell's outputs; of more a notebook would be slow to open, and the student has the cell


def notebook_outputs(told: Sequence[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """The outputs of a cell that ran as the `count`-th, from what the page was told; none where they are too large, or move."""
    found: list[dict[str, Any]] = []
    for one in told:
        if "stream" in one:
            if found and found[-1].get("name") == one["stream"]:  # what is printed in one go is stored in one
                found[-1]["text"] += one["text"]
            else:
                found.append({"output_type": "stream", "name": one["stream"], "text": one["text"]})
        elif "failed" in one:
            found.append({"output_type": "error", **one["failed"]})
        elif "widget" in one["output"]:
            return []
        else:
            numbered = (
                {"output_type": "execute_result", "execution_count": count} if one.get("is_value") else {"output_type": "display_data"}
            )
            found.append(numbered | _mime_data(**one["output"]))
    return found if sum(len(str(one)) for one in found) <= MOST else []


def _mime_data(sharp: int = 1, **data: Any) -> dict[str, Any]:
    """Data by kind; JupyterLab wants to know how wide a sharp picture is shown."""
    if sharp == 1:
        return {"data": data, "metadata": {}}
    head = b64decode(data["image/png"][:32])  # of a PNG, whose width stands in its seventeenth to twentieth byte
    return {"data": data, "metadata": {"image/png": {"width": int.from_bytes(head[16:20], "big") // sharp}}}
