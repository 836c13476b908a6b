"""Convert the messages of a cell run in a web page to outputs of a notebook cell."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from typing import Any

MOST = 1_000_000  # maximum number of characters of stored outputs, because longer outputs would make a notebook slow


def notebook_outputs(messages: Sequence[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Return the outputs of a cell; an empty list if the outputs are too long or contain a widget."""
    outputs: list[dict[str, Any]] = []
    for message in messages:
        if "stream" in message:
            # texts that are printed directly after each other become one output
            if outputs and outputs[-1].get("name") == message["stream"]:
                outputs[-1]["text"] += message["text"]
            else:
                outputs.append({"output_type": "stream", "name": message["stream"], "text": message["text"]})
        elif "failed" in message:
            outputs.append({"output_type": "error", **message["failed"]})
        elif "widget" in message["output"]:
            return []
        else:
            result = {"output_type": "execute_result", "execution_count": count}
            head = result if message.get("is_value") else {"output_type": "display_data"}
            outputs.append(head | _mime_data(**message["output"]))
    return outputs if sum(len(str(output)) for output in outputs) <= MOST else []


def _mime_data(sharp: int = 1, **data: Any) -> dict[str, Any]:
    """Return the data of an output by MIME type; JupyterLab needs the width of a picture that has twice the resolution."""
    if sharp == 1:
        return {"data": data, "metadata": {}}
    head = b64decode(data["image/png"][:32])  # bytes 16 to 19 of a PNG file, counted from 0, contain the width
    return {"data": data, "metadata": {"image/png": {"width": int.from_bytes(head[16:20], "big") // sharp}}}
