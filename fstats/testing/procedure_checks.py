"""Conformance checks of a test class on repeated data.

A failed check raises ConformanceError.
"""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from collections.abc import Callable, Collection
from string import Template
from typing import Any

import numpy as np

from ..core.classifier_pair import TwoClassifierTest
from ..core.hypothesis import HypothesisTest
from ..core.procedure import Procedure
from ..core.step import NotStated
from ..core.value_types import Interval
from ..procedures.formula import evaluate_formula, step_expression
from ..procedures.formula.formula_functions import is_same_distribution
from .check_assertions import ConformanceError, are_names, comparable_arrays, is_equal, read_names, require, variant_settings

LEVELS = (0.01, 0.05, 0.1, 0.3)
# maps the unit of a value to a power p: if scores are multiplied by c, the value is multiplied by c^p
POWER = {"score": 1, "score^2": 2}


def _repetitions(batch: Procedure) -> list[Any]:
    """Return each repetition of a batch as a single test."""
    values = ((getattr(batch, name), len(batch.over(name))) for name in batch.steps)
    count = next(value.shape[-1] for value, axes in values if isinstance(value, np.ndarray) and value.ndim > axes)
    return [batch.at(r) for r in range(count)]


# -- formulas and code ------------------------------------------------------------------------------------------------
def check_step_reads(batch: Procedure) -> None:
    """Check that the code of each step reads exactly the values that its formula shows."""
    for s in batch.steps.values():
        if s.only and getattr(batch, s.by) != s.only:
            continue
        shown = set(Template(s.template(batch)).get_identifiers())
        # a formula may depend on the attribute `by`, and on the settings that a property such as `tail` reads
        selectors = {s.by} | read_names(batch, lambda spy, by=s.by: getattr(spy, by)) if s.by else set()  # type: ignore[misc]
        names = read_names(batch, s.fn)
        require(
            names - selectors == shown - selectors,
            f"the formula of the step {s.name} shows the values that its code reads",
            f"a formula with {sorted(shown - selectors)} and code that reads {sorted(names - selectors)}",
            "Write each value that is read as a $slot, and read each slot as self.<slot>",
        )


def check_step_computation(batch: Procedure) -> None:
    """Check that each step can be computed from the values in its formula alone."""
    for s in batch.steps.values():
        slots = {slot: getattr(batch, slot) for slot in Template(s.template(batch)).get_identifiers()}
        value = getattr(type(batch).from_steps(**(variant_settings(batch) | slots)), s.name)
        rule = f"the step {s.name} follows from the values in its formula"
        remedy = "Read nothing but inputs and steps that the formula names"
        got = f"{value} from these values, {getattr(batch, s.name)} from the data"
        require(is_equal(getattr(batch, s.name), value), rule, got, remedy)


def check_formula_values(batch: Procedure, in_words: Collection[str]) -> None:
    """Check that the formula of each step gives its value; formulas in words are stated by the author, or inherited from this package."""
    test: Any = batch.at(0)
    for s in test.steps.values():
        formula = s.template(test)
        if not formula or s.name in in_words or (s.only and getattr(test, s.by) != s.only):
            continue
        try:
            value, expected = formula_value(test, s.name, formula), getattr(test, s.name)
        except Exception as error:
            owner = next(base for base in type(test).__mro__ if s.name in vars(base))
            if owner is not type(test) and owner.__module__.startswith("fstats.procedures."):
                continue
            raise ConformanceError(
                f"the formula of the step {s.name} must be computable from its slots; got {formula} ({error}). Write the formula as in "
                f"fstats.procedures.formula. If it must be in words, write check_test(..., in_words=[{s.name!r}]); in this package also "
                "list the formula, with its reason, in tests/teaching/words_of_formulas.toml"
            ) from error
        require(
            is_formula_value(value, expected),
            f"the formula of the step {s.name} gives the value of its code",
            f"{value} from {formula}, {expected} from the code",
            f"One of them is wrong; the formula is read as {step_expression(type(test), formula, test.over(s.name))}",
        )


