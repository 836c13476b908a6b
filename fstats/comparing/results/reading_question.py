"""Errors for ambiguous tables of scores.

Each message names the argument that decides how to read the table.
"""

from __future__ import annotations

import ast
import re
from typing import Any

ANSWERING = re.compile(
    r"\b(data_set|classifier|fold|repetition|seed|scores|ignore|where|cells|turned|numbered|metric|higher_is_better|missing|na_values|repeated|spellings|test_train_ratio|points|commas|units|roles|right)=(?=([-\w('\"{\[]?))"
)
OTHER_VALUE = re.compile(r"(?:,)? or (?=['\"(\[{])")  # matches " or " between two values, as in missing='keep' or 'average'
PURPOSE = re.compile(r"\s*((?:if|to|for|as) [^;:.,]+?)?(?=,? or |[;:.,]|\) |$)")


class ReadingQuestion(ValueError):
    """Error of a table that can be read in several ways; arguments of the reader choose one of them.

    Attributes
    ----------
    answers : list of (mapping, str)
        Arguments with their values, ``{"turned": True}``, each with its purpose ("to read a column for each data set").  The arguments are
        those that the message tells the user to write, so the message and the answers agree.
    arguments : list of str
        Arguments that the message names without a value: the user must choose the columns.

    Examples
    --------
    >>> ReadingQuestion("Write turned=True to read a column for each data set; otherwise name the column by data_set=").answers
    [({'turned': True}, 'to read a column for each data set')]
    """

    @property
    def answers(self) -> list[tuple[dict[str, Any], str]]:
        """Arguments that answer the question, with their purposes."""
        text, found, end = str(self), list[tuple[dict[str, Any], str]](), -1
        for match in ANSWERING.finditer(text):
            name, start = match[1], match.end()
            if match.start() < end or (literal := _literal_at(text, start)) is None:
                continue
            value, stop = literal
            if found and text[end : match.start()] in (", ", " and ") and name not in found[-1][0]:
                found[-1][0][name] = value  # an error text such as "write a=1 and b=2" means one call with two arguments
            else:
                found.append(({name: value}, ""))
            values, end = [value], stop
            while (other := OTHER_VALUE.match(text, end)) and (literal := _literal_at(text, other.end())) is not None:
                values.append(literal[0])
                found.append(({name: literal[0]}, ""))
                end = literal[1]
            if name == "higher_is_better":
                found.append(({name: {metric: not one for metric, one in value.items()} if isinstance(value, dict) else not value}, ""))
            purpose = PURPOSE.match(text, end)
            if len(values) == 1 and purpose and purpose[1]:
                place = -2 if name == "higher_is_better" else -1
                found[place] = found[place][0], purpose[1]
        return [answer for k, answer in enumerate(found) if answer[0] not in [other for other, _ in found[:k]]]

    @property
    def arguments(self) -> list[str]:
        """Arguments that the message names without a value."""
        return list(dict.fromkeys(m[1] for m in ANSWERING.finditer(str(self)) if _literal_at(str(self), m.end()) is None))


class TurnedTable(ReadingQuestion):
    """Question whether each line is a classifier, raised if headings and numbers allow only this reading."""


def _literal_at(text: str, start: int) -> tuple[Any, int] | None:
    """Return the Python literal that begins at a position, and the position of its end; return None if there is no complete literal."""
    for word in re.finditer(r"(?<=[\w'\")\]}])(?=\W|$)", text[start:]):
        part = text[start : start + word.start()]
        if "..." in part:
            return None
        try:
            return ast.literal_eval(part), start + word.start()
        except (SyntaxError, ValueError):
            if len(part) > 2000:
                return None
    return None
