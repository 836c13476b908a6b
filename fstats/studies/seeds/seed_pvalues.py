"""P-values of cross-validation tests for many random seeds.

The tests are those in Table 5 of the 5x2 BCV paper; the seeds are those of the splits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from ...comparing.compare_all import compare_all
from ...core.number_format import format_plain
from ...core.validation import check
from ...core.value_types import Array
from ...procedures.resampling.cross_validation_tests import TABLE_5
from ...render.display_table import Table, TableDisplay
from ...simulate.work_units import run
from ..study_files import LIBRARIES, StoredStudy, provenance, read_results

SEEDS, ALPHA = 50, 0.05
# classifier that is compared with nearest neighbours -> file with its results
STORED = {"LDA": "lda.json", "naive Bayes": "naive_bayes.json"}


def learners(opponent: str) -> tuple[Any, Any]:
    """Return A (nearest neighbours on scaled features, because distances depend on the scale) and its opponent B (without scaling)."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    known = dict(zip(STORED, (LinearDiscriminantAnalysis("lsqr"), GaussianNB()), strict=True))
    return make_pipeline(StandardScaler(), KNeighborsClassifier()), known[check.choice(*STORED)(opponent, "opponent")]


def records() -> tuple[Any, Any]:
    """Return the breast cancer records of scikit-learn."""
    from sklearn.datasets import load_breast_cancer

    x, y = load_breast_cancer(return_X_y=True)
    return x, y


def pvalues_of_unit(unit: Mapping[str, Any], _: np.random.SeedSequence) -> dict[str, float]:
    """Compute the p-value of each test of Table 5 with the seed of the unit; tests with the same plan share trained learners."""
    verdicts = compare_all(*learners(unit["opponent"]), *records(), tests=TABLE_5, rng=unit["seed"], alpha=ALPHA, progress=False)
    return {verdict.name: float(verdict.test.pvalue) for verdict in verdicts}


class SeedStudy(TableDisplay, StoredStudy):
    """P-values of each test for each seed.

    ``study.pvalues`` is an array, tests by seeds; ``study["KFoldT"]`` holds the p-values of one test; ``fstats.plot.pvalues(study)`` draws
    all of them.

    Parameters
    ----------
    about : mapping
        Provenance of the numbers.
    found : list of mappings
        P-values by the name of the test, one mapping for each seed.
    """

    rows_key, alpha = "pvalues", ALPHA
    heads = ("test", "smallest p", "median", "largest p", f"reject at {ALPHA}", "two seeds disagree")

    def __init__(self, about: Mapping[str, Any], found: list[dict[str, float]]) -> None:
        self.about, self.found = dict(about), found
        self.tests = tuple(found[0])

    @property
    def stored_rows(self) -> list[dict[str, float]]:
        """Stored p-values of each seed."""
        return self.found

    @property
    def seeds(self) -> str:
        """Seeds of the splits, as text."""
        return f"seeds 0 to {len(self.found) - 1}, "

    @property
    def pvalues(self) -> Array:
        """P-value of each test (row) for each seed (column)."""
        return np.array([[pvalues_of_seed[test] for pvalues_of_seed in self.found] for test in self.tests])

    def __getitem__(self, test: Any) -> Array:
        name = test.__name__ if isinstance(test, type) else test
        if name not in self.tests:
            raise KeyError(f"`test` must be one of {', '.join(self.tests)}; got {name!r}")
        return self.pvalues[self.tests.index(name)]

    @property
    def title(self) -> str:
        """Title of the table, with the number of seeds and the opponent."""
        opponent = self.about["settings"]["opponent"]
        return f"p of each test for {len(self.found)} seeds of its splits: the same records, nearest neighbours against {opponent}"

    def disagree(self, test: Any) -> float:
        """Return the probability that a test rejects with exactly one of two seeds that are drawn without replacement."""
        p = self[test]
        rejects = int((p <= self.alpha).sum())
        return 2 * rejects * (len(p) - rejects) / (len(p) * (len(p) - 1))

    @property
    def _table(self) -> Table:
        lines = []
        for test, p in zip(self.tests, self.pvalues, strict=True):
            rejected, disagree = f"{(p <= self.alpha).sum()} of {len(p)}", f"{100 * self.disagree(test):.0f} %"
            lines.append([test, *(format_plain(x, 2) for x in (p.min(), np.median(p), p.max())), rejected, disagree])
        return Table(self.heads, lines, self.title)


def study(opponent: str = "LDA", *, seeds: int = SEEDS, jobs: int = 1, store: Any = None, progress: bool = True) -> SeedStudy:
    """Compute the study of an opponent again; with a `store`, finished seeds are stored, and an interrupted computation continues."""
    pair, count = learners(opponent), int(check.count(2)(seeds, "seeds"))
    data = hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in records())).hexdigest()
    described = [" ".join(repr(learner).split()) for learner in pair]
    arguments = {"opponent": opponent, "learners": described, "data": data, "alpha": ALPHA}
    units = [{"opponent": opponent, "seed": seed} for seed in range(count)]
    found = run(pvalues_of_unit, units, arguments=arguments, jobs=jobs, store=store, progress=progress)
    command = f"fstats reproduce seeds --again --opponent {opponent!r} --save {STORED[opponent]}"
    return SeedStudy(provenance(command, *LIBRARIES, settings=arguments), found)


@cache
def stored(opponent: str = "LDA") -> SeedStudy:
    """Return the study of an opponent, "LDA" or "naive Bayes", stored in the package.

    Examples
    --------
    >>> study = stored()
    >>> study.pvalues.shape, bool(study["BlockedFiveByTwoMcNemar"].max() > 3 * study["BlockedFiveByTwoMcNemar"].min())
    ((14, 50), True)
    """
    (found,) = read_results(__package__, STORED[check.choice(*STORED)(opponent, "opponent")])
    return SeedStudy(found["about"], found["pvalues"])
