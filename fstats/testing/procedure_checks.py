"""The checks, a function each: it takes a test on a batch (several repetitions along the last axis) and raises where a rule is broken."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from string import Template
from typing import Any

import numpy as np

from ..core.classifier_pair import TwoClassifierTest
from ..core.hypothesis import HypothesisTest
from ..core.procedure import Procedure
from ..core.step import NotStated
from ..core.value_types import Interval
from .check_assertions import Broken, are_names, comparable_arrays, is_equal, read_names, require, variant_settings

LEVELS = (0.01, 0.05, 0.1, 0.3)
POWER = {"score": 1, "score^2": 2}  # how a value grows with the unit of the scores


def _repetitions(batch: Procedure) -> list[Any]:
    """The tests in a batch."""
    values = ((getattr(batch, name), len(batch.over(name))) for name in batch.steps)
    many = next(value.shape[-1] for value, own in values if isinstance(value, np.ndarray) and value.ndim > own)
    return [batch.at(r) for r in range(many)]


# -- the formula is the code --------------------------------------------------------------------------------------------
def steps_read_what_formulas_show(batch: Procedure) -> None:
    """A step's code reads exactly the values that its formula shows."""
    for s in batch.steps.values():
        if s.only and getattr(batch, s.by) != s.only:
            continue
        shown = set(Template(s.template(batch)).get_identifiers())
        # the attribute `by` chooses the formula; a property such as `tail` chooses by settings of its own
        chooses = {s.by} | read_names(batch, lambda spy, by=s.by: getattr(spy, by)) if s.by else set()  # type: ignore[misc]
        found = read_names(batch, s.fn)
        require(
            found - chooses == shown - chooses,
            f"the formula of the step {s.name} shows what its code reads",
            f"a formula with {sorted(shown)} and code that reads {sorted(found)}",
            "Write each value that is read as a $slot, and read each slot as self.<slot>",
        )


def steps_follow_from_their_slots(batch: Procedure) -> None:
    """A step can be computed from the values in its formula alone."""
    for s in batch.steps.values():
        slots = {slot: getattr(batch, slot) for slot in Template(s.template(batch)).get_identifiers()}
        again = getattr(type(batch).from_steps(**(variant_settings(batch) | slots)), s.name)
        require(
            is_equal(getattr(batch, s.name), again),
            f"the step {s.name} follows from the values in its formula",
            f"{again} from them, {getattr(batch, s.name)} from the data",
            "Read nothing but inputs and steps that the formula names",
        )


def steps_come_after_what_they_need(batch: Procedure) -> None:
    """What a formula needs stands above it."""
    position = {row.name: k for k, row in enumerate(batch.at(0).worked())}
    for name in position.keys() & batch.steps.keys():
        late = [slot for slot in Template(batch.steps[name].template(batch)).get_identifiers() if position.get(slot, -1) > position[name]]
        require(not late, f"what the formula of {name} needs stands above it", f"{late} below it", "Break the circle of formulas")


def a_step_says_what_it_needs(batch: Procedure) -> None:
    """Without any data a step names what is missing."""
    cls = type(batch)

    def needs_data(name: str) -> bool:
        return name not in cls.defaults if name in cls.inputs else any(map(needs_data, cls.steps[name].slots))

    for name in filter(needs_data, cls.steps):
        try:
            got: object = getattr(cls.from_steps(), name)
        except NotStated as said:
            if re.search(rf"{cls.__name__}\.{name} cannot be computed: .*it needs \w+ \(", str(said)):
                continue
            got = said
        raise Broken(f"without data, the step {name} says what it needs; got {got!r}. Let its code read inputs and steps by self.<name>")


# -- a batch is many tests ----------------------------------------------------------------------------------------------
def a_batch_equals_a_loop(batch: Procedure) -> None:
    """Trailing axes are independent repetitions."""
    many = _repetitions(batch)
    for step in batch.steps:
        value: Any = getattr(batch, step)
        own = len(batch.over(step))
        if not isinstance(value, (int, np.generic, np.ndarray, Interval)):
            continue
        for r, test in enumerate(many):
            if isinstance(value, Interval):
                expected: Any = Interval(*(np.broadcast_to(end, len(many))[r] for end in value))
            else:  # the same for all, such as n of the t-test, or one for each
                expected = np.asarray(value)[(slice(None),) * own + (r,)] if np.ndim(value) > own else value
            one = getattr(test, step)
            require(
                is_equal(expected, one),
                f"the step {step} of a batch holds what each repetition has by itself",
                f"{expected} in the batch and {one} alone, in repetition {r}",
                "Sum and count over the leading axes, such as x.sum(0), and leave the trailing ones alone",
            )


