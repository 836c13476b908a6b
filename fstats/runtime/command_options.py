"""Read the definitions of commands from TOML files.

A definition has the arguments and settings of a command.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .atomic_write import parse_path

KINDS: dict[str, dict[str, Any]] = {
    "file": dict(type=parse_path, metavar="FILE"),
    "folder": dict(type=parse_path, metavar="DIR"),
    "path": dict(type=parse_path),
    "number": dict(type=int),
    "flag": dict(action="store_true"),
}


def add_commands(commands: Any, about: Mapping[str, Any], types: Mapping[str, Any]) -> None:
    """Add the commands of a TOML file to the parser of ``fstats``.

    `about` has the tables ``commands`` and ``kinds``. An argument has the settings of ``add_argument``, and ``kind``: the name of
    settings in `KINDS` or in the table ``kinds``, or of a function in `types`, which reads the text of the argument.
    """
    kinds = KINDS | {name: dict(type=read) for name, read in types.items()}

    def settings(declared: Mapping[str, Any]) -> dict[str, Any]:
        own = dict(declared)
        kind = own.pop("kind", "")
        return (settings(about["kinds"][kind]) if kind in about["kinds"] else kinds.get(kind, {})) | own

    for name, command in about["commands"].items():
        parser = commands.add_parser(name, **{text: words for text, words in command.items() if text != "arguments"})
        for argument, declared in command["arguments"].items():
            parser.add_argument(argument, **settings(declared))
