"""The one table: what stands where as text and as HTML, how emphasis shows, and that nothing but its own HTML is taken for HTML."""

import re
from html import unescape

import pytest
from shortcuts import assert_raises

from fstats import PairedT, RankSum, SignedRank, critical_values
from fstats.render.display_table import WARNING_STYLE, Table, TextAndHtml, emphasize
from fstats.render.printed_numbers import PrintedBesideOurs
from fstats.studies import contingency


def test_words_stand_to_the_left_and_numbers_to_the_right():
    table = Table(["test", "statistic", "reject"], [["KFoldT", 2.5, True], ["FiveByTwoT", -13.25, None]])
    expected = ["  test        statistic  reject", "  KFoldT            2.5     yes", "  FiveByTwoT     -13.25       –"]
    assert repr(table).splitlines() == expected
    lines = re.findall("<tr>(.*?)</tr>", table._repr_html_())
    assert [re.findall("<t[hd].*?(left|>)", line) for line in lines] == [["left", ">", ">"]] * 3
    # one word makes a column of words
    assert repr(Table(["N", "found"], [[5, "none"], [10, 123456]])) == "   N  found\n   5  none\n  10  123456"


def test_a_table_is_as_wide_as_a_page_where_no_terminal_shows_it():
    """Words in the last column are wrapped under themselves; numbers go on below, and each part has what heads the lines."""
    words = Table(["what", "ours", "note"], [["the first", 1.5, "so many words " * 9], ["another", 2, ""]], notes=["a note " * 20])
    assert repr(words).splitlines() == [
        "  what       ours  note",
        "  the first   1.5  so many words so many words so many words so many words so many words so many",
        "                   words so many words so many words so many words",
        "  another       2",
        "",
        "a note a note a note a note a note a note a note a note a note a note a note a note a note a note a",
        "note a note a note a note a note a note",
    ]
    numbers = Table(["n", *(f"alpha = 0.{k}" for k in range(10, 30))], [[5, *range(20)], [6, *range(20, 40)]])
    first, *others = (part.splitlines() for part in repr(numbers).split("\n\n"))
    assert len(others) == 3
    assert all(len(line) <= 100 for part in (first, *others) for line in part)
    assert [line.split()[0] for part in (first, *others) for line in part] == ["n", "5", "6"] * 4
    assert sorted(int(cell) for part in (first, *others) for line in part[1:] for cell in line.split()[1:]) == list(range(40))


def test_columns_may_be_named_that_stand_to_the_left():
    cells = [["5", "2 → 0"], ["10", "8"]]
    assert repr(Table(["n", "0.05"], cells, left=())) == "   n   0.05\n   5  2 → 0\n  10      8"
    assert repr(Table(["n", "0.05"], cells, left=(1,))) == "   n  0.05\n   5  2 → 0\n  10  8"  # and nothing trails behind the 8
    assert Table(["n", "0.05"], cells, left=())._repr_html_().count("text-align:left") == 0
    assert Table(["n", "0.05"], cells, left=(1,))._repr_html_().count("text-align:left") == 3


def test_the_parts_and_their_order():
    titled = Table(["n"], [[5]], "A title", notes=["One.", "Two."])
    assert repr(titled) == "A title\n\n  n\n  5\n\nOne.\nTwo."
    assert titled._repr_html_() == (
        '<div class="fstats"><p>A title</p><table class="fstats-data"><thead><tr><th scope="col">n</th></tr></thead>'
        '<tbody><tr><th scope="row">5</th></tr></tbody></table><p>One.</p><p>Two.</p></div>'
    )
    captioned = Table(["", "x"], [[1, 2]], caption="A caption")
    assert repr(captioned) == "A caption\n\n     x\n  1  2"
    assert captioned._repr_html_() == (
        '<table><caption>A caption</caption><thead><tr><th></th><th scope="col">x</th></tr></thead>'
        '<tbody><tr><th scope="row">1</th><td>2</td></tr></tbody></table>'
    )


def test_heads_and_words_of_lines():
    table = Table((), [["Why", "it fits"], ["Report", "t, df, p"]])
    assert repr(table) == "  Why     it fits\n  Report  t, df, p"
    assert "<thead>" not in table._repr_html_()
    assert table._repr_html_().count('<th scope="row"') == 2
    evil = "<b>'&'</b>"
    html = Table([evil, "p"], [[evil, emphasize(evil)]], evil, evil, [evil, emphasize(evil)])._repr_html_()
    assert "<b>" not in html
    assert html.count("&lt;b&gt;&#x27;&amp;&#x27;&lt;/b&gt;") == 7
    assert repr(Table([evil], [[evil]])) == f"  {evil}\n  {evil}"


def test_rows_and_emphasis():
    both = TextAndHtml("0.05", "α = <i>0.05</i>")
    table = Table(["n", both], [[5, both]], notes=[both])
    assert (repr(table), table._repr_html_().count("α = <i>0.05</i>")) == ("  n  0.05\n  5  0.05\n\n0.05", 3)
    assert 'scope="col">α = <i>0.05</i>' in table._repr_html_()
    plain_cells, marked = Table(["x"], [["2 → 0"]], left=()), Table(["x"], [[emphasize("2 → 0", WARNING_STYLE)]], left=())
    assert repr(marked) == repr(plain_cells)
    assert marked._repr_html_() == plain_cells._repr_html_().replace("2 → 0", f'<strong style="{WARNING_STYLE}">2 → 0</strong>')
    assert emphasize("All is right.").html == "<strong>All is right.</strong>"
    table = Table(["test", "p"], [], "Nothing found")
    assert repr(table) == "Nothing found\n\n  test  p"
    assert table._repr_html_().endswith("<tbody></tbody></table></div>")


@pytest.mark.parametrize("show", [repr, Table._repr_html_])
def test_a_line_of_another_length_is_a_mistake(show):
    assert_raises(lambda: show(Table(["n", "p"], [[1, 2], [1]])), "zip")


def cells_of(html):
    """The words of each line's cells, without those of the heads."""
    lines = re.search("<tbody>(.*)</tbody>", html)[1].split("</tr>")[:-1]
    return [[unescape(re.sub("<.*?>", "", cell)) for cell in re.findall("<t[hd].*?>(.*?)</t[hd]>", line)] for line in lines]


SHOWN = {
    "critical values": critical_values(SignedRank, n=range(5, 9)),
    "critical values of pairs": critical_values(RankSum, n=[(5, 5), (5, 6)]),
    "a printed table, checked": critical_values(SignedRank, n=[5, 6], alpha=[0.1, 0.05]).against({5: [0, 0], 6: [2, None]}),
    "printed figures": PrintedBesideOurs([("a < b", "-0.375", -0.375), ("critical value", "23", 30, "the entry for 0.05")]),
    "a study": contingency.stored().table(),
    "its other table": contingency.stored().blocked_table,
}


@pytest.mark.parametrize("what", SHOWN)
def test_text_and_html_say_the_same(what):
    cells = cells_of(SHOWN[what]._repr_html_())
    text = [re.split(r"\s{2,}", line.strip()) for line in repr(SHOWN[what]).splitlines()]
    assert len(cells) > 1
    assert [line for line in text if line in cells] == cells


def test_a_size_is_written_in_full():
    table = critical_values(PairedT, n=12_345_678, alpha=0.05)
    assert (repr(table).splitlines()[-1], cells_of(table._repr_html_())) == ("  12345678  1.96", [["12345678", "1.96"]])
