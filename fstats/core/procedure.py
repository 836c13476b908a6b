"""Base class of all statistical procedures.

A procedure is an immutable object; its steps are the lines of a worked example.

Renderers of text and formulas read the rows of :meth:`Procedure.worked`; pictures read the steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields, replace
from functools import partial
from math import inf
from string import Template
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, dataclass_transform

import numpy as np

from .number_format import DIGITS, digits_to_distinguish
from .renderer_registry import get_renderer
from .step import Check, NotStated, Step, check_stated_value, input_facts, input_field, make_read_only
from .step_order import inherit_check_and_unit, ordered_steps
from .validation.call_errors import accept_other_forms
from .validation.check import NO_DEFAULT, number, probabilities, probability
from .validation.keyword_arguments import with_suggestions
from .validation.name_suggestions import UnknownNameError, unknown_name_message
from .validation.paired_inputs import check_paired
from .validation.stated_value_consistency import check_consistency
from .worked_example_row import Row, get_index_headers, substitute_numbers

if TYPE_CHECKING:
    from inspect import Signature


class Origin(NamedTuple):
    """Origin of a procedure: "published", "variant" (of a published procedure) or "ours" (composed in fstats), and the source."""

    kind: str
    source: str

    @property
    def label(self) -> str:
        """Text for the title of a procedure that is not published; empty for a published one."""
        return {"ours": " (composed in fstats, not published)", "variant": f" (variant {self.source.partition(':')[0]})"}.get(self.kind, "")


class _ConstructorSignature:
    """Signature of a procedure's constructor for ``help``, editors and the reference, computed on request.

    The signature equals the signature of ``__init__``.  Without this descriptor, tools would read ``(*_, **named)`` from ``__new__``, a
    method that only reports misspelt names.
    """

    def __get__(self, test: object | None, owner: type) -> Signature:
        from inspect import signature

        constructor = signature(owner.__init__)  # type: ignore[misc]
        empty = constructor.empty
        _, *named = constructor.parameters.values()  # without `self`
        named = [parameter.replace(default=empty) if parameter.default is NO_DEFAULT else parameter for parameter in named]
        return constructor.replace(parameters=named, return_annotation=empty)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(input_field,))
class Procedure:
    """A procedure: inputs (:func:`input_field`) and steps (:func:`step`), in the order of their explanation."""

    inputs: ClassVar[dict[str, Mapping[str, Any]]]
    steps: ClassVar[dict[str, Step[Any]]]
    defaults: ClassVar[dict[str, Any]]
    takes_results: ClassVar[bool] = False  # True if the input may be an fstats.Results
    # name of an input or step that a report also shows -> its wording in the report
    in_report: ClassVar[Mapping[str, str]] = {}
    names_by_index: ClassVar[Mapping[str, Any]] = {}  # index -> names of its entries, or name of the input with these names
    _has_closing_steps: ClassVar[bool] = False
    _input_checks: ClassVar[tuple[tuple[str, Check, str, Any], ...]] = ()
    __signature__: ClassVar = _ConstructorSignature()
    # (step that the conclusion needs, number of axes of this step in a single comparison, sentence of the row)
    conclusion_row: ClassVar[tuple[str, int, str]] = ("", 0, "")

    def __init_subclass__(cls, ending: bool = False) -> None:
        cls._has_closing_steps = ending  # True if the steps of this class come after the steps of its subclasses
        dataclass(frozen=True, eq=False, repr=False)(cls)
        cls.inputs = {f.name: input_facts(f) for f in fields(cls)}  # type: ignore[arg-type]
        cls.defaults = {f.name: f.default for f in fields(cls) if f.default is not MISSING and f.default is not NO_DEFAULT}  # type: ignore[arg-type]
        for name in cls.inputs:
            if vars(cls).get(name) is NO_DEFAULT:
                delattr(cls, name)  # otherwise, a missing input would be read from the class
        cls._input_checks = tuple(
            (name, about["check"], about["like"], cls.defaults.get(name, MISSING)) for name, about in cls.inputs.items() if about["check"]
        )
        cls.__init__ = accept_other_forms(cls.__init__)  # type: ignore[method-assign]
        for name, method in list(vars(cls).items()):
            if name.startswith("from_") and isinstance(method, classmethod):
                setattr(cls, name, classmethod(with_suggestions(method.__func__)))
        inherit_check_and_unit(cls)
        cls.steps = ordered_steps(cls)
        for s in cls.steps.values():
            if names := set(s.slots) - cls.steps.keys() - cls.inputs.keys():
                unknown = ", ".join(sorted(names))
                raise TypeError(
                    f"the formula of {cls.__name__}.{s.name} names an unknown step or input, {unknown} (write ${{x}}_i, not $x_i)"
                )

    def __post_init__(self) -> None:
        values = self.__dict__
        raw = dict(values)
        for name, check, like, default in self._input_checks:
            value = raw.get(name, default)
            if value is default:  # a default value needs no check
                continue
            if type(value) is not np.ndarray and not self.takes_results and getattr(type(value), "of_classifiers", False):
                about = type(self).inputs[name]["sentence"].rstrip(".")
                remedy = "Pass numbers, such as the differences results.scores[:, 0] - results.scores[:, 1]."
                raise TypeError(f"{type(self).__name__} needs numbers for {name} ({about}); got a table of classifiers. {remedy}")
            values[name] = make_read_only(check(value, name))
            if like and like in raw:
                check_paired(like, name, raw, values)

    if not TYPE_CHECKING:  # with __getattr__ visible, a type checker would accept any name

        def __new__(cls, *_: Any, **named: Any) -> Self:
            """Raise TypeError for a misspelt input; the message suggests the name that was probably meant."""
            if named and not named.keys() <= cls.inputs.keys():
                raise TypeError(unknown_name_message(cls.__name__, named.keys() - cls.inputs.keys(), cls.inputs))
            return object.__new__(cls)

        def __getattr__(self, name: str) -> Any:
            source = self.__dict__.get("_source")
            if source is not None and (name in source.steps or name in source.inputs):
                return getattr(source, name)
            if name in type(self).inputs:
                raise NotStated(
                    f"the computation needs {name} ({type(self).inputs[name]['sentence'].rstrip('.')}), but the stated values are "
                    f"{', '.join(self.stated) or 'none'}"
                )
            raise UnknownNameError(type(self).__name__, [name], (*type(self).inputs, *type(self).steps))

    @classmethod
    def _from_other_form(cls, values: tuple[Any, ...], named: Mapping[str, Any]) -> Self | None:  # noqa: ARG003 - for subclasses
        """Return the procedure for arguments in the form of another library; None if they have the form of this class."""
        return None

    def get_or_default(self, name: str, default: Any) -> Any:
        """Return an attribute, or the default if the stated summaries do not determine the attribute."""
        try:
            return getattr(self, name)
        except NotStated:
            return default

    @classmethod
    def origin(cls) -> Origin:
        """Where the procedure comes from; the documentation of each class declares it in the paragraph that begins with "Origin:"."""
        declared = re.search(r"\n\n *Origin: (\w+), (.+?)\.\n\n", cls.__doc__ or "", re.DOTALL)
        return Origin(declared[1], " ".join(declared[2].split())) if declared else Origin("", "")

    # -- other constructors -------------------------------------------------------------------------------------------
    @property
    def stated(self) -> tuple[str, ...]:
        """Names of the steps whose values were stated instead of computed."""
        return self.__dict__.get("_stated", ())

    @classmethod
    def from_steps(cls, **values: Any) -> Self:
        """Start from published summaries instead of data: ``PairedT.from_steps(n=5, mean=-0.6, sd=3.5777)``.

        Inputs and steps are given by name.  Later steps are computed from the given values.  Earlier steps do not exist; an access to
        an earlier step raises an error that names the missing input.

        A stated step that also follows from the other stated values must agree with those values, within the rounding of the printed
        digits: ``PairedT.from_steps(n=5, df=9)`` is an error.  To continue from a wrong value, use :meth:`assuming`.
        """
        test = cls._from_values(values)
        check_consistency(test, values, test._recompute_step)
        test._check_totals(test.__dict__)
        return test

    @classmethod
    def _from_values(cls, values: Mapping[str, Any], unchecked: bool = False) -> Self:
        """Return a procedure with these values; with ``unchecked=True``, probabilities may be impossible, such as a p-value above 1."""
        if unknown := values.keys() - cls.steps.keys() - cls.inputs.keys():
            raise TypeError(unknown_name_message(cls.__name__, unknown, (*cls.inputs, *cls.steps)))
        test = object.__new__(cls)
        state = cls.defaults | dict(values)
        for name, value in values.items():
            if name in cls.steps:
                state[name] = check_stated_value(value, name, number if unchecked and cls.is_probability(name) else cls.steps[name].check)
        test.__setstate__(state)
        test.__post_init__()
        return test

    def _recompute_step(self, name: str, changed: Mapping[str, Any]) -> Any:
        """Compute a stated step from the other stated values, with some changes; None if the other values do not determine the step."""
        other = object.__new__(type(self))
        other.__setstate__({key: value for key, value in self.__getstate__().items() if key != name} | dict(changed))
        return other.get_or_default(name, None)

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """Raise ValueError if known values are impossible together, even if none of them follows from others; subclasses override this."""

    @classmethod
    def following(cls, source: Procedure, **settings: Any) -> Self:
        """Make the test that continues another procedure; inputs of the test are the steps of the source with the same name.

        If the source lacks a step for an input, steps of the test are taken from source steps of the same name.  The rows of the source
        come first in :meth:`worked`, and the steps of the source are attributes of the new test.
        """
        values = {name: getattr(source, name) for name in cls.inputs if name in source.steps} | settings
        if cls.inputs.keys() - cls.defaults.keys() - values.keys():
            values = {name: getattr(source, name) for name in cls.steps if name in source.steps} | values
        return cls._from_source(source, values)

    def assuming(self, **values: Any) -> Self:
        """Return the same test with some steps replaced; later steps follow from the new values, so an error is carried forward."""
        state = self.__getstate__()
        return self._from_source(state.pop("_source", None), state | values)

    def at(self, *repetition: int) -> Self:
        """Return one repetition of a batch as a test: ``test.at(7)``."""

        def value_at(name: str, value: Any) -> Any:
            axes = len(self.over(name))
            if hasattr(value, "open_low"):  # the value is an interval
                return value.at(*repetition)
            return value[(slice(None),) * axes + repetition] if getattr(value, "ndim", 0) > axes else value

        state = self.__getstate__()
        source = state.pop("_source", None)
        return self._from_source(source and source.at(*repetition), {name: value_at(name, value) for name, value in state.items()})

    @classmethod
    def _from_source(cls, source: Procedure | None, values: Mapping[str, Any]) -> Self:
        """Return a test with these values; the test may continue another procedure."""
        test = cls._from_values(values, unchecked=True)
        if source is not None:
            test.__dict__["_source"] = source
        return test

    def __getstate__(self) -> dict[str, Any]:  # pickle only inputs and stated steps; other steps can be computed again
        return {name: self.__dict__[name] for name in (*self.inputs, *self.stated, "_source") if name in self.__dict__}

    def __setstate__(self, state: dict[str, Any]) -> None:  # unpickled and copied arrays are writable, so make them read-only again
        self.__dict__.update({name: make_read_only(value) for name, value in state.items()})
        self.__dict__["_stated"] = tuple(name for name in state if name in self.steps)

    @classmethod
    def over(cls, name: str) -> str:
        """Return the indices of a step or an input: one letter for each axis."""
        over: str = cls.steps[name].over if name in cls.steps else cls.inputs[name]["over"]
        return cls.over(over[1:]) if over.startswith("$") else over

    @classmethod
    def is_probability(cls, name: str) -> bool:
        """Return whether a step or an input is a probability, according to its check."""
        return (cls.steps[name].check if name in cls.steps else cls.inputs[name]["check"]) in (probability, probabilities)

    def _digits(self) -> int:
        """Return the minimum number of digits that puts each printed probability on the correct side of the printed alpha."""
        shown, alpha = [], self.__dict__.get("alpha")
        for name in self.steps if alpha is not None else ():
            if self.is_probability(name) and self._is_shown(name):
                with suppress(NotStated):
                    shown.append((getattr(self, name), len(self.over(name))))
        entries = (p for value, axes in shown if np.ndim(value) == axes for p in np.ravel(value))
        return max((digits_to_distinguish(p, alpha) for p in entries), default=DIGITS)

    def _is_shown(self, name: str) -> bool:
        """Return whether a step has a row in this variant of the procedure."""
        s = self.steps[name]
        return not s.only or bool(getattr(self, s.by) == s.only)

    # -- worked examples ----------------------------------------------------------------------------------------------
    def worked(self) -> tuple[Row, ...]:
        """Return the worked example: one row for each input and each step, in the order of explanation."""
        rows: tuple[Row, ...] | None = self.__dict__.get("_worked")
        if rows is None:  # the procedure is immutable, so compute the rows only once
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
            if not self._is_stated_by(source, name) and self._is_shown(name):
                try:
                    value = getattr(self, name)
                except NotStated:
                    continue
                yield self._row_of_step(name, value, symbols, digits)
        decided, axes, sentence = self.conclusion_row
        if decided in self.__dict__ and np.ndim(self.__dict__[decided]) == axes:
            yield Row("conclusion", "", "", "", "", getattr(self, "conclusion"), sentence, "", "conclusion")  # noqa: B009 (not every procedure has it)

    def _is_stated_by(self, source: Procedure | None, name: str) -> bool:
        """Return whether a stated step comes from the source procedure and has a row there."""
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
        numbers = partial(substitute_numbers, self, text, over, symbols, digits)
        formula = Template(text).substitute(symbols)
        row = Row(name, s.symbol, s.relation, formula, numbers, value, s.sentence, over, "stated" if is_stated else "step", s.blank)
        row = replace(row, heads=get_index_headers(self, over), aside=s.aside)
        return replace(row, digits=digits, chance=True) if self.is_probability(name) else row

    # -- output; the renderers are imported on first use ------------------------------------------------------------------
    def __repr__(self) -> str:
        return str(get_renderer("text")(self))

    def _repr_html_(self) -> str:
        return str(get_renderer("html")(self))

    def _repr_latex_(self) -> str:
        return f"${get_renderer('latex')(self.worked(), page=inf)}$"  # no line breaks, because a web page can be scrolled sideways

    def walk(self, *, start: str = "", upto: str = "") -> Any:
        """Walk through the steps in a notebook: each key adds one line to the formulas and one part to the picture.

        Parameters
        ----------
        start, upto : str, optional
            Names of the first and of the last step: ``test.walk(upto="se")``.  The lines before `start` are there from the beginning.

        Returns
        -------
        Walk
            Widget with the attributes `frames` and `choices`, and the method `save`.

        Notes
        -----
        Right arrow or space goes to the next step, left arrow back, Home and End to the ends; a click on a line goes to its step.
        ``walk.save("walk.svg")`` writes an animated picture, and ``walk.save("folder")`` one picture for each step.
        """
        return get_renderer("walk")(self, start, upto)

    def to_latex(self, *, pages: bool = False) -> str:
        """Write the worked example as an ``aligned`` block for a LaTeX document or a Markdown cell.

        With ``pages`` the result is an ``align*`` environment, which may break across pages.
        """
        return str(get_renderer("latex")(self.worked(), pages=pages))

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary of the values of the worked example: name -> plain Python number, list or text.

        An infinite number becomes the text ``"inf"`` or ``"-inf"``, which ``float`` reads, because JSON has no infinity.  An interval
        becomes the list of its ends.  If a finite end does not belong to the interval, ``ci_open`` says which end is open: ``[True,
        False]`` for (0, 0.02].
        """
        values: dict[str, Any] = get_renderer("values")(self.worked())
        return {"test": type(self).__name__} | values