def repetitions_may_have_several_axes(batch: Procedure) -> None:
    """They may be a table as well as a list."""
    many = len(_repetitions(batch))

    def deeper(value: Any) -> Any:
        return np.reshape(value, (*np.shape(value)[:-1], many, 1)) if np.ndim(value) else value

    def as_arrays(test: Any, step: str) -> list[Any]:
        value = getattr(test, step)
        if hasattr(value, "largest"):
            return comparable_arrays(value.largest())
        return comparable_arrays(value.at_most(getattr(test, "statistic", 0.01)) if hasattr(value, "at_most") else value)

    data = {name: value for name, value in vars(batch).items() if name in batch.inputs and not batch.inputs[name]["setting"]}
    data = {name: value if are_names(value) else deeper(value) for name, value in data.items() if value is not None}
    deep = type(batch)(**data, **variant_settings(batch))
    for step in batch.steps:
        for wide, long in zip(as_arrays(deep, step), as_arrays(batch, step), strict=True):
            require(
                wide.size == long.size and is_equal(long, wide.reshape(long.shape), rtol=0, atol=0),
                f"the step {step} takes repetitions along several axes",
                f"shape {wide.shape} beside {long.shape}",
                "Write x[:, None] and axis numbers counted from the front",
            )


def a_batch_has_no_single_conclusion(batch: HypothesisTest) -> None:
    """Whoever asks for one is told to choose a repetition."""
    try:
        said = batch.conclusion
    except ValueError as refused:
        if re.match(r"a batch of shape .* has no one conclusion; ask one repetition, such as test.at\(0\)", str(refused)):
            return
        said = str(refused)
    raise Broken(f"a batch has no one conclusion; got {said!r}. Leave `conclusion` to HypothesisTest, and change claim, finding or remark")


# -- the decision -------------------------------------------------------------------------------------------------------
def p_is_a_probability_and_decides(batch: HypothesisTest) -> None:
    """H0 is rejected if and only if p is at most alpha."""
    for level in LEVELS:
        test: Any = batch.assuming(alpha=level)
        for name in filter(test.is_chance, (*test.inputs, *test.steps)):
            p = np.asarray(getattr(test, name))
            require(((p >= 0) & (p <= 1)).all(), f"{name} is a probability", p, "Look at its formula, or at its check")
        require(
            np.array_equal(test.reject, test.pvalue <= level),
            "H0 is rejected if and only if p is at most alpha",
            f"{test.reject} for p = {test.pvalue} at alpha = {level}",
            "Leave `reject` to HypothesisTest",
        )


def the_critical_value_gives_the_same_decision(batch: HypothesisTest) -> None:
    """The statistic is as extreme as the critical value if and only if H0 is rejected."""
    for level in LEVELS:
        test: Any = batch.assuming(alpha=level)
        x, c = test.statistic, test.critical_value
        low, high = test.tail.region(c)
        beyond = ((x <= low) & np.isfinite(low)) | ((x >= high) & np.isfinite(high))  # a side without an end rejects nothing
        on_the_edge = np.isclose(test.pvalue, level, rtol=1e-12, atol=0)  # floating point may put p on either side of alpha
        require(
            (on_the_edge | (beyond == test.reject)).all(),
            "critical value and p-value give the same decision",
            f"statistic {x}, critical value {c} and p = {test.pvalue} at alpha = {level}",
            "Both follow from `null` and `tails`: let its quantiles (low, high) agree with its chances (at_most, at_least)",
        )


def the_conclusion_says_what_was_decided(batch: HypothesisTest) -> None:
    """It begins with the decision and holds the claim; who is better than whom is said by tests of two classifiers alone."""
    for test in _repetitions(batch):
        said = test.conclusion
        head = f"{'Reject' if test.reject else 'Fail to reject'} H0 at alpha = "
        require(said.startswith(head), f"the conclusion begins with {head!r}", repr(said), "Leave `conclusion` to HypothesisTest")
        told = test.finding if test.reject else test.claim
        require(np.isinf(test.statistic) or told in said, f"the conclusion holds {told!r}", repr(said), "Change claim or finding alone")
        require("accept" not in said.lower(), "nothing is accepted", repr(said), "Write: fail to reject H0")
        require(said.endswith("."), "the conclusion ends with a full stop", repr(said), "Let `remark` be sentences")
        require(
            isinstance(test, TwoClassifierTest) or not re.search(r"\bA\b.* (better|worse) than B\b", said),
            "only a test of two classifiers says that A is better than B",
            repr(said),
            "Derive the class from fstats.core.classifier_pair.TwoClassifierTest, or say in `claim` what it looks for",
        )


