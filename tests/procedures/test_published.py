"""Published worked examples: what is printed must follow from the data, to the last printed digit.

published/cases.json holds the cases.  Printed values are text, because the text says how precise they are: "3.578" may be
off by half a unit of its last digit.  Where a source prints something wrong, "computed" holds the right value and "notes"
says why; then the printed value must really be wrong.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from shortcuts import parametrize

import fstats
from fstats.render.printed_numbers import rounding_tolerance

CASES = json.loads((Path(__file__).parents[1] / "published" / "cases.json").read_text(encoding="utf-8"))


def agrees(value, printed):
    """Whether a value is what is printed: a number up to rounding, a decision, a dash for none, or a list of these."""
    if isinstance(printed, list):
        values = list(value)
        return len(values) == len(printed) and all(map(agrees, values, printed))
    if printed is None:  # no rank
        return value == 0
    if printed in ("yes", "no"):
        return bool(value) == (printed == "yes")
    return abs(float(value) - float(printed)) <= rounding_tolerance(printed) * (1 + 1e-9)


def of(case):
    return getattr(fstats, case["test"])(**case["data"], **case["settings"])


figures = [(case, step) for case in CASES for step in case["printed"]]
each_figure = pytest.mark.parametrize(("case", "step"), figures, ids=[f"{case['name']}-{step}" for case, step in figures])


@pytest.mark.every_case
@each_figure
def test_a_printed_figure_follows_from_the_data(case, step):
    printed, right = case["printed"][step], case.get("computed", {}).get(step)
    value = getattr(of(case), step)
    if right is None:
        assert agrees(value, printed), f"{case['source']}: printed {printed}, computed {value}"
    else:
        assert agrees(value, right), f"{case['source']}: should be {right}, computed {value}"
        assert not agrees(value, printed), f"{case['source']}: {printed} is said to be wrong, but it is right"


@pytest.mark.every_case
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_case_says_where_it_comes_from(case):
    keys = {"name", "test", "source", "data", "settings", "printed", "computed", "notes"}
    missing, unknown = keys - {"computed"} - set(case), set(case) - keys
    assert not missing | unknown, f"a case has the keys {sorted(keys)} (computed is optional); missing {missing}, unknown {unknown}"
    assert len(case["source"]) > 20, f"write where the numbers are printed, with the page or the section; got {case['source']!r}"
    assert case["notes"].endswith("."), f"write what a reader of the source must know, in sentences; got {case['notes']!r}"
    assert case["printed"], "write the printed numbers by the names of the steps: {'statistic': '-0.375', 'pvalue': '0.727'}"
    assert case.get("computed", {}).keys() <= case["printed"].keys(), "computed corrects a printed number, and has its name"
    for printed in [*case["printed"].values(), *case.get("computed", {}).values()]:
        for text in printed if isinstance(printed, list) else [printed]:
            assert text is None or isinstance(text, str), f"write {text} as text: a number in JSON would lose its last zeros"


def test_names_are_unique():
    assert len({case["name"] for case in CASES}) == len(CASES)


@parametrize("printed, half", ("3.578", 0.0005), ("12", 0.5), ("10.5", 0.05), ("-2.4598858", 5e-8), ("0.030", 0.0005), ("6.1e-5", 5e-7))
def test_half_a_unit_of_the_last_printed_digit(printed, half):
    assert rounding_tolerance(printed) == pytest.approx(half, rel=1e-12)


def test_agreement_is_up_to_rounding():
    assert agrees(3.5777, "3.578")
    assert not agrees(3.5774, "3.578")
    assert agrees(np.bool(True), "yes")
    assert not agrees(np.bool(True), "no")
    assert agrees([1.5, 0], ["1.5", None])
    assert not agrees([1.5, 1.5], ["1.5", None])
    assert not agrees([1.5], ["1.5", None])
