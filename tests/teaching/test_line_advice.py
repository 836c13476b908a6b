"""Advice on lines of students: nothing false is said of a number, a part or a rounding."""

import numpy as np
import pytest
from test_student_lines import START, reply

import fstats

FRIEDMAN = START.replace("paired_t_by_hand", "friedman_and_nemenyi").partition("a, b =")[0] + (
    'scores = task.data["scores"]\nN, k = scores.shape\nranks = stats.rankdata(-scores, axis=1)\ncheck("q1", ranks)\n'
)
T_TEST = START + 't = m / (d.std(ddof=1) / np.sqrt(n))\ncheck("q5", t)\np = 2 * stats.t.sf(abs(t), n - 1)\ncheck("q8", p)\n'


@pytest.mark.parametrize(
    ("before", "key", "line", "said", "unsaid"),
    [
        (START, "q3", "sd = np.sqrt(sum((d - m)**2) / 6) * 2", "You typed 6 here. Another number belongs here.", "does not fit these data"),
        (START, "q3", "sd = np.sqrt(sum((d - m)**2) / 6) * 2", "Parts of your line that have the value of a known quantity", "FIT"),
        (START, "q3", "sd = np.sqrt(sum(d**2) - m**2 / 5)", "`d` (difference on each data set)", "the value of: number of data sets"),
        (START, "q5", "t = d.mean() / (d.std(ddof=1) / n)", "instead of the square root of n.", "at an earlier step"),
        (T_TEST, "q9", "reject = t > 0.05", "the question compares probability with", "The comparison is wrong here"),
        (FRIEDMAN, "q3", "C = ((ranks - 2.5)**2).sum() / N * k * (k**2 - 1) / 12", "Parentheses are missing here", "A part is missing"),
        (FRIEDMAN, "q3", "C = ((ranks - k / 2)**2).sum() / (N * k * (k**2 - 1) / 12)", "number is wrong by one.", "spent on an estimate"),
        (FRIEDMAN, "q3", "C = (ranks - 2.5).sum()**2 / (N * k * (k**2 - 1) / 12)", "", "too few digits"),
        (START, "q2", "mean = sum(d) / (n - 1)", "n - 1 below a mean", "three significant digits"),
    ],
)
def test_what_is_said_of_a_line_is_true_of_it(before: str, key: str, line: str, said: str, unsaid: str) -> None:
    """The second reply to the line, which says what is wrong with its marked part."""
    told = repr(reply(key, line, before=f'{before}{line}\ncheck("{key}", {line.partition(" =")[0]})\n'))
    assert said in told
    assert unsaid not in told


def test_the_place_of_a_wrong_entry_is_told_at_every_attempt() -> None:
    """Of a list of yes and no only the number of right entries is told, and not so often that a student can try the entries."""
    task = fstats.exercise("paired_t_by_hand")
    wrong = [*(task.data["a"] - task.data["b"])[:-1], 99]
    assert all(f"the first wrong entry is in position {len(wrong)}." in repr(task.check("q1", wrong)) for _ in range(5))
    task = fstats.exercise("contingency_from_predictions")
    right = task.data["pred_a"] == task.data["y_true"]
    told = [repr(task.check("q1", np.append(right[:-2], ~right[-2:]))) for _ in range(4)]
    assert [f"{len(right) - 2} of {len(right)} entries are right." in one for one in told] == [True, True, False, False]
    assert not any("position" in one for one in told)
