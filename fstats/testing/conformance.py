"""All checks at once, of one class on data of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..core.hypothesis import HypothesisTest
from ..core.procedure import Procedure
from . import procedure_checks, rendering_checks
from .check_assertions import Broken

COMMON_CHECKS: tuple[Callable[[Any], None], ...] = (
    rendering_checks.sentences_end_with_full_stops,
    rendering_checks.formulas_are_latex,
    procedure_checks.steps_read_what_formulas_show,
    procedure_checks.steps_follow_from_their_slots,
    procedure_checks.steps_come_after_what_they_need,
    procedure_checks.a_step_says_what_it_needs,
    procedure_checks.a_batch_equals_a_loop,
    procedure_checks.repetitions_may_have_several_axes,
    procedure_checks.arrays_are_read_only,
    procedure_checks.copies_have_the_same_values,
    rendering_checks.a_number_after_words_is_not_multiplied,
    rendering_checks.text_html_and_latex_show_every_row,
    rendering_checks.to_dict_is_plain_python,
)
SCORE_CHECKS = (procedure_checks.units_are_those_declared, procedure_checks.noise_changes_nothing)  # what takes inputs in their unit
TEST_CHECKS: tuple[Callable[[Any], None], ...] = (
    procedure_checks.p_is_a_probability_and_decides,
    procedure_checks.the_critical_value_gives_the_same_decision,
    procedure_checks.the_conclusion_says_what_was_decided,
    procedure_checks.a_batch_has_no_single_conclusion,
    procedure_checks.an_unknown_alternative_is_refused,
)
REPETITIONS = 6


def check_test(test_class: type[Procedure], data: Mapping[str, Any], **settings: Any) -> None:
    """Check that a class of your own keeps what every test here promises, in each of its alternatives.

    Its steps read what their formulas show, a batch equals a loop, p decides and so does the critical value, copies and read-only
    arrays, units and noise, text, HTML, LaTeX and ``to_dict``.  Whether its numbers are *right* is for you to check, against a
    published example.

    Parameters
    ----------
    test_class : type
        A subclass of :class:`fstats.core.hypothesis.HypothesisTest`, or any other procedure.
    data : dict
        Its inputs by name, one data set, not degenerate.  The batch is made from it, by drawing its rows again.
    **settings
        Settings of the test, such as ``method="exact"``; every alternative is tried.

    Raises
    ------
    Broken
        The first rule that the class does not keep: the rule, what was got, and what to do.

    Examples
    --------
    >>> import fstats
    >>> from fstats.testing import check_test
    >>> check_test(fstats.PairedT, {"a": [85, 70, 79, 78, 83], "b": [87, 68, 85, 75, 83]})
    """
    is_test = issubclass(test_class, HypothesisTest)
    for alternative in test_class.tails if issubclass(test_class, HypothesisTest) else ("",):
        batch = make_batch(test_class, data, settings | ({"alternative": alternative} if is_test else {}))
        on_scores = any(about["unit"] for about in test_class.inputs.values())
        for check in COMMON_CHECKS + SCORE_CHECKS * on_scores + TEST_CHECKS * is_test:
            try:
                check(batch)
            except Broken as broken:
                where = f" with alternative={alternative!r}" * is_test
                raise Broken(f"{test_class.__name__}{where}, {check.__name__}: {broken}") from None


def make_batch(test_class: type[Procedure], data: Mapping[str, Any], settings: Mapping[str, Any]) -> Any:
    """The test on several repetitions: the data themselves, and others drawn from them; a batch as it is."""
    if any(np.ndim(value) > len(test_class.over(name)) for name, value in data.items()):
        return test_class(**data, **settings)
    kept = [dict(data)]
    for drawn in _resample_rows(data):
        try:
            test_class(**{**data, **drawn}, **settings)
        except ValueError:
            continue  # a check refuses this one, such as all rows alike
        kept.append({**data, **drawn})
        if len(kept) == REPETITIONS:
            break
    stacked = {name: np.stack([one[name] for one in kept], -1) for name in drawn}
    return test_class(**{**data, **stacked}, **settings)


def _resample_rows(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Rows of the data, drawn with repetition, the same rows of each input; in the place of a count, another one."""
    rng = np.random.default_rng(0)
    arrays = {name: np.asarray(value) for name, value in data.items() if np.ndim(value)}
    counts = {name: value for name, value in data.items() if isinstance(value, (int, np.integer)) and not isinstance(value, bool)}
    for _ in range(10 * REPETITIONS):
        rows = {size: rng.integers(0, size, size) for size in sorted({len(x) for x in arrays.values()})}
        yield {name: x[rows[len(x)]] for name, x in arrays.items()} | {name: rng.integers(0, 2 * n + 1) for name, n in counts.items()}
