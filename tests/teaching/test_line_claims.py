"""What a reply claims of a line holds on other data, too; a line that no change makes right is compared with the formula."""

from __future__ import annotations

import numpy as np
import pytest
from test_first_line_reply import first_reply
from test_student_lines import marked, reply

import fstats
from fstats.teaching.grading.student_lines import evaluation_limits
from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.student_lines.evaluation_limits import Budget, NotRead
from fstats.teaching.grading.student_lines.pure_evaluator import PureEvaluator

ONLY = "Only the marked part"


@pytest.mark.parametrize(
    ("name", "key", "code", "words", "never"),
    [
        # an entry that is right belongs to the answer
        ("five_by_two", "q12", "f_degrees = [d.shape[1], d.shape[0]]", "1 of 2 entries are right", "d.shape[0]` (degrees"),
        # a number of other data that agrees by chance
        ("simulate_a_type_one_error", "q3", "r = 4 * stats.t.sf(stats.t.ppf(1 - alpha, n - 1), n - 1)", "twice", "another step"),
        # a function and its divisor are two changes
        ("corrected_resampled_t", "q3", "v = np.var(d, ddof=1)\nse = v / np.sqrt(14)", "With another value of the marked part", ONLY),
        # a name whose line holds the slips, and a sign before the marked part
        ("corrected_resampled_t", "q4", "s = d.std()\ne = s / len(d)\nt = mean / e", "comes from here: `e = s / len(d)`", "More than"),
        ("wilcoxon_by_hand", "q5", "r = stats.rankdata(abs(d))\nw = -r[d < 0].sum()", "With another value of the marked part", ONLY),
        # a typed sum of two counts follows the data
        ("corrected_resampled_t", "q8", "rho = n_test / 1000\nr = rho / (1 + rho)", ONLY, "More than one"),
        # rounding that changes nothing, or only noise
        ("write_your_own_test", "q7", "p = stats.wilcoxon(np.round(a - b, 10), method='approx').pvalue", "normal", "You round"),
        ("read_a_published_comparison", "q14", "D = n10_most - round(500 * 0.13)\ns = [(D - 2) / (D + 130), D]", "entr", "You round"),
        # one of two changes has no effect on these data
        (
            "folds_are_not_independent",
            "q11",
            "m = round(mean)\nlimit = m / (np.sqrt(0.25) * sd)",
            "comes from here: `m = round(mean)`",
            "More",
        ),
        # a list of yes and no with an entry that is always no on other data
        ("one_or_two_sided", "q9", "rejects = [t >= c_anna, t <= -c_anna, t >= c_anna]", "`c_anna` (Anna's critical value)", ONLY),
        # the function of the question; a count on which the distribution depends
        ("contingency_from_predictions", "q6", "p = stats.binomtest(int(min(n01, n10)), len(y_true)).pvalue", "toss", "it is not the calc"),
        (
            "wilcoxon_by_hand",
            "q9",
            "t = np.array([np.dot(c, ranks[d != 0]) for c in product([0, 1], repeat=n)])\np = np.sum(t < w) / 2**n",
            "P(the statistic < W)",
            "not in",
        ),
        # a mistake with the same number whose wrong or missing quantity is right in the line
        ("bayesian_comparison", "q3", "s = np.sqrt(1 / len(d) + rho / 1 - rho) * sd", "Parentheses are missing here", "as if the folds"),
        ("bcv_mcnemar", "q4", "k = round(t)\ne = k * mean", "comes from here: `k = round(t)`", "uncorrelated"),
        # a factor of 2 that comes from a count
        ("friedman_and_nemenyi", "q2", "mean_ranks = ranks.sum(axis=0) / k", "Only the marked part", "both sides"),
        # of two mistakes with one number, the one that the line makes
        (
            "holms_ladder",
            "q2",
            "b = []\nfor q in pvalues:\n    b.append(min(1, (m - 1) * q))\nb = np.array(b)",
            "You multiplied by m - 1",
            "at most alpha.",
        ),
    ],
)
def test_a_claim_that_other_data_refute_is_not_made(name: str, key: str, code: str, words: str, never: str) -> None:
    """Each reply says what is true, and not what only these data seem to show."""
    said = repr(first_reply(name, key, code))
    assert words in said
    assert never not in said


def test_a_decision_that_agrees_by_chance_is_no_proof() -> None:
    """A yes or no agrees with many changes: the changed sides must be numbers of the formula."""
    said = first_reply("simulate_a_type_one_error", "q7", "differs = bool(abs(distance) >= 2.576)")
    assert marked(said) == "2.576"
    said = first_reply("wilcoxon_by_hand", "q10", "reject = bool(w >= critical_value)")
    assert marked(said) == ">="


