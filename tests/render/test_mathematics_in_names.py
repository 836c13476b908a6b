"""Mathematics in names and letters of any script: the same names in every medium."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.mathtext import MathTextParser
from matplotlib.text import Text
from pylatexenc.latexwalker import LatexWalker

import fstats
from fstats import Friedman, Nemenyi, PairedT, Results, plot
from fstats.core import mathematics_in_names
from fstats.core.classifier_pair import shorten_name, shorten_name_pair
from fstats.core.mathematics_in_names import Formula, html_name, name_without_blanks, plain_name, split_name
from fstats.plot.drawing import matplotlib_text
from fstats.plot.drawing.matplotlib_text import MISSING, mathtext, text_and_font
from fstats.plot.drawing.picture import Picture
from fstats.plot.drawing.picture_marks import BLUE, Cells, Label, Points, VerticalLine
from fstats.plot.post_hoc.critical_difference_layout import break_name, text_width
from fstats.render.display_table import Table
from fstats.render.html import escape_prose
from fstats.render.latex import escape_document_text, escape_text, render_latex
from fstats.render.markdown_escape import escape_markdown
from fstats.render.text_layout import align_columns

PARSER = MathTextParser("path")
NAMES = ["$B_{c}$", "$k$-NN", "$5 or $6", "svm_rbf"]
RESULTS = Results(
    [[0.79, 0.792, 0.761, 0.723], [0.682, 0.643, 0.611, 0.607], [0.848, 0.858, 0.835, 0.807], [0.67, 0.644, 0.625, 0.628]],
    classifiers=NAMES,
    data_sets=[r"$\chi^2$", "b", "c", "d"],
)
MATHEMATICS = {  # name -> plain text
    "$B_{c}$": "B_c",
    "$k$-NN": "k-NN",
    r"$\chi^2$": "χ²",
    r"$\alpha$": "α",
    "$α_{10}^{-1}$": "α_10⁻¹",
    r"$\hat y$ of $\bar{x}_{ij}$": "ŷ of x̄_ij",
    r"$\mathrm{SVM}_{\text{two words}}$": "SVM_(two words)",
    r"$\frac{a}{b + 1}$": "a/(b+1)",
    r"$\sqrt{n}$": "√n",
    "$x'$": "x′",
    r"$10\,\%$ more": "10\u2009% more".replace("\u2009", " "),
    r"$a^{b^c} \leq \log |x|$": "a^(b^c)≤log|x|",
    r"$n \to \infty$": "n→∞",
    "$5 for $k$": "$5 for k",
    r"$\le$": "≤",
}
NO_MATHEMATICS = [
    "$5 or $6",
    "$5$",
    "$ a$",
    "$a $",
    "US$a and AU$",
    "$6 is better than svm_rbf ($",
    "$$",
    "$x_a_b$",  # TeX refuses two indices
    "$a^b^c$",
    "$x^2'$",
    r"$\input{x}$",
    r"$\href{javascript:x}{y}$",
    "$a{$",
    "$a}$",
    "$a & b$",
    "$é$",
    "$\\$",
    "$a_$",
    "$k$5",
    "$" + "{" * 5000 + "$",
]


@pytest.mark.parametrize("name", MATHEMATICS)
def test_mathematics_is_plain_in_text_and_typeset_elsewhere(name):
    plain = MATHEMATICS[name]
    assert plain_name(name) == plain_name(plain) == plain
    for latex in (escape_text(name), escape_document_text(name), escape_markdown(name)):
        LatexWalker(latex.replace("\xa0", " "), tolerant_parsing=False).get_latex_nodes()
        assert re.search(r"(?<!\\)\$", latex)
    assert not any(re.search(r"[ $]", part.tex) for part in split_name(name) if isinstance(part, Formula))
    PARSER.parse(mathtext(name))
    assert "$" not in re.sub(r"<span>\$</span>", "", html_name(name))
    assert escape_prose(name).replace("\xa0", " ") == html_name(name)
    assert split_name(name_without_blanks(name)) == split_name(name)


@pytest.mark.parametrize("name", NO_MATHEMATICS)
def test_other_dollar_signs_are_text(name):
    assert plain_name(name) == name
    assert mathtext(name) == name.replace("$", r"\$")
    assert escape_text(name) == "".join(escape_text(sign) for sign in name)
    assert re.sub(r"</?span>", "", html_name(name)).count("$") == html_name(name).count("<span>$</span>") == name.count("$")


def test_every_command_is_known_to_matplotlib():
    """Each command of the tables, in the TeX that is written for matplotlib, LaTeX and MathJax."""
    commands = [formula.tex for formula in mathematics_in_names._SYMBOLS.values()]
    commands += [rf"\{name}" for name in mathematics_in_names._FUNCTIONS]
    commands += [rf"\{name} x" for name in (*mathematics_in_names._ACCENTS, *mathematics_in_names._ALPHABETS, "sqrt")]
    assert len(commands) > 100
    for command in commands:
        (part,) = split_name(f"${command} y$")
        assert isinstance(part, Formula), command
        PARSER.parse(f"${part.tex}$")


TOKENS = [*"$$$ab_^{}", r"\hat", r"\alpha", r"\text{a b}", " "]


@given(
    st.text("ab1 $_^{}\\'|-αβ中é", max_size=20)
    | st.lists(st.sampled_from([*"$$$ab_^{}", r"\hat", r"\alpha", " "]), max_size=12).map("".join)
)
def test_any_name_is_valid_in_every_medium(name):
    PARSER.parse(mathtext(name.replace("中", "")))
    for part in split_name(name):
        if isinstance(part, Formula):
            LatexWalker(f"${part.tex}$", tolerant_parsing=False).get_latex_nodes()
            assert not re.search(r"\s", part.tex)
            assert html_name(f"${part.tex}$") == part.html
    assert "".join(part if isinstance(part, str) else part.plain for part in split_name(name)) == plain_name(name)


# -- outputs -----------------------------------------------------------------------------------------------------------------
def outputs() -> dict[str, Any]:
    friedman, nemenyi = Friedman(RESULTS), Nemenyi(RESULTS)
    pair = RESULTS.select(classifiers=NAMES[:2])
    return {
        "results": RESULTS,
        "Friedman": friedman,
        "Nemenyi": nemenyi,
        "PairedT": PairedT(pair),
        "report": fstats.report(friedman, nemenyi),
        "report of two": fstats.report(PairedT(pair, alternative="greater")),
        "picture": plot.critical_difference(nemenyi),
    }


@pytest.mark.parametrize("name", outputs())
def test_text_is_plain(name):
    text = " ".join(repr(outputs()[name]).split())
    assert "B_c" in text
    assert "k-NN" in text
    assert not re.search(r"\$(?!5|6)", text)


def test_outputs_keep_mathematics():
    made = outputs()
    for latex in (made["results"].to_latex(), made["report"].latex, made["report of two"].latex, made["PairedT"].to_latex()):
        assert "$B_{c}$" in latex
        assert "$k$-NN" in latex
    assert r"Data set & $B_{c}$ & $k$-NN & \$5 or \$6 & svm\_rbf \\" in RESULTS.to_latex()
    assert r"| data set | $B_{c}$ | $k$-NN | \$5 or \$6 | svm\_rbf |" in RESULTS.to_markdown()
    assert "$B_{c}$" in made["report"].markdown
    assert "$B_{c}$" in (made["report"] + made["report of two"]).markdown
    for html in (RESULTS.to_html(), made["Nemenyi"]._repr_html_(), made["PairedT"]._repr_html_()):
        assert "<i>B</i><sub><i>c</i></sub>" in html
        assert "<i>k</i>-NN" in html
        assert "$B" not in html
    assert "<span>$</span>5 or <span>$</span>6" in RESULTS.to_html()


def test_results_keep_the_names():
    assert list(RESULTS.classifiers) == NAMES
    assert RESULTS.select(classifiers=["$k$-NN", "$B_{c}$"]).classifiers == ("$k$-NN", "$B_{c}$")


def test_no_line_of_latex_ends_inside_mathematics():
    test = PairedT([1, 2, 3, 5.5], [2, 4, 5, 5], labels=[r"$a + b + c + d$", r"$\alpha \beta \gamma$"])
    for page in range(20, 80, 7):
        for line in render_latex(test.worked(), page=float(page)).splitlines():
            assert line.count("$") % 2 == 0


def test_short_names_keep_mathematics():
    long = "$B_{c}$" + "x" * 50
    assert shorten_name("$" + "B_{c}" * 9 + "$", 27) == "$" + "B_{c}" * 9 + "$"
    assert shorten_name(long, 10) == "B_cxxx…xxx"
    assert shorten_name_pair("$B_{c}$", "$B_{d}$") == ("$B_{c}$", "$B_{d}$")
    assert all("$" not in name for name in shorten_name_pair(long + "a" + "x" * 40, long + "b" + "x" * 40))


def test_columns_are_aligned_for_wide_letters():
    lines = align_columns([["中文", "a"], ["svm", "b"], ["$B_{c}$", "c"]], width=40).splitlines()
    assert lines == ["  中文  a", "   svm  b", "   B_c  c"]
    assert repr(Table(["set", "$k$"], [["한국", 1], ["x\u0304", 22]])).splitlines() == ["  set    k", "  한국   1", "  x\u0304     22"]


# -- pictures ----------------------------------------------------------------------------------------------------------------
def picture(name: str) -> Picture:
    one, marks = np.array([0.5]), []
    marks += [Label(0.5, 0.5, name, bold=True), Points(one, one, BLUE, name), VerticalLine(0.3, name, BLUE)]
    marks += [Cells(one, one, one, 0.1, 0.1, (name,))]
    return Picture(name, name, name, (0.0, 1.0), (0.0, 1.0), tuple(marks), name)


def drawn(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text() and not text.get_text().replace(".", "").isdigit()]


@pytest.mark.parametrize("name", [*MATHEMATICS, *NO_MATHEMATICS[:-1]])
def test_pictures_of_every_medium(name):
    shown = picture(name)
    for size in (None, 3.4):
        figure = shown.figure(size)
        assert {" ".join(text.split()) for text in drawn(figure)} == {" ".join(mathtext(name).split())}
        figure.draw_without_rendering()
    figure = Figure()
    shown.draw(figure.subplots())
    assert set(drawn(figure)) == {mathtext(name)}
    if split_name(name) != (name,):
        assert "$" not in shown.svg().replace("$5", "")
        assert "$" not in shown.text.replace("$5", "")


def test_names_with_mathematics_are_laid_out_by_their_plain_width():
    assert text_width("$B_{c}$") == text_width("B_c")
    assert break_name(r"$k = 3$ nearest neighbours", 130) == ["$k=3$ nearest", "neighbours"]
    assert break_name(r"$\alpha_{very}$", 10) == [r"$\alpha_{very}$"]


@pytest.fixture
def new_font(tmp_path, monkeypatch):
    """A font with one Chinese letter and one Devanagari letter, which nobody has installed."""
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", "han", "ha"])
    builder.setupCharacterMap({ord("中"): "han", ord("ह"): "ha"})
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((0, 700))
    pen.lineTo((700, 700))
    pen.closePath()
    builder.setupGlyf(dict.fromkeys([".notdef", "han", "ha"], pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys([".notdef", "han", "ha"], (800, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Two Letters Sans", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    path = tmp_path / "two_letters.ttf"
    builder.save(path)
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [*font_manager.fontManager.ttflist])
    font_manager.fontManager.addfont(path)
    yield "Two Letters Sans"
    font_manager.fontManager._findfont_cached.cache_clear()
    matplotlib_text._families_with.cache_clear()


@pytest.fixture
def no_other_fonts(monkeypatch):
    """Only the fonts that matplotlib brings."""
    monkeypatch.setattr(
        font_manager.fontManager, "ttflist", [font for font in font_manager.fontManager.ttflist if "matplotlib" in font.fname]
    )
    font_manager.fontManager._findfont_cached.cache_clear()
    matplotlib_text._families_with.cache_clear()
    matplotlib_text._warn_of_missing_scripts.cache_clear()
    yield
    matplotlib_text._families_with.cache_clear()
    matplotlib_text._warn_of_missing_scripts.cache_clear()


@pytest.mark.usefixtures("no_other_fonts")
def test_letters_come_from_an_installed_font(new_font, tmp_path):
    text, font = text_and_font("$B_{c}$ 中ह $5")
    assert text == r"B_c 中ह \$5"
    assert font["fontfamily"][-1] == new_font
    for size in (None, 3.4):
        shown = picture("中 and ह").figure(size)  # every warning is an error
        assert {text.get_fontfamily()[-1] for text in shown.findobj(Text) if "中" in text.get_text()} == {new_font}
        shown.canvas.draw()
    for suffix in ("pdf", "svg", "png"):
        picture("中 and ह").save(tmp_path / f"letters.{suffix}")


@pytest.mark.usefixtures("no_other_fonts")
def test_a_missing_font_is_named_once():
    with pytest.warns(UserWarning, match=r"no installed font has the letters of a name \(Chinese characters\)") as caught:
        figures = [picture(name).figure(size) for name in ("中文", "文 b") for size in (None, 3.4)]
    assert len(caught) == 1
    for figure in figures:
        figure.canvas.draw()  # every warning is an error
        assert all("文" not in text and MISSING in text for text in drawn(figure))
    assert "中文" in picture("中文").svg()  # a browser has fonts of its own
    with pytest.warns(UserWarning, match="Devanagari"):
        text_and_font("हिन्दी")


def test_scripts_of_the_usual_font_are_drawn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("Ελληνικά", "Кириллица", "naïve ≤ χ²", "two\nlines"):
            assert text_and_font(name) == (name, {})
            assert text_and_font(name, "bold") == (name, {})
        picture("العربية").figure().canvas.draw()
