"""What two models are called: by their classes, and two of the same class by what sets them apart."""

from __future__ import annotations

from typing import Any

Plain = (bool, int, float, str, type(None))


def called(a: Any, b: Any) -> tuple[str, str] | None:
    """Two different names, such as GaussianNB and DecisionTreeClassifier; None where nothing tells the two apart in words.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> called(DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier())
    ('DecisionTreeClassifier(max_depth=1)', 'DecisionTreeClassifier(max_depth=None)')
    """
    first, second = _kind(a), _kind(b)
    if first == second:
        settings = [one.get_params() if hasattr(one, "get_params") else {} for one in (a, b)]
        apart = [name for name in sorted(settings[0].keys() & settings[1].keys()) if _differ(*(known[name] for known in settings))]
        first, second = (
            f"{kind}({', '.join(f'{name}={known[name]!r}' for name in apart)})" for kind, known in zip((first, second), settings)
        )
    return None if first == second else (first, second)


def _kind(model: Any) -> str:
    """The class of a model; of a pipeline those of its steps."""
    steps = getattr(model, "steps", None)
    try:
        return " + ".join(_kind(step) for _, step in steps) if steps else type(model).__name__
    except (TypeError, ValueError):  # steps of another kind than scikit-learn's
        return type(model).__name__


def _differ(x: Any, y: Any) -> bool:
    """Whether two settings are numbers or words, and not the same."""
    return isinstance(x, Plain) and isinstance(y, Plain) and (type(x), x) != (type(y), y)
