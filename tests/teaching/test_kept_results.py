"""What no answer changes is computed once for a question, and a reply does not depend on the answers of others before it."""

from typing import Any

import numpy as np
import pytest

import fstats
from fstats.teaching.grading.mistakes.right_calculation import RightCalculation
from fstats.teaching.grading.question import Question
from fstats.teaching.grading.task import Task


def answered(task: Task, question: Question, is_rounded: bool) -> Task:
    """The task with right answers to all questions before this one: with all digits, or with four."""
    for other in task.exercise.questions[: task.exercise.questions.index(question)]:
        if isinstance(other, Question):
            value = getattr(task.test_of(other), other.step)
            is_decimal = is_rounded and np.asarray(value).dtype.kind == "f"
            task.check(other.key, np.vectorize(lambda x: float(f"{x:.4g}"))(value)[()] if is_decimal else value)
    return task


@pytest.mark.complete
@pytest.mark.parametrize("is_rounded", [False, True])
@pytest.mark.parametrize("name", ["paired_t_by_hand", "friedman_and_nemenyi", "corrected_resampled_t"])
def test_a_reply_is_that_of_a_task_that_has_seen_no_other_answer(name: str, is_rounded: bool) -> None:
    """Numbers near the right one, and named mistakes, one after the other, with and without right answers before them."""
    rng, used, told = np.random.default_rng(5), fstats.exercise(name), 0
    for question in (one for one in used.exercise.questions if isinstance(one, Question)):
        right: Any = getattr(used.test_of(question), question.step)
        if np.asarray(right).dtype.kind not in "iuf":
            continue
        wrong = [getattr(used.test_with_mistake(slip), question.step) for slip in used.exercise.mistakes_at(question)[:3]]
        wrong += [right * 2, right / 3, *(float(f"{x:.4g}") for x in np.max(right) * np.exp(rng.normal(0, 1, 3)) if not np.ndim(right))]
        for answer in wrong:
            replies = [
                [repr(task.check(question.key, answer)), repr(answered(task, question, is_rounded).check(question.key, answer))]
                for task in (used.fresh(), fstats.exercise(name))
            ]
            assert replies[0] == replies[1]
            told += 1
    assert told > 40


@pytest.mark.parametrize("name", ["analysis_of_variance", "language_models", "paired_t_by_hand", "unstable_learners"])
def test_the_second_wrong_number_computes_no_slip_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most time of a reply is the right calculation with one changed part; these values are kept."""
    computed, changed = list[int](), RightCalculation.changed
    monkeypatch.setattr(RightCalculation, "changed", lambda self, *edits: (computed.append(1), changed(self, *edits))[1])
    task, counts = fstats.exercise(name), list[tuple[int, int]]()
    for question in (one for one in task.exercise.questions if isinstance(one, Question)):
        right = getattr(task.test_of(question), question.step)
        if np.asarray(right).dtype.kind == "f" and not np.ndim(right):
            seen = [len(computed)]
            for factor in (1.2345678901, 1.3456789012):
                task.fresh().check(question.key, float(right) * factor)
                seen.append(len(computed))
            counts.append((seen[1] - seen[0], seen[2] - seen[1]))
    first, second = np.sum(counts, axis=0)
    assert 10 * second < first