@pytest.mark.parametrize(
    ("name", "key", "code", "words"),
    [
        (
            "paired_t_by_hand",
            "q7",
            "alpha, n = 0.05, len(d)\nc = stats.t.ppf(1 - alpha, n)",
            "the probability (`1 - alpha`); the degrees of freedom (`n`)",
        ),
        (
            "friedman_and_nemenyi",
            "q7",
            "e = N - 1\nc = stats.f.ppf(1 - 0.05, k - 1, e)",
            "formula has: the degrees of freedom below (`e`).",
        ),
        ("hack_a_verdict", "q11", "p = stats.t.sf(T[found[0]], 9)", "formula has: the degrees of freedom (`9`)."),
        (
            "paired_t_by_hand",
            "q9",
            "reject = t >= 1.96",
            "Your line compares `t` (mean difference divided by the standard error) with `1.96`",
        ),
        (
            "not_significant_is_not_equivalent",
            "q10",
            "r = bool(p > 0.05)",
            "compares `p` (your answer to q3) with `0.05`; the question compares",
        ),
        (
            "contingency_from_predictions",
            "q10",
            "x, y = table[0][1], table[1][0]\nc = abs(x - y) / (x + y)",
            "the next operation with `abs(x - y)`",
        ),
        (
            "bayesian_comparison",
            "q8",
            "h = rope / scale\ni = stats.t.cdf(h, len(d) - 1) - stats.t.cdf(-h, len(d) - 1)",
            "value of: mean difference",
        ),
        ("hack_a_verdict", "q18", "none = stats.hypergeom.pmf(0, seeds, K, halvings)", "a drawn case is not put back; the formula"),
        ("wilcoxon_by_hand", "q9", "p = stats.wilcoxon(a, b, method='approx').pvalue", "computes an approximate p-value here"),
        ("analysis_of_variance", "q17", "s = ss_error + ss_classifiers", ONLY),
        ("friedman_and_nemenyi", "q5", "num = (k - 1) * chi_squared\nF = num / (k * (N - 1) - chi_squared)", "`k` and `N` are exchanged"),
        ("hack_a_verdict", "q9", "m = np.log(1 - chance) / np.log(1 - q)", "asks for a whole number"),
    ],
)
def test_a_line_is_compared_with_the_formula(name: str, key: str, code: str, words: str) -> None:
    """Arguments of distributions, sides of a decision, the first operation that the formula lacks, missing and foreign quantities."""
    assert words in repr(first_reply(name, key, code))


@pytest.mark.parametrize(
    ("name", "key", "code"),
    [
        ("bcv_mcnemar", "q6", "s = abs(effective[0] - effective[1]) - 1**2 / effective.sum()"),
        ("contingency_from_predictions", "q8", "p = (2 * 1 / 2) ** abs(n10 - n01)"),
        ("language_models", "q4", "G = 4\ni = G / G - 1 * (u**2).sum()\ns = math.sqrt(abs(i)) / len(a)"),
    ],
)
def test_one_pair_of_parentheses_is_added_or_moved(name: str, key: str, code: str) -> None:
    """The smallest change of parentheses that makes a line right is found."""
    assert "Parentheses are missing here, or stand in the wrong place" in repr(first_reply(name, key, code))


def test_equal_parts_are_changed_together() -> None:
    """One typed number that is wrong in two places is one slip."""
    code = 'tp = printed["t_printed"]\nr = [2 * stats.t.sf(tp + 0.05, n - 1), 2 * stats.t.sf(tp - 0.05, n - 1)]'
    said = first_reply("read_a_published_comparison", "q5", code)
    assert marked(said) == "0.05"
    assert "in each place where it stands" in repr(said)


def test_a_large_mark_comes_with_words() -> None:
    """A mark under nearly the whole line shows too little."""
    assert "Parentheses are missing here" in repr(
        first_reply("corrected_resampled_t", "q2", "sd = np.sqrt(((d - mean) ** 2).sum() / len(d) - 1)")
    )


def test_statements_change_only_copies() -> None:
    """Loops and functions that change names change no value of the notebook, of the data, or of another part."""
    task = fstats.exercise("paired_t_by_hand")
    d = np.array([1.0, 2.0, 3.0])
    cells = [
        "from fstats import exercise\ntask = exercise('paired_t_by_hand')\nd = np.array([1.0, 2.0, 3.0])\nr = [[1, 2], [3, 4]]",
        "for i in range(2):\n    e = d\n    e[0] += 5\n    r[1][0] += 1\n    x = task.data['a']\n    x[0] = 99\n    r.append(i)",
        "def f(v):\n    v[0] = 7\n    return v[0] + v[1]",
        "y = f(d) + e[0] + r[1][0] + x[0] + len(r)\ncheck('q2', y)",
    ]
    line = line_in_cells(cells, "q2", {"d": d})
    assert line is not None
    data = {name: np.array(value) for name, value in task.data.items()}
    before = {name: value.copy() for name, value in data.items()}
    world = PureEvaluator(line.history, data, {"d": d}, lambda _: None, Budget(10_000))
    assert world.value(line.definition.tree, line.history.time) == 9 + 11 + 5 + 99 + 4  # as Python has it, but f(d) has its own copy of d
    assert d.tolist() == [1.0, 2.0, 3.0]
    assert all(np.array_equal(before[name], value) for name, value in data.items())


def test_the_work_of_a_reply_does_not_depend_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is counted: a machine a hundred times as slow gives the same reply; the clock stops only what takes seconds."""
    slow = {"now": 0.0}

    def process_time() -> float:
        slow["now"] += 0.004  # each look at the clock
        return slow["now"]

    fast = repr(reply("q3", "sd = np.sqrt(((d + m) ** 2).sum() / n)"))
    monkeypatch.setattr(evaluation_limits.time, "process_time", process_time)
    assert repr(reply("q3", "sd = np.sqrt(((d + m) ** 2).sum() / n)")) == fast
    with pytest.raises(NotRead):
        spend_for_ever(Budget(10**9))


def spend_for_ever(budget: Budget) -> None:
    """Spend small amounts of work."""
    while True:
        budget.spend(100)
