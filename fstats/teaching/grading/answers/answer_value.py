"""Parse numbers in answers of students.

The module also compares an answer with the right value, and counts significant digits.
"""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from typing import Any

import numpy as np

from ....core.number_format import format_plain
from ....core.step import Step
from ....core.validation.check import format_received_value
from ...sandbox_runtime.plain_value import FUNCTION, ForeignObject, readable_value

CAUSES_OF_NAN = "look for a missing value, a division of 0 by 0, or the square root of a negative number"
LIST, SINGLE = ": write the list without quotes", ": write a single"
CALCULATION = ": write a list, or a calculation with the names of the cells above, without quotes"
CALCULATED = ": type a number, or a calculation without quotes with the names of the cells above"
# patterns to remove from a number in a text: its name, a calculation before it, its error, a remark in parentheses after it
LEFT_OUT = (
    r"^[A-Za-z_]\w*\s*(=|:)\s*",
    r"^[^<>]*[^<>=!]=\s*(?=[-+]?[\d.,]+$)",
    r"(?<=\d)\s*(±|\+/-|\+-)\s*[\d.,]+$",
    r"(?<=\d)\s+\((?![^()]*\s[-+*/]\s)[^()]*[^\W\d_]{2}[^()]*\)$",
)
# pattern of mathematical notation in a text: replacement in Python
SPELLED = {
    r"√\s*\(|(?<![\w.])(?:math\.)?sqrt\(": "np.sqrt(",
    r"√\s*([\w.]+)": r"np.sqrt(\1)",
    r"\s*\^\s*": "**",
    r"[×·]|(?<=\d)\s*x\s*(?=\d)": " * ",
    r"(?<=\d)\s*(?:÷|:|\s(?:out )?of\s)\s*(?=\d)": " / ",
    r"^(\d+)\s+(\d+\s*/\s*\d+)$": r"\1 + \2",
}
DIGITS = 3  # number of significant digits that an answer must have
DISTINCT_RELATIVE_DIFFERENCE = 0.03  # values with a larger relative difference than this are clearly different, whatever their tolerance is
MAX_RELATIVE_TOLERANCE = 0.006  # upper bound of the relative tolerance (which is at most 0.005), with a margin
LONGEST_FORMULA = 60  # maximum number of characters of a formula that is quoted in an error message
FULL_PRECISION_DIGITS = 6  # a number with at least this many significant digits was probably computed, not typed
DISTINCT_FACTOR = 4  # minimum difference between clearly different values, in units of the tolerance


class Unanswered(Exception):
    """The answer is still empty."""


class Unreadable(Exception):
    """The answer has the wrong type or shape; the message says which type or shape is expected, and remarks may follow it."""

    remarks: tuple[str, ...] = ()


class NotANumber(Unreadable):
    """The answer is nan."""


def parse_answer(value: Any, right: Any, step: Step[Any]) -> Any:
    """Convert a student's value to the type and shape of the right value.

    Raises
    ------
    Unanswered, Unreadable
        The message is the sentence that the student reads.
    """
    value = readable_value(value)
    if is_empty(value):
        raise Unanswered
    if value is FUNCTION:
        raise Unreadable("your answer is a function; the question asks for a value: call the function, with its data in parentheses")
    if isinstance(value, ForeignObject):
        parts = ": take the part that the question asks for, .statistic or .pvalue" if str(value).endswith("Result") else ""
        raise Unreadable(f"a plain value was expected; got {value}{parts}")
    wanted = np.asarray(right)
    if wanted.dtype.kind in "USO":
        return _parse_text(value, wanted)
    if wanted.dtype.kind == "b":
        return _parse_boolean(value, wanted)
    return _parse_numbers(value, wanted, step.blank)


def is_empty(value: Any) -> bool:
    """Whether a plain value is still empty: the dots of the exercise, None, an empty text, or dots within a list."""
    if value is ... or value is None or (isinstance(value, str) and not value.strip()):
        return True
    entries = value if isinstance(value, (list, tuple)) else ()
    return any(entry is ... or (isinstance(entry, (list, tuple)) and is_empty(entry)) for entry in entries)


def _array(value: Any, wanted: Any, what: str) -> Any:
    try:
        return np.asarray(value)
    except ValueError:
        raise Unreadable(f"{_shape(wanted, what)} was expected; got a list whose rows have different lengths") from None


