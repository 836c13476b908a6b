"""The mechanism: toy procedures, each just large enough to show one property of steps."""

import copy
import pickle
import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from shortcuts import assert_raises, parametrize

from fstats.core.procedure import Procedure
from fstats.core.step import NotStated, input_field, step
from fstats.core.validation import check
from fstats.render import latex


def row_of(test, name):
    """The line of the worked example with this name."""
    return next(row for row in test.worked() if row.name == name)


def names(test):
    """The names of all lines, in their order."""
    return [row.name for row in test.worked()]


class Spread(Procedure):
    """Toy: how far do the numbers lie from a centre?

    The steps are declared bottom up on purpose: the order of explanation comes from the formulas.
    """

    x: object = input_field("x_i", "The numbers.", over="i", check=check.scores)
    center: str = input_field(r"\text{centre}", "Which centre.", check=check.choice("mean", "zero"), default="mean", kw_only=True)

    @step("v", r"\frac{$square}{$n}", after=True)
    def variance(self):
        """Mean square; it is shown after the total although the total does not need it."""
        return self.square / self.n

    @step("q", {"mean": r"\sum_i ($x - $mean)^2", "zero": r"\sum_i $x^2"}, by="center", check=check.nonnegative)
    def square(self):
        """Sum of squares about the centre."""
        return ((self.x - self.mean) ** 2).sum(0) if self.center == "mean" else (self.x**2).sum(0)

    @step("m", r"\frac{1}{$n} \sum_i $x")
    def mean(self):
        """Mean."""
        return self.x.sum(0) / self.n

    @step("n", r"\#\{i : $x\}", check=check.count(2))
    def n(self):
        """How many numbers there are."""
        return len(self.x)


# -- values -----------------------------------------------------------------------------------------------------------
def test_a_step_is_computed_once():
    calls = []

    class Counted(Procedure):
        """Toy."""

        @step("y", "2")
        def y(self):
            """Two."""
            calls.append("y")
            return 2

    test = Counted()
    assert (test.y, test.y, calls) == (2, 2, ["y"])


def test_values_and_order_of_the_steps_of_a_toy():
    assert (Spread.mean.symbol, Spread.mean.sentence, Spread.square.slots) == ("m", "Mean.", ("x", "mean"))
    test = Spread([1, 2, 6])
    assert (test.n, test.mean, test.square) == (3, 3, 14)
    assert (test.variance, list(Spread.steps)) == (14 / 3, ["n", "mean", "square", "variance"])
    assert names(Spread([1, 2, 6])) == ["x", "center", "n", "mean", "square", "variance"]


# -- order ------------------------------------------------------------------------------------------------------------
def test_a_variant_that_changes_one_step_keeps_its_place():
    class Sample(Spread):
        """Toy: the same, but ..."""

        @step("m", r"\frac{1}{$n - 1} \sum_i $x")
        def mean(self):
            """A slip: divided by n - 1."""
            return self.x.sum(0) / (self.n - 1)

    assert (list(Sample.steps), Sample([1, 2, 6]).mean) == (list(Spread.steps), 4.5)
    assert row_of(Sample([1, 2, 6]), "mean").sentence == "A slip: divided by n - 1."
    assert Spread([1, 2, 6]).mean == 3  # the original is as it was


def test_steps_of_an_ending_class_close_every_procedure():
    class Closing(Procedure, ending=True):
        """Toy family."""

        @step("c", "$y > 0", relation=r"\iff")
        def decision(self):
            """Whether y is positive."""
            return self.y > 0

        @step("y")
        def y(self):
            """To be said by each member."""
            raise TypeError("say y")

    class Member(Closing):
        """Toy."""

        @step("z", "1")
        def z(self):
            """One."""
            return 1

        @step("y", "2 $z")
        def y(self):
            """Twice z."""
            return 2 * self.z

    assert list(Member.steps) == ["z", "y", "decision"]


def test_an_unknown_slot_is_refused_when_the_class_is_made():
    with pytest.raises(TypeError, match=r"the formula of Wrong\.y names an unknown step or input, x_i \(write \$\{x\}_i, not \$x_i\)"):

        class Wrong(Procedure):
            """Toy."""

            x: object = input_field("x", "Numbers.")

            @step("y", "$x_i + 1")
            def y(self):
                """One more."""
                return self.x + 1


