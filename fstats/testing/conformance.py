"""Run all conformance checks of a test class."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np

from ..core.hypothesis import HypothesisTest
from ..core.procedure import Procedure
from . import procedure_checks as checks
from .check_assertions import ConformanceError
from .rendering_checks import check_latex, check_numbers_after_words, check_rendered_rows, check_sentences, check_to_dict

FORMULA_CHECKS = (
    check_sentences,
    check_latex,
    checks.check_step_reads,
    checks.check_step_computation,
    checks.check_step_order,
    checks.check_missing_data_message,
)
BATCH_CHECKS = (checks.check_batch_equals_loop, checks.check_repetition_axes, checks.check_read_only_arrays, checks.check_copies)
RENDERING_CHECKS = (check_numbers_after_words, check_rendered_rows, check_to_dict)
SCORE_CHECKS = (checks.check_units, checks.check_noise_invariance)  # checks for procedures whose scores have a unit
DECISION_CHECKS = (checks.check_pvalue_decision, checks.check_critical_value_decision, checks.check_conclusion)
TEST_CHECKS = (*DECISION_CHECKS, checks.check_batch_conclusion, checks.check_unknown_alternative)
COMMON_CHECKS: tuple[Callable[[Any], None], ...] = (*FORMULA_CHECKS, *BATCH_CHECKS, *RENDERING_CHECKS)
REPETITIONS = 6


def check_test(test_class: type[Procedure], data: Mapping[str, Any], *, in_words: Collection[str] = (), **settings: Any) -> None:
    """Check, for each alternative, that your own test class follows the rules of all tests in this package.

    The rules: steps read exactly the values in their formulas, formulas give the values of the code, a batch equals a loop, p-value and
    critical value give the same decision, copies are equal, arrays are read-only, units are as declared, rounding noise changes nothing,
    and text, HTML, LaTeX and ``to_dict`` show every row.  These checks do not show that the numbers are *correct*: compare the numbers
    with a published example.

    Parameters
    ----------
    test_class : type
        A subclass of :class:`fstats.core.hypothesis.HypothesisTest`, or any other procedure.
    data : dict
        The inputs by name: one data set that is not degenerate.  A batch is made from this data set by resampling its rows.
    in_words : list of str, optional
        Steps whose formulas are in words, such as "all pairs of $labels", and cannot be computed.
    **settings
        Settings of the test, such as ``method="exact"``; all alternatives are checked.

    Raises
    ------
    ConformanceError
        If the class violates a rule; the message says the first violated rule, the received value and the remedy.

    Examples
    --------
    >>> import fstats
    >>> from fstats.testing import check_test
    >>> check_test(fstats.PairedT, {"a": [85, 70, 79, 78, 83], "b": [87, 68, 85, 75, 83]})
    """

    def check_formula_values(batch: Procedure) -> None:
        """Check that the formula of each step, with numbers inserted, gives the value of the step."""
        checks.check_formula_values(batch, in_words)

    is_test = issubclass(test_class, HypothesisTest)
    for alternative in test_class.tails if issubclass(test_class, HypothesisTest) else ("",):
        batch = make_batch(test_class, data, settings | ({"alternative": alternative} if is_test else {}))
        on_scores = any(about["unit"] for about in test_class.inputs.values())
        for check in (*COMMON_CHECKS, check_formula_values, *SCORE_CHECKS * on_scores, *TEST_CHECKS * is_test):
            try:
                check(batch)
            except ConformanceError as broken:
                where = f" with alternative={alternative!r}" * is_test
                raise ConformanceError(f"{test_class.__name__}{where} fails {check.__name__}: {broken}") from None
            except Exception as error:
                error.add_note(f"{test_class.__name__} failed in {check.__name__}: {check.__doc__}")
                raise


def make_batch(test_class: type[Procedure], data: Mapping[str, Any], settings: Mapping[str, Any]) -> Any:
    """Make a batch from the data and resamples of their rows; data that already form a batch stay unchanged."""
    if any(np.ndim(value) > len(test_class.over(name)) for name, value in data.items()):
        return test_class(**data, **settings)
    samples = [dict(data)]
    for drawn in _resample_rows(data):
        try:
            test_class(**{**data, **drawn}, **settings)
        except ValueError:
            # the test raises an error for this resample, for example because all of its rows are equal
            continue
        samples.append({**data, **drawn})
        if len(samples) == REPETITIONS:
            break
    stacked = {name: np.stack([sample[name] for sample in samples], -1) for name in drawn}
    return test_class(**{**data, **stacked}, **settings)


def _resample_rows(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield resamples of the rows; each input has the same resampled rows, and a count is replaced by a random count."""
    rng = np.random.default_rng(0)
    arrays = {name: np.asarray(value) for name, value in data.items() if np.ndim(value)}
    counts = {name: value for name, value in data.items() if isinstance(value, (int, np.integer)) and not isinstance(value, bool)}
    for _ in range(10 * REPETITIONS):
        rows = {size: rng.integers(0, size, size) for size in sorted({len(x) for x in arrays.values()})}
        yield {name: x[rows[len(x)]] for name, x in arrays.items()} | {name: rng.integers(0, 2 * n + 1) for name, n in counts.items()}
