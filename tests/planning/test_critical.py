"""Tables of critical values: the exact signed-rank table, the one that the slides print, and how tables are shown."""

import json
import re
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from shortcuts import assert_raises, parametrize

from fstats import McNemarExact, PairedT, SignedRank, critical_values

LEVELS = (0.10, 0.05, 0.01)
SIZES = range(5, 26)


def read(text):
    """Rows of "n: a b c" as {n: [a, b, c]}; a dash is None."""
    rows = (line.split() for line in text.strip().splitlines())
    return {int(n): [None if cell == "-" else int(cell) for cell in cells] for n, *cells in rows}


# The largest w with P(W <= w) <= alpha (one-sided) or alpha / 2 (two-sided), from full enumeration.
# n, two-sided .10 .05 .01, one-sided .10 .05 .01
EXACT = read("""
 5    0   -   -     2   0   -
 6    2   0   -     3   2   -
 7    3   2   -     5   3   0
 8    5   3   0     8   5   1
 9    8   5   1    10   8   3
10   10   8   3    14  10   5
11   13  10   5    17  13   7
12   17  13   7    21  17   9
13   21  17   9    26  21  12
14   25  21  12    31  25  15
15   30  25  15    36  30  19
16   35  29  19    42  35  23
17   41  34  23    48  41  27
18   47  40  27    55  47  32
19   53  46  32    62  53  37
20   60  52  37    69  60  43
21   67  58  42    77  67  49
22   75  65  48    86  75  55
23   83  73  54    94  83  62
24   91  81  61   104  91  69
25  100  89  68   113 100  76
""")
# The table that the course slides print (T7, "Non-parametric case: the Wilcoxon signed-rank test", Procedure), as printed.
SLIDES = read("""
 5    0   0   0     0   0   0
 6    2   2   0     2   2   1
 7    3   3   1     4   3   2
 8    5   4   2     6   5   3
 9    8   6   3     8   7   5
10   10   8   5    11   9   6
11   13  10   7    14  11   8
12   17  13   9    18  14  11
13   21  16  11    22  18  13
14   25  19  14    26  21  16
15   30  23  17    31  25  19
16   35  27  21    36  29  22
17   40  31  24    41  33  26
18   46  36  28    47  38  29
19   52  40  32    53  42  33
20   59  45  37    60  47  38
21   66  51  41    67  53  43
22   73  56  46    74  58  48
23   81  62  51    82  64  53
24   89  68  56    90  70  58
25   98  75  62    99  77  64
""")
TWO_SIDED, ONE_SIDED = slice(0, 3), slice(3, 6)


def half_of(table, columns):
    """The two-sided or the one-sided half of a table."""
    return {n: cells[columns] for n, cells in table.items()}


# -- the exact table ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("alternative", "columns"), [("two-sided", TWO_SIDED), ("less", ONE_SIDED), ("greater", ONE_SIDED)])
def test_signed_rank_is_the_exact_table(alternative, columns):
    table = critical_values(SignedRank, n=SIZES, alpha=LEVELS, alternative=alternative)
    assert {n: list(row.values()) for n, row in table.items()} == half_of(EXACT, columns)


def ways(n):
    """How many of the 2^n sign assignments of the ranks 1 to n have each sum: whole numbers, rank by rank."""
    counts = [1]
    for rank in range(1, n + 1):
        counts = [(counts[w] if w < len(counts) else 0) + (counts[w - rank] if w >= rank else 0) for w in range(len(counts) + rank)]
    return counts


@pytest.mark.parametrize("n", SIZES)
def test_the_exact_table_follows_from_counting(n):
    below = np.cumsum(np.array(ways(n), object))
    levels = [Fraction(alpha) / sides for sides in (2, 1) for alpha in ("0.10", "0.05", "0.01")]
    largest = [max((w for w, count in enumerate(below) if Fraction(count, 2**n) <= level), default=None) for level in levels]
    assert largest == EXACT[n]


