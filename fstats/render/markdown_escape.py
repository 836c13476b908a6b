"""Escaping of text for Markdown."""

from __future__ import annotations

import re


def escape_markdown(text: str, at_start: bool = True) -> str:
    r"""Escape a text so that Markdown displays each sign unchanged.

    >>> print(escape_markdown("svm_rbf *C&RT* <x> 95 % [1, 2] d_z"))
    svm\_rbf \*C&amp;RT\* &lt;x> 95 % \[1, 2\] d\_z
    """
    escaped = re.sub(r"([\\`*_{}\[\]#$~|^])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))
    if not at_start:  # a text that is not at the beginning of a line needs no more escapes
        return escaped
    return re.sub(r"^(\s*|\s*\d+(?=[.)]))([-+>.)])", r"\1\\\2", escaped)  # escape a sign that would begin a list or a quotation