def an_unknown_alternative_is_refused(batch: HypothesisTest) -> None:
    """With the list of those that there are."""
    try:
        batch.assuming(alternative="unequal")
    except ValueError as refused:
        if re.search(rf"alternative must be .*'{batch.alternative}'.* for \w+; got 'unequal'", str(refused)):
            return
    raise Broken("an unknown alternative is refused with a list of those known; got no such error. Call super().__post_init__()")


# -- copies -------------------------------------------------------------------------------------------------------------
def copies_have_the_same_values(batch: Procedure) -> None:
    """Pickled, copied, and copied deeply."""
    trips: list[Callable[[Any], Any]] = [lambda test: pickle.loads(pickle.dumps(test)), copy.copy, copy.deepcopy]
    for trip in trips:
        again = trip(batch)
        for name in (*batch.inputs, *batch.steps):
            require(
                is_equal(getattr(batch, name), getattr(again, name)), f"a copy has the same {name}", getattr(again, name), "Keep no state"
            )
        arrays_are_read_only(again)


def arrays_are_read_only(batch: Procedure) -> None:
    """Nobody changes a value by accident."""
    for name in (*batch.inputs, *batch.steps):
        value = getattr(batch, name)
        for array in value if isinstance(value, Interval) else [value]:
            require(
                not isinstance(array, np.ndarray) or not array.flags.writeable,
                f"the array {name} is read-only",
                "one that can be written to",
                "Give an input its `check`, which reads it into an array",
            )


# -- units and noise ------------------------------------------------------------------------------------------------------
def transformed_test(batch: Any, change: Callable[[Any], Any]) -> Any:
    """The same test on other scores: each input in their unit, but for words, goes through a change."""
    given = {name: value for name, value in vars(batch).items() if name in batch.inputs and value is not None}
    units = {name for name in given if batch.inputs[name]["unit"] and not isinstance(given[name], str)}
    return type(batch)(**{name: change(value) if name in units else value for name, value in given.items()})


def require_same_findings(once: Any, again: Any, unit: float = 1.0, rtol: float = 1e-9, *, shifted: bool = False) -> None:
    """Each value of a step is the same, in the unit that the step declares; of scores that were shifted, each that has none."""
    for name, s in once.steps.items():
        if s.unit == "mixed" or (shifted and s.unit) or getattr(once, "unit", 1) is not getattr(again, "unit", 1):
            continue
        x, y = getattr(once, name), getattr(again, name)
        if are_names(x) or not isinstance(x, (int, float, np.generic, np.ndarray, Interval)):
            continue
        grown = unit ** POWER.get(s.unit or "", 0)
        for one, other in zip(comparable_arrays(x), comparable_arrays(y), strict=True):
            require(
                np.allclose(other, one * grown, rtol, 1e-12 * grown * (rtol > 1e-10), equal_nan=True),
                f"the step {name} has {f'the unit {s.unit}' if s.unit else 'no unit'}",
                f"{other} from scores {unit:g} times as large, {one} before",
                "Declare it by step(..., unit=...) and given(..., unit=...), or let noise tie (fstats.core.numerics.floating_point_ties)",
            )


def units_are_those_declared(batch: Procedure) -> None:
    """Scores in per cent instead of shares give the same answer, in their unit."""
    for unit in (2.0**-41, 8.0, 100.0):
        require_same_findings(batch, transformed_test(batch, lambda value, unit=unit: np.asarray(value) * unit), unit)  # type: ignore[misc]


def noise_changes_nothing(batch: Procedure) -> None:
    """The same scores, computed another way: each off by up to 8 units in the last place."""
    rng = np.random.default_rng(11)
    blurred = transformed_test(batch, lambda value: np.asarray(value) * (1 + rng.integers(-8, 9, np.shape(value)) * 2.0**-52))
    require_same_findings(batch, blurred, rtol=1e-8)
