"""Statistical comparison of classifiers, step by step.

Each test is a frozen object whose attributes are the lines of the textbook procedure; printing it shows the worked
example.  Scores are better the higher they are; of errors and losses say ``higher_is_better=False``.  Differences are
positive where A is better (A minus B of scores, B minus A of losses), and ``alternative="greater"`` claims that A is better.

Examples
--------
>>> import numpy as np
>>> from fstats import McNemarExact, PairedT, SignedRank, critical_values
>>> float(PairedT.from_steps(n=5, mean=-0.6, sd=3.5777).pvalue)  # start from what a paper prints
0.7266...
>>> rng = np.random.default_rng(0)
>>> noise = rng.normal(size=(2, 15, 10_000))
>>> float(SignedRank(noise[0], noise[1]).reject.mean())  # trailing axes are repetitions: 10,000 exact tests
0.0...
>>> float(McNemarExact.from_predictions(list("xxyyx"), list("xxyyx"), list("yyxxx")).pvalue)
0.125
>>> critical_values(SignedRank, n=range(5, 26), alpha=[0.10, 0.05])[15][0.10]
30
>>> from fstats import Friedman, Holm, Nemenyi
>>> scores = [[0.9, 0.7, 0.8], [0.8, 0.6, 0.7], [0.9, 0.8, 0.6], [0.7, 0.5, 0.6]]  # data sets by classifiers
>>> float(Friedman(scores, method="exact").pvalue)
0.0416...
>>> print(Holm(scores, labels=["forest", "tree", "bayes"], control="tree").conclusion)
Reject H0 at alpha = 0.05 for 1 of 2 comparisons of mean ranks: forest is better than tree by 1.75. Fail to reject ...
>>> from sklearn.datasets import load_iris
>>> from sklearn.naive_bayes import GaussianNB
>>> from sklearn.tree import DecisionTreeClassifier
>>> from fstats import compare, which_test
>>> found = which_test(aim="difference", classifiers="two", data_sets="one", results="scores", size="large")
>>> test = compare(GaussianNB(), DecisionTreeClassifier(max_depth=1), *load_iris(return_X_y=True), test=found.test)  # splits, fits, test
>>> type(test).__name__, bool(test.reject)
('BlockedFiveByTwoT', True)
"""

from importlib import import_module

from .core.homes import homes
from .core.media import register

__version__ = "0.1.0"


_HOME = homes(__spec__)
_FORMER = {"so_far": "progress", "your_own": "apply_test"}  # until version 0.3
__all__ = [*_HOME]


register(
    text="fstats.render.text:as_text",
    html="fstats.render.html:as_html",
    latex="fstats.render.latex:as_latex",
    values="fstats.render.plain:as_dict",
    decision="fstats.guide.diagram:decision",
    null="fstats.plot:null",
    posterior="fstats.plot:posterior",
    pair_intervals="fstats.plot:pair_intervals",
    critical_difference="fstats.plot:critical_difference",
    symmetry="fstats.plot:symmetry",
    outliers="fstats.plot:outliers",
    normal_quantiles="fstats.plot:normal_quantiles",
)


def __getattr__(name: str) -> object:
    """A public name, loaded when it is first used, so that `import fstats` stays as cheap as it was with three tests."""
    if name in _FORMER:
        from warnings import warn

        warn(f"fstats.{name} is now called fstats.{_FORMER[name]}; the old name goes in version 0.3", DeprecationWarning, stacklevel=2)
        return __getattr__(_FORMER[name])
    if name not in _HOME:
        from .core.suggestions import NoSuchName

        raise NoSuchName("fstats", [name], sorted(_HOME))
    home = _HOME[name]
    place = import_module(f".{home}", __name__) if home else None
    value = globals()[name] = (
        getattr(place, name) if hasattr(place, name) else import_module(f".{home}.{name}".replace("..", "."), __name__)
    )
    return value


def __dir__() -> list[str]:
    return sorted([*_HOME, "__version__"])  # what Python and the imports keep here is nobody's business
