"""Block-regularized cross-validation splitter for scikit-learn.

The training sets overlap equally.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Self

import numpy as np

from ....core.validation.name_suggestions import unknown_name_message
from ....core.value_types import Integers

# Number of blocks -> a bit mask for each repetition: block b is in the first half if the number of 1 bits in b & mask is even.
# The masks are columns of the orthogonal arrays L4(2^3) and L8(2^7); for 8 blocks, the first five are Table 3 of the 5x2 BCV paper.
HALF_MASKS = {4: (2, 1, 3), 8: (4, 1, 2, 3, 5, 6, 7)}


def number_of_blocks(repeats: int) -> int:
    """Return the number of blocks that are joined to halves: 4 for up to three repetitions, 8 for up to seven."""
    return 4 if repeats <= 3 else 8


def half_blocks(repeats: int) -> list[tuple[list[int], list[int]]]:
    """Return the blocks of the two halves of each repetition; any two first halves share half of their blocks.

    >>> half_blocks(3)
    [([0, 1], [2, 3]), ([0, 2], [1, 3]), ([0, 3], [1, 2])]
    """
    blocks = number_of_blocks(repeats)
    parity = [[bin(block & mask).count("1") % 2 for block in range(blocks)] for mask in HALF_MASKS[blocks][:repeats]]
    first, second = ([[b for b in range(blocks) if odd[b] == half] for odd in parity] for half in (0, 1))
    return list(zip(first, second, strict=True))


class BlockRegularizedCV:
    """Block-regularized m x 2 cross-validation, as a scikit-learn splitter.

    The records are divided into two halves m times.  Each half is used once as the training set and once as the test set.  The records form
    4 blocks (m up to 3) or 8 blocks (m up to 7), and each half consists of half of the blocks.  An orthogonal array chooses the blocks of
    each half.  With this choice, any two training sets from different repetitions have a quarter of all records in common.  If the halves
    were random, the number of common records would vary.

    Parameters
    ----------
    n_repeats : int
        Number m of repetitions, 1 to 7.
    stratify : bool
        Whether the members of each class are distributed evenly over the blocks.
    random_state : int, numpy Generator or None
        Seed of the random assignment of records to blocks; the same number gives the same splits.

    Notes
    -----
    Splits 2j and 2j + 1 are the two folds of repetition j.  Any two training sets of different repetitions have n/4 records in common, up
    to a deviation of 2.  With ``stratify`` the overlaps are equal in each class, too.  With ``groups`` whole groups are assigned to the
    blocks, and overlaps are only as equal as the groups allow.

    Raises
    ------
    ValueError, TypeError
        For a number of repetitions outside 1 to 7.  When splitting: for fewer records (or groups) than blocks, and for a class
        with fewer members than blocks if stratified.

    References
    ----------
    Wang, Li and Li (2017), Choosing between two classification learning algorithms based on calibrated balanced 5x2 cross-validated
    F-test, Neural Processing Letters 46, pages 1 to 13.  Wang, Wang, Jia and Li (2014), Blocked 3x2 cross-validated t-test for
    comparing supervised classification learning algorithms, Neural Computation 26, pages 208 to 235.  Wang and Li,
    Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 4.1 and Table 3.

    Examples
    --------
    >>> plan = BlockRegularizedCV(n_repeats=3, random_state=0)
    >>> train = [set(train.tolist()) for train, test in plan.split(range(16))]
    >>> [len(train[0] & other) for other in train[2:]]
    [4, 4, 4, 4]
    """

    def __init__(self, n_repeats: int = 5, *, stratify: bool = False, random_state: Any = None) -> None:
        if isinstance(n_repeats, bool) or not isinstance(n_repeats, (int, np.integer)):
            raise TypeError(f"`n_repeats` must be a whole number from 1 to 7; got {n_repeats!r}")
        if not 1 <= n_repeats <= 7:
            raise ValueError(f"`n_repeats` must be between 1 and 7, the range of the known orthogonal array of 8 blocks; got {n_repeats}")
        self.n_repeats, self.stratify, self.random_state = n_repeats, stratify, random_state
        self._groups: bool | str | None = True

    @property
    def n_blocks(self) -> int:
        """Number of blocks: 4 or 8."""
        return number_of_blocks(self.n_repeats)

    # -- methods that scikit-learn requires of a splitter and of a cloned object --------------------------------------------
    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the parameters by name, for :func:`sklearn.base.clone`."""
        return {"n_repeats": self.n_repeats, "stratify": self.stratify, "random_state": self.random_state}

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters, with the same checks as at construction, and return the splitter."""
        if wrong := parameters.keys() - self.get_params().keys():
            raise ValueError(unknown_name_message("BlockRegularizedCV", wrong, self.get_params()))
        self.__init__(**(self.get_params() | parameters))  # type: ignore[misc]
        return self

    def get_metadata_routing(self) -> Any:
        """Request groups, as scikit-learn's own group splitters do if ``enable_metadata_routing`` is set."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=type(self).__name__)
        request.split.add_request(param="groups", alias=self._groups)
        return request

    def set_split_request(self, *, groups: bool | str | None = True) -> Self:
        """Set whether groups are requested (True), ignored (False), refused (None), or have another name (str)."""
        self._groups = groups
        return self

    def __sklearn_clone__(self) -> Self:
        """Return a copy with the same metadata requests."""
        return type(self)(**deepcopy(self.get_params())).set_split_request(groups=self._groups)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Return the number of splits: two for each repetition."""
        return 2 * self.n_repeats

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Integers, Integers]]:
        """Yield the training and test indices of each split.

        Parameters
        ----------
        X : array_like
            Records; only their number matters.
        y : array_like, optional
            Class of each record; required if stratified.
        groups : array_like, optional
            Group of each record; records of the same group stay together.
        """
        block = self.blocks(X.shape[0] if hasattr(X, "shape") else len(X), y, groups)
        for first, second in half_blocks(self.n_repeats):
            first_half, second_half = (np.flatnonzero(np.isin(block, half)) for half in (first, second))
            yield first_half, second_half
            yield second_half, first_half

    def blocks(self, n: int, y: Any = None, groups: Any = None) -> Integers:
        """Return the block of each record."""
        if groups is not None:
            check_groups(groups, n)
        rng = np.random.default_rng(self.random_state)
        units, unit_of = (np.arange(n), np.arange(n)) if groups is None else np.unique(np.asarray(groups), return_inverse=True)
        if len(units) < self.n_blocks:
            what = "records" if groups is None else "groups"
            rule = f"at least {self.n_blocks} {what}, one for each block"
            raise ValueError(f"{self.n_repeats} x 2 block-regularized cross-validation needs {rule}; got {len(units)} {what}")
        order = rng.permutation(len(units))
        if self.stratify:
            # sort by class; a stable sort keeps the random order within a class
            order = order[np.argsort(self._classes(y, n, groups)[order], kind="stable")]
        block = np.empty(len(units), np.int64)
        # assign the records (or groups) to the blocks in turn, so that block sizes differ by at most 1
        block[order] = rng.permutation(self.n_blocks)[np.arange(len(units)) % self.n_blocks]
        return block[unit_of]

    def _classes(self, y: Any, n: int, groups: Any) -> Integers:
        if groups is not None:
            reason = "all records of a group stay together, whatever their classes"
            raise ValueError(f"`stratify` and `groups` cannot be combined, because {reason}. Leave out `stratify=` or `groups=`.")
        if y is None or len(y) != n:
            raise ValueError(f"`stratify` needs y, the class of each of the {n} records; got {'none' if y is None else len(y)}")
        return check_class_sizes(y, self.n_blocks, "block")

    def __repr__(self) -> str:
        return f"BlockRegularizedCV(n_repeats={self.n_repeats}, stratify={self.stratify}, random_state={self.random_state!r})"


def check_class_sizes(y: Any, least: int, part: str, plan: str = "") -> Integers:
    """Return the class number of each record; raise ValueError if a class has fewer members than there are blocks or folds."""
    names, classes, sizes = np.unique(np.asarray(y), return_inverse=True, return_counts=True)
    if sizes.min() < least:
        rare = int(np.argmin(sizes))
        got = f"class {names.tolist()[rare]!r} has {sizes[rare]}. Use stratify=False, or merge or drop that class."
        raise ValueError(f"to stratify{plan}, each class needs at least {least} members, one for each {part}; {got}")
    return classes


def check_groups(groups: Any, n: int) -> None:
    """Raise ValueError if ``groups`` does not hold the group of each record."""
    if len(groups) != n:
        raise ValueError(f"`groups` must have one entry for each of the {n} records; got {len(groups)} entries")
