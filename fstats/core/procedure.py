"""A procedure: a frozen object, each line of the slide one step of it, in the order in which they are explained.

Whatever shows a procedure in words and formulas reads the rows that :meth:`Procedure.worked` yields; pictures read its steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields, replace
from math import inf
from string import Template
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

import numpy as np

from .number_format import DIGITS, digits_to_distinguish
from .renderer_registry import get_renderer
from .step import Check, NotStated, Step, check_stated_value, input_field, make_read_only
from .step_order import inherit_check_and_unit, ordered_steps
from .validation.check import NO_DEFAULT, number, probabilities, probability
from .validation.name_suggestions import UnknownNameError
from .validation.name_suggestions import unknown_name_message as no_such
from .validation.paired_inputs import check_paired
from .validation.stated_value_consistency import check_consistency
from .worked_example_row import Row, get_index_headers, substitute_numbers

if TYPE_CHECKING:
    from inspect import Signature


class _ConstructorSignature:
    """What a procedure is called with, for ``help``, for editors, for the reference; read when somebody asks.

    ``__init__`` knows it.  Without this, who looks at ``__new__`` first, which only catches misspelt names, sees ``(*_, **named)``.
    """

    def __get__(self, test: object | None, owner: type) -> Signature:
        from inspect import signature

        found = signature(owner.__init__)  # type: ignore[misc]
        _, *named = found.parameters.values()  # what has to be stated has no default: it only may be missing where others are stated
        named = [one.replace(default=found.empty) if one.default is NO_DEFAULT else one for one in named]
        return found.replace(parameters=named, return_annotation=found.empty)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(input_field,))
class Procedure:
    """Inputs (:func:`given`) and steps (:func:`step`), in the order in which they are explained."""

    inputs: ClassVar[dict[str, Mapping[str, Any]]]
    steps: ClassVar[dict[str, Step[Any]]]
    defaults: ClassVar[dict[str, Any]]
    takes_results: ClassVar[bool] = False  # a table of classifiers on data sets
    in_report: ClassVar[Mapping[str, str]] = {}  # inputs and steps that a paper tells beside the usual ones, with words around each
    names_by_index: ClassVar[Mapping[str, Any]] = {}  # index -> the names of its entries, or the input that holds them
    _ending: ClassVar[bool] = False
    _checked: ClassVar[tuple[tuple[str, Check, str, Any], ...]] = ()
    __signature__: ClassVar = _ConstructorSignature()

    def __init_subclass__(cls, ending: bool = False) -> None:
        cls._ending = ending  # the steps that close every test of a family
        dataclass(frozen=True, eq=False, repr=False)(cls)
        cls.inputs = {f.name: f.metadata for f in fields(cls)}  # type: ignore[arg-type]
        cls.defaults = {f.name: f.default for f in fields(cls) if f.default is not MISSING and f.default is not NO_DEFAULT}  # type: ignore[arg-type]
        for name in cls.inputs:
            if vars(cls).get(name) is NO_DEFAULT:
                delattr(cls, name)  # or asking for what was not stated would find it
        cls._checked = tuple(
            (name, about["check"], about["like"], cls.defaults.get(name, MISSING)) for name, about in cls.inputs.items() if about["check"]
        )
        inherit_check_and_unit(cls)
        cls.steps = ordered_steps(cls)
        for s in cls.steps.values():
            if lost := set(s.slots) - cls.steps.keys() - cls.inputs.keys():
                raise TypeError(f"{cls.__name__}.{s.name}: no step or input is called {', '.join(sorted(lost))} (write ${{x}}_i, not $x_i)")

    def __post_init__(self) -> None:
        values = self.__dict__
        raw = dict(values)
        for name, value in raw.items():
            if getattr(type(value), "of_classifiers", False) and not self.takes_results:
                about = type(self).inputs[name]["sentence"].rstrip(".")
                raise TypeError(
                    f"{type(self).__name__} takes {name} ({about}), and no table of classifiers: hand in numbers, such as "
                    "results.scores[:, 0] - results.scores[:, 1] where differences are asked for"
                )
        for name, check, like, default in self._checked:
            if name in raw and raw[name] is not default:  # a default needs no check
                values[name] = make_read_only(check(raw[name], name))
                if like and like in raw:
                    check_paired(like, name, raw, values)

    if not TYPE_CHECKING:  # or a type checker would believe any name

        def __new__(cls, *_: Any, **named: Any) -> Self:
            """A misspelt input is answered with the one that was meant."""
            if named and not named.keys() <= cls.inputs.keys():
                raise TypeError(no_such(cls.__name__, named.keys() - cls.inputs.keys(), cls.inputs))
            return object.__new__(cls)

        def __getattr__(self, name: str) -> Any:
            source = self.__dict__.get("_source")
            if source is not None and (name in source.steps or name in source.inputs):
                return getattr(source, name)
            if name in type(self).inputs:
                raise NotStated(
                    f"it needs {name} ({type(self).inputs[name]['sentence'].rstrip('.')}), but what "
                    f"was stated is {', '.join(self.stated) or 'nothing'}"
                )
            raise UnknownNameError(type(self).__name__, [name], (*type(self).inputs, *type(self).steps))

    def if_known(self, name: str, otherwise: Any) -> Any:
        """An attribute, or something else for a test that was started from summaries which do not tell it."""
        try:
            return getattr(self, name)
        except NotStated:
            return otherwise

    # -- other ways in ------------------------------------------------------------------------------------------------
    @property
    def stated(self) -> tuple[str, ...]:
        """Steps whose value was handed in instead of computed."""
        return self.__dict__.get("_stated", ())

    @classmethod
    def from_steps(cls, **values: Any) -> Self:
        """Start half-way, from published summaries: ``PairedT.from_steps(n=5, mean=-0.6, sd=3.5777)``.

        Inputs and steps are given by name; later steps follow from them, earlier ones are not there (asking for one
        names what is missing).

        A step that also follows from the others must agree with them, as far as the rounding of all printed digits allows:
        ``PairedT.from_steps(n=5, df=9)`` is an error.  To carry a wrong value on, use :meth:`assuming`.
        """
        test = cls._started(values)
        check_consistency(test, values, test._without)
        test._add_up(test.__dict__)
        return test

    @classmethod
    def _started(cls, values: Mapping[str, Any], believed: bool = False) -> Self:
        """A test that starts from these values; those that are ``believed`` may be wrong, a p-value above 1 say."""
        if unknown := values.keys() - cls.steps.keys() - cls.inputs.keys():
            raise TypeError(no_such(cls.__name__, unknown, (*cls.inputs, *cls.steps)))
        test = object.__new__(cls)
        state = cls.defaults | dict(values)
        for name, value in values.items():
            if name in cls.steps:
                state[name] = check_stated_value(value, name, number if believed and cls.is_chance(name) else cls.steps[name].check)
        test.__setstate__(state)
        test.__post_init__()
        return test

    def _without(self, name: str, changed: Mapping[str, Any]) -> Any:
        """What a stated step would be if it followed from the others, some of them changed; None where it does not."""
        again = object.__new__(type(self))
        again.__setstate__({key: value for key, value in self.__getstate__().items() if key != name} | dict(changed))
        return again.if_known(name, None)

    def _add_up(self, known: Mapping[str, Any]) -> None:
        """Raise an error where known values, none of which follows from the others, cannot all be right; a test may know of such."""

    @classmethod
    def following(cls, source: Procedure, **settings: Any) -> Self:
        """The test on what another procedure found: its inputs (where one is missing, its steps) are that one's steps of the same name.

        The other procedure's rows come first in :meth:`worked`, and its steps can be read here too.
        """
        found = {name: getattr(source, name) for name in cls.inputs if name in source.steps} | settings
        if cls.inputs.keys() - cls.defaults.keys() - found.keys():
            found = {name: getattr(source, name) for name in cls.steps if name in source.steps} | found
        return cls._after(source, found)

    def assuming(self, **values: Any) -> Self:
        """The same test with some steps replaced; later steps follow from them (an error is carried forward)."""
        state = self.__getstate__()
        return self._after(state.pop("_source", None), state | values)

    def at(self, *repetition: int) -> Self:
        """One repetition of a batch, as a test of its own: ``test.at(7)``."""

        def one(name: str, value: Any) -> Any:
            own = len(self.over(name))
            if hasattr(value, "open_low"):  # an interval
                return value.at(*repetition)
            return value[(slice(None),) * own + repetition] if getattr(value, "ndim", 0) > own else value

        state = self.__getstate__()
        source = state.pop("_source", None)
        return self._after(source and source.at(*repetition), {name: one(name, value) for name, value in state.items()})

    @classmethod
    def _after(cls, source: Procedure | None, values: Mapping[str, Any]) -> Self:
        """A test from these values that follows another procedure (or none)."""
        test = cls._started(values, believed=True)
        if source is not None:
            test.__dict__["_source"] = source
        return test

    def __getstate__(self) -> dict[str, Any]:  # what was given; the rest is computed again
        return {name: self.__dict__[name] for name in (*self.inputs, *self.stated, "_source") if name in self.__dict__}

    def __setstate__(self, state: dict[str, Any]) -> None:  # pickling and copying lose numpy's read-only flag
        self.__dict__.update({name: make_read_only(value) for name, value in state.items()})
        self.__dict__["_stated"] = tuple(name for name in state if name in self.steps)

    @classmethod
    def over(cls, name: str) -> str:
        """The indices of a step or an input."""
        over: str = cls.steps[name].over if name in cls.steps else cls.inputs[name]["over"]
        return cls.over(over[1:]) if over.startswith("$") else over

    @classmethod
    def is_chance(cls, name: str) -> bool:
        """Whether a step or an input is a probability (which its check says)."""
        return (cls.steps[name].check if name in cls.steps else cls.inputs[name]["check"]) in (probability, probabilities)

    def _digits(self) -> int:
        """With so many digits every probability is seen to be on the side of alpha on which it is."""
        found, alpha = [], self.__dict__.get("alpha")
        for name in self.steps if alpha is not None else ():
            if self.is_chance(name) and self._is_shown(name):
                with suppress(NotStated):
                    found.append((getattr(self, name), len(self.over(name))))
        entries = (p for value, own in found if np.ndim(value) == own for p in np.ravel(value))
        return max((digits_to_distinguish(p, alpha) for p in entries), default=DIGITS)

    def _is_shown(self, name: str) -> bool:
        """Whether a step has a row in this variant."""
        s = self.steps[name]
        return not s.only or bool(getattr(self, s.by) == s.only)

    # -- showing the work ---------------------------------------------------------------------------------------------
    def worked(self) -> tuple[Row, ...]:
        """The worked example: one row for each input and each step, in the order in which they are explained."""
        rows: tuple[Row, ...] | None = self.__dict__.get("_worked")
        if rows is None:  # nothing that they show ever changes
            rows = self.__dict__["_worked"] = tuple(self._rows())
        return rows

    def _rows(self) -> Iterator[Row]:
        source: Procedure | None = self.__dict__.get("_source")
        yield from () if source is None else source.worked()
        digits = self._digits()
        for name in self.inputs:
            if name in self.__dict__ and (source is None or name not in source.steps.keys() | source.inputs.keys()):
                yield self._row_of_input(name, digits)
        symbols = {name: about["symbol"] for name, about in self.inputs.items()} | {name: s.symbol for name, s in self.steps.items()}
        for name in self.steps:
            if not self._is_told_by(source, name) and self._is_shown(name):
                try:
                    value = getattr(self, name)
                except NotStated:
                    continue
                yield self._row_of_step(name, value, symbols, digits)

    def _is_told_by(self, source: Procedure | None, name: str) -> bool:
        """Whether a step that was stated is the other procedure's, so that it has a row already."""
        if source is None or name not in self.stated or name not in source.steps:
            return False
        return np.array_equal(self.__dict__[name], getattr(source, name))

    def _row_of_input(self, name: str, digits: int) -> Row:
        about, value = self.inputs[name], self.__dict__[name]
        row = Row(name, about["symbol"], "=", "", "", value, about["sentence"], about["over"], "setting" if about["setting"] else "given")
        return replace(row, heads=get_index_headers(self, row.over), digits=digits if name == "alpha" else DIGITS)

    def _row_of_step(self, name: str, value: Any, symbols: Mapping[str, str], digits: int) -> Row:
        s, over, is_stated = self.steps[name], self.over(name), name in self.stated
        text = "" if is_stated else s.shown(self)
        formula, numbers = Template(text).substitute(symbols), substitute_numbers(self, text, over, symbols, digits)
        row = Row(name, s.symbol, s.relation, formula, numbers, value, s.sentence, over, "stated" if is_stated else "step", s.blank)
        row = replace(row, heads=get_index_headers(self, over), aside=s.aside)
        return replace(row, digits=digits, chance=True) if self.is_chance(name) else row

    # -- the readers of rows, found by the door when something is shown ---------------------------------------------------
    def __repr__(self) -> str:
        return str(get_renderer("text")(self))

    def _repr_html_(self) -> str:
        return str(get_renderer("html")(self))

    def _repr_latex_(self) -> str:
        return f"${get_renderer('latex')(self.worked(), page=inf)}$"  # a page that scrolls needs no broken lines

    def to_latex(self, *, pages: bool = False) -> str:
        """The worked steps as an ``aligned`` block for a LaTeX document or a Markdown cell; with ``pages`` as ``align*``, which breaks."""
        return str(get_renderer("latex")(self.worked(), pages=pages))

    def to_dict(self) -> dict[str, Any]:
        """The worked values by name, as plain Python numbers, lists and text.

        An infinite number is the text ``"inf"`` or ``"-inf"``, which ``float`` reads again; JSON has none.  An interval is the list of its
        ends; where a finite one does not belong to it, ``ci_open`` says which: ``[True, False]`` for (0, 0.02].
        """
        values: dict[str, Any] = get_renderer("values")(self.worked())
        return {"test": type(self).__name__} | values
