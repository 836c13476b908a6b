"""Exact distribution of the Mann-Whitney U statistic without ties.

U counts the pairs in which the value of the first sample is larger.  The numbers of ways to get U = k are the
coefficients of the Gaussian binomial

    prod_{i=1}^{m} (1 - q^(n+i)) / (1 - q^i)  =  sum_k ways(k) q^k.

A division by 1 - q^i is a running sum with stride i, and a multiplication by 1 - q^(n+i) is a subtraction, so one row of memory is
enough.  With integers this recurrence is exact.  With floats the errors of the recurrence in the middle of the row grow with the size
of the smaller sample, because one factor amplifies a frequency that another factor damps.  At the lower end, where little is
subtracted, the errors do not grow.  For this reason the middle is computed for large samples by the discrete Fourier transform of the
same product, whose value is known at every frequency.
"""

from __future__ import annotations

from math import ceil, comb, log2
from typing import Any

import numpy as np
from numpy import expm1, pi, sinh, sqrt

from ..core.numerics.bisection import bisect
from ..core.value_types import Array

MAX_INTEGER_WORK = 2**20  # up to this value of min(m, n)^2 max(m, n), use Python integers (at most 0.1 s)
# the recurrence keeps 13 digits at every U if the smaller sample has at most this size
STABLE_SIZE = 100
# for larger samples, the recurrence keeps 13 digits up to U = LOWER_END times the size of the larger sample
LOWER_END = 10
MAX_PAIRS = 2**23


def cdf(m: int, n: int) -> Array:
    """Return P(U <= 0), P(U <= 1), ..., P(U <= m n) = 1: correctly rounded for small samples, else to 13 digits (above 1e-300)."""
    if min(m, n) * m * n <= MAX_INTEGER_WORK:
        total = comb(m + n, m)
        return np.array([count / total for count in cumulative_ways(m, n)])
    below = np.minimum(probabilities(m, n).cumsum(), 1.0)
    below[-1] = 1.0
    return below


def probabilities(m: int, n: int) -> Array:
    """Return P(U = 0), P(U = 1), ..., P(U = m n), correct to at least 13 digits if above 1e-300."""
    m, n = min(m, n), max(m, n)
    middle = m * n // 2
    if m <= STABLE_SIZE:
        below = count_ways(m, n, middle, float)
        below /= 2 * below.sum() - (m * n % 2 == 0) * below[-1]
    else:
        below = _probabilities_of_large_samples(m, n)
    return np.concatenate([below, below[: m * n - middle][::-1]])


