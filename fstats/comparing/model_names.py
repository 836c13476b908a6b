"""Names of scikit-learn models.

A name is the class of the model, with its settings if another model has the same class.
"""

from __future__ import annotations

from typing import Any

PLAIN_TYPES = (bool, int, float, str, type(None))


def distinct_model_names(a: Any, b: Any) -> tuple[str, str] | None:
    """Return two different names, such as GaussianNB and DecisionTreeClassifier; None if no difference can be written as text.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> distinct_model_names(DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier())
    ('DecisionTreeClassifier(max_depth=1)', 'DecisionTreeClassifier(max_depth=None)')
    """
    first, second = _class_name(a), _class_name(b)
    if first == second:
        settings = [model.get_params() if hasattr(model, "get_params") else {} for model in (a, b)]
        different = [
            name for name in sorted(settings[0].keys() & settings[1].keys()) if _is_distinguishable(*(params[name] for params in settings))
        ]
        # steps with different models already distinguish the pipelines, so leave out the settings of these models
        different = [name for name in different if not any(name.startswith(f"{other}__") for other in different)]
        first, second = (
            f"{class_name}({', '.join(f'{name}={format_setting(params[name])}' for name in different)})"
            for class_name, params in zip((first, second), settings)
        )
    return None if first == second else (first, second)


def model_name(model: Any) -> str:
    """Return the name of a model: its class; for a pipeline the class of its last step.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> model_name(make_pipeline(StandardScaler(), SVC()))
    'SVC'
    """
    return _class_name(model).rpartition(" + ")[2]


def _class_name(model: Any) -> str:
    """Return the class of a model; for a pipeline the classes of its steps."""
    steps = getattr(model, "steps", None)
    try:
        return " + ".join(_class_name(step) for _, step in steps) if steps else (model if isinstance(model, type) else type(model)).__name__
    except (TypeError, ValueError):  # `steps` is not a list of (name, model) pairs
        return type(model).__name__


def _is_distinguishable(x: Any, y: Any) -> bool:
    """Return whether two settings have different texts; return False for settings without a text, such as functions."""
    names = _step_names(x), _step_names(y)
    # lists of models with equal names are not a difference here, because the settings of the models are compared separately
    if names[0] and names[0] == names[1]:
        return False
    first, second = format_setting(x), format_setting(y)
    return first is not None and second is not None and first != second


def format_setting(setting: Any) -> str | None:
    """Write a setting; None if it cannot be written, such as an array or a function.  A model is written as the name of its class."""
    if isinstance(setting, PLAIN_TYPES):
        return repr(setting)
    if hasattr(setting, "get_params"):
        return _class_name(setting)
    if isinstance(setting, dict):
        parts = [(repr(key), format_setting(value)) for key, value in setting.items()]
        return None if any(value is None for _, value in parts) else "{" + ", ".join(f"{key}: {value}" for key, value in parts) + "}"
    if isinstance(setting, (list, tuple)):
        each = [format_setting(item[1] if _step_names(setting) else item) for item in setting]
        return None if None in each else f"[{', '.join(map(str, each))}]"
    return None


def _step_names(setting: Any) -> list[Any]:
    """Return the names in a list of named models, such as the models of a voting classifier; empty for any other value."""
    if not isinstance(setting, list) or not all(isinstance(item, tuple) and len(item) == 2 for item in setting):
        return []
    return [name for name, _ in setting] if all(hasattr(model, "get_params") for _, model in setting) else []
