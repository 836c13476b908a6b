"""The decision rules of fstats.which_test: one rule for every combination of answers, read from rules.toml."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from .decision_questions import Rule


def _fill_in(value: Any) -> Any:
    """Replace the names of phrases in a value of rules.toml by the texts of the phrases."""
    if isinstance(value, dict):
        return {key: _fill_in(item) for key, item in value.items()}
    return tuple(value) if isinstance(value, list) else value.format_map(PHRASES)


_tables = tomllib.loads(files(__package__).joinpath("rules.toml").read_text(encoding="utf-8"))
PHRASES: dict[str, str] = _tables["phrases"]
RULES = tuple(Rule(**_fill_in(table)) for table in _tables["rules"])
