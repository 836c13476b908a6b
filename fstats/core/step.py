"""A step: one line of the slide, as a cached property that knows its symbol, its formula and its sentence.

The formula is a template whose ``$slots`` name other steps or inputs: with symbols in the slots it reads as the textbook, with
numbers as the worked example.  Inputs (:func:`given`) and steps (:func:`step`) make a procedure (:mod:`fstats.core.procedure`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, MISSING, dataclass, field
from string import Template
from typing import Any, Generic, TypeVar, overload

import numpy as np

from .validation.check import as_array, format_received_value
from .validation.result_checks import interval_ends

T = TypeVar("T", covariant=True)
HIDDEN_SLOTS_SEPARATOR = " <- "  # behind it stand the slots that a formula in words reads without showing them
Check = Callable[[Any, str], Any]  # (what was handed in, the argument's name) -> what is kept; raises with the rule


class NotStated(LookupError):
    """A step was asked for that needs something this procedure was not given."""


@dataclass(eq=False, repr=False)
class Step(Generic[T]):
    """A value that is computed once; made by the decorator :func:`step`."""

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
        # There is no __set__, so the value stored under the same name shadows the step from now on.
        if test is None:
            return self
        try:
            value = self.fn(test)
        except NotStated as missing:
            reason = str(missing).rpartition("cannot be computed: ")[2]  # the last link of the chain says what is missing
            raise NotStated(f"{owner.__name__}.{self.name} cannot be computed: {reason}") from None
        except AttributeError as error:  # Procedure.__getattr__ would hide the real one
            raise RuntimeError(f"{owner.__name__}.{self.name}: {error}") from error
        if type(value) is not np.float64:
            value = make_read_only(value)
        test.__dict__[self.name] = value
        return value

    def template(self, test: object) -> str:
        """The formula that holds for this test (it may depend on the alternative, say)."""
        return self.formula if isinstance(self.formula, str) else self.formula[getattr(test, self.by)]

    def shown(self, test: object) -> str:
        """The same without what it only reads."""
        return self.template(test).partition(HIDDEN_SLOTS_SEPARATOR)[0]

    @property
    def slots(self) -> tuple[str, ...]:
        """Names of all values that the formula reads, in any of its forms."""
        text = self.formula if isinstance(self.formula, str) else " ".join(self.formula.values())
        return tuple(Template(text).get_identifiers())


def step(symbol: str, formula: str | Mapping[Any, str] = "", **options: Any) -> Callable[[Callable[[Any], T]], Step[T]]:
    r"""Make a method one named step of a procedure.

    Parameters
    ----------
    symbol : str
        LaTeX symbol, in the subset that MathJax and matplotlib share.
    formula : str or mapping of str
        Template whose ``$slots`` name other steps or inputs; what is only shown is plain LaTeX.  A mapping holds one
        template for each value of the attribute ``by``.  Slots behind `` <- `` are read but not shown: where the formula is words,
        numbers in it would say nothing.
    by : str
        The attribute that chooses the template.
    over : str
        The indices of the leading axes: "" a number, "i" a column, "ij" a table, "$x" those of x.  Further axes are
        independent repetitions.
    relation : str
        What stands between symbol and formula: "=", ``\sim`` for a distribution, ``\Leftrightarrow`` for a decision.
    check : callable
        ``check(value, name)`` for a value that is stated (:meth:`Procedure.from_steps`) instead of computed; without it, that of the
        step which a variant changes.  ``check.probability`` also says that the value is one, and is written as one.
    after : bool
        Whether the step comes after the decision (an interval, an effect size).
    only : str
        Show the row only where the attribute ``by`` has this value.
    blank : bool
        Whether a zero means "none" and is shown as a dash.
    aside : bool
        Whether it is an intermediate that few ask for: as HTML it is folded away behind the others.
    unit : str
        "score" or "score^2" for what grows with the unit of the scores, "mixed" for a table of several units, "" for what has none;
        without it, as for ``check``, that of the step which a variant changes.
    """
    return lambda fn: Step(fn, symbol, formula, **options)


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
    """An input: its symbol, its sentence, its indices, its check, the input it is paired with (``like``), and its unit ("score" or "")."""
    about = dict(symbol=symbol, sentence=sentence, over=over, check=check, like=like, setting=kw_only, unit=unit)
    return field(default=default, kw_only=kw_only, metadata=about)


def make_read_only(value: Any) -> Any:
    """An array (or the ends of an interval) that cannot be written to, and anything else as it is."""
    if type(value) is np.ndarray:
        value.setflags(write=False)
    elif isinstance(value, tuple):  # an interval
        for end in value:
            make_read_only(end)
    return value


def check_stated_value(value: Any, name: str, check: Check | None) -> Any:
    """A value of a step as a caller may state it: numbers and lists are checked, objects are taken as they are."""
    if isinstance(value, (list, tuple, range, np.ndarray)) and not hasattr(value, "_fields") and check is not interval_ends:
        value = as_array(value, name)
    if check is not None:
        return check(value, name)
    if value is None or isinstance(value, str) or (isinstance(value, np.ndarray) and value.dtype.kind not in "biuf"):
        raise TypeError(f"{name} must hold numbers; got {format_received_value(value)}: leave out what is not known")
    if isinstance(value, (float, np.ndarray)) and np.any(value != value):
        raise ValueError(f"{name} must be a number, got nan: leave out what is not known")
    return value
