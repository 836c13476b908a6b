"""Bonferroni-Dunn test against a control classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...core.hypothesis import SMALLEST_POSITIVE_FLOAT
from ...core.step import NotStated, input_field, step
from ...core.validation import check
from ...core.value_types import Array, Value
from .nemenyi import Nemenyi
from .posthoc_comparison import ControlComparison


def _require_control(value: Any, name: str) -> Any:
    """Return the label of the control; raise ValueError if no control is given."""
    if value is None:
        raise ValueError(f"`{name}` must be one of the labels; got None. To compare all pairs, use fstats.Nemenyi.")
    return value


class BonferroniDunn(ControlComparison):
    r"""Bonferroni-Dunn test: which classifiers differ in mean rank from a control classifier?

    Origin: published, Dunn (1961).

    The mean rank of a classifier differs significantly from the mean rank of the control if their difference is at least the critical
    difference:

    .. math:: \mathrm{CD} = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}}, \qquad q_\alpha = z_{1 - \alpha / (2 (k - 1))},

    :math:`q_\alpha` comes from the normal distribution; the level is divided among k - 1 two-sided comparisons.

    Parameters
    ----------
    scores, labels, data_sets, higher_is_better, metric
        As for :class:`fstats.Nemenyi`.
    control : str
        Label of the control, the classifier that every other classifier is compared with.
    alpha : float
        Familywise level: probability of rejecting at least one comparison if there is no difference among the classifiers.

    Attributes
    ----------
    pairs, differences, pvalues, reject : arrays with an entry for each comparison
        The control is the second classifier of each pair, so a positive difference means that the other classifier is better.  p-values
        are already adjusted for all comparisons.
    q_alpha, cd : float
        Critical value (as in Table 5 of Demsar) and critical difference of mean ranks.
    ci : Interval
        Simultaneous confidence limits of the differences: difference minus CD and difference plus CD.

    Notes
    -----
    Choose the control before you look at the scores; the best of k classifiers is not a valid control.  :class:`fstats.Holm` with a
    control rejects at least as many hypotheses.  The standard error is not corrected for ties, as usual.  A classifier with the same mean
    rank as the control has p = 1.

    The width of the intervals is right if there is no difference among the classifiers.  If some classifiers are better, the intervals
    are usually too wide: in simulations with normal scores, all intervals contained the true differences of mean ranks in 97 to 100 % of
    the tables.  The intervals are too narrow if a classifier is the best on half of the data sets and the worst on the other half,
    because differences of its ranks vary more.  If the control among 8 classifiers is of this kind, all intervals contain the true
    differences in only 80 % of the tables.

    Raises
    ------
    ValueError, TypeError
        As for :class:`fstats.Friedman`, and if the control is not one of the labels.

    References
    ----------
    Dunn (1961), Multiple comparisons among means, JASA 56, pages 52 to 64.  Demsar (2006), JMLR 7, section 3.2.2 and Table 5(b);
    the printed value 2.724 for k = 9 at 0.05 is a misprint of 2.734.

    Examples
    --------
    The example of Demsar has N = 14 and k = 4; the article prints 2.394 and 1.16 (truncated, not rounded).

    >>> import fstats
    >>> test = fstats.BonferroniDunn.from_steps(n=14, k=4)
    >>> print(round(test.q_alpha, 3), round(test.cd, 3))
    2.394 1.168
    """

    control: str = input_field(
        r"\text{control}", "Control: every other classifier is compared with it.", check=_require_control, kw_only=True
    )

    @property
    def comparison_family(self) -> str:
        """Set of compared pairs: "control", because each pair contains the control."""
        if self.control is None:
            raise NotStated("the computation needs control (the classifier that is compared with every other classifier)")
        return "control"

    @step("p_h", r"\min\{1,\ ($k - 1) \cdot 2\,P(Z \geq |$z|)\}", over="h", check=check.probabilities)
    def pvalues(self) -> Array:
        """Adjusted p-value: two-sided probability that a standard normal Z is at least as extreme, times the number of comparisons."""
        return np.clip((self.k - 1) * 2 * special.ndtr(-np.abs(self.z)), SMALLEST_POSITIVE_FLOAT, 1)

    @step(r"q_\alpha", r"z_{1 - $alpha / (2 ($k - 1))}", check=check.positive)
    def q_alpha(self) -> Value:
        """Critical value in standard errors of a difference: normal quantile at the divided level."""
        return -special.ndtri(self.alpha / (2 * (self.k - 1)))

    cd = Nemenyi.cd

    reject = Nemenyi.reject

    ci_low = Nemenyi.ci_low
    ci_high = Nemenyi.ci_high
    ci = Nemenyi.ci
