"""Escape special characters for Markdown."""

from __future__ import annotations

import re

from ..core.mathematics_in_names import write_name


def escape_markdown(text: str, at_start: bool = True) -> str:
    r"""Escape a text so that Markdown displays each sign unchanged; mathematics in names stays mathematics.

    >>> print(escape_markdown("svm_rbf *C&RT* <x> 95 % [1, 2] $k$-NN"))
    svm\_rbf \*C&amp;RT\* &lt;x> 95 % \[1, 2\] $k$-NN
    """
    escaped = write_name(text, _escape_words, lambda formula: "$" + formula.tex.replace("<", r"\lt ") + "$")
    if not at_start:  # only at the start of a line, a sign can begin a list or a quotation
        return escaped
    # escape a sign that would begin a list or a quotation
    return re.sub(r"^(\s*|\s*\d+(?=[.)]))([-+>.)])", r"\1\\\2", escaped)


def _escape_words(words: str) -> str:
    return re.sub(r"([\\`*_{}\[\]#$~|^])", r"\\\1", words.replace("&", "&amp;").replace("<", "&lt;"))