# -- formulas ---------------------------------------------------------------------------------------------------------
def test_the_formula_depends_on_the_setting():
    about_mean, about_zero = (row_of(Spread([1, 2, 6], center=center), "square") for center in ("mean", "zero"))
    assert (about_mean.formula, about_mean.value) == (r"\sum_i (x_i - m)^2", 14)
    assert (about_zero.formula, about_zero.value) == (r"\sum_i x_i^2", 41)


def test_a_row_that_holds_only_for_one_setting():
    class Halves(Procedure):
        """Toy."""

        x: object = input_field("x", "A number.")
        way: str = input_field("w", "Which way.", default="whole", kw_only=True)

        @step("h", r"\frac{$x}{2}", by="way", only="half")
        def half(self):
            """Half of x."""
            return self.x / 2

    assert (names(Halves(3)), names(Halves(3, way="half"))) == (["x", "way"], ["x", "way", "half"])


class Numbers(Procedure):
    """Toy: every way in which numbers stand in a formula."""

    a: object = input_field("a", "First.")
    b: object = input_field("b", "Second.")

    @step("s", "$a - $b")
    def minus(self):
        """Difference."""
        return self.a - self.b

    @step("r", "$a^2 + $b^2")
    def squares(self):
        """Sum of squares."""
        return self.a**2 + self.b**2

    @step("p", r"$a $b")
    def product(self):
        """Product."""
        return self.a * self.b

    @step("u", r"2\,$a")
    def twice(self):
        """Twice a."""
        return 2 * self.a

    @step("k", r"$a \leq $b", relation=r"\iff")
    def smaller(self):
        """Whether a is at most b."""
        return self.a <= self.b

    @step("f", r"\frac{$a}{$b}")
    def quotient(self):
        """Quotient."""
        return self.a / self.b


@parametrize(
    "a, b, name, substituted",
    (5, 3, "minus", "5 - 3"),
    (5, -3, "minus", r"5 - \left(-3\right)"),  # a negative number after a sign stands in parentheses
    (-5, 3, "minus", "-5 - 3"),  # but not at the beginning
    (5, 3, "squares", "5^2 + 3^2"),
    (-5, 3, "squares", r"\left(-5\right)^2 + 3^2"),  # before a power: or -5^2 would be -25
    (0.5, 3, "squares", r"\left(0.5\right)^2 + 3^2"),
    (12, 6, "product", r"12 \cdot 6"),  # a dot, or it would read 126
    (12, -6, "product", r"12 \cdot \left(-6\right)"),
    (3, 1, "twice", r"2\,\cdot 3"),
    (2, -3, "smaller", r"2 \leq -3"),  # after a relation neither a dot nor parentheses
    (-2, 4, "quotient", r"\frac{-2}{4}"),  # nor in a fraction of its own
    (1 / 3, 1e9, "quotient", r"\frac{0.3333}{1 \times 10^{9}}"),  # four digits,
)
def test_numbers_in_a_formula(a, b, name, substituted):
    assert row_of(Numbers(a, b), name).substituted == substituted


@pytest.mark.parametrize("repetitions", [1, 2])
def test_symbols_stay_for_a_batch(repetitions):
    row = row_of(Numbers(np.ones(repetitions), np.ones(repetitions)), "product")
    assert row.substituted == row.formula == "a b"
    assert row.is_batch


def test_sums_are_written_out_if_short():
    assert row_of(Spread([1, -2, 6]), "mean").substituted == r"\frac{1}{3} (1 - 2 + 6)"
    assert row_of(Spread(range(8)), "mean").substituted == r"\frac{1}{8} (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7)"
    assert row_of(Spread(range(9)), "mean").substituted == r"\frac{1}{9} \sum_i x_i"
    assert row_of(Spread([1, -2, -5]), "square").substituted == r"\sum_i (x_i - \left(-2\right))^2"


def test_a_sum_over_a_condition_is_written_out():
    class Gain(Procedure):
        """Toy."""

        d: object = input_field("d_i", "Differences.", over="i", check=check.scores)

        @step("g", r"\sum_{$d > 0} $d")
        def gain(self):
            """Sum of what is positive."""
            return self.d[self.d > 0].sum()

    assert row_of(Gain([2, -3, 0, 5]), "gain").substituted == "2 + 5"
    assert row_of(Gain([-2, -3]), "gain").substituted == "0"  # the empty sum


