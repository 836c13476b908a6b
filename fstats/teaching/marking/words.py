"""Somebody's words, so that they can be shown anywhere: on a terminal, in a page, in a table."""

from __future__ import annotations

import re

# What moves the cursor, colours, deletes or turns the direction of a line; joiners are letters' business and stay.
STEERING = re.compile(r"\r\n?|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
HALVES = re.compile(r"[\ud800-\udfff]")


def harmless(text: str) -> str:
    r"""A text without control characters, marks of direction and halves of characters; its lines stay.

    Examples
    --------
    >>> harmless("10 of 10\x1b[2K\r0 of 10")
    '10 of 10 [2K\n0 of 10'
    """
    return HALVES.sub("?", STEERING.sub(_plain, text))


def _plain(found: re.Match[str]) -> str:
    return "\n" if found[0][0] == "\r" else " " if ord(found[0]) < 0xA0 else ""


def one_line(text: str) -> str:
    """The same in one line, so that nobody's words can begin a line that looks like ours."""
    return " ".join(harmless(text).split())
