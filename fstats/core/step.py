"""Steps of worked examples.

A step is a cached property of a procedure with a symbol, a formula and a sentence.

The formula is a template whose ``$slots`` name other steps or inputs.  With symbols in the slots the template is the formula of the
textbook; with numbers in the slots the template is a line of the worked example.  Inputs (:func:`input_field`) and steps (:func:`step`)
make up a procedure (:mod:`fstats.core.procedure`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, MISSING, Field, dataclass, field, replace
from string import Template
from typing import Any, Generic, TypeVar, overload

import numpy as np

from .validation.check import as_array, choice, format_received_value
from .validation.result_checks import interval_ends

T = TypeVar("T", covariant=True)
HIDDEN_SLOTS_SEPARATOR = " <- "  # in a formula in words, slots after this separator are used but not shown
Check = Callable[[Any, str], Any]  # (value, argument name) -> checked value; raises an error that states the rule


class NotStated(LookupError):
    """Error of a step that needs an input or a step which the procedure does not have."""


@dataclass(eq=False, repr=False)
class Step(Generic[T]):
    """A value of a procedure that is computed once; made by the decorator :func:`step`."""

    name: str = field(init=False)
    fn: Callable[[Any], T]
    symbol: str
    formula: str | Mapping[Any, str] = ""
    _: KW_ONLY
    by: str = ""
    over: str = ""
    relation: str = "="
    check: Check | None = None
    after: bool = False
    only: str = ""
    blank: bool = False
    aside: bool = False
    unit: str | None = None
    sentence: str = ""

    def __post_init__(self) -> None:
        self.sentence = self.sentence or " ".join((self.fn.__doc__ or "").split())
        self.__doc__ = self.sentence

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, test: None, owner: type) -> Step[T]: ...
    @overload
    def __get__(self, test: object, owner: type) -> T: ...
    def __get__(self, test: object | None, owner: type) -> Step[T] | T:
        # Python calls __get__ only until the instance stores the value, because Step has no method __set__
        if test is None:
            return self
        try:
            value = self.fn(test)
        except NotStated as missing:
            # keep only the last part of a nested message, which names the missing input
            reason = str(missing).rpartition("cannot be computed: ")[2]
            raise NotStated(f"{owner.__name__}.{self.name} cannot be computed: {reason}") from None
        except AttributeError as error:  # raise another error, because Procedure.__getattr__ would hide an AttributeError
            raise RuntimeError(f"the computation of {owner.__name__}.{self.name} failed: {error}") from error
        if isinstance(value, (np.ndarray, tuple)):
            make_read_only(value)
        test.__dict__[self.name] = value
        return value

    def restated(self, sentence: str, **changes: Any) -> Step[T]:
        """Return a step that computes the same value, with another sentence and with the options in `changes`."""
        return replace(self, sentence=sentence, **changes)

    def template(self, test: object) -> str:
        """Return the formula template for this test (templates may depend on a variant, such as the alternative)."""
        return self.formula if isinstance(self.formula, str) else self.formula[getattr(test, self.by)]

    def shown(self, test: Any) -> str:
        """Return the formula template without the slots that are read but not shown; a count of all entries is written in words."""
        text = self.template(test).partition(HIDDEN_SLOTS_SEPARATOR)[0]
        if not (counted := re.fullmatch(r"\\#\\\{([^:]*) : \$(\w+)\\\}", text)):
            return text
        index = counted[1] if test.over(counted[2]) != re.sub(r"\W", "", counted[1]) else ""
        indexed = rf"values of }} {index} \text{{ in " if index else ""
        return rf"\text{{number of {indexed}}} ${counted[2]}"

    @property
    def slots(self) -> tuple[str, ...]:
        """Names of all inputs and steps that the formula reads, in any variant."""
        text = self.formula if isinstance(self.formula, str) else " ".join(self.formula.values())
        return tuple(Template(text).get_identifiers())

    def slots_in(self, test: object) -> tuple[str, ...]:
        """Return the names of all inputs and steps that the formula reads in the variant of this test."""
        return tuple(Template(self.template(test)).get_identifiers())


def step(symbol: str, formula: str | Mapping[Any, str] = "", **options: Any) -> Callable[[Callable[[Any], T]], Step[T]]:
    r"""Return a decorator that makes a method a step of a procedure.

    Parameters
    ----------
    symbol : str
        LaTeX symbol, in the subset that MathJax and matplotlib both support.
    formula : str or mapping of str
        LaTeX template whose ``$slots`` name other steps or inputs.  A mapping holds one template for each value of the attribute
        ``by``.  Slots after `` <- `` are read but not shown; formulas in words use such slots, because numbers would not help there.
    by : str
        Name of the attribute that chooses the template.
    over : str
        Indices of the leading axes: "" for a number, "i" for a column, "ij" for a table, "$x" for the indices of x.  Further axes
        are independent repetitions.
    relation : str
        Sign between symbol and formula: "=", ``\sim`` for a distribution, ``\Leftrightarrow`` for a decision.
    check : callable
        Function ``check(value, name)`` for a value that is stated (:meth:`Procedure.from_steps`) instead of computed.  Default: the
        check of the overridden step.  ``check.probability`` also marks the value as a probability, so that it is written in the format
        of probabilities.
    after : bool
        Whether the step is explained after the decision (an interval, an effect size).
    only : str
        The row is shown only if the attribute ``by`` has this value.
    blank : bool
        Whether a zero means "none" and is shown as a dash.
    aside : bool
        Whether the step is a detail that few readers need: HTML shows such a row collapsed, after the other rows.
    unit : str
        "score" or "score^2" for a value that scales with the scores or their squares, "mixed" for a table of several units, "" for
        a value without unit.  Default: the unit of the overridden step.
    """
    return lambda fn: Step(fn, symbol, formula, **options)


def count_step(symbol: str, values: str, index: str, sentence: str, *, axis: int = 0, **options: Any) -> Step[int]:
    """Return a step that counts the entries of the input or step `values` along an axis, whose index is `index`."""
    return Step(lambda test: int(getattr(test, values).shape[axis]), symbol, rf"\#\{{{index} : ${values}\}}", sentence=sentence, **options)


def input_field(
    symbol: str,
    sentence: str,
    *,
    over: str = "",
    check: Check | None = None,
    like: str = "",
    default: Any = MISSING,
    kw_only: bool = False,
    unit: str = "",
) -> Any:
    """Declare an input: symbol, sentence, indices, check, the name of the paired input (``like``), and unit ("score" or "").

    An input with the type ``Literal[...]`` needs no check: its value must be one of these words.
    """
    about = dict(symbol=symbol, sentence=sentence, over=over, check=check, like=like, setting=kw_only, unit=unit)
    return field(default=default, kw_only=kw_only, metadata=about)


def input_facts(declared: Field[Any]) -> Mapping[str, Any]:
    """Return what `input_field` declares; an input without a check and with the type ``Literal[...]`` must be one of these words."""
    words = re.findall(r"""["']([^"']+)["']""", str(declared.type)) if "Literal[" in str(declared.type) else []
    return declared.metadata | {"check": declared.metadata["check"] or (choice(*words) if words else None)}


def make_read_only(value: Any) -> Any:
    """Make an array (or the ends of an interval) read-only, and return the value."""
    if type(value) is np.ndarray:
        value.setflags(write=False)
    elif isinstance(value, tuple):
        for end in value:
            make_read_only(end)
    return value


def check_stated_value(value: Any, name: str, check: Check | None) -> Any:
    """Check a value that a caller states for a step: numbers and lists are checked, other objects are returned unchanged."""
    if isinstance(value, (list, tuple, range, np.ndarray)) and not hasattr(value, "_fields") and check is not interval_ends:
        value = as_array(value, name)
    if check is not None:
        return check(value, name)
    if value is None or isinstance(value, str) or (isinstance(value, np.ndarray) and value.dtype.kind not in "biuf"):
        raise TypeError(f"`{name}` must hold numbers; got {format_received_value(value)}. Write numbers, or leave out `{name}`.")
    if isinstance(value, (float, np.ndarray)) and np.any(value != value):
        raise ValueError(f"`{name}` must be a number; got nan. Leave out unknown values.")
    return value