def _parse_shape(answer: Any, wanted: Any, what: str) -> Any:
    if answer.size == wanted.size == 1:
        answer = answer.reshape(wanted.shape)
    if wanted.ndim == 1 and answer.shape in ((1, wanted.size), (wanted.size, 1)):
        answer = answer.ravel()  # a table with a single line or column is accepted as a list
    if answer.shape != wanted.shape:
        exchanged = ": rows and columns are exchanged" if answer.ndim == wanted.ndim == 2 and answer.T.shape == wanted.shape else ""
        listed = f": write all {len(wanted)} in square brackets, with commas between them" if wanted.ndim == 1 and not answer.ndim else ""
        # two numbers -x and x are probably the two limits of a symmetric region
        both = ", the end that the question asks for" if answer.shape == (2,) and what == "number" and answer.sum() == 0 else ""
        single = f"{SINGLE} {what}, without square brackets{both}" if answer.ndim and answer.size and not wanted.ndim else ""
        raise Unreadable(f"{_shape(wanted, what)} was expected; got {_describe_type(answer)}{exchanged}{listed}{single}")
    return answer


def _parse_text(value: Any, wanted: Any) -> Any:
    answer = _array(value, wanted, "name")
    if answer.dtype.kind not in "US":
        one = f"a name was expected, in quotes; got {describe_value(value)}"
        raise Unreadable(f"a list of {len(wanted)} names was expected" if wanted.ndim else one)
    return np.char.lower(np.char.strip(_parse_shape(answer, wanted, "name")))


def _parse_boolean(value: Any, wanted: Any) -> Any:
    words = {"yes": True, "true": True, "no": False, "false": False}
    answer = _array(value, wanted, "answer")
    if answer.dtype.kind == "U":
        lowered = np.char.lower(np.char.strip(answer, " \t\n.!"))
        if np.isin(lowered, list(words)).all():
            answer = np.isin(lowered, ["yes", "true"])
    elif answer.dtype.kind in "iuf" and np.isin(answer, [0, 1]).all():
        answer = answer.astype(bool)
    if answer.dtype.kind != "b":
        got, entries = describe_value(value), " for each entry" if wanted.ndim else ""
        is_about_rejection = re.search("reject|significant|h0", got.lower())
        meaning = 'True for "reject", False for "do not reject"' if is_about_rejection else "True for yes, False for no"
        quotes = " without quotes" * (answer.dtype.kind == "U")
        remedy = f"write True or False{quotes} ({meaning})"
        if wanted.ndim and not answer.ndim and not quotes:
            remedy = f"the question asks for {_shape(wanted, 'answer')}, True or False, and a single number does not say which are True"
        raise Unreadable(f"True or False was expected{entries}; got {got}: {remedy}")
    return _parse_shape(answer, wanted, "answer")


def _parse_numbers(value: Any, wanted: Any, blank: bool) -> Any:
    answer = _as_floats(value, wanted)
    if answer.size != 1 and not wanted.ndim and isinstance(value, tuple):
        # Two numbers are probably a statistic and a p-value. Two whole numbers are not: a decimal comma, as in 0,5, gives 0 and 5.
        if answer.shape == (2,) and (answer != np.floor(answer)).any() and 0 <= answer[1] <= 1:
            remedy = "a test of SciPy returns its statistic and its p-value together: take the one that the question asks for"
            raise Unreadable(f"one number was expected; got 2 numbers: {remedy}")
        raise Unreadable(
            f"one number was expected; got {len(value)} numbers, because a comma separates values in Python: write decimals with a point, "
            "0.5 and not 0,5, and thousands without a separator, 12500 and not 12,500"
        )
    # too many entries, and enough whole numbers: decimals were probably typed with a comma, which gives two whole numbers for each
    typed = [entry for entry in value if type(entry) is int] if isinstance(value, (list, tuple)) else []
    if answer.ndim == wanted.ndim == 1 and 0 < 2 * (answer.size - wanted.size) <= len(typed):
        remedy = "if some numbers are decimals, write them with a point: Python reads 0,5 as two numbers"
        raise Unreadable(f"{_shape(wanted, 'number')} was expected; got {_describe_type(answer)}: {remedy}")
    answer = _parse_shape(answer, wanted, "number")
    if blank:
        answer = np.where(np.isnan(answer), 0.0, answer)  # a student may write None, nan or 0 for "no rank"
    if np.isnan(answer).any():
        raise NotANumber(f'numbers were expected; got nan, which means "not a number": {CAUSES_OF_NAN}')
    return answer


