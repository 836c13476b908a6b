"""One loop over every test class: what it shows as text, as HTML, as LaTeX and as plain Python."""

import json
import re

import numpy as np
import pytest
from cases import CASES, FIXED, are_names, each_procedure, every, make
from matplotlib.mathtext import MathTextParser

from fstats.core.value import Interval
from fstats.render.html import prose
from fstats.render.latex import equation


@pytest.fixture(scope="module")
def parse():
    """Parse LaTeX with matplotlib: a formula that it understands, MathJax understands too.

    Each formula once, whatever the numbers in it: to the parser 0.25 and 17.5 are the same, and a sum of three like one of ten.
    """
    parser, seen = MathTextParser("path"), set()

    def check(text):
        text = re.sub(r"\d+(\.\d+)?", "0", text).replace(r"\left(-0\right)", "0").replace(r"\ldots", "0")
        text = re.sub(r"(?<![\w}) ])-0", "0", text)
        text = re.sub(r"(,\\ |, |; | [+-] )(0(?=\1))(?:\1-?0(?=\1))+", r"\1\2", text)
        if text and text not in seen:
            parser.parse(f"${text}$")
            seen.add(text)
        return len(seen)

    return check


@each_procedure
def test_formulas_are_latex(name, alternative, parse):
    batch = make(name, alternative)
    for test in (batch, batch.at(0), batch.at(3)):
        for row in test.worked():
            if row.kind != "conclusion":
                whole = equation(row)
                assert whole.startswith(equation(row, with_value=False))  # which is thus looked at, too
                assert row.substituted in whole
                assert "$" not in whole
                for text in (row.symbol, row.formula):  # parts of the whole that can be typeset by themselves, as the whole can
                    assert whole.count(text)
                    assert [text.count(one) for one in ("{", r"\left")] == [text.count(one) for one in ("}", r"\right")]
                parse(whole)
    assert parse("") > 10  # something was parsed


def test_relations_are_known_to_matplotlib():
    relations = {row.relation for name, alternative in every for row in make(name, alternative).at(0).worked()}
    assert {"=", r"\sim"} < relations
    for relation in relations:
        MathTextParser("agg").parse(f"$x {relation} y$")


def test_the_parser_sees_mistakes(parse):
    with pytest.raises(ValueError, match="frac"):
        parse(r"\frac{1}")


@each_procedure
def test_sentences_end_with_a_full_stop(name, alternative):
    for row in make(name, alternative).at(0).worked():
        assert row.sentence.endswith(".")
        assert len(row.sentence) > 5
        assert row.sentence[0].isupper()


def joined(latex):
    """LaTeX without what breaks its lines: a page of paper is broken, one that scrolls is not."""
    return re.sub(r"\\\\|&|\\quad|\\text|[{}\s]", "", latex)


@each_procedure
def test_text_html_and_latex_show_every_row(name, alternative):
    batch = make(name, alternative)
    for test in (batch, batch.at(0)):
        text, html, latex = repr(test), test._repr_html_(), test.to_latex()
        assert text.startswith(type(test).__name__)
        assert joined(test._repr_latex_()) == joined(f"${latex}$")
        for row in test.worked():
            if row.kind == "conclusion":
                assert row.value in " ".join(text.split())  # in lines
                assert prose(row.value) in html
                continue
            assert row.name in text
            assert f"<code>{row.name}" in html
            if row.kind == "step":
                assert joined(row.symbol) in joined(latex)
                assert joined(row.formula) in joined(latex)


@each_procedure
def test_a_number_after_words_is_not_multiplied_by_them(name, alternative):
    for row in make(name, alternative).at(0).worked():
        assert not re.search(r"\\text\{[^{}]*\}\s*\\cdot(?!s)", row.substituted)


def has_long_columns(name):
    """Whether a test takes columns, of any length."""
    cls, data, _, _ = CASES[name]
    return not issubclass(cls, FIXED) and any(np.ndim(value) > 1 for value in data.values())


@pytest.mark.parametrize("name", [name for name in CASES if has_long_columns(name)])
def test_long_columns_are_cut(name):
    cls, data, settings, _ = CASES[name]
    test = cls(**{key: np.concatenate([value[..., 0]] * 5) if np.ndim(value) > 1 else value for key, value in data.items()}, **settings)
    shown = [row for row in test.worked() if row.is_column or (len(row.over) == 2 and not isinstance(row.value, Interval))]
    longest = max(len(row.value) for row in shown)
    assert longest > 20
    assert f"... and {longest - 20} more" in repr(test)
    assert "\n  21  " not in repr(test)


def is_plain(value):
    """Numbers, text, and lists of them."""
    return all(map(is_plain, value)) if type(value) is list else type(value) in (int, float, str, bool)


@each_procedure
def test_to_dict_is_plain_python(name, alternative):
    batch = make(name, alternative)
    for test in (batch, batch.at(0)):
        shown = test.to_dict()
        assert shown["test"] == type(test).__name__
        opened = {f"{row.name}_open" for row in test.worked() if isinstance(row.value, Interval) and row.value.has_an_open_end}
        assert set(shown) == {"test", *(row.name for row in test.worked()), *opened}
        assert all(is_plain(value) for value in shown.values())
        assert json.loads(json.dumps(shown, allow_nan=False)) == shown  # infinite numbers are text, which float reads
        for row in test.worked():
            if are_names(row.value):
                assert np.shape(shown[row.name])[0] == len(row.value)
            elif isinstance(row.value, (np.generic, np.ndarray)):
                assert np.array_equal(np.array(shown[row.name]).astype(row.value.dtype), row.value)
