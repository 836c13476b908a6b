"""Logistic regression by Newton's method.

There is no penalty; the method is iteratively reweighted least squares.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ..core.value_types import Array

# as in R's glm; without a limit, the coefficients would diverge if the classes are separable
MAX_ITERATIONS = 25
LIKELIHOOD_TOLERANCE = 1e-12  # the iterations end if the log-likelihood increases by at most this proportion


def fit_logistic(x: Array, codes: NDArray[np.int64]) -> Array:
    """Return the coefficients that maximize the likelihood; a step of Newton's method is halved until the likelihood does not fall.

    Parameters
    ----------
    x : array, shape (n, p)
        Features of all records, including the constant.
    codes : array of 0 and 1, shape (n,)
        Classes.

    Returns
    -------
    array, shape (p,)

    Examples
    --------
    Without features, the coefficient is the logit of the share of ones, which is 3/4 in this example.

    >>> fit_logistic(np.ones((4, 1)), np.array([0, 1, 1, 1])).round(4).tolist()
    [1.0986]
    """
    coefficients = np.zeros(x.shape[1])
    likelihood = _log_likelihood(x @ coefficients, codes)
    for _ in range(MAX_ITERATIONS):
        share = expit(x @ coefficients)
        curvature = (x.T * (share * (1 - share))) @ x
        # pinv, because `curvature` may be singular; the step then has the smallest norm
        step = np.linalg.pinv(curvature, rcond=1e-12, hermitian=True) @ ((codes - share) @ x)
        for _ in range(20):
            new = _log_likelihood(x @ (coefficients + step), codes)
            if new >= likelihood - 1e-9 * abs(likelihood):
                break
            step /= 2
        coefficients += step
        gain, likelihood = new - likelihood, new
        if gain <= LIKELIHOOD_TOLERANCE * abs(likelihood):
            break
    return coefficients


def _log_likelihood(eta: Array, codes: NDArray[np.int64]) -> float:
    """Return the log-likelihood of given linear predictors."""
    return float((eta * codes - np.logaddexp(0, eta)).sum())
