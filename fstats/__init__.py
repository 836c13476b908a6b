"""Statistical comparison of classifiers, step by step.

``fstats.which_test()`` asks what you have and names the test; ``fstats.compare(model, other, X, y)`` goes all the way.  Printing a test,
such as ``fstats.PairedT([85, 70, 79], [87, 68, 85])``, shows the worked example, whose lines are attributes.  ``help(fstats.PairedT)`` is
the page of one name; ``fstats lab``, in a terminal, opens the course, and in a clone ``fstats site --serve`` shows it with all pages.

Scores are better the higher they are; of errors and losses say ``higher_is_better=False``.  Differences are positive where A is better
(A minus B of scores, B minus A of losses), and ``alternative="greater"`` claims that A is better.
"""

from importlib import import_module
from sys import _getframe

from .core.lazy_imports import format_names_by_package, public_name_modules
from .core.renderer_registry import register_renderers

__version__ = "0.1.0"


_HOME = public_name_modules(__spec__)
_FORMER = {"so_far": "progress", "your_own": "apply_test"}  # until version 0.3
__doc__ = f"{__doc__}\n{format_names_by_package(_HOME)}\n"


register_renderers(
    text="fstats.render.plain_text:render_text",
    html="fstats.render.html:render_html",
    latex="fstats.render.latex:render_latex",
    values="fstats.render.json_values:rows_to_dict",
    decision="fstats.guide.decision_diagram:draw_decision_diagram",
    null="fstats.plot:null",
    posterior="fstats.plot:posterior",
    pair_intervals="fstats.plot:pair_intervals",
    critical_difference="fstats.plot:critical_difference",
    symmetry="fstats.plot:symmetry",
    outliers="fstats.plot:outliers",
    normal_quantiles="fstats.plot:normal_quantiles",
)


def __getattr__(name: str) -> object:
    """A public name, loaded when it is first used, so that `import fstats` stays as cheap as it was with three tests.

    The list of all is one, too; ``help(fstats)`` is told an empty one, else it would print every page of every test.
    """
    if name == "__all__":
        return [] if _getframe(1).f_code.co_name == "docmodule" else [*_HOME]  # of pydoc
    if name in _FORMER:
        from warnings import warn

        warn(f"fstats.{name} is now called fstats.{_FORMER[name]}; the old name goes in version 0.3", DeprecationWarning, stacklevel=2)
        return __getattr__(_FORMER[name])
    if name not in _HOME:
        from .core.validation.name_suggestions import UnknownNameError

        raise UnknownNameError("fstats", [name], sorted(_HOME))
    home = _HOME[name]
    place = import_module(f".{home}", __name__) if home else None
    value = globals()[name] = (
        getattr(place, name) if hasattr(place, name) else import_module(f".{home}.{name}".replace("..", "."), __name__)
    )
    return value


def __dir__() -> list[str]:
    return sorted([*_HOME, "__version__"])  # what Python and the imports keep here is nobody's business
