"""Questions of a lesson to the audience (polls, bets and numbers), in the form that phones show."""

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

# heading of the cell for numbers from the audience, and minimum length of a list that counts as data
OWN_NUMBERS_HEADING, MIN_LIST_LENGTH = ("Your own numbers", 4)
Vote = int | tuple[float, ...]  # a vote is the index of a choice, or one number for each name
_FORMULA = re.compile(r"(\$\$?)(.+?)\1", re.S)


@dataclass(frozen=True)
class PollQuestion:
    """Question to the audience: the id of its cell, and choices or names of numbers; all texts except `plain_texts` are HTML."""

    id: str
    question: str
    choices: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    right: tuple[bool, ...] = ()
    why: tuple[str, ...] = ()  # explanations of the choices, or of the right number
    number: float | None = None
    plain_texts: tuple[str, ...] = ()  # question and choices as Markdown, as the lesson contains them
    is_bet: bool = False  # True for a bet, whose answer is shown on a later slide
    source: str = ""  # code of the cell for numbers from the audience

    @classmethod
    def from_poll(cls, poll: Poll) -> PollQuestion:
        """Return the question of a poll or bet of a lesson."""
        choices = [choice.words for choice in poll.choices]
        html, names = tuple(map(markdown_to_html, (poll.question, *choices))), () if choices else ("Your guess",)
        why = tuple(markdown_to_html(choice.why) for choice in poll.choices) or (markdown_to_html(poll.answer),)
        right, texts = tuple(choice.right for choice in poll.choices), (poll.question, *choices)
        return cls(poll.id, html[0], html[1:], names, right, why, poll.number, texts, poll.is_bet)

    def accepts(self, sent: Vote) -> bool:
        """Whether the vote has the form of an answer to this question."""
        return 0 <= sent < len(self.choices) if isinstance(sent, int) else len(sent) == len(self.names) > 0

    def fill_source(self, sent: Sequence[Sequence[float]]) -> str:
        """Return the code of the cell with the numbers of the audience instead of the original lists."""
        data = self.source.encode()
        starts = [0, *(match.end() for match in re.finditer(rb"\n", data))]
        lists = [item for item, _ in _number_lists(self.source)]
        for k, item in sorted(enumerate(lists), key=lambda pair: -starts[pair[1].lineno - 1] - pair[1].col_offset):
            begin, end = starts[item.lineno - 1] + item.col_offset, starts[(item.end_lineno or 0) - 1] + (item.end_col_offset or 0)
            data = data[:begin] + f"[{', '.join(f'{numbers[k]:.10g}' for numbers in sent)}]".encode() + data[end:]
        return data.decode()


def poll_questions(cells: Iterable[Any]) -> list[PollQuestion]:
    """Return all questions to the audience in the cells of a lesson."""
    cells = list(cells)
    return [*map(PollQuestion.from_poll, find_polls(cells)), *_own_numbers_question(cells)]


def markdown_to_html(text: str) -> str:
    """Convert Markdown to HTML; formulas become MathML, which phones display, and links become text, so that phones stay on the page.

    >>> markdown_to_html("*p* is [`here`](02.ipynb)")
    '<em>p</em> is <code>here</code>'
    """
    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    html = _FORMULA.sub(_formula, markdown2html_mistune(rewrite_links(text, lambda _: ""))).strip()
    paragraph = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", html, re.S)
    return paragraph[1] if paragraph else html


def _formula(match: re.Match[str]) -> str:
    tex = unescape(match[2])
    try:
        return mathml(tex)
    except Exception:  # an error in the conversion must not stop a lecture
        return f"<code>{escape(tex)}</code>"


def _own_numbers_question(cells: Sequence[Any]) -> Iterator[PollQuestion]:
    """Yield a question for the cell below the heading OWN_NUMBERS_HEADING, if this cell contains several lists of equal length."""
    for text_cell, cell in pairwise(cells):
        if cell.cell_type == "code" and any(heading.text == OWN_NUMBERS_HEADING for heading in headings(text_cell)):
            lists = _number_lists(cell.source)
            if len(lists) > 1 and len({len(item.elts) for item, _ in lists}) == 1:
                names = tuple(name or chr(ord("A") + k) for k, (_, name) in enumerate(lists))
                yield PollQuestion(cell.id, OWN_NUMBERS_HEADING, names=names, plain_texts=(OWN_NUMBERS_HEADING,), source=cell.source)


def _number_lists(source: str) -> list[tuple[ast.List, str]]:
    """Return the lists of numbers in a cell in their order, each with the name of its variable ("" if there is no variable)."""
    tree, names = ast.parse(source), dict[int, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                names |= {id(item): ast.unparse(name) for name, item in zip(target.elts, value.elts)}
            else:
                names[id(value)] = ast.unparse(target)
    lists = [node for node in ast.walk(tree) if isinstance(node, ast.List) and len(node.elts) >= MIN_LIST_LENGTH]
    lists = [item for item in lists if all(isinstance(x, ast.Constant) and type(x.value) in (int, float) for x in item.elts)]
    return [(item, names.get(id(item), "")) for item in sorted(lists, key=lambda item: (item.lineno, item.col_offset))]
