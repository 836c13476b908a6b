"""Groups of classifiers that no test tells apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def maximal_cliques(alike: Sequence[set[int]]) -> list[tuple[int, ...]]:
    """All sets of places of which any two are alike and to which no further place can be added, in order.

    ``alike[i]`` holds the places that are like place i.  Bron and Kerbosch (1973), Algorithm 457, Communications of the ACM 16,
    with a pivot: a set that can be made larger is left as soon as that shows.

    >>> maximal_cliques([{1}, {0, 2}, {1}, set()])
    [(0, 1), (1, 2), (3,)]
    """

    def grow(clique: tuple[int, ...], may_join: set[int], done: set[int]) -> Iterator[tuple[int, ...]]:
        if not may_join and not done:
            yield tuple(sorted(clique))
            return
        pivot = max(may_join | done, key=lambda i: (len(may_join & alike[i]), -i))
        for i in sorted(may_join - alike[pivot]):
            yield from grow((*clique, i), may_join & alike[i], done & alike[i])
            may_join, done = may_join - {i}, done | {i}

    return sorted(grow((), set(range(len(alike))), set()))


def assign_levels(spans: Sequence[tuple[float, float]], apart: float) -> list[int]:
    """The level of each bar: the first on which it keeps that distance from the bars before it.

    >>> assign_levels([(0, 2), (1, 3), (4, 5)], apart=1)
    [0, 1, 0]
    """
    levels: list[list[tuple[float, float]]] = []
    found = []
    for low, high in spans:
        free = (k for k, bars in enumerate(levels) if all(high + apart <= start or end + apart <= low for start, end in bars))
        level = next(free, len(levels))
        if level == len(levels):
            levels.append([])
        levels[level].append((low, high))
        found.append(level)
    return found
