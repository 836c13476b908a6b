"""Logistic regression on many training sets of the same records at once, by Newton's method (iteratively reweighted least squares)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ..core.value_types import Array

MAX_ITERATIONS = 25  # maximum as in R's glm; for separated classes it stops the unlimited growth of the coefficients
STEP_TOLERANCE = 1e-9  # after a smaller step, the next step is rounding noise, because Newton's method converges quadratically
GRADIENT_TOLERANCE = 1e-6  # a gradient per record up to this size counts as 0
LIKELIHOOD_TOLERANCE = 1e-12  # largest relative gain in log-likelihood that counts as no gain


def fit_logistic(x: Array, codes: NDArray[np.int64], times: Array, start: Array | None = None) -> Array:
    """Return the coefficients that maximize the likelihood.

    Parameters
    ----------
    x : array, shape (n, p)
        Features of all records, including the constant.
    codes : array of 0 and 1, shape (n,)
        Classes.
    times : array, shape (sets, n)
        Number of times that each record is in each training set.
    start : array, shape (p,), optional
        Initial coefficients.

    Returns
    -------
    array, shape (sets, p)

    Examples
    --------
    Without features, the coefficient is the logit of the share of ones, which is 3/4 in this example.

    >>> fit_logistic(np.ones((4, 1)), np.array([0, 1, 1, 1]), np.ones((1, 4))).round(4).tolist()
    [[1.0986]]
    """
    products = _feature_products(x)
    coefficients = np.tile(np.zeros(x.shape[1]) if start is None else start, (len(times), 1))
    todo = np.arange(len(times))
    for _ in range(MAX_ITERATIONS // 2):
        step, gradient = _newton_step(x, products, codes, times[todo], coefficients[todo] @ x.T)
        coefficients[todo] += step
        small = np.abs(step).max(1) <= STEP_TOLERANCE * (1 + np.abs(coefficients[todo]).max(1))
        flat = np.abs(gradient).max(1) <= GRADIENT_TOLERANCE * times[todo].sum(1)  # small steps alone prove no convergence
        todo = todo[~(small & flat)]
        if not len(todo):
            return coefficients
    coefficients[todo] = _damped_newton(x, products, codes, times[todo])
    return coefficients


def _damped_newton(x: Array, products: Array, codes: NDArray[np.int64], times: Array) -> Array:
    """Return the coefficients of slow or diverging fits by Newton's method from 0; steps are halved until the likelihood does not fall."""
    coefficients: Array = np.zeros((len(times), x.shape[1]))
    likelihood = _log_likelihood(coefficients @ x.T, codes, times)
    for _ in range(MAX_ITERATIONS):
        step, _ = _newton_step(x, products, codes, times, coefficients @ x.T)
        for _ in range(20):
            new = _log_likelihood((coefficients + step) @ x.T, codes, times)
            worse = new < likelihood - 1e-9 * np.abs(likelihood)
            if not worse.any():
                break
            step[worse] /= 2
        coefficients += step
        gain, likelihood = new - likelihood, new
        if (gain <= LIKELIHOOD_TOLERANCE * np.abs(likelihood)).all():
            break
    return coefficients


def _feature_products(x: Array) -> Array:
    """Return the products of all pairs of features."""
    upper = np.triu_indices(x.shape[1])
    return x[:, upper[0]] * x[:, upper[1]]


def _newton_step(x: Array, products: Array, codes: NDArray[np.int64], times: Array, eta: Array) -> tuple[Array, Array]:
    """Return Newton's step (the shortest step for singular curvature) and the gradient, computed from the linear predictors."""
    p = x.shape[1]
    share = expit(eta)
    gradient = (times * (codes - share)) @ x
    curvature = np.empty((len(times), p, p))
    upper: Any = np.triu_indices(p)
    share *= 1 - share
    share *= times
    curvature[:, upper[0], upper[1]] = curvature[:, upper[1], upper[0]] = share @ products
    step: Array = np.einsum("ijk,ik->ij", _invert_curvature(curvature), gradient)
    return step, gradient


def _invert_curvature(curvature: Array) -> Array:
    """Return inverses of matrices: 2 by 2 matrices (one feature and the constant) by formula, others as pseudo-inverses."""
    a, b, d = curvature[:, 0, 0], curvature[:, 0, -1], curvature[:, -1, -1]
    determinant = a * d - b * b
    if curvature.shape[1] != 2 or (determinant <= 1e-12 * a * d).any():
        return np.asarray(np.linalg.pinv(curvature, rcond=1e-12, hermitian=True), float)
    adjoint: Array = np.stack([np.stack([d, -b], -1), np.stack([-b, a], -1)], 1)
    return np.asarray(adjoint / determinant[:, np.newaxis, np.newaxis])


def _log_likelihood(eta: Array, codes: NDArray[np.int64], times: Array) -> Array:
    """Return the log-likelihoods."""
    likelihood: Array = np.einsum("ij,ij->i", times, eta * codes - np.logaddexp(0, eta))
    return likelihood
