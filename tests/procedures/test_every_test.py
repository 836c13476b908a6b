"""One loop over every test class: what a test promises by being a test is checked here, whatever it computes.

That the numbers are right is proved elsewhere (test_paired_t.py, ...): this loop knows names, orders and forms, not arithmetic.
"""

import copy
import pickle
from string import Template

import numpy as np
import pytest
from cases import CASES, R, assert_same, each_procedure, each_test, make, parts, reads, settings_of

import fstats
from fstats.core.hypothesis import HypothesisTest
from fstats.core.pair import TwoClassifiers
from fstats.core.procedure import Procedure
from fstats.core.step import NotStated
from fstats.core.tail import BOTH, LOWER, LOWER_TWICE, SMALLER_TWICE, UPPER
from fstats.core.value import Interval
from fstats.procedures.bayes.rope import RopeComparison
from fstats.procedures.posthoc.comparison import Compared
from fstats.procedures.posthoc.tukey_hsd import TukeyKramer

# -- the formula is the code --------------------------------------------------------------------------------------------


@each_procedure
def test_each_step_reads_what_its_formula_shows(name, alternative):
    test = make(name, alternative)
    for s in test.steps.values():
        if s.only and getattr(test, s.by) != s.only:
            continue
        shown = set(Template(s.template(test)).get_identifiers())
        # the attribute `by` chooses the formula; a property such as `tail` chooses by settings of its own
        chooses = {s.by} | reads(test, lambda spy, by=s.by: getattr(spy, by)) if s.by else set()
        assert reads(test, s.fn) - chooses == shown - chooses, s.name


@each_procedure
def test_each_step_follows_from_its_slots_alone(name, alternative):
    test = make(name, alternative)
    for s in test.steps.values():
        slots = {slot: getattr(test, slot) for slot in Template(s.template(test)).get_identifiers()}
        again = type(test).from_steps(**(settings_of(test) | slots))
        assert_same(getattr(again, s.name), getattr(test, s.name))


@each_procedure
def test_the_steps_come_in_the_order_of_the_slide(name, alternative):
    test = make(name, alternative).at(0)
    order = CASES[name][3].split()
    shown = [row.name for row in test.worked()]
    assert [step for step in shown if step in test.steps] == order
    inputs = [*test.inputs]
    if isinstance(test, TwoClassifiers):
        inputs.remove("labels")  # A and B have no names here
    if "data_sets" in inputs:
        inputs.remove("data_sets")  # nor have the data sets
    if isinstance(test, HypothesisTest) and len(test.tails) == 1:
        inputs[inputs.index("alternative")] = "claim"  # there is nothing to choose
    assert [step for step in shown if step not in test.steps] == inputs + ["conclusion"] * isinstance(
        test, (HypothesisTest, Compared, RopeComparison, fstats.Pairwise, fstats.PairwiseAligned)
    )
    position = {step: k for k, step in enumerate(shown)}
    for step in order:  # depth first: what a formula needs stands above it
        for slot in Template(test.steps[step].template(test)).get_identifiers():
            assert position[slot] < position[step]


# -- a batch is many tests ----------------------------------------------------------------------------------------------


@each_procedure
def test_a_batch_equals_its_repetitions(name, alternative):
    batch = make(name, alternative)
    for step in batch.steps:
        value, own = getattr(batch, step), len(batch.over(step))
        for r in range(R):
            one = getattr(batch.at(r), step)
            if isinstance(value, Interval):
                assert_same(one, Interval(*(np.broadcast_to(end, R)[r] for end in value)))
            elif isinstance(value, (int, np.generic, np.ndarray)):
                if np.ndim(value) > own:
                    assert np.shape(value)[own:] == (R,)
                    value_of_r = value[(slice(None),) * own + (r,)]
                else:  # the same for all: n of the t-test
                    value_of_r = value
                assert np.ndim(one) == own
                assert_same(one, value_of_r)


@each_procedure
def test_repetitions_may_have_several_axes(name, alternative):
    flat = make(name, alternative)
    data = {key: np.reshape(value, (*np.shape(value)[:-1], R, 1)) if np.ndim(value) else value for key, value in CASES[name][1].items()}
    deep = type(flat)(**data, **settings_of(flat))
    for step in flat.steps:
        for wide, long in zip(parts_of(deep, step), parts_of(flat, step), strict=True):
            np.testing.assert_array_equal(wide.reshape(long.shape), long)


def parts_of(test, step):
    """A step's value as arrays; a distribution by its chances."""
    value = getattr(test, step)
    if step == "posterior":
        return parts(value.largest() if hasattr(value, "largest") else value.at_most(0.01))
    return parts(value.at_most(getattr(test, "statistic", 0.01)) if step in ("null", "population") else value)