def _as_floats(value: Any, wanted: Any) -> Any:
    if isinstance(value, str):
        expected = _shape(wanted, "number") if wanted.ndim else "a number"
        is_list = bool(re.match(r"\s*[\[(\d.+-]", value))
        quotes = (LIST if is_list else CALCULATION) if wanted.ndim else _without_quotes(value)
        raise Unreadable(f"{expected} was expected; got the text {describe_value(value)}{quotes}")
    answer = _array(value, wanted, "number")
    if answer.dtype.kind == "U":
        raise Unreadable(f"numbers were expected; got the text {describe_value(answer.flat[0].item())}{_without_quotes(answer.flat[0])}")
    if answer.dtype == object:
        entries = [np.nan if entry is None else entry for entry in answer.flat]
        if odd := [entry for entry in entries if not isinstance(entry, _NUMBERS)]:
            raise Unreadable(f"plain numbers were expected; got {describe_value(odd[0])}")
        return np.array([float(entry) for entry in entries]).reshape(answer.shape)
    if answer.dtype.kind not in "iuf":
        raise Unreadable(f"{'a number was' if answer.dtype.kind == 'b' else 'plain numbers were'} expected; got {describe_value(value)}")
    return answer.astype(float)


_NUMBERS = (int, float, np.number)


def _without_quotes(text: str) -> str:
    """Explain how to write the number or the formula in a quoted text without quotes."""
    text = re.sub("[−–]", "-", text.strip())
    for left_out in LEFT_OUT:
        text = re.sub(left_out, "", text)
    if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+", text):  # the comma may separate thousands or decimals
        is_small = text.lstrip("+-").startswith("0,")  # a number with a thousands separator does not begin with 0
        decimals = f"{text.replace(',', '.')}{'' if is_small else ' for decimals'}" if text.count(",") == 1 else ""
        plainly = ", ".join(filter(None, ("" if is_small else text.replace(",", "") + " for thousands", decimals)))
        return f": write the number without quotes and without a comma, {plainly}"
    if re.fullmatch(r"[-+]?\d{1,3}([\s'’]\d{3})+", text):
        return f": write the number without quotes and in one piece, {re.sub('[^-+0-9]', '', text)}"
    if percent := re.fullmatch(r"([-+]?\d*[.,]?\d+)\s*%", text):
        number = float(percent[1].replace(",", "."))
        share = f"{format_plain(number)} for percentage points, or {format_plain(number / 100)} for a share or a probability"
        return f": write the number without quotes and without %, {share}"
    try:
        return f": write the number without quotes, {format_plain(float(text.replace(',', '.')))}"
    except ValueError:
        numbers = re.findall(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.]|,\d)", text)
        formula = text
        for written, meant in SPELLED.items():
            formula = re.sub(written, meant, formula)
        is_formula = len(formula) <= LONGEST_FORMULA and bool(re.fullmatch(r"(?=.*(\w.*[-+*/]|sqrt\())[-+*/\w.\s()]+", formula))
        # ignore a formula that is not valid Python
        with suppress(SyntaxError):
            names = {node.id for node in ast.walk(ast.parse(formula, mode="eval")) if isinstance(node, ast.Name)} if is_formula else {""}
            if names <= {"np"}:
                return f": write the formula without quotes, {formula}, and Python computes it"
            numbers = [] if is_formula else numbers
        if len(numbers) == 1 and not re.search(r"[<>]|\d,", text):
            return f": write only the number, without quotes and words, {numbers[0]}"
        return (
            CALCULATED if is_formula else f": write {'a single' if len(numbers) > 1 else 'the'} number in digits, without quotes or words"
        )


def _shape(wanted: Any, what: str) -> str:
    if not wanted.ndim:
        return f"one {what}"
    return f"a list of {len(wanted)} {what}s" if wanted.ndim == 1 else f"a table of {wanted.shape[0]} lines and {wanted.shape[1]} columns"


def _describe_type(answer: Any) -> str:
    if not answer.ndim:
        return f"the single value {describe_value(answer.item())}"
    entries = {0: "an empty list", 1: "a list of one entry"}.get(len(answer), f"a list of {len(answer)} entries")
    return entries if answer.ndim == 1 else "a table of " + " x ".join(map(str, answer.shape))


def describe_value(value: Any) -> str:
    """Describe a plain value by its own text, and any other object by its description."""
    return value.description if isinstance(value, ForeignObject) else format_received_value(value)