def test_one_sided_and_normal_values():
    for test in (SignedRank, McNemarExact):
        less, greater = (critical_values(test, n=range(2, 40), alternative=alternative) for alternative in ("less", "greater"))
        assert dict(less) == dict(greater)
    one = critical_values(SignedRank, n=range(1, 40), alpha=0.05, alternative="less")
    two = critical_values(SignedRank, n=range(1, 40), alpha=0.10)
    assert [row[0.05] for row in one.values()] == [row[0.10] for row in two.values()]
    table = critical_values(SignedRank, n=[25, 100], alpha=0.05, method="normal")
    for n in (25, 100):
        mean, variance = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24
        assert table[n][0.05] == pytest.approx(mean - stats.norm.isf(0.025) * variance**0.5)


# -- the printed table --------------------------------------------------------------------------------------------------------
def checked(columns, alternative):
    """The printed table held against the computed one."""
    return critical_values(SignedRank, n=SIZES, alpha=LEVELS, alternative=alternative).against(half_of(SLIDES, columns))


def test_printed_cells_that_are_wrong():
    two, one = checked(TWO_SIDED, "two-sided"), checked(ONE_SIDED, "less")
    assert len(two.wrong) + len(one.wrong) == 104
    assert [sum(level == alpha for _, alpha in two.wrong) for level in LEVELS] == [9, 18, 19]
    assert [sum(level == alpha for _, alpha in one.wrong) for level in LEVELS] == [21, 17, 20]
    assert two.summary.startswith("46 of 63 printed cells are wrong")
    assert one.summary.startswith("58 of 63 printed cells are wrong")
    two, one = checked(TWO_SIDED, "two-sided").wrong, checked(ONE_SIDED, "less").wrong
    right_two = {level: [n for n in SIZES if (n, level) not in two] for level in LEVELS}
    right_one = {level: [n for n in SIZES if (n, level) not in one] for level in LEVELS}
    assert right_two == {0.10: list(range(5, 17)), 0.05: [10, 11, 12], 0.01: [19, 20]}
    assert right_one == {0.10: [], 0.05: [5, 6, 7, 8], 0.01: [15]}
    two = checked(TWO_SIDED, "two-sided")
    assert (5, 0.05) in two.liberal  # printed 0, where no outcome can reject
    assert (10, 0.01) in two.liberal  # printed 5, exact 3
    assert (25, 0.10) not in two.liberal  # printed 98, exact 100: too strict
    expected = [(n, level) for n, level in two.wrong if two.computed[n][level] is None or two.printed[n][level] > two.computed[n][level]]
    assert two.liberal == expected
    assert f"({len(two.liberal)} reject too easily, {len(two.wrong) - len(two.liberal)} not easily enough)" in two.summary


def test_printed_tables_are_checked():
    # one-tailed .05 is the same question as two-tailed .10
    assert [SLIDES[n][0] for n in SIZES] != [SLIDES[n][4] for n in SIZES]
    assert [EXACT[n][0] for n in SIZES] == [EXACT[n][4] for n in SIZES]
    table = critical_values(PairedT, n=[5], alpha=[0.05])
    assert table.against({5: [2.5]}).liberal == [(5, 0.05)]  # too small: t = 2.6 would reject
    assert (table.against({5: [3.0]}).liberal, table.against({5: [None]}).liberal) == ([], [])
    table = critical_values(SignedRank, n=[5, 6], alpha=LEVELS).against(half_of({n: SLIDES[n] for n in (5, 6)}, TWO_SIDED))
    assert repr(table).splitlines()[0] == "SignedRank, two-sided: critical values, printed → computed"
    assert repr(table).splitlines()[2:5] == ["  n  0.1   0.05   0.01", "  5    0  0 → –  0 → –", "  6    2  2 → 0  0 → –"]
    html = table._repr_html_()
    assert html.count("<strong") == 4
    assert "2 → 0</strong>" in html
    assert "4 of 6 printed cells are wrong" in html


