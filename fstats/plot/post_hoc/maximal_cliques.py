"""Maximal cliques of classifiers that do not differ significantly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def maximal_cliques(neighbours: Sequence[set[int]]) -> list[tuple[int, ...]]:
    """Return all maximal sets of indices in which any two indices are neighbours, in order.

    ``neighbours[i]`` contains the neighbours of index i. The algorithm is number 457 of Bron and Kerbosch (1973), Communications of the
    ACM 16, with a pivot: the search drops a set as soon as the set is known to be extensible.

    >>> maximal_cliques([{1}, {0, 2}, {1}, set()])
    [(0, 1), (1, 2), (3,)]
    """

    def grow(clique: tuple[int, ...], candidates: set[int], done: set[int]) -> Iterator[tuple[int, ...]]:
        if not candidates and not done:
            yield tuple(sorted(clique))
            return
        pivot = max(candidates | done, key=lambda i: (len(candidates & neighbours[i]), -i))
        for i in sorted(candidates - neighbours[pivot]):
            yield from grow((*clique, i), candidates & neighbours[i], done & neighbours[i])
            candidates, done = candidates - {i}, done | {i}

    return sorted(grow((), set(range(len(neighbours))), set()))


def assign_levels(spans: Sequence[tuple[float, float]], apart: float) -> list[int]:
    """Return the level of each bar: the first level on which the bar is far enough from the earlier bars.

    >>> assign_levels([(0, 2), (1, 3), (4, 5)], apart=1)
    [0, 1, 0]
    """
    levels: list[list[tuple[float, float]]] = []
    assigned = []
    for low, high in spans:
        free = (k for k, bars in enumerate(levels) if all(high + apart <= start or end + apart <= low for start, end in bars))
        level = next(free, len(levels))
        if level == len(levels):
            levels.append([])
        levels[level].append((low, high))
        assigned.append(level)
    return assigned
