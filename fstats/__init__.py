"""Statistical comparison of classifiers, step by step.

Each test is a frozen object whose attributes are the lines of the textbook procedure; printing it shows the worked
example.  Scores are better the higher they are, differences are A minus B, and ``alternative="greater"`` claims that A
is better.
"""

from importlib import import_module

from .core.media import register

__version__ = "0.1.0"


def _homes() -> dict[str, str]:
    """Where each public name lives ("": a module of its own), as the stub beside this file says."""
    with open(f"{__file__}i", encoding="utf-8") as stub:
        lines = [line.split() for line in stub if line.startswith("from .")]  # from .pairwise.paired_t import PairedT as PairedT
    return {name: home[1:] for _, home, _, name, *_ in lines}


_HOME = _homes()
__all__ = [*_HOME]


register(
    text="fstats.render.text:as_text",
    html="fstats.render.html:as_html",
    latex="fstats.render.latex:as_latex",
    values="fstats.render.plain:as_dict",
    decision="fstats.guide.diagram:decision",
    null="fstats.plot:null",
    posterior="fstats.plot:posterior",
    critical_difference="fstats.plot:critical_difference",
    symmetry="fstats.plot:symmetry",
    outliers="fstats.plot:outliers",
    normal_quantiles="fstats.plot:normal_quantiles",
)


def __getattr__(name: str) -> object:
    """A public name, loaded when it is first used, so that `import fstats` stays as cheap as it was with three tests."""
    if name not in _HOME:
        from .core.suggestions import unknown

        raise AttributeError(unknown("fstats", [name], sorted(_HOME)))
    home = _HOME[name]
    place = import_module(f".{home}", __name__) if home else None
    value = globals()[name] = (
        getattr(place, name) if hasattr(place, name) else import_module(f".{home}.{name}".replace("..", "."), __name__)
    )
    return value


def __dir__() -> list[str]:
    return sorted([*_HOME, "__version__"])  # what Python and the imports keep here is nobody's business