@parametrize(
    "printed, message",
    ({5: [0, 0, 0]}, r"one cell for each alpha \(3\) in the row of n = 6; got no row"),
    ({5: [0, 0, 0], 6: [2, 2]}, r"one cell for each alpha \(3\) in the row of n = 6; got 2 cells"),
)
def test_a_printed_table_of_another_shape_is_refused(printed, message):
    assert_raises(lambda: critical_values(SignedRank, n=[5, 6], alpha=LEVELS).against(printed), message)


# -- other tests --------------------------------------------------------------------------------------------------------------
def test_paired_t_is_the_table_of_students_t():
    table = critical_values(PairedT, n=range(2, 120))
    for n in table:
        for alpha in LEVELS:
            assert table[n][alpha] == pytest.approx(stats.t.ppf(1 - alpha / 2, n - 1), rel=1e-10)
    assert critical_values(PairedT, n=5, alternative="less")[5][0.05] == pytest.approx(stats.t.ppf(0.05, 4))
    assert critical_values(PairedT, n=5, alternative="greater")[5][0.05] == pytest.approx(stats.t.ppf(0.95, 4))


@pytest.mark.parametrize(("alternative", "sides"), [("two-sided", 2), ("less", 1)])
def test_mcnemar_is_the_table_of_the_sign_test(alternative, sides):
    table = critical_values(McNemarExact, n=range(1, 50), alternative=alternative)
    for n in table:
        for alpha in ("0.10", "0.05", "0.01"):
            tails = [Fraction(sum(comb(n, j) for j in range(k + 1)), 2**n) for k in range(n + 1)]
            largest = max((k for k, tail in enumerate(tails) if tail <= Fraction(alpha) / sides), default=None)
            assert table[n][float(alpha)] == largest


# -- reading and showing ------------------------------------------------------------------------------------------------------
def test_a_table_is_a_mapping_with_text_html_and_latex():
    table = critical_values(SignedRank, n=range(5, 8), alpha=[0.05, 0.01])
    assert (list(table), len(table), table.levels, table[6][0.05]) == ([5, 6, 7], 3, [0.05, 0.01], 0)
    assert table[6][0.01] is None  # no outcome can reject
    assert 4 not in table
    with pytest.raises(KeyError):
        _ = table[6][0.10]
    assert critical_values(SignedRank, n=15, alpha=0.05)[15][0.05] == 25
    assert critical_values(SignedRank, n=np.int64(15), alpha=np.float64(0.05))[15][0.05] == 25
    assert dict(critical_values(SignedRank, n=(k for k in (6, 7)), alpha=0.05)) == {6: {0.05: 0}, 7: {0.05: 2}}
    table = critical_values(SignedRank, n=[9, 10], alpha=[0.05, 0.01])
    assert repr(table) == "SignedRank, two-sided: critical values\n\n   n  0.05  0.01\n   9     5     1\n  10     8     3"
    html = table._repr_html_()
    assert "<caption>SignedRank, two-sided: critical values</caption>" in html
    assert '<th scope="col">α = 0.05</th>' in html
    assert '<tr><th scope="row">10</th><td>8</td><td>3</td></tr>' in html
    assert table.to_latex() == "\n".join(
        [r"\begin{tabular}{rrr}", r"$n$ & $\alpha = 0.05$ & $\alpha = 0.01$ \\", r"9 & 5 & 1 \\", "10 & 8 & 3", r"\end{tabular}"]
    )
    table = critical_values(SignedRank, n=5, alpha=0.01)
    assert repr(table).endswith("5     –")
    assert "<td>–</td>" in table._repr_html_()
    assert "5 & --" in table.to_latex()
    assert type(critical_values(SignedRank, n=10)[10][0.05]) is int
    assert type(critical_values(PairedT, n=10)[10][0.05]) is float


