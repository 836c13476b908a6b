"""What two models are called: by their classes, and two of the same class by what sets them apart."""

from __future__ import annotations

from typing import Any

PLAIN_TYPES = (bool, int, float, str, type(None))


def distinct_model_names(a: Any, b: Any) -> tuple[str, str] | None:
    """Two different names, such as GaussianNB and DecisionTreeClassifier; None where nothing tells the two apart in words.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> distinct_model_names(DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier())
    ('DecisionTreeClassifier(max_depth=1)', 'DecisionTreeClassifier(max_depth=None)')
    """
    first, second = _class_name(a), _class_name(b)
    if first == second:
        settings = [one.get_params() if hasattr(one, "get_params") else {} for one in (a, b)]
        apart = [
            name for name in sorted(settings[0].keys() & settings[1].keys()) if _is_distinguishable(*(known[name] for known in settings))
        ]
        apart = [name for name in apart if not any(name.startswith(f"{other}__") for other in apart)]  # of another model, other settings
        first, second = (
            f"{kind}({', '.join(f'{name}={format_setting(known[name])}' for name in apart)})"
            for kind, known in zip((first, second), settings)
        )
    return None if first == second else (first, second)


def model_name(model: Any) -> str:
    """What one model is called; of a pipeline its last step.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> model_name(make_pipeline(StandardScaler(), SVC()))
    'SVC'
    """
    return _class_name(model).rpartition(" + ")[2]


def _class_name(model: Any) -> str:
    """The class of a model; of a pipeline those of its steps."""
    steps = getattr(model, "steps", None)
    try:
        return " + ".join(_class_name(step) for _, step in steps) if steps else (model if isinstance(model, type) else type(model)).__name__
    except (TypeError, ValueError):  # steps of another kind than scikit-learn's
        return type(model).__name__


def _is_distinguishable(x: Any, y: Any) -> bool:
    """Whether two settings can be told apart in words: numbers, words, models of different classes, or lists of such."""
    names = _step_names(x), _step_names(y)
    if names[0] and names[0] == names[1]:  # each of the models is a setting of its own
        return False
    first, second = format_setting(x), format_setting(y)
    return first is not None and second is not None and first != second


def format_setting(setting: Any) -> str | None:
    """A setting in words; None for what has none, as an array or a function.  Models are told by their classes."""
    if isinstance(setting, PLAIN_TYPES):
        return repr(setting)
    if hasattr(setting, "get_params"):
        return _class_name(setting)
    if isinstance(setting, dict):
        parts = [(repr(key), format_setting(value)) for key, value in setting.items()]
        return None if any(value is None for _, value in parts) else "{" + ", ".join(f"{key}: {value}" for key, value in parts) + "}"
    if isinstance(setting, (list, tuple)):
        each = [format_setting(one[1] if _step_names(setting) else one) for one in setting]
        return None if None in each else f"[{', '.join(str(one) for one in each)}]"
    return None


def _step_names(setting: Any) -> list[Any]:
    """The names of a list of named models, as of a vote; empty for anything else."""
    if not isinstance(setting, list) or not all(isinstance(one, tuple) and len(one) == 2 for one in setting):
        return []
    return [name for name, _ in setting] if all(hasattr(one, "get_params") for _, one in setting) else []