# -- steps over indices -----------------------------------------------------------------------------------------------
class Ladder(Procedure):
    """Toy, like Holm: sorted p-values against a ladder of levels."""

    p: object = input_field("p_i", "p-values.", over="i", check=check.numbers)
    alpha: float = input_field(r"\alpha", "Level.", check=check.level, default=0.05, kw_only=True)

    @step("p_{(j)}", r"\mathrm{sort}\,$p", over="j")
    def rungs(self):
        """The p-values in ascending order."""
        return np.sort(self.p, axis=0)

    @step("a_j", r"\frac{$alpha}{m + 1 - j}", over="j")
    def levels(self):
        """The level of each rung; m is the number of rungs."""
        m = len(self.p)
        return self.alpha / (m - np.arange(m))

    @step(r"\text{reject}_j", r"$rungs \leq $levels", over="j", relation=r"\iff")
    def rejects(self):
        """Whether the rung, and each below it, holds."""
        levels = self.levels.reshape(-1, *(1,) * (self.rungs.ndim - 1))
        return np.logical_and.accumulate(self.rungs <= levels, axis=0)


def test_columns_form_tables():
    test = Ladder([0.04, 0.01, 0.02])
    assert (test.rungs.tolist(), test.levels.tolist()) == ([0.01, 0.02, 0.04], [0.05 / 3, 0.05 / 2, 0.05])
    assert test.rejects.tolist() == [True, True, True]
    rows = [row_of(test, name) for name in ("rungs", "levels", "rejects")]
    assert all(row.is_column and not row.is_batch for row in rows)
    assert rows[2].substituted == r"0.01 \leq 0.01667"  # of the first rung
    assert "p_i" in rows[0].formula  # an index of its own: the symbol stays
    text = repr(Ladder([0.04, 0.01]))
    assert "j  rungs  levels  rejects\n  1   0.01   0.025      yes\n  2   0.04    0.05      yes" in text
    html = Ladder([0.04, 0.01])._repr_html_()
    assert html.count('<table class="fstats-data">') == 2  # one over i, one over j


class Ranks(Procedure):
    """Toy, like Friedman: ranks within each row of a table."""

    scores: object = input_field("s_{ij}", "Scores: data sets by classifiers.", over="ij", check=check.scores)

    @step("r_{ij}", r"\mathrm{rank}_j\,$scores", over="ij")
    def ranks(self):
        """Rank of each classifier on each data set, 1 = best."""
        return (self.scores[:, None] > self.scores[:, :, None]).sum(2) + 1.0

    @step("N", r"\#\{i : $scores\}", check=check.count(2))
    def n(self):
        """Number of data sets."""
        return len(self.scores)

    @step(r"\bar r_j", r"\frac{1}{$n} \sum_i $ranks", over="j")
    def mean_ranks(self):
        """Mean rank of each classifier."""
        return self.ranks.sum(0) / self.n


TABLE = [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.7, 0.9, 0.8]]


def test_tables_are_shown_cell_by_cell():
    test = Ranks(TABLE)
    assert test.ranks.tolist() == [[1, 2, 3], [1, 2, 3], [3, 1, 2]]
    np.testing.assert_allclose(test.mean_ranks, [5 / 3, 5 / 3, 8 / 3])
    row = row_of(test, "ranks")
    assert row.substituted == row.formula == r"\mathrm{rank}_j\,s_{ij}"  # no single number stands for a table
    assert not row.is_batch
    assert not row.is_column
    html = Ranks(TABLE)._repr_html_()
    for i in range(3):
        for j in range(3):
            assert f'data-step="ranks[{i},{j}]"' in html
    assert "  i  1  2  3\n  1  1  2  3\n  2  1  2  3\n  3  3  1  2" in repr(Ranks(TABLE))


def test_over_of_another_step_follows_it():
    class Twice(Procedure):
        """Toy."""

        x: object = input_field("x_i", "Numbers.", over="i", check=check.scores)

        @step("y_i", "2 $x", over="$x")
        def y(self):
            """Twice x, for each i."""
            return 2 * self.x

    assert Twice.over("y") == "i"
    assert row_of(Twice([3, 4]), "y").is_column


# -- following another procedure ------------------------------------------------------------------------------------
class Doubled(Procedure):
    """Toy that follows another procedure: its input is a step of Spread."""

    mean: object = input_field("m", "A mean.", check=check.numbers)

    @step("t", "2 $mean")
    def twice(self):
        """Twice the mean."""
        return 2 * self.mean