def test_tables_agree_with_tests_and_printed_values():
    rng = np.random.default_rng(0)
    for n in (6, 10, 15):
        d = rng.permutation(n) + 1.0  # sizes 1 to n: no ties, no zeros
        d = d * rng.choice([-1, 1], n)
        for alternative in ("two-sided", "less", "greater"):
            expected = critical_values(SignedRank, n=n, alternative=alternative)[n][0.05]
            assert SignedRank(d, 0 * d, alternative=alternative).critical_value == expected
    table = critical_values(PairedT, n=[5, 6], alpha=[0.05])
    assert (table.against({5: [2.776], 6: [2.571]}).wrong, table.against({5: [2.776], 6: [2.572]}).wrong) == ([], [(6, 0.05)])
    assert "2.572 → 2.571" in repr(table.against({5: [2.776], 6: [2.572]}))


# -- the errata of the slides, gathered in notebook 02 ------------------------------------------------------------------------------
def test_the_errata_of_the_slides_are_what_comes_out():
    """Each figure of the box is computed here anew, the table's from counting."""
    cells = json.loads((Path(__file__).parents[2] / "notebooks" / "02_wilcoxon.ipynb").read_text(encoding="utf-8"))["cells"]
    (box,) = [text for cell in cells if (text := "".join(cell["source"]).replace("−", "-")).startswith("## Errata of the slides")]
    rows = {where: (printed, right) for where, printed, right, _ in re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", box, re.M)}
    test = PairedT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83])
    n, sd = len(test.d), test.d.std()
    assert rows[r"t-test, example: $\sigma_d$"] == (f"{sd:.1f}", f"{test.sd:.3f}")
    expected = (rf"{test.mean / (sd / np.sqrt(n - 1)):.3f} with $\sqrt{{5 - 1}}$", rf"{test.statistic:.3f} with $\sqrt{{5}}$")
    assert rows["the same: $t$"] == expected
    assert f"would give {test.mean / (sd / np.sqrt(n)):.3f}" in box
    wrong = sum(printed != right for size in SIZES for printed, right in zip(SLIDES[size], EXACT[size], strict=True))
    assert rows["table of critical values"] == ("126 cells", f"{126 - wrong} of them")
    assert f"counting gives other values in the other {wrong} cells" in box
    assert rows["two-tailed 0.10 and one-tailed 0.05, $n = 17$"] == tuple(f"{table[17][0]} and {table[17][4]}" for table in (SLIDES, EXACT))
    a = [95, 88, 90, 85, 92, 87, 91, 95, 82, 96, 88, 90, 85, 92, 87]
    b = [80, 70, 80, 60, 78, 80, 85, 70, 60, 80, 85, 78, 80, 78, 80]
    exercise = SignedRank(a, b)
    first = [", ".join(f"{rank:g}" for rank in ranks[:4]) + ", ..." for ranks in (np.sort(exercise.ranks), exercise.ranks)]
    assert rows["exercise: the 15 ranks"] == tuple(first)
    assert (np.sort(exercise.ranks) != exercise.ranks).all()
    assert f"$W^+ = {exercise.w_plus:g}$ is right" in box
    assert rows[r"exercise: critical value, two-tailed, $\alpha = 0.1$"] == (str(SLIDES[15][1]), str(EXACT[15][0]))
    assert f"entry for 0.05, where {EXACT[15][1]} would be right" in box
    assert rows[r"exercise: critical value, one-tailed, $\alpha = 0.1$"] == (str(SLIDES[15][4]), str(EXACT[15][3]))
    assert f"entry for 0.05, where {EXACT[15][4]} would be right" in box
    assert EXACT[6][1] == 0  # "with n = 6 and 0.05 it is 0"
    for name in ("00_start_here", "01_paired_t", "04_anova", "05_friedman", "05b_post_hoc"):
        assert "(02_wilcoxon.ipynb#Errata-of-the-slides)" in (Path(__file__).parents[2] / "notebooks" / f"{name}.ipynb").read_text(
            encoding="utf-8"
        )
