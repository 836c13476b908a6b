"""Interactive explorer of p-hacking by the random seed."""

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
from ..widgets import Explorer, Slider, integer_slider

DATA = Slider("data", "Data set", tuple(sorted(SETS)))
PAIR = Slider("pair", "Learners", PAIRS, " and ".join)
MODE: Slider[Mode] = Slider("mode", "Recipe for records and folds", ("as printed", "as it should be"))
TEST: Slider[Test] = Slider("test", "Test", ("plain t", "corrected t"))


@dataclass(frozen=True)
class SeedResult:
    """Verdict on two learners for one random partition, compared with the verdicts for the other partitions."""

    pair: LearnerPair
    seed: int

    @property
    def test(self) -> Any:
        """Test on the scores of the current partition."""
        return self.pair.tested.at(self.seed)

    def worked(self) -> Iterable[Row]:
        """Return every step of the test."""
        return iter(self.test.worked())

    @property
    def conclusion(self) -> str:
        """The verdict, and the number of seeds with another verdict."""
        pair, population = self.pair, self.pair.population
        row = pair.row(self.seed)
        verdict = {
            "=": f"we fail to reject that {pair.left} and {pair.right} are equally good",
            "-": f"{pair.right} is significantly better than {pair.left}",
            "+": f"{pair.left} is significantly better than {pair.right}",
        }[row.sign]
        others = int((pair.verdicts != pair.verdicts[self.seed]).sum())
        shares = pair.shares
        return (
            f"With seed {self.seed}, T = {format_plain(row.t)} (limits ±{format_plain(pair.limit)}): {verdict}. {others or 'None'} of "
            f"{len(population)} seeds lead{'s' * (others < 2)} to another verdict: {format_share(shares['-'])} find {pair.right} better, "
            f"{format_share(shares['+'])} {pair.left}, {format_share(shares['='])} neither."
        )


class FoldHackingExplorer(Explorer[SeedResult]):
    """Sliders for the data set, the learners, the recipe, the test and the seed; a further slider selects the most favourable seed."""

    question = "Can a chosen seed prove whatever one wants?"
    main_controls = ("seed", "wanted")

    def __init__(self, name: str, pair: tuple[str, str], seed: int, mode: str, test: str) -> None:
        self._last_seen_positions: dict[str, int] = {}  # positions of the sliders in the previous message of the front end
        first = {
            "data": DATA.position(name, "name"),
            "pair": PAIR.position(tuple(pair)),
            "mode": MODE.position(mode),
            "test": TEST.position(test),
        }
        self._slider_positions = first
        first |= {"wanted": 0, "seed": self._seeds.position(seed)}
        super().__init__("The verdict on two learners, by the random seed", **first)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders, from the data set at the top to the seed at the bottom."""
        left, right = PAIR.value(self._slider_positions["pair"])
        wanted = ("of your choice", "with T nearest to 0", f"best for {right}", f"best for {left}")
        return [DATA, PAIR, MODE, TEST, self._seeds, Slider("wanted", "Choice of the seed", wanted)]

    @property
    def test(self) -> SeedResult:
        """Stored repetition that belongs to the values of the sliders."""
        return SeedResult(self._pair, self._slider_positions["seed"])

    def pictures(self, test: SeedResult) -> Sequence[Picture]:
        """Return two pictures: T of all seeds with the critical values and the current seed; the five folds of the current seed."""
        return [strip(test.pair, seed=test.seed), folds(test.pair, test.seed)]

    def _apply_moves(self, moved: Mapping[str, int]) -> None:
        """Move sliders; a new seed resets the slider of the best seed, and new data change the seed if the best seed is chosen."""
        moved = dict(moved)
        # fast key presses can send both positions; the position that did not change is outdated
        if {"seed", "wanted"} <= moved.keys():
            del moved["wanted" if self._last_seen_positions.get("wanted") == moved["wanted"] else "seed"]
        self._last_seen_positions = dict(self.positions)
        if "seed" in moved:
            moved["wanted"] = 0
        super()._apply_moves(moved)
        if wanted := self._slider_positions["wanted"]:
            # several seeds may have the same T up to rounding errors; argmin takes the first of them, as the tables do
            t = np.round(self._pair.t, 6)
            self._slider_positions["seed"] = int(np.argmin((abs(t), t, -t)[wanted - 1]))

    @property
    def _pair(self) -> LearnerPair:
        at = self._slider_positions
        population = stored(DATA.value(at["data"]), mode=MODE.value(at["mode"]))
        return population.pair(*PAIR.value(at["pair"]), test=TEST.value(at["test"]))

    @property
    def _seeds(self) -> Slider[int]:
        return integer_slider("seed", "Random seed of the folds", 0, len(self._pair.population) - 1)


def fold_hacking(
    name: str = "iris", pair: tuple[str, str] = ("GNB", "DTC"), *, seed: int = 0, mode: str = "as printed", test: str = "plain t"
) -> FoldHackingExplorer:
    """Explore two learners on one data set, compared by a t-test over five folds: move the seed of the folds, and watch the verdict.

    All repetitions are stored with the package; nothing is trained.

    Parameters
    ----------
    name : str
        Name of one of the eighteen data sets, such as "sonar".
    pair : tuple of str
        Two learners: ("GNB", "KNN"), ("GNB", "DTC") or ("KNN", "DTC").
    seed : int
        Seed of the folds at the start.
    mode : {"as printed", "as it should be"}
        "as printed" repeats the procedure of the printed tables; "as it should be" uses all records and the folds of current scikit-learn.
    test : {"plain t", "corrected t"}
        "plain t" is the test of the printed tables; "corrected t" has the correction of Nadeau and Bengio.
    """
    return FoldHackingExplorer(name, pair, seed, mode, test)
