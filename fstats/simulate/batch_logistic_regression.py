"""Logistic regression on many training sets of the same records at once: Newton's method (iteratively reweighted least squares)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ..core.value_types import Array

MAX_ITERATIONS = 25  # as R's glm; separated classes, whose coefficients have no end, stop here
STEP_TOLERANCE = 1e-9  # a step below which the next, by Newton's law, is below rounding
GRADIENT_TOLERANCE = 1e-6  # slope for each record at which a maximum is near
LIKELIHOOD_TOLERANCE = 1e-12  # gain in log-likelihood, relative to it, below which nothing more is to be had


def fit_logistic(x: Array, codes: NDArray[np.int64], times: Array, start: Array | None = None) -> Array:
    """Coefficients that maximize the likelihood.

    Parameters
    ----------
    x : array, shape (n, p)
        Features of all records, among them the constant.
    codes : array of 0 and 1, shape (n,)
        Classes.
    times : array, shape (sets, n)
        How often each record stands in each training set.
    start : array, shape (p,), optional
        Where to begin.

    Returns
    -------
    array, shape (sets, p)

    Examples
    --------
    Without features it is the logit of the share of ones, here of 3/4.

    >>> fit_logistic(np.ones((4, 1)), np.array([0, 1, 1, 1]), np.ones((1, 4))).round(4).tolist()
    [[1.0986]]
    """
    products = _feature_products(x)
    found = np.tile(np.zeros(x.shape[1]) if start is None else start, (len(times), 1))
    todo = np.arange(len(times))
    for _ in range(MAX_ITERATIONS // 2):
        step, gradient = _newton_step(x, products, codes, times[todo], found[todo] @ x.T)
        found[todo] += step
        small = np.abs(step).max(1) <= STEP_TOLERANCE * (1 + np.abs(found[todo]).max(1))
        flat = np.abs(gradient).max(1) <= GRADIENT_TOLERANCE * times[todo].sum(1)  # what has run away may stand still, but not at a maximum
        todo = todo[~(small & flat)]
        if not len(todo):
            return found
    found[todo] = _damped_newton(x, products, codes, times[todo])
    return found


def _damped_newton(x: Array, products: Array, codes: NDArray[np.int64], times: Array) -> Array:
    """From 0, and a step too long is halved until the likelihood no longer falls: for what has no end, or a far one."""
    found: Array = np.zeros((len(times), x.shape[1]))
    reached = _log_likelihood(found @ x.T, codes, times)
    for _ in range(MAX_ITERATIONS):
        step, _ = _newton_step(x, products, codes, times, found @ x.T)
        for _ in range(20):
            better = _log_likelihood((found + step) @ x.T, codes, times)
            worse = better < reached - 1e-9 * np.abs(reached)
            if not worse.any():
                break
            step[worse] /= 2
        found += step
        gain, reached = better - reached, better
        if (gain <= LIKELIHOOD_TOLERANCE * np.abs(reached)).all():
            break
    return found


def _feature_products(x: Array) -> Array:
    """Products of all pairs of features."""
    upper = np.triu_indices(x.shape[1])
    return x[:, upper[0]] * x[:, upper[1]]


def _newton_step(x: Array, products: Array, codes: NDArray[np.int64], times: Array, eta: Array) -> tuple[Array, Array]:
    """Newton's step from the linear predictors (where the curvature is gone, the shortest of those that do), and the slope there."""
    p = x.shape[1]
    share = expit(eta)
    gradient = (times * (codes - share)) @ x
    curvature = np.empty((len(times), p, p))
    upper: Any = np.triu_indices(p)
    share *= 1 - share
    share *= times
    curvature[:, upper[0], upper[1]] = curvature[:, upper[1], upper[0]] = share @ products
    found: Array = np.einsum("ijk,ik->ij", _invert_curvature(curvature), gradient)
    return found, gradient


def _invert_curvature(curvature: Array) -> Array:
    """Inverses; of two by two, one feature and the constant, at once, of singular ones the pseudo-inverse."""
    a, b, d = curvature[:, 0, 0], curvature[:, 0, -1], curvature[:, -1, -1]
    determinant = a * d - b * b
    if curvature.shape[1] != 2 or (determinant <= 1e-12 * a * d).any():
        return np.asarray(np.linalg.pinv(curvature, rcond=1e-12, hermitian=True), float)
    adjoint: Array = np.stack([np.stack([d, -b], -1), np.stack([-b, a], -1)], 1)
    return np.asarray(adjoint / determinant[:, np.newaxis, np.newaxis])


def _log_likelihood(eta: Array, codes: NDArray[np.int64], times: Array) -> Array:
    """Logarithms of the likelihoods."""
    found: Array = np.einsum("ij,ij->i", times, eta * codes - np.logaddexp(0, eta))
    return found