def formula_value(test: Any, step: str, formula: str) -> Any:
    """Compute a formula of a step; the logarithm of 0 is infinite without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return evaluate_formula(test, formula, type(test).over(step))


def is_formula_value(value: Any, expected: Any) -> bool:
    """Return whether the value of a formula is the value of a step: numbers, texts, intervals or distributions."""
    if hasattr(expected, "at_most") or hasattr(expected, "largest"):
        return type(value) is type(expected) and is_same_distribution(value, expected)
    x, y = np.asarray(value), np.stack(np.broadcast_arrays(*expected)) if isinstance(expected, Interval) else np.asarray(expected)
    if y.dtype.kind in "UO":
        return bool(np.all(x == y))
    return bool(np.all(np.isclose(x.astype(float), y.astype(float), 1e-9, 1e-10, equal_nan=True)))


def check_step_order(batch: Procedure) -> None:
    """Check that the rows of all values in a formula are above the row of the formula."""
    position = {row.name: k for k, row in enumerate(batch.at(0).worked())}
    for name in position.keys() & batch.steps.keys():
        late = [slot for slot in Template(batch.steps[name].template(batch)).get_identifiers() if position.get(slot, -1) > position[name]]
        require(not late, f"all values in the formula of {name} are above {name}", f"{late} below", "Break the circle of formulas")


def check_missing_data_message(batch: Procedure) -> None:
    """Check that a step without data raises an error that names the missing input."""
    cls = type(batch)

    def needs_data(name: str) -> bool:
        return name not in cls.defaults if name in cls.inputs else any(map(needs_data, cls.steps[name].slots))

    for name in filter(needs_data, cls.steps):
        try:
            got: object = getattr(cls.from_steps(), name)
        except NotStated as error:
            if re.search(rf"{cls.__name__}\.{name} cannot be computed: .*the computation needs \w+ \(", str(error)):
                continue
            got = error
        raise ConformanceError(
            f"without data, the error of the step {name} must name the missing input; got {got!r}. In the code of the step, read inputs "
            "and steps by self.<name>"
        )


# -- batches ------------------------------------------------------------------------------------------------------------
def check_batch_equals_loop(batch: Procedure) -> None:
    """Check that each step of a batch holds the values of its single tests."""
    tests = _repetitions(batch)
    for step in batch.steps:
        value: Any = getattr(batch, step)
        axes = len(batch.over(step))
        if not isinstance(value, (int, np.generic, np.ndarray, Interval)):
            continue
        for r, test in enumerate(tests):
            if isinstance(value, Interval):
                expected: Any = Interval(*(np.broadcast_to(end, len(tests))[r] for end in value))
            # `value` has an axis of repetitions, or it is one value for all repetitions, such as n of the t-test
            else:
                expected = np.asarray(value)[(slice(None),) * axes + (r,)] if np.ndim(value) > axes else value
            single = getattr(test, step)
            rule, got = f"the step {step} of a batch holds the values of its single tests", f"{expected} in the batch and {single} alone"
            remedy = "Sum and count over the leading axes, such as x.sum(0), and not over the trailing axes"
            require(is_equal(expected, single), rule, f"{got}, in repetition {r}", remedy)


def check_repetition_axes(batch: Procedure) -> None:
    """Check that the repetitions of a batch may have two axes instead of one axis."""
    count = len(_repetitions(batch))

    def add_axis(value: Any) -> Any:
        return np.reshape(value, (*np.shape(value)[:-1], count, 1)) if np.ndim(value) else value

    def as_arrays(test: Any, step: str) -> list[Any]:
        value = getattr(test, step)
        if hasattr(value, "largest"):
            return comparable_arrays(value.largest())
        return comparable_arrays(value.at_most(getattr(test, "statistic", 0.01)) if hasattr(value, "at_most") else value)

    data = {name: value for name, value in vars(batch).items() if name in batch.inputs and not batch.inputs[name]["setting"]}
    data = {name: value if are_names(value) else add_axis(value) for name, value in data.items() if value is not None}
    deep = type(batch)(**data, **variant_settings(batch))
    for step in batch.steps:
        for wide, long in zip(as_arrays(deep, step), as_arrays(batch, step), strict=True):
            holds = wide.size == long.size and is_equal(long, wide.reshape(long.shape), rtol=0, atol=0)
            rule = f"the step {step} takes repetitions along several axes"
            remedy = "Write x[:, None] and axis numbers counted from the front"
            require(holds, rule, f"shape {wide.shape} beside {long.shape}", remedy)


def check_batch_conclusion(batch: HypothesisTest) -> None:
    """Check that the conclusion of a batch raises an error that says to choose a repetition."""
    try:
        text = batch.conclusion
    except ValueError as error:
        if re.match(r"a batch of shape .* has no single conclusion\. Choose one repetition, such as test.at\(0\)", str(error)):
            return
        text = str(error)
    raise ConformanceError(
        f"a batch must not have a single conclusion; got {text!r}. Leave `conclusion` to HypothesisTest, and change claim, finding or "
        "remark"
    )


# -- the decision -------------------------------------------------------------------------------------------------------
def check_pvalue_decision(batch: HypothesisTest) -> None:
    """Check that probabilities lie between 0 and 1, and that H0 is rejected if and only if p is at most alpha."""
    for level in LEVELS:
        test: Any = batch.assuming(alpha=level)
        for name in filter(test.is_probability, (*test.inputs, *test.steps)):
            p = np.asarray(getattr(test, name))
            require(((p >= 0) & (p <= 1)).all(), f"{name} is a probability", p, "Look at its formula, or at its check")
        rule, got = "H0 is rejected if and only if p is at most alpha", f"{test.reject} for p = {test.pvalue} at alpha = {level}"
        require(np.array_equal(test.reject, test.pvalue <= level), rule, got, "Leave `reject` to HypothesisTest")


def check_critical_value_decision(batch: HypothesisTest) -> None:
    """Check that the statistic is at least as extreme as the critical value if and only if H0 is rejected."""
    for level in LEVELS:
        test: Any = batch.assuming(alpha=level)
        x, c = test.statistic, test.critical_value
        low, high = test.tail.region(c)
        # a test with an infinite critical value never rejects H0
        rejects = ((x <= low) & np.isfinite(low)) | ((x >= high) & np.isfinite(high))
        # if p equals alpha up to rounding errors, critical value and p-value may give different decisions
        is_borderline = np.isclose(test.pvalue, level, rtol=1e-12, atol=0)
        got = f"statistic {x}, critical value {c} and p = {test.pvalue} at alpha = {level}"
        remedy = "In `null`, make the quantiles (low, high) agree with the probabilities (at_most, at_least)"
        require((is_borderline | (rejects == test.reject)).all(), "critical value and p-value give the same decision", got, remedy)


def check_conclusion(batch: HypothesisTest) -> None:
    """Check that the conclusion begins with the decision and contains the claim, and that the conclusion never says "accept".

    Only tests of two classifiers may say that A is better than B.
    """
    for test in _repetitions(batch):
        text = test.conclusion
        head = f"{'Reject' if test.reject else 'Fail to reject'} H0 at alpha = "
        require(text.startswith(head), f"the conclusion begins with {head!r}", repr(text), "Do not override `conclusion`")
        claim = test.finding if test.reject else test.claim
        require(np.isinf(test.statistic) or claim in text, f"the conclusion holds {claim!r}", repr(text), "Change claim or finding alone")
        require("accept" not in text.lower(), "nothing is accepted", repr(text), "Write: fail to reject H0")
        require(text.endswith("."), "the conclusion ends with a full stop", repr(text), "Write `remark` in full sentences")
        holds = isinstance(test, TwoClassifierTest) or not re.search(r"\bA\b.* (better|worse) than B\b", text)
        remedy = "Derive the class from fstats.core.classifier_pair.TwoClassifierTest, or write in `claim` what the test looks for"
        require(holds, "only a test of two classifiers says that A is better than B", repr(text), remedy)


def check_unknown_alternative(batch: HypothesisTest) -> None:
    """Check that an unknown alternative raises an error with a list of the known ones."""
    try:
        batch.assuming(alternative="unequal")
    except ValueError as error:
        if re.search(rf"`alternative` must be .*'{batch.alternative}'.* for \w+.*; got 'unequal'", str(error)):
            return
    raise ConformanceError(
        "an unknown alternative must raise an error that lists the known alternatives; got no such error. Call super().__post_init__()"
    )


# -- copies -------------------------------------------------------------------------------------------------------------
def check_copies(batch: Procedure) -> None:
    """Check that pickled, shallow and deep copies have the same values."""
    functions: list[Callable[[Any], Any]] = [lambda test: pickle.loads(pickle.dumps(test)), copy.copy, copy.deepcopy]
    for function in functions:
        copied = function(batch)
        for name in (*batch.inputs, *batch.steps):
            value = getattr(copied, name)
            require(is_equal(getattr(batch, name), value), f"a copy has the same {name}", value, "Keep no state")
        check_read_only_arrays(copied)


def check_read_only_arrays(batch: Procedure) -> None:
    """Check that all arrays are read-only, which prevents accidental changes."""
    for name in (*batch.inputs, *batch.steps):
        value = getattr(batch, name)
        for array in value if isinstance(value, Interval) else [value]:
            remedy, holds = "Give each input a `check`, which copies the input to an array", not isinstance(array, np.ndarray)
            require(holds or not array.flags.writeable, f"the array {name} is read-only", "one that can be written to", remedy)


# -- units and noise ------------------------------------------------------------------------------------------------------
def transformed_test(batch: Any, change: Callable[[Any], Any]) -> Any:
    """Return the same test after a change of the scores: each input with a unit is changed, except text."""
    given = {name: value for name, value in vars(batch).items() if name in batch.inputs and value is not None}
    units = {name for name in given if batch.inputs[name]["unit"] and not isinstance(given[name], str)}
    return type(batch)(**{name: change(value) if name in units else value for name, value in given.items()})


def require_same_results(first: Any, second: Any, unit: float = 1.0, rtol: float = 1e-9, *, shifted: bool = False) -> None:
    """Check that two tests have equal steps, up to the factor that the unit of a step implies.

    `unit` is the factor between the scores.  If the scores are shifted, only steps without unit are compared.
    """
    for name, s in first.steps.items():
        if s.unit == "mixed" or (shifted and s.unit) or getattr(first, "unit", 1) is not getattr(second, "unit", 1):
            continue
        x, y = getattr(first, name), getattr(second, name)
        if are_names(x) or not isinstance(x, (int, float, np.generic, np.ndarray, Interval)):
            continue
        factor = unit ** POWER.get(s.unit or "", 0)
        for before, after in zip(comparable_arrays(x), comparable_arrays(y), strict=True):
            holds = np.allclose(after, before * factor, rtol, 1e-12 * factor * (rtol > 1e-10), equal_nan=True)
            changed, remedy = _change_and_remedy(unit, shifted)
            rule = f"the step {name} has {f'the unit {s.unit}' if s.unit else 'no unit'}"
            require(holds, rule, f"{after} from {changed}, {before} before", remedy)


def _change_and_remedy(unit: float, shifted: bool) -> tuple[str, str]:
    """Return a description of the change of the scores, and a remedy for results that do not change accordingly."""
    ties = "fstats.core.numerics: average_ranks and floating_point_ties treat scores that differ only by noise as ties"
    declare = "Declare the unit by step(..., unit=...) and input_field(..., unit=...)"
    if shifted:
        return "shifted scores", f"{declare}, or subtract scores before anything else"
    if unit != 1:
        return f"scores {unit:g} times as large", f"{declare}, or treat noise as ties ({ties})"
    return "scores with rounding noise", f"Compare scores by their ranks or differences, not with > or == ({ties})"


def check_units(batch: Procedure) -> None:
    """Check that scores in another unit, such as percent, give the same results in that unit."""
    for unit in (2.0**-41, 8.0, 100.0):
        require_same_results(batch, transformed_test(batch, lambda value, unit=unit: np.asarray(value) * unit), unit)  # type: ignore[misc]


def check_noise_invariance(batch: Procedure) -> None:
    """Check that rounding noise of up to 8 units in the last place of each score changes no result."""
    rng = np.random.default_rng(11)
    noisy = transformed_test(batch, lambda value: np.asarray(value) * (1 + rng.integers(-8, 9, np.shape(value)) * 2.0**-52))
    require_same_results(batch, noisy, rtol=1e-8)
