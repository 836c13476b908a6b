"""Columns beside the true class that are no predictions: sizes of data sets, and features of the records."""

import numpy as np
import pytest
from shortcuts import parametrize

import fstats
from fstats.comparing.results.reading_question import ReadingQuestion

RNG = np.random.default_rng(8)
TRUTH = RNG.integers(0, 2, 100)
TREE, FOREST = (np.where(RNG.random(100) < share, TRUTH, 1 - TRUTH) for share in (0.9, 0.75))
AGE, SEX, CHILDREN = RNG.integers(18, 80, 100), RNG.integers(0, 2, 100), RNG.integers(0, 5, 100)


def table(columns):
    return "\n".join([",".join(columns), *(",".join(map(str, line)) for line in zip(*columns.values(), strict=True))])


@parametrize(
    "features, before",
    ({"age": AGE, "sex": SEX}, True),
    ({"age": AGE, "sex": SEX}, False),
    ({"rooms": AGE, "siblings": CHILDREN, "parents": CHILDREN[::-1]}, True),
)
def test_features_are_not_compared_as_classifiers_in_silence(features, before):
    target, predicted = {"target": TRUTH}, {"tree": TREE, "forest": FOREST}
    text = table(features | target | predicted if before else features | predicted | target)
    with pytest.raises(ReadingQuestion, match="may be predictions, or features like"):
        _ = fstats.desk(text).test
    doubtful = [head for head in features if head not in ("age", "rooms")]
    desk = fstats.desk(text, roles=dict.fromkeys(doubtful, "ignore"))
    assert desk.comparison.classifiers == ("tree", "forest")
    everything = {"target": "true class"} | dict.fromkeys([*doubtful, "tree", "forest"], "prediction")
    assert fstats.desk(text, roles=everything).comparison.classifiers == (*doubtful, "tree", "forest")
    labels = [answer["label"] for answer in fstats.desk(text).view["question"]["answers"]]
    assert [label.partition(" ")[0] for label in labels] == ["Leave", "The"]
    assert labels[1].endswith("tree and forest hold predictions")


@parametrize("features", {}, {"age": AGE})
def test_predictions_alone_are_compared(features):
    desk = fstats.desk(table({"id": range(100)} | features | {"target": TRUTH, "tree": TREE, "forest": FOREST}))
    assert desk.comparison.classifiers == ("tree", "forest")


@parametrize(
    "sizes",
    ["Instances", "Features", "Classes"],
    ["#Inst", "#Attr", "#Classes"],
    ["Instances", "Features", "Class"],
    ["Instances", "Features", "Labels"],
    ["size", "features", "target"],
)
def test_sizes_of_data_sets_are_no_records(sizes):
    scores = np.round(RNG.uniform(0.7, 0.9, (3, 24)), 3)
    numbers = [RNG.integers(100, 9999, 24), RNG.integers(4, 12, 24), RNG.integers(2, 11, 24)]
    columns = {"Dataset": [f"set {chr(97 + k)}" for k in range(24)]} | dict(zip(sizes, numbers, strict=True))
    text = table(columns | dict(zip(["A", "B", "C"], scores, strict=True)))
    desk = fstats.desk(text)
    if desk.comparison.problem is not None:
        assert f"Leave out {sizes[-1]}" in [answer["label"] for answer in desk.view["question"]["answers"]]
        desk = fstats.desk(text, reading={"ignore": sizes[-1]})
    assert desk.results.classifiers == ("A", "B", "C")
    assert len(desk.results.data_sets) == 24


@parametrize("heading", "subject", "topic", "group")
def test_few_subjects_may_be_topics_or_families(heading):
    names = np.array(["algebra", "history", "law"])[np.arange(100) % 3]
    text = table({"id": range(100), heading: names, "truth": TRUTH, "tree": TREE, "forest": FOREST})
    labels = [answer["label"] for answer in fstats.desk(text).view["question"]["answers"]]
    assert labels == [f"Records with the same {heading} depend on each other", f"Leave out {heading}: all records are independent"]
    assert fstats.desk(text, roles={heading: "ignore"}).comparison.test_name.startswith("McNemar")
    clustered = fstats.desk(text, roles={heading: "family"})
    assert type(clustered.test).__name__ == "ClusteredDifference"
    assert ("vary less than those of clusters of independent records" in str(clustered.report)) == (clustered.test.effective_n > 100)
    many = text.replace("algebra", "a1").splitlines()
    spread = "\n".join([many[0], *(line.replace(",", f",{k // 4} ", 1) for k, line in enumerate(many[1:]))])
    assert any(f"Records with the same {heading!r} were read as one family" in note for note in fstats.desk(spread).view["notes"])
