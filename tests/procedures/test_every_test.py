"""One loop over every test class: what a test promises by being a test is checked here, whatever it computes.

The checks themselves are those of :mod:`fstats.testing`, which a class outside the package can be held against.  That the numbers are
right is proved elsewhere (test_paired_t.py, ...): this loop knows names, orders and forms, not arithmetic.
"""

import tomllib
from pathlib import Path

import pytest
from cases import CASES, ON_A_GRID, each_alternative_when_asked, each_procedure, each_test, every, make

import fstats
from fstats.core.classifier_pair import TwoClassifiers
from fstats.core.hypothesis import HypothesisTest
from fstats.core.procedure import Procedure
from fstats.procedures.bayes.pairwise_rope_comparison import PairwiseRopeComparison
from fstats.procedures.bayes.rope_comparison import RopeComparison
from fstats.procedures.posthoc.posthoc_comparison import PostHocComparison
from fstats.procedures.posthoc.tukey_hsd import TukeyKramer
from fstats.testing.conformance import COMMON_CHECKS, TEST_CHECKS

ORDER = tomllib.loads((Path(__file__).parents[1] / "steps_in_order.toml").read_text(encoding="utf-8"))


# A loop inside each, and not a parameter: handing out and reporting 2,400 more tests takes longer than most of the checks.
@pytest.mark.every_case
@each_alternative_when_asked
def test_every_procedure(name, alternative):
    for check in COMMON_CHECKS:
        check(make(name, alternative))


@pytest.mark.every_case
@each_test
def test_every_test(name, alternative):
    for check in TEST_CHECKS:
        check(make(name, alternative))


@pytest.mark.every_case
@pytest.mark.parametrize("name", [name for name in CASES if name != ON_A_GRID])
def test_numbers_stay_what_they_are(name, changed):
    tests = {side: make(name, side) for case, side in every if case == name}
    for side, test in tests.items():
        assert changed({f"{side} {step}".strip(): number for step, number in test.to_dict().items() if step in test.steps}) == []


@pytest.mark.every_case
@pytest.mark.parametrize("name", [name for name in CASES if name != ON_A_GRID])
def test_texts_stay_what_they_are(name, changed):
    """In every medium, of a repetition with a difference and of the one without."""
    side = next(side for case, side in every if case == name)
    for k in (0, 3, 6):
        test = make(name, side).at(k)
        report = str(fstats.report(test, setup=True)).partition("python ")[0]  # of the setup no versions
        picture = test.plot().svg() if hasattr(test, "plot") else ""
        texts = {"text": str(test), "page": test._repr_html_(), "latex": test.to_latex(), "report": report, "picture": picture}
        assert changed({f"{k} {medium}": text for medium, text in texts.items()}) == []


@each_procedure
def test_the_steps_come_in_the_order_of_the_slide(name, alternative):
    test = make(name, alternative).at(0)
    order = ORDER[name].split()
    shown = [row.name for row in test.worked()]
    steps = [step for step in shown if step in test.steps]
    assert steps == order, (
        f"the line of {name} in tests/steps_in_order.toml must list the steps in the order of the slide. Write {' '.join(steps)!r}"
    )
    inputs = [*test.inputs]
    if isinstance(test, TwoClassifiers):
        inputs.remove("labels")  # A and B have no names here
    if "data_sets" in inputs:
        inputs.remove("data_sets")  # nor have the data sets
    for name, usual in (("higher_is_better", True), ("unit", test.__dict__.get("unit")), ("metric", "score")):
        if name in inputs and name not in shown and getattr(test, name) == usual:
            inputs.remove(name)  # as everybody takes scores to be
    if isinstance(test, HypothesisTest) and len(test.tails) == 1:
        inputs[inputs.index("alternative")] = "claim"  # there is nothing to choose
    assert [step for step in shown if step not in test.steps] == inputs + ["conclusion"] * isinstance(
        test,
        (
            HypothesisTest,
            PostHocComparison,
            RopeComparison,
            PairwiseRopeComparison,
            fstats.Pairwise,
            fstats.PairwiseAligned,
            fstats.VarianceParts,
            fstats.ProbabilityOfOutperforming,
            fstats.ProbabilityOfImprovement,
            fstats.InterquartileMean,
            fstats.DifferenceOfInterquartileMeans,
            fstats.PerformanceProfile,
            fstats.AlmostStochasticOrder,
        ),
    )


@each_test
def test_the_data_of_a_case_show_both_decisions(name, alternative):
    decisions = [make(name, alternative).assuming(alpha=level).reject.tolist() for level in (0.01, 0.05, 0.1, 0.3)]
    assert {one for some in decisions for one in some} == {True, False}, (
        f"the data of {name} in tests/cases.py must lead to both decisions at some level from 0.01 to 0.3. Take another seed or size"
    )


@each_test
def test_without_any_difference_nothing_is_rejected(name, alternative):
    test = make(name, alternative).at(3)
    assert "effect_size" in test.steps, (
        f"a test of this package has an effect size; {type(test).__name__} has none: add a step `effect_size` with after=True, and its "
        "name to the line in tests/cases.py"
    )
    assert test.effect_size == 0, "repetition 3 of the data in tests/cases.py must have no difference, and then the effect size must be 0"
    if alternative == "equivalence":  # that there is none is what this test is to show
        assert test.reject
        return
    # one-sided, a statistic that may fall on either side stands in the middle of its distribution
    assert test.pvalue == 1 if alternative == "two-sided" else test.pvalue >= 0.5, "without a difference p is 1, or one-sided at least 1/2"
    assert not test.reject
    if name != "SignTest split":  # there the zeros count, half of them for either side
        assert "against H0" in test.conclusion, (
            f"the conclusion must say why data without any difference decide so; got {test.conclusion!r}. Add a property `remark`, "
            "such as 'All scores are equal: the data give no evidence against H0.'"
        )


def test_every_public_test_is_in_the_loop():
    public = {thing for name in fstats.__all__ if isinstance(thing := getattr(fstats, name), type) and issubclass(thing, Procedure)}
    tested = {cls for cls, *_ in CASES.values()} - {TukeyKramer}  # which TukeyHSD.from_groups makes
    assert public == tested, f"each test of fstats/__init__.pyi needs a line in tests/cases.py, and the reverse: {public ^ tested}"