def cumulative_ways(m: int, n: int) -> list[int]:
    """Return the numbers of ways to win at most 0, 1, ..., m n pairs, as integers."""
    m, n = min(m, n), max(m, n)
    below = count_ways(m, n, m * n // 2, object).cumsum().tolist()
    total = comb(m + n, m)
    return below + [total - w for w in below[: m * n - len(below)][::-1]] + [total]


def count_ways(m: int, n: int, most: int, kind: Any) -> Any:
    """Return the numbers of ways to win 0, 1, ..., most pairs, the Gaussian coefficients; `kind` is object (Python integers) or float.

    Floats are divided by a power of 2 that keeps the largest number finite.

    >>> count_ways(2, 2, 4, object).tolist()
    [1, 1, 2, 1, 1]
    """
    row = np.zeros(most + 1, kind)
    row[0] = 1
    for i in range(1, m + 1):
        row = _running_sum(row, i)
        row[n + i :] -= row[: max(0, most + 1 - n - i)].copy()
        if kind is float:
            row *= 2.0 ** -max(0, int(row.max()).bit_length() - 900)
    return row


def _running_sum(row: Any, stride: int) -> Any:
    """Return, for each entry, its sum with the entries that lie one stride, two strides, ... before it."""
    lines = ceil(len(row) / stride)
    padded = np.zeros(lines * stride, row.dtype)
    padded[: len(row)] = row
    return padded.reshape(lines, stride).cumsum(0).ravel()[: len(row)]


def _probabilities_of_large_samples(m: int, n: int) -> Array:
    """Return the lower half of the probabilities for large samples: the lowest values by recurrence, the others in windows."""
    end = LOWER_END * n
    result = np.zeros(m * n // 2 + 1)
    high, tilt = m * n // 2, 0.0
    while high > end and (tilt == 0 or result[high] > 1e-300):
        mean, sd = _tilted(m, n, tilt)
        low = max(end, int(mean - 2.5 * sd))
        window = _window(m, n, tilt, low, high)
        # result[high] is already known, so scale the new values such that the last one equals it
        result[low : high + 1] = window if tilt == 0 else window * (result[high] / window[-1])
        high, tilt = low, _next_tilt(m, n, tilt, low)
    if high == end:
        lowest = count_ways(m, n, end, float)
        result[: end + 1] = lowest * (result[end] / lowest[-1])
    return result


def _window(m: int, n: int, tilt: float, low: int, high: int) -> Array:
    """Return values proportional to P(U = low), ..., P(U = high).

    The probabilities are multiplied by exp(-tilt k), which moves their peak to the values k from low to high.  There the absolute
    precision of the Fourier transform is also a relative precision.  The transform has a point for each k at which the tilted
    probabilities are not negligible.  The product of the factors is computed only for the lowest frequencies.  U is a sum of drawn
    ranks, so the product at the frequency theta is at most about exp(-(m + n) (1 - |D|) / 4) with D = sin((m + n) theta / 2) / ((m + n)
    sin(theta / 2)).  This bound is negligible for theta above 2 pi / (m + n).
    """
    _, sd = _tilted(m, n, tilt)
    points = 2 ** ceil(log2((64 if tilt else 24) * sd))
    used = min(points // 2, max(512, points // (m + n)))
    denominators = np.arange(1.0, m + 1)
    numerators = n + denominators
    frequencies = tilt - 2j * pi / points * np.arange(1, used + 1)[:, None]
    largest = expm1(-tilt * numerators) / expm1(-tilt * denominators) if tilt else numerators / denominators
    blocks = np.arange(0, m, 64)  # multiply in blocks of 64, because the product of all factors could underflow
    logs = [
        np.log(np.multiply.reduceat(expm1(-part * numerators) / expm1(-part * denominators) / largest, blocks, axis=1)).sum(1)
        for part in np.array_split(frequencies, 32)
    ]
    spectrum = np.zeros(points // 2 + 1, complex)
    spectrum[: used + 1] = np.conj(np.r_[1.0, np.exp(np.concatenate(logs))])
    k = np.arange(low, high + 1)
    tilted: Array = np.fft.irfft(spectrum, points)[k % points]
    return tilted * np.exp(tilt * (k - high))


def _tilted(m: int, n: int, tilt: float) -> tuple[float, float]:
    """Return mean and standard deviation of U if the probability of each k is multiplied by exp(-tilt k)."""
    if not tilt:
        return m * n / 2, sqrt(m * n * (m + n + 1) / 12)
    i = np.arange(1.0, m + 1)

    def mean(size: Array) -> float:
        return float((size / expm1(tilt * size)).sum())

    def variance(size: Array) -> float:
        return float((size / 2 / sinh(np.minimum(tilt * size / 2, 300.0))).__pow__(2).sum())

    return mean(i) - mean(n + i), sqrt(variance(i) - variance(n + i))


def _next_tilt(m: int, n: int, tilt: float, high: int) -> float:
    """Return the tilt for which `high` pairs lie two standard deviations above the mean."""

    def too_high(t: float) -> bool:
        mean, sd = _tilted(m, n, t)
        return mean + 2 * sd > high

    up = max(2 * tilt, 1 / (m + n))
    while too_high(up):
        up *= 2
    return float(bisect(too_high, tilt, up, steps=50)[1])
