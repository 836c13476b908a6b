"""What the room is asked, as phones show it: polls, bets, and the numbers for the cell of the room's own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from itertools import pairwise
from typing import Any

from ...render.html import mathml
from ...teaching.polls import Poll, find_polls
from ..notebook_content import headings, rewrite_links

OWN_NUMBERS_HEADING, MIN_LIST_LENGTH = "Your own numbers", 4  # the heading of such a cell; lists of fewer numbers are something else
Vote = int | tuple[float, ...]  # what a phone answers: the place of a choice, or a number under each name
_FORMULA = re.compile(r"(\$\$?)(.+?)\1", re.S)


@dataclass(frozen=True)
class PollQuestion:
    """A question by the id of its cell: with choices, or for a number under each name; all words are HTML, but for `plain`."""

    id: str
    question: str
    choices: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    right: tuple[bool, ...] = ()
    why: tuple[str, ...] = ()  # of each choice, or of the number
    number: float | None = None
    plain: tuple[str, ...] = ()  # the question and its choices as the lesson writes them
    holds: bool = False  # a bet is answered on a slide of its own, at the end
    source: str = ""  # of the cell that the numbers are for

    @classmethod
    def of(cls, poll: Poll) -> PollQuestion:
        """A poll or a bet of a lesson."""
        words = [one.words for one in poll.choices]
        return cls(
            id=poll.id,
            question=markdown_to_html(poll.question),
            choices=tuple(map(markdown_to_html, words)),
            names=() if words else ("Your guess",),
            right=tuple(one.right for one in poll.choices),
            why=tuple(markdown_to_html(one.why) for one in poll.choices) or (markdown_to_html(poll.answer),),
            number=poll.number,
            plain=(poll.question, *words),
            holds=poll.is_bet,
        )

    def takes(self, sent: Vote) -> bool:
        """Whether this answers the question."""
        return 0 <= sent < len(self.choices) if isinstance(sent, int) else len(sent) == len(self.names) > 0

    def filled(self, sent: Sequence[Sequence[float]]) -> str:
        """The cell of the room's own numbers, with what was sent in the place of its lists."""
        data = self.source.encode()
        starts = [0, *(match.end() for match in re.finditer(rb"\n", data))]
        found = [one for one, _ in _number_lists(self.source)]
        for k, one in sorted(enumerate(found), key=lambda each: -starts[each[1].lineno - 1] - each[1].col_offset):
            begin, end = starts[one.lineno - 1] + one.col_offset, starts[(one.end_lineno or 0) - 1] + (one.end_col_offset or 0)
            data = data[:begin] + f"[{', '.join(f'{numbers[k]:.10g}' for numbers in sent)}]".encode() + data[end:]
        return data.decode()


def poll_questions(cells: Iterable[Any]) -> list[PollQuestion]:
    """All that a lesson asks the room."""
    cells = list(cells)
    return [*map(PollQuestion.of, find_polls(cells)), *_own_numbers_question(cells)]


def markdown_to_html(words: str) -> str:
    """Markdown as HTML, its formulas as MathML, which a phone draws by itself; links are words, as a phone stays in the room.

    >>> markdown_to_html("*p* is [`here`](02.ipynb)")
    '<em>p</em> is <code>here</code>'
    """
    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    html = _FORMULA.sub(_formula, markdown2html_mistune(rewrite_links(words, lambda _: ""))).strip()
    alone = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", html, re.S)
    return alone[1] if alone else html


def _formula(found: re.Match[str]) -> str:
    tex = unescape(found[2])
    try:
        return mathml(tex)
    except Exception:  # whatever the converter raises: a lecture begins, however odd a formula is
        return f"<code>{escape(tex)}</code>"


def _own_numbers_question(cells: Sequence[Any]) -> Iterator[PollQuestion]:
    """The cell below the heading of that name, if it holds lists of numbers, one as long as the other."""
    for words, cell in pairwise(cells):
        if cell.cell_type == "code" and any(heading.words == OWN_NUMBERS_HEADING for heading in headings(words)):
            found = _number_lists(cell.source)
            if len(found) > 1 and len({len(one.elts) for one, _ in found}) == 1:
                names = tuple(name or chr(ord("A") + k) for k, (_, name) in enumerate(found))
                yield PollQuestion(cell.id, OWN_NUMBERS_HEADING, names=names, plain=(OWN_NUMBERS_HEADING,), source=cell.source)


def _number_lists(source: str) -> list[tuple[ast.List, str]]:
    """The lists of numbers in a cell, from top to bottom, each with the name that it gets there, if it gets one."""
    tree, names = ast.parse(source), dict[int, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                names |= {id(one): ast.unparse(name) for name, one in zip(target.elts, value.elts)}
            else:
                names[id(value)] = ast.unparse(target)
    lists = [node for node in ast.walk(tree) if isinstance(node, ast.List) and len(node.elts) >= MIN_LIST_LENGTH]
    lists = [one for one in lists if all(isinstance(x, ast.Constant) and type(x.value) in (int, float) for x in one.elts)]
    return [(one, names.get(id(one), "")) for one in sorted(lists, key=lambda one: (one.lineno, one.col_offset))]
