"""What every page of the marker is made of: a frame in light and dark, the student's words as they are, formulas as MathML."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from importlib.util import find_spec
from typing import Any

from ...render.table import Table
from ..grading.feedback import SHOWN, Verdict
from .words import harmless

STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --soft: #f3f3f3; --line: #c4c4c4; --quiet: #595959; --link: #0058a3; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #1b1b1b; --soft: #282828; --line: #555; --quiet: #b0b0b0; --link: #7cc0ff; }
}
body { color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
a { color: var(--link); } h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2rem; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td { text-align: right; font-variant-numeric: tabular-nums; } th { text-align: left; }
section { border-left: .4rem solid var(--line); padding: .1rem 1rem; margin: 1rem 0; }
pre, .words { background: var(--soft); padding: .5rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
.quiet { color: var(--quiet); } .scroll { overflow-x: auto; } figure { margin: 1rem 0; } math { font-size: 1.05em; }
figure svg { background: #fff; border-radius: 6px; max-width: 100%; height: auto; }
input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 4px; padding: .1rem .3rem; max-width: 100%; }
input[type=number] { width: 5rem; }
button { font: inherit; padding: .3rem 1rem; }
"""


def page(title: str, body: str) -> str:
    """A page that needs nothing from anywhere else and lets nothing else in."""
    rules = "default-src 'none'; style-src 'unsafe-inline'" + ("; script-src 'unsafe-inline'" if "<script>" in body else "")
    return harmless(
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{rules}"><title>{escape(title)}</title><style>{STYLE}</style></head>\n'
        f"<body><main><h1>{escape(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def plain_text(text: str) -> str:
    """Somebody's words, as they stand and as nothing but words."""
    return f'<div class="words" dir="auto">{escape(text)}</div>'


def line(text: str, ours: bool) -> str:
    """A line of a reply: formulas between dollars where all words are ours, words alone where some are a student's."""
    if not ours or text.count("$") % 2 or find_spec("latex2mathml") is None:
        return escape(text if not ours else text.replace("$", ""))
    from ...render.html import mathml

    parts = text.split("$")
    try:
        return "".join(mathml(part) if k % 2 else escape(part) for k, part in enumerate(parts))
    except Exception:  # whatever the converter raises: no formula, however odd, may cost a class its pages
        return escape(text.replace("$", ""))


def sign(verdict: Verdict) -> str:
    """The sign of a verdict in its colour; the words beside it say the same."""
    return f'<span style="color:{SHOWN[verdict][2]}" aria-hidden="true">{SHOWN[verdict][0]}</span>'


def grid(heads: Sequence[str], lines: Sequence[Sequence[Any]], caption: str = "", left: Collection[int] | None = None) -> str:
    """A table that scrolls where the window is narrow."""
    return f'<div class="scroll" tabindex="0">{Table(heads, lines, caption=caption, left=left)._repr_html_()}</div>' if lines else ""
