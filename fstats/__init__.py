"""Statistical comparison of classifiers, step by step.

``fstats.which_test()`` names the right test for your data, ``fstats.desk("scores.csv")`` compares the classifiers in a table, and
``fstats.compare(model, other, X, y)`` trains and compares two models.  ``print(fstats.PairedT([85, 70, 79], [87, 68, 85]))`` shows a
worked example; see also ``help(fstats.PairedT)``.  In a terminal ``fstats lab`` opens the course; in a clone ``fstats site --serve``
shows the web site.  Higher scores are better; for errors and losses write ``higher_is_better=False``.  Differences are positive if A is
better (A - B for scores, B - A for losses), and ``alternative="greater"`` claims that A is better.
"""

from importlib import import_module
from sys import _getframe

from .core.lazy_imports import format_names_by_package, public_name_modules
from .core.renderer_registry import register_renderers

__version__ = "0.1.0"


_HOME = public_name_modules(__spec__)
_PACKAGES = {"explore", "testing"}  # not in __all__: explore needs extra libraries, testing is for authors of tests
__doc__ = f"{__doc__}\n{format_names_by_package(_HOME)}\n"


register_renderers(
    text="fstats.render.plain_text:render_text",
    html="fstats.render.html:render_html",
    latex="fstats.render.latex:render_latex",
    values="fstats.render.json_values:rows_to_dict",
    decision="fstats.guide.decision_diagram:draw_decision_diagram",
    walk="fstats.explore.walkthrough.walk:Walk",
    **{
        picture: f"fstats.plot:{picture}"
        for picture in ("null", "posterior", "pair_intervals", "critical_difference", "symmetry", "outliers", "normal_quantiles")
    },
)


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that `import fstats` stays fast.

    The list ``__all__`` is made here, too; ``help(fstats)`` gets an empty list, otherwise it would print the pages of all tests.
    """
    if name == "__all__":
        # return no names to pydoc.docmodule, which would print the pages of all tests
        return [] if _getframe(1).f_code.co_name == "docmodule" else [*_HOME]
    if name in _PACKAGES:
        return import_module(f".{name}", __name__)
    if name not in _HOME:
        from .core.validation.name_suggestions import UnknownNameError

        raise UnknownNameError("fstats", [name], sorted(_HOME))
    path = _HOME[name]
    module = import_module(f".{path}", __name__) if path else None
    value = globals()[name] = (
        getattr(module, name) if hasattr(module, name) else import_module(f".{path}.{name}".replace("..", "."), __name__)
    )
    return value


def __dir__() -> list[str]:
    return sorted([*_HOME, "__version__"])  # public names only, not the modules that this file imports