def test_from_steps_and_following():
    test = Doubled.following(Spread([1, 2, 6]))
    assert test.twice == 6
    assert test.square == 14  # a step of the other procedure, read here
    assert names(test) == ["x", "center", "n", "mean", "square", "variance", "twice"]
    assert row_of(test, "mean").kind == "step"  # shown as it was found, not once more as given
    test = Doubled.following(Spread(np.array([[1.0, 5.0], [2.0, 5.0], [6.0, 8.0]])))
    assert ([test.at(r).twice for r in (0, 1)], test.at(1).square) == ([6, 12], 6)
    again = pickle.loads(pickle.dumps(test))
    assert (names(again), again.square.tolist()) == (names(test), test.square.tolist())
    test = Spread.from_steps(square=14, n=3)
    assert (test.variance, names(test)) == (14 / 3, ["center", "n", "square", "variance"])
    assert [row.kind for row in test.worked()] == ["setting", "stated", "stated", "step"]
    with pytest.raises(
        NotStated, match=r"Spread\.variance cannot be computed: .*the computation needs x \(The numbers\), but .* stated .*\bn\b"
    ):
        _ = Spread.from_steps(n=3).variance
    assert_raises(lambda: Spread.from_steps(median=3), r"Spread has no 'median'; it has .*x, .*mean, .*variance", TypeError)


# -- from summaries, and with errors carried forward -------------------------------------------------------------------
@pytest.mark.parametrize("value", [float("nan"), np.float64("nan"), [1.0, float("nan")], np.array([float("nan")])])
def test_from_steps_refuses_nan(value):
    assert_raises(lambda: Spread.from_steps(mean=value), "`mean` must be a number; got nan. Leave out unknown values")


@pytest.mark.parametrize("value", ["3", None, ["a", "b"]])
def test_from_steps_refuses_what_is_no_number(value):
    assert_raises(lambda: Spread.from_steps(mean=value), r"`mean` must hold numbers; got .*, or leave out `mean`", TypeError)


@parametrize(
    "stated, message",
    ({"n": 1}, "`n` must be at least 2; got 1"),
    ({"n": 2.5}, "`n` must be a count .*; got 2.5"),
    ({"square": -1}, "`square` cannot be negative; got -1"),
    ({"x": [1.0]}, "`x` must hold the scores of at least 2 data sets; got 1"),
    ({"center": "median"}, "`center` must be 'mean' or 'zero'; got 'median'"),
)
def test_from_steps_makes_the_checks_of_the_constructor(stated, message):
    assert_raises(lambda: Spread.from_steps(**stated), message)


def test_from_steps_takes_lists_and_copies_arrays():
    mine = np.array([0.02, 0.04])
    test = Ladder.from_steps(rungs=mine, levels=[0.025, 0.05])
    mine[0] = 1
    assert (test.rungs.tolist(), test.rejects.tolist()) == ([0.02, 0.04], [True, True])


def test_assuming_and_at():
    test = Spread([1, 2, 6])
    wrong = test.assuming(mean=2)
    assert (wrong.mean, wrong.square, wrong.variance) == (2, 17, 17 / 3)  # 1 + 0 + 16
    assert wrong.stated == ("mean",)
    assert test.mean == 3  # the original is as it was
    test = Spread([1, 2, 6], center="zero").assuming(n=4).assuming(square=8)
    assert (test.center, test.n, test.variance) == ("zero", 4, 2)
    batch = Spread(np.arange(24.0).reshape(4, 3, 2))
    one = batch.at(2, 1)
    assert one.x.tolist() == [5, 11, 17, 23]
    assert one.mean == batch.mean[2, 1] == 14
    assert one.n == batch.n == 4
    assert Spread.from_steps(square=np.array([14.0, 41.0]), n=3).at(1).variance == 41 / 3


# -- nothing changes under your hands -----------------------------------------------------------------------------------
def test_nothing_of_a_procedure_can_be_changed():
    test = Spread([1, 2, 6])
    for name in ("x", "center", "mean", "new"):
        with pytest.raises(FrozenInstanceError):
            setattr(test, name, 3)
    with pytest.raises(FrozenInstanceError):
        del test.x
    test = Ladder([0.04, 0.01])
    for array in (test.p, test.rungs, test.levels, test.rejects):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    mine = np.array([1.0, 2.0, 6.0])
    test = Spread(mine)
    mine[0] = 100
    assert test.x.tolist() == [1, 2, 6]
    mine[0] = 1  # the caller's array is still the caller's: it can be written to
    assert test.mean == 3


ROUND_TRIPS = {
    "pickle": lambda test: pickle.loads(pickle.dumps(test)),
    "the oldest pickle": lambda test: pickle.loads(pickle.dumps(test, protocol=0)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "a worker process sends it back": lambda test: pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(test)))),
}


