"""Work for many, where there are not many."""

from __future__ import annotations

import pytest

from fstats.comparing.datasets import openml
from fstats.running import parallel


def test_what_a_page_of_a_browser_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker does the work of many, which is told; a cluster and OpenML are out of reach."""
    monkeypatch.setattr(parallel, "IN_A_PAGE", True)
    monkeypatch.setattr(openml, "IN_A_PAGE", True)
    with pytest.warns(UserWarning, match="one worker does all the work: jobs=-1 changes nothing"):
        assert list(parallel.each(pow, [(2, 3), (2, 4)], total=2, jobs=-1)) == [(0, 8), (1, 16)]
    with pytest.raises(ValueError, match="a browser's page reaches no other workers: leave out backend='dask'"), parallel.workers("dask"):
        pass
    with pytest.raises(OSError, match=r"does not reach OpenML .*: add letter\.csv to the page, and name its folder: data_dir='\.'"):
        openml.fetched("letter")
