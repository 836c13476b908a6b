"""Exercise: get the verdict that somebody wants by the choice of a seed, and find out which tests give it as easily."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....plot.picture import Picture
from ....studies.fold_hacking.pictures import strip
from ....studies.fold_hacking.populations import PartitionScores
from ...grading.exercise import Exercise
from ...grading.mistake import written_in
from ...grading.question import Choice, Option, Question
from .steps import (
    ALL_SEEDS,
    CORRECTION,
    DECIDE,
    DIVISOR,
    FIVE_BY_TWO,
    HUNT,
    JUDGES,
    MANY,
    MCNEMAR,
    NULL,
    REPORT,
    SEEDS,
    STATISTIC,
    WRONG,
    Hacked,
    compared,
)

# Comparisons that have partitions for either side, of which those for A are rare.
COMPARISONS = (
    ("german", "KNN", "DTC"),
    ("german", "DTC", "KNN"),
    ("diabetes", "KNN", "DTC"),
    ("sonar", "GNB", "DTC"),
    ("iris", "GNB", "DTC"),
)
ROUNDED = 2.775, 2.78  # no count may depend on how far somebody rounds 2.776


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """A comparison, and a stretch of its seeds in which each verdict occurs, the wanted one rarely and not at once."""
    data_set, left, right = COMPARISONS[rng.integers(len(COMPARISONS))]
    while True:
        seeds = 500 * int(rng.integers(5, 15))
        first = int(rng.integers(50, 10_000 - seeds))
        t = compared(data_set, left, right).t[first : first + seeds]
        sizes = np.stack([abs(t), abs(t) / 1.5])
        steady = not ((sizes > ROUNDED[0]) & (sizes < ROUNDED[1])).any()
        wanted = np.flatnonzero(t >= ROUNDED[1])
        if steady and 2 <= len(wanted) <= 150 and wanted[0] >= 3 and (t <= -ROUNDED[1]).any():
            break
    # The partition to work by hand is always an undecided one: on any other, who looks at the sign of T alone would be right.
    undecided = np.flatnonzero((abs(t) > 0.7) & (abs(t) < 2.5))
    return {
        "data_set": data_set,
        "learner_a": left,
        "learner_b": right,
        "one": first + int(rng.choice(undecided)),
        "first": first,
        "seeds": seeds,
        "chance": float(rng.choice([0.9, 0.95, 0.99])),
        "halvings": 10 * int(rng.integers(12, 21)),
        "alpha": 0.05,
    }


def picture(test: Hacked) -> Picture:
    """How T is distributed over the seeds of one student, without the shares, which are asked for."""
    pair = compared(test.data_set, test.learner_a, test.learner_b)
    whole = pair.population
    mine = PartitionScores(whole.name, whole.mode, whole.right[test.first : test.first + test.seeds], whole.sizes)
    return strip(mine.pair(pair.left, pair.right), shares=False)


def named_otherwise(test: Hacked) -> dict[str, str]:
    """What a student may write for a learner, or for neither of them."""
    neither = dict.fromkeys(("none", "none of them", "no difference", "equal", "no verdict"), "neither")
    return neither | {"a": test.learner_a, "b": test.learner_b}


EXERCISE = Exercise(
    name="hack_a_verdict",
    test=Hacked,
    given={
        "data_set": "german",
        "learner_a": "KNN",
        "learner_b": "DTC",
        "one": 5016,
        "first": 5000,
        "seeds": 4000,
        "chance": 0.95,
        "halvings": 200,
        "alpha": 0.05,
    },
    draw=draw,
    picture=picture,
    questions=(
        Question("q1", "mean", SEEDS),
        Question("q2", "sd", DIVISOR),
        Question("q3", "statistic", STATISTIC),
        Question("q4", "critical_value", NULL),
        Question("q5", "claim", DECIDE, other_words=named_otherwise),
        Question("q6", "found", ALL_SEEDS, points=2),
        Question("q7", "rate", ALL_SEEDS),
        Choice(
            "q8",
            "What does this share tell you about the two learners?",
            (
                Option(
                    "What other partitions of these records say; nothing of other records, and it is no p-value.",
                    "All partitions cut the same records. A p-value speaks of data that "
                    "might have been drawn instead, and so must a claim.",
                ),
                Option(
                    "How likely it is that A is really better than B on records of this kind.",
                    "No test says how likely a hypothesis is, and no number of partitions "
                    "does: they all know the same records and no others.",
                    "a share of partitions for the probability of a hypothesis",
                ),
                Option(
                    "The p-value of the comparison, found by drawing partitions instead of from a table.",
                    "A p-value is worked out under H0, over data that might have been drawn. Here nothing "
                    "was drawn but the folds, and nobody knows whether H0 is true.",
                    "a share of partitions for a p-value",
                ),
                Option(
                    "The type I error of the test: it should be 0.05, half of that on each side.",
                    "That would need a true H0 and fresh records each time. These records are always the "
                    "same, and whether H0 is true of their source nobody knows.",
                    "a share of partitions for a type I error",
                ),
            ),
            WRONG,
        ),
        Question("q9", "needed", HUNT),
        Question("q10", "needed_of_these", HUNT, points=2),
        Question("q11", "claimed_p", SEEDS),
        Question("q12", "tried", HUNT),
        Question("q13", "fair_level", MANY),
        Question("q14", "corrected_t", CORRECTION),
        Question("q15", "corrected_verdicts", JUDGES),
        Question("q16", "f_verdicts", FIVE_BY_TWO),
        Question("q17", "mcnemar_verdicts", MCNEMAR),
        Question("q18", "none_by_luck", HUNT),
        Choice(
            "q19",
            "By BCV McNemar's test not one of your repetitions proves A better. What may you write?",
            (
                Option(
                    "None of so many; and how likely that is if it were as easy as with the plain t.",
                    "That is what was seen, and what it is worth. Where that probability is large, the hunt has been too short to "
                    "tell the two tests apart; where it is small, this verdict is rarer here than with the plain t.",
                ),
                Option(
                    "That this verdict cannot be obtained with this test, whatever partition one draws.",
                    "You have seen a few of very many partitions. None of n says that the share "
                    "is small, hardly above 3/n, and not that it is 0.",
                    "none seen taken for impossible",
                ),
                Option(
                    "That BCV McNemar's test cannot be hacked, and is to be used for every comparison.",
                    "This is one comparison. Among the 54 of the notebook there are some in which that "
                    "very test proves opposite things, depending on the partition.",
                    "one comparison taken for all",
                ),
                Option(
                    "That A and B are equally good, since a better test finds no difference at all.",
                    "Failing to reject is no evidence that two learners are equal; for that there are tests of equivalence.",
                    "not significant taken for equal",
                ),
            ),
            JUDGES,
        ),
        Choice(
            "q20",
            "You want to compare A and B honestly. What do you report?",
            (
                Option(
                    "A test on many partitions that was fixed beforehand, the difference with its "
                    "interval, and the share of partitions with each verdict.",
                    "The seeds cannot have been chosen to please, many partitions leave little "
                    "to chance, and the readers see what the others say.",
                ),
                Option(
                    "One partition and its seed, so that everybody can repeat the result to the last digit.",
                    "What the hunter publishes can be repeated to the last digit, too. A seed "
                    "shows which partition it was, not why it was this one.",
                    "a stated seed taken for honesty",
                ),
                Option(
                    "The verdict of the partition with the largest T, as it is the clearest of all.",
                    "The largest T is that of five folds that happen to be alike. Of thousands of partitions one always has such a T.",
                    "a huge T taken for strong evidence",
                ),
                Option(
                    "The corrected resampled t-test on one partition, which does not depend on the seed.",
                    "It keeps the level better, and it still has only this one partition. In most of the 54 "
                    "comparisons of the notebook its verdict, too, depends on the seed.",
                    "the correction taken for a cure",
                ),
            ),
            REPORT,
        ),
    ),
    mistakes=written_in(__package__),
    elsewhere={"alpha": 0.01},
)