@pytest.mark.parametrize("trip", ROUND_TRIPS.values(), ids=ROUND_TRIPS.keys())
@pytest.mark.parametrize("computed", [False, True])
def test_round_trips_keep_values_and_read_only_arrays(trip, computed):
    test = Ladder([0.04, 0.01, 0.02], alpha=0.1).assuming(levels=[0.01, 0.02, 0.03])
    if computed:
        _ = test.rejects
    again = trip(test)
    assert again is not test
    assert (again.alpha, again.stated) == (0.1, ("levels",))
    for name in ("p", "rungs", "levels", "rejects"):
        assert np.array_equal(getattr(again, name), getattr(test, name))
        assert not getattr(again, name).flags.writeable


# -- errors inside a step are seen --------------------------------------------------------------------------------------
def test_attribute_errors():
    class Typo(Procedure):
        """Toy."""

        x: object = input_field("x", "A number.")

        @step("y", "$x")
        def y(self):
            """A slip of the pen."""
            return self.x.smu()

    assert_raises(lambda: Typo(3).y, r"the computation of Typo\.y failed: .*'smu'", RuntimeError)
    with pytest.raises(AttributeError, match=r"Spread has no 'maen': did you mean 'mean'\? It has x, center, n, mean, square, variance"):
        _ = Spread([1, 2, 6]).maen
    assert not hasattr(Spread([1, 2, 6]), "maen")


# -- words, lines, and what few ask for ------------------------------------------------------------------------------------
class Told(Procedure):
    """A formula in words, and a step that few ask for."""

    n: int = input_field("n", "How many.")
    share: float = input_field("r", "A share.")

    @step("P", r"P(\text{reject}) <- $n, $share")
    def power(self):
        """How often."""
        return self.n * self.share

    @step(r"\mathrm{SE}", r"\sqrt{\frac{$power}{$n}}", relation=r"\approx")
    def se(self):
        """How sure."""
        return (self.power / self.n) ** 0.5

    @step(r"\omega", "2 $n", aside=True)
    def weight(self):
        """A weight."""
        return 2 * self.n

    @step("x_i", r"i \text{-th root of } $weight", over="i", aside=True)
    def roots(self):
        """Two numbers."""
        return np.array([1.0, 2.0]) * self.weight

    @step("w_i", r"\text{words} <- $roots", over="i")
    def words(self):
        """Two more."""
        return self.roots + 1


def test_what_is_displayed_of_formulas():
    assert Told.power.slots == ("n", "share")
    row = row_of(Told(4, 0.25), "power")
    assert row.formula == row.substituted == r"P(\text{reject})"
    assert latex.equation(row) == r"P = P(\text{reject}) = 1"
    assert latex.equation(row_of(Told(4, 0.25), "words")) == r"w_i = \text{words}; \quad i = 1: \ 9"  # words say nothing twice
    assert latex.equation(row_of(Told(4, 0.25), "se")) == r"\mathrm{SE} \approx \sqrt{\frac{P}{n}} \approx \sqrt{\frac{1}{4}} \approx 0.5"
    assert latex.equation_parts(row_of(Told(4, 0.25), "weight")) == [r"\omega = 2 n", r"= 2 \cdot 4", "= 8"]
    assert latex.equation_parts(row_of(Told(4, 0.25), "roots"))[1].startswith(r"\quad i = 1: \ ")
    before, folded = Told(4, 0.25)._repr_html_().split("<details>")
    assert "<summary>Further steps: <code>weight</code>, <code>roots</code></summary>" in folded
    assert all(f'data-step="{name}"' in before and f'data-step="{name}"' not in folded for name in ("power", "se", "words[0]"))
    assert all(f'data-step="{name}"' in folded and f'data-step="{name}"' not in before for name in ("weight", "roots[1]"))
    assert "weight = 8" in repr(Told(4, 0.25))  # a terminal has nothing to unfold


def test_a_value_has_a_place_that_its_formula_cannot_take():
    """The table is as wide as the page, its cells keep their widths, and what is too wide scrolls in its own one."""
    shown = Told(4, 0.25)._repr_html_()
    assert 'style="table-layout:fixed;width:100%"' in shown
    for line in re.findall(r"<tr>.*?</tr>", shown):
        cells = re.findall(r"<(?:th|td)([^>]*)>", line)
        if "fstats" not in line and "<code>power" in line:
            assert len(cells) == 3
            assert "width:18%" in cells[2]
            assert "overflow-x:auto" in line