# -- equal or clearly different values ------------------------------------------------------------------------------------------
def tolerance(x: Any) -> Any:
    """Return the tolerance of a number: half a unit of the third significant digit; almost 0 for exact counts, ranks and rank sums."""
    size = np.abs(np.asarray(x, float))
    exact = (2 * size == np.floor(2 * size)) | ~np.isfinite(size)
    digit = np.floor(np.log10(np.where(exact, 1.0, size))) - (DIGITS - 1)
    return np.where(exact, 1e-9 * np.where(np.isfinite(size), np.maximum(size, 1), 1), 0.5 * 10.0**digit * (1 + 1e-9))


def is_equal(answer: Any, right: Any, within: Any = None) -> bool:
    """Whether an answer equals the right value to three significant digits (or within a given distance)."""
    if type(right) is np.float64 and not np.ndim(answer):  # fast path for single numbers, the most common case: it is eight times as fast
        one, other = float(answer), float(right)
        if within is None and abs(one - other) > MAX_RELATIVE_TOLERANCE * (abs(other) + 1e-6):
            return False
        return bool(one == other or abs(one - other) <= (tolerance(other) if within is None else within))
    wanted = np.asarray(right)
    if wanted.dtype.kind in "USO":
        return bool(np.all(answer == np.char.lower(wanted.astype(str))))
    if wanted.dtype.kind == "b":
        return bool(np.all(answer == wanted))
    with np.errstate(invalid="ignore"):
        off = np.abs(answer - wanted)
        if within is None and (off > MAX_RELATIVE_TOLERANCE * (np.abs(wanted) + 1e-6)).any():
            return False  # fast path: the tolerance is at most 0.5 % of the right value
        return bool(((answer == wanted) | (off <= (tolerance(wanted) if within is None else within))).all())


def is_distinct(one: Any, other: Any, within: Any = None) -> bool:
    """Whether two values differ so much that no rounding makes them equal."""
    if (
        type(one) is type(other) is np.float64
        and within is None
        and abs(float(one) - float(other)) > DISTINCT_RELATIVE_DIFFERENCE * max(abs(one), abs(other))
    ):
        return True
    x, y = np.asarray(one), np.asarray(other)
    if x.shape != y.shape or x.dtype.kind in "bUSO":
        return x.shape != y.shape or bool(np.any(x != y))
    with np.errstate(invalid="ignore", over="ignore"):
        if within is None and np.any(
            np.abs(np.subtract(x, y, dtype=float)) > DISTINCT_RELATIVE_DIFFERENCE * np.maximum(np.abs(x), np.abs(y))
        ):
            return True  # fast path: DISTINCT_FACTOR times the tolerance is at most 2 % of a value
        room = DISTINCT_FACTOR * np.maximum(tolerance(x), tolerance(y)) if within is None else DISTINCT_FACTOR * within
        return bool(np.any((x != y) & ~(np.abs(x.astype(float) - y) <= room)))


def is_identical(one: Any, other: Any) -> bool:
    """Whether two values are equal up to floating-point noise (for example, if a mistake has no effect at a step)."""
    x, y = np.asarray(one), np.asarray(other)
    if x.shape != y.shape or x.dtype.kind in "bUSO" or y.dtype.kind in "bUSO":
        return x.shape == y.shape and bool(np.all(x == y))
    return bool(np.allclose(x.astype(float), y.astype(float), rtol=1e-9, atol=1e-12))


# -- significant digits ----------------------------------------------------------------------------------------------------------
def significant_digits(x: Any) -> int:
    """Return the largest number of significant digits of the given numbers."""
    return max((len(f"{abs(v):.15g}".partition("e")[0].replace(".", "").strip("0")) for v in np.ravel(x)), default=0)


def has_full_precision(x: Any) -> bool:
    """Whether at least one number has as many digits as only a computer prints."""
    return significant_digits(x) >= FULL_PRECISION_DIGITS


def is_real_valued(right: Any) -> bool:
    """Whether a value contains a number with decimals, which few calculations give; many give the same whole number, or yes or no."""
    x = np.asarray(right)
    return x.dtype.kind in "fiu" and bool((x != np.floor(x)).any())


def half_unit(x: Any) -> Any:
    """Return half a unit of the last significant digit of a single number."""
    return 0.5 * 10.0 ** (np.floor(np.log10(np.abs(x))) - significant_digits(x) + 1) * (1 + 1e-9)


def rounding_error(x: Any) -> Any:
    """Return half a unit of the last given digit of each number."""
    units = [10.0 ** -len(f"{v:.12f}".rstrip("0").partition(".")[2]) for v in np.ravel(x)]
    return 0.5 * np.array(units).reshape(np.shape(x)) * (1 + 1e-9)
