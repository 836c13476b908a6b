"""Choose the step-by-step plot of a test.

It is the plot of its family, or the plot of the test itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from ...core.procedure import Procedure
from ...core.step import NotStated
from .step_picture import StepMark, StepPicture

# class -> "module:function" that draws the tests of the class; a test uses the entry of its nearest base class
FAMILIES = {
    "PairedT": "paired_score_steps:paired_t_steps",
    "SplitMeanT": "paired_score_steps:paired_t_steps",
    "DiscordantTest": "contingency_steps:discordant_steps",
    "RankTable": "rank_table_steps:rank_test_steps",
    "StepwiseProcedure": "pvalue_ladder_steps:ladder_steps",
    "RankComparison": "rank_table_steps:post_hoc_steps",
    "OneWayAnova": "anova_steps:anova_steps",
    "RepeatedAnova": "anova_steps:anova_steps",
    "TukeyHSD": "anova_steps:tukey_steps",
    "ConservativeZ": "paired_score_steps:paired_t_steps",
    "FiveByTwoTest": "replication_steps:two_fold_steps",
    "BlockedThreeByTwoT": "replication_steps:two_fold_steps",
    "BlockedFiveByTwoT": "replication_steps:blocked_t_steps",
    "BlockedFiveByTwoMcNemar": "replication_steps:blocked_mcnemar_steps",
    "BayesianCorrelatedT": "posterior_steps:posterior_steps",
    "ScoresWithRope": "posterior_steps:posterior_steps",
    "BayesianHierarchical": "posterior_steps:hierarchical_steps",
    "PairwiseRopeComparison": "posterior_steps:pairwise_steps",
    "PostHocComparison": "step_pictures:whole_plot",
    "SignedRank": "signed_rank_steps:signed_rank_steps",
    "SignTest": "signed_rank_steps:sign_test_steps",
    "RankSum": "rank_sum_steps:rank_sum_steps",
    "TwoSampleT": "two_sample_steps:two_sample_steps",
    "WelchT": "two_sample_steps:welch_steps",
    "OneSampleT": "two_sample_steps:one_sample_steps",
    "HypothesisTest": "step_pictures:null_distribution_alone",
}


def step_pictures(test: Procedure) -> Sequence[StepPicture]:
    """Return the pictures of the walk of a test.

    >>> import fstats
    >>> [pictures.slot for pictures in step_pictures(fstats.PairedT([85, 70, 79], [87, 68, 85]))]
    [0, 0, 1, 0]
    """
    for base in type(test).__mro__:
        if base.__name__ in FAMILIES and base.__module__.startswith("fstats."):
            module, _, function = FAMILIES[base.__name__].partition(":")
            draw: Callable[[Procedure], Sequence[StepPicture]] = getattr(import_module(f".{module}", __package__), function)
            with suppress(NotStated):  # the stated summaries may be insufficient for the pictures
                return draw(test)
            with suppress(NotStated):
                return null_distribution_alone(test) if "pvalue" in test.steps else []
            return []
    return whole_plot(test)


def drawn_steps(test: Procedure, names: Sequence[str]) -> set[str]:
    """Return the steps at which the pictures of the walk change, out of all steps in their order; empty if there is only one picture.

    >>> import fstats
    >>> sorted(drawn_steps(fstats.PairedT([85, 70, 79], [87, 68, 85]), ["d", "n", "mean", "sd", "se"]))
    ['d', 'mean', 'sd', 'se']
    """
    pictures, order = step_pictures(test), {name: number for number, name in enumerate(names, 1)}
    if len(pictures) < 2:  # a single picture, such as the null distribution, does not show most of the steps
        return set()
    seen = [[picture.hidden_marks(number, order) for picture in pictures] for number in range(len(names) + 1)]
    return {name for number, name in enumerate(names) if seen[number] != seen[number + 1]}


def null_distribution_alone(test: Any) -> Sequence[StepPicture]:
    """Return the picture of the null distribution, mark by mark."""
    from .null_distribution_steps import null_distribution_steps

    return [null_distribution_steps(test, since="")]


def whole_plot(test: Any) -> Sequence[StepPicture]:
    """Return the picture of a test that has its own ``plot``, with all marks from the start; an empty list if there is none."""
    picture = test.plot() if hasattr(type(test), "plot") else None
    return [] if picture is None else [StepPicture.of(picture, map(StepMark, picture.marks))]
