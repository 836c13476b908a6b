"""The outlier explorer: every number shown is that of the two tests on the same scores."""

import re

import pytest

from fstats import PairedT, SignedRank, explore
from fstats.core.number_format import format_plain

A = [83, 79, 91, 88, 76, 85, 90, 81, 78, 84]
B = [81, 78, 89, 87, 74, 84, 88, 80, 76, 83]


@pytest.mark.parametrize("away", [-30, -1, 0, 1, 7, 16])
def test_both_tests_follow_the_slider(away):
    explorer = explore.outlier(A, B, reach=30)
    explorer.move(away=away)
    moved = [*A[:-1], A[-1] + away]
    t, w = PairedT(moved, B), SignedRank(moved, B)
    shown = dict(re.findall(r'data-step="(\w+)"><strong>([^<]*)<', explorer.view["work"]))
    expected = {"mean": t.mean, "sd": t.sd, "t": t.statistic, "p_t": t.pvalue, "w": w.statistic, "p_w": w.pvalue}
    assert shown == {name: format_plain(value) for name, value in expected.items()}
    ranks = [cell for _, cell in re.findall(r'data-step="ranks\[(\d+)\]">([^<]*)<', explorer.view["work"])]
    assert ranks == ["–" if rank == 0 else format_plain(rank) for rank in w.ranks]
    assert format_plain(t.pvalue) in explorer.view["conclusion"]
    assert format_plain(w.pvalue) in explorer.view["conclusion"]


def test_an_outlier_fools_one_test_and_lengths_must_agree():
    explorer = explore.outlier(A, B)
    assert ", and the signed-rank test rejects H0" in explorer.view["conclusion"]
    explorer.move(away=16)  # it helps A, and yet
    assert "the t-test fails to reject H0" in explorer.view["conclusion"]
    assert ", but the signed-rank test rejects H0" in explorer.view["conclusion"]
    explorer.reset()
    assert ", and the signed-rank test rejects H0" in explorer.view["conclusion"]
