"""What a reply claims of a line holds on other data, too; a line that no change makes right is compared with the formula."""

from __future__ import annotations

import numpy as np
import pytest
from test_first_line_reply import REPLIES, first_reply
from test_student_lines import marked, reply

import fstats
from fstats.teaching.grading.student_lines import evaluation_limits
from fstats.teaching.grading.student_lines.code_history import line_in_cells
from fstats.teaching.grading.student_lines.evaluation_limits import Budget, NotRead
from fstats.teaching.grading.student_lines.pure_evaluator import PureEvaluator


def test_a_decision_that_agrees_by_chance_is_no_proof() -> None:
    """A yes or no agrees with many changes: the changed sides must be numbers of the formula."""
    said = first_reply("simulate_a_type_one_error", "q7", "differs = bool(abs(distance) >= 2.576)")
    assert marked(said) == "2.576"
    said = first_reply("wilcoxon_by_hand", "q10", "reject = bool(w >= critical_value)")
    assert marked(said) == ">="


@pytest.mark.parametrize(("name", "key", "code", "words"), REPLIES["compares"])
def test_a_line_is_compared_with_the_formula(name: str, key: str, code: str, words: str) -> None:
    """Arguments of distributions, sides of a decision, the first operation that the formula lacks, missing and foreign quantities."""
    assert words in repr(first_reply(name, key, code))


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
