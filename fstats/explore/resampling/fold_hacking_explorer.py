"""The explorer of the fold experiment: move the random seed, and the verdict on two learners moves along."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.worked_example_row import Row
from ...plot.drawing.picture import Picture
from ...studies.fold_hacking import PAIRS, SETS, LearnerPair, folds, stored, strip
from ...studies.fold_hacking.fold_experiment import Mode
from ...studies.fold_hacking.fold_hacking_pictures import format_share
from ...studies.fold_hacking.partition_scores import Test
from ..widgets.explorer import Explorer
from ..widgets.slider import Slider, integer_slider

DATA = Slider("data", "Data set", tuple(sorted(SETS)))
PAIR = Slider("pair", "Learners", PAIRS, " and ".join)
MODE: Slider[Mode] = Slider("mode", "Records and folds", ("as printed", "as it should be"))
TEST: Slider[Test] = Slider("test", "Test", ("plain t", "corrected t"))


@dataclass(frozen=True)
class SeedResult:
    """What one random partition says of two learners, beside what the others say."""

    pair: LearnerPair
    seed: int

    @property
    def tested(self) -> Any:
        """The test of this partition."""
        return self.pair.tested.at(self.seed)

    def worked(self) -> Iterable[Row]:
        """Every step of it."""
        return iter(self.tested.worked())

    @property
    def conclusion(self) -> str:
        """The verdict, and how many other seeds say otherwise."""
        pair, population = self.pair, self.pair.population
        row = pair.row(self.seed)
        found = {
            "=": f"we fail to reject that {pair.left} and {pair.right} are equally good",
            "-": f"{pair.right} is significantly better than {pair.left}",
            "+": f"{pair.left} is significantly better than {pair.right}",
        }[row.sign]
        others = int((pair.verdicts != pair.verdicts[self.seed]).sum())
        shares = pair.shares
        return (
            f"With seed {self.seed}, T = {format_plain(row.t)} (limits ±{format_plain(pair.limit)}): {found}. "
            f"{others or 'None'} of {len(population)} seeds lead{'s' * (others < 2)} to another verdict: "
            f"{format_share(shares['-'])} find {pair.right} better, {format_share(shares['+'])} {pair.left}, {format_share(shares['='])} neither."
        )


class FoldHackingExplorer(Explorer[SeedResult]):
    """Sliders for the data set, the learners, the recipe, the test and the seed; one more goes to the seed that one would like."""

    question = "Is there a seed that proves what one wants?"
    leading = ("seed", "wanted")

    def __init__(self, name: str, pair: tuple[str, str], seed: int, mode: str, test: str) -> None:
        self._asked: dict[str, int] = {}  # where the front end last saw its sliders
        first = {
            "data": DATA.position(name, "name"),
            "pair": PAIR.position(tuple(pair)),
            "mode": MODE.position(mode),
            "test": TEST.position(test),
        }
        self._at = first
        first |= {"wanted": 0, "seed": self._seeds.position(seed)}
        super().__init__("The verdict on two learners, by the random seed", **first)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """From the experiment to the single seed."""
        left, right = PAIR.value(self._at["pair"])
        wanted = ("as you choose it", "where T is nearest to 0", f"the best one for {right}", f"the best one for {left}")
        return [DATA, PAIR, MODE, TEST, self._seeds, Slider("wanted", "Take the seed", wanted)]

    @property
    def test(self) -> SeedResult:
        """The stored repetition at which the sliders stand."""
        return SeedResult(self._pair, self._at["seed"])

    def pictures(self, test: SeedResult) -> Sequence[Picture]:
        """T of all seeds with its limits and this one, and the five folds of this one."""
        return [strip(test.pair, seed=test.seed), folds(test.pair, test.seed)]

    def _take(self, moved: Mapping[str, int]) -> None:
        """A seed that is chosen by hand is not the best one any more; the best one is another one for other data."""
        moved = dict(moved)
        if {"seed", "wanted"} <= moved.keys():  # keys pressed faster than answered: one of the two only stands where it was seen last
            del moved["wanted" if self._asked.get("wanted") == moved["wanted"] else "seed"]
        self._asked = dict(self.positions)
        if "seed" in moved:
            moved["wanted"] = 0
        super()._take(moved)
        if wanted := self._at["wanted"]:
            t = np.round(self._pair.t, 6)  # of equal T the first seed counts, as in the tables
            self._at["seed"] = int(np.argmin((abs(t), t, -t)[wanted - 1]))

    @property
    def _pair(self) -> LearnerPair:
        at = self._at
        population = stored(DATA.value(at["data"]), mode=MODE.value(at["mode"]))
        return population.pair(*PAIR.value(at["pair"]), test=TEST.value(at["test"]))

    @property
    def _seeds(self) -> Slider[int]:
        return integer_slider("seed", "Random seed of the folds", 0, len(self._pair.population) - 1)


def fold_hacking(
    name: str = "iris",
    pair: tuple[str, str] = ("GNB", "DTC"),
    *,
    seed: int = 0,
    mode: str = "as printed",
    test: str = "plain t",
) -> FoldHackingExplorer:
    """Two learners on one data set, compared by a t-test over five folds: move the seed that cuts the folds, and watch the verdict.

    All repetitions are stored with the package; nothing is trained.

    Parameters
    ----------
    name : str
        One of the eighteen data sets, such as "sonar".
    pair : tuple of str
        ("GNB", "KNN"), ("GNB", "DTC") or ("KNN", "DTC").
    seed : int
        Of the folds, at the start.
    mode : {"as printed", "as it should be"}
        The recipe of the printed tables, or all records and folds as they are cut today.
    test : {"plain t", "corrected t"}
        The tables' test, or the one with Nadeau and Bengio's correction.
    """
    return FoldHackingExplorer(name, pair, seed, mode, test)