@each_test
def test_a_batch_has_no_single_conclusion(name, alternative):
    with pytest.raises(ValueError, match=r"a batch of shape \(7,\) has no one conclusion; ask one repetition, such as test.at\(0\)"):
        _ = make(name, alternative).conclusion


# -- the decision -------------------------------------------------------------------------------------------------------


@each_test
def test_p_is_a_probability_and_decides(name, alternative):
    decisions = []
    for level in (0.01, 0.05, 0.1, 0.3):
        test = make(name, alternative).assuming(alpha=level)
        assert test.pvalue.shape == (R,)
        assert ((test.pvalue >= 0) & (test.pvalue <= 1)).all()
        assert np.array_equal(test.reject, test.pvalue <= level)
        decisions += test.reject.tolist()
    assert set(decisions) == {True, False}  # the data show both


@each_test
def test_the_critical_value_gives_the_same_decision(name, alternative):
    for level in (0.01, 0.05, 0.1, 0.3):
        test = make(name, alternative).assuming(alpha=level)
        extreme = {
            UPPER: lambda x, c: x >= c,
            LOWER: lambda x, c: x <= c,
            BOTH: lambda x, c: np.abs(x) >= c,
            LOWER_TWICE: lambda x, c: x <= c,
            SMALLER_TWICE: lambda x, c: (x <= c.low) | (x >= c.high),
        }[test.tail](test.statistic, test.critical_value)
        on_the_edge = np.isclose(test.pvalue, level, rtol=1e-12, atol=0)  # floating point may put p on either side of alpha
        assert np.array_equal(extreme[~on_the_edge], test.reject[~on_the_edge])


@each_test
def test_without_any_difference_nothing_is_rejected(name, alternative):
    test = make(name, alternative).at(3)
    assert test.effect_size == 0
    if alternative == "equivalence":  # that there is none is what this test is to show
        assert test.reject
        return
    # one-sided, a statistic that may fall on either side stands in the middle of its distribution
    assert test.pvalue == 1 if alternative == "two-sided" else test.pvalue >= 0.5
    assert not test.reject
    if name != "SignTest split":  # there the zeros count, half of them for either side
        assert "nothing speaks against H0" in test.conclusion


@each_test
def test_the_conclusion_says_what_was_decided(name, alternative):
    for r in range(R):
        test = make(name, alternative).at(r)
        assert test.conclusion.startswith("Reject H0 at alpha = 0.1" if test.reject else "Fail to reject H0 at alpha = 0.1")
        if not np.isinf(test.statistic):
            assert (test.finding if test.reject else test.claim) in test.conclusion
        assert "accept" not in test.conclusion.lower()


@each_test
def test_an_unknown_alternative_is_refused(name, alternative):
    with pytest.raises(ValueError, match=rf"alternative must be .*'{alternative}'.* for \w+; got 'unequal'"):
        make(name, alternative).assuming(alternative="unequal")


# -- copies -------------------------------------------------------------------------------------------------------------


@each_procedure
@pytest.mark.parametrize("trip", [lambda t: pickle.loads(pickle.dumps(t)), copy.copy, copy.deepcopy], ids=["pickle", "copy", "deepcopy"])
def test_copies_have_the_same_values(name, alternative, trip):
    test = make(name, alternative)
    again = trip(test)
    for step in test.steps:
        assert_same(getattr(again, step), getattr(test, step))
    for key in test.inputs:
        assert not isinstance(getattr(again, key), np.ndarray) or not getattr(again, key).flags.writeable


@each_procedure
def test_every_array_is_read_only(name, alternative):
    test = make(name, alternative)
    for key in (*test.inputs, *test.steps):
        value = getattr(test, key)
        for array in value if isinstance(value, Interval) else [value]:
            assert not isinstance(array, np.ndarray) or not array.flags.writeable, key


# -- half-way starts ----------------------------------------------------------------------------------------------------


def needs_data(cls, name):
    """Whether a value hangs on an input without a default."""
    return name not in cls.defaults if name in cls.inputs else any(needs_data(cls, slot) for slot in cls.steps[name].slots)


@pytest.mark.parametrize("name", CASES)
def test_without_anything_each_step_says_what_it_needs(name):
    cls = CASES[name][0]
    for step in cls.steps:
        if not needs_data(cls, step):  # such as chi-squared with one degree of freedom, and its critical value
            continue
        with pytest.raises(NotStated, match=rf"{cls.__name__}\.{step} cannot be computed: .*it needs \w+ \("):
            getattr(cls.from_steps(), step)


def test_every_public_test_is_in_the_loop():
    public = {thing for name in fstats.__all__ if isinstance(thing := getattr(fstats, name), type) and issubclass(thing, Procedure)}
    assert public == {cls for cls, *_ in CASES.values()} - {TukeyKramer}  # which TukeyHSD.from_groups makes
