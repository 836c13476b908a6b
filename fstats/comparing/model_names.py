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
        apart = [name for name in apart if not any(name.startswith(f"{other}__") for other in apart)]  # of another model, other settings
        first, second = (
            f"{kind}({', '.join(f'{name}={written(known[name])}' for name in apart)})" for kind, known in zip((first, second), settings)
        )
    return None if first == second else (first, second)


def name_of(model: Any) -> str:
    """What one model is called; of a pipeline its last step.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> name_of(make_pipeline(StandardScaler(), SVC()))
    'SVC'
    """
    return _kind(model).rpartition(" + ")[2]


def _kind(model: Any) -> str:
    """The class of a model; of a pipeline those of its steps."""
    steps = getattr(model, "steps", None)
    try:
        return " + ".join(_kind(step) for _, step in steps) if steps else (model if isinstance(model, type) else type(model)).__name__
    except (TypeError, ValueError):  # steps of another kind than scikit-learn's
        return type(model).__name__


def _differ(x: Any, y: Any) -> bool:
    """Whether two settings can be told apart in words: numbers, words, models of different classes, or lists of such."""
    names = _names(x), _names(y)
    if names[0] and names[0] == names[1]:  # each of the models is a setting of its own
        return False
    first, second = written(x), written(y)
    return first is not None and second is not None and first != second


def written(setting: Any) -> str | None:
    """A setting in words; None for what has none, as an array or a function.  Models are told by their classes."""
    if isinstance(setting, Plain):
        return repr(setting)
    if hasattr(setting, "get_params"):
        return _kind(setting)
    if isinstance(setting, dict):
        parts = [(repr(key), written(value)) for key, value in setting.items()]
        return None if any(value is None for _, value in parts) else "{" + ", ".join(f"{key}: {value}" for key, value in parts) + "}"
    if isinstance(setting, (list, tuple)):
        each = [written(one[1] if _names(setting) else one) for one in setting]
        return None if None in each else f"[{', '.join(str(one) for one in each)}]"
    return None


def _names(setting: Any) -> list[Any]:
    """The names of a list of named models, as of a vote; empty for anything else."""
    if not isinstance(setting, list) or not all(isinstance(one, tuple) and len(one) == 2 for one in setting):
        return []
    return [name for name, _ in setting] if all(hasattr(one, "get_params") for _, one in setting) else []
