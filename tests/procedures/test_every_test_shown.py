"""One loop over every test class: what it shows as text, as HTML, as LaTeX and as plain Python."""

import numpy as np
import pytest
from cases import CASES, FIXED, each_alternative_when_asked, every, make, most_of
from matplotlib.mathtext import MathTextParser
from shortcuts import assert_raises
from typesetting import parsed, typeset

from fstats.core.value_types import Interval
from fstats.render.latex import equation_parts


@pytest.mark.complete
@each_alternative_when_asked
def test_matplotlib_reads_every_formula(name, alternative):
    batch = make(name, alternative)
    for row in (row for test in (batch, batch.at(0), batch.at(3)) for row in test.worked() if row.kind != "conclusion"):
        for piece in equation_parts(row, example_too=True):
            typeset(piece)
    assert parsed.cache_info().currsize > 10  # something was parsed


@pytest.mark.complete
def test_relations_are_known_to_matplotlib():
    relations = {row.relation for name, alternative in every for row in make(name, alternative).at(0).worked()}
    assert {"=", r"\sim"} < relations
    for relation in relations:
        MathTextParser("agg").parse(f"$x {relation} y$")


@pytest.mark.parametrize("wrong", [r"\frac{1}", r"x = \frac{1} = 0", r"\left(x = 1", r"\sqrt{x = 1"])
def test_the_parser_sees_mistakes(wrong):
    assert_raises(lambda: typeset(wrong), "Expected")


def has_long_columns(name):
    """Whether a test takes columns, of any length."""
    cls, data, _ = CASES[name]
    return not issubclass(cls, FIXED) and any(np.ndim(value) > 1 for value in data.values())


@pytest.mark.parametrize("name", most_of(name for name in CASES if has_long_columns(name)))
def test_long_columns_are_cut(name):
    cls, data, settings = CASES[name]
    test = cls(**{key: np.concatenate([value[..., 0]] * 5) if np.ndim(value) > 1 else value for key, value in data.items()}, **settings)
    shown = [row for row in test.worked() if row.is_column or (len(row.over) == 2 and not isinstance(row.value, Interval))]
    longest = max(len(row.value) for row in shown)
    assert longest > 20
    assert f"... and {longest - 20} more" in repr(test)
    assert "\n  21  " not in repr(test)
