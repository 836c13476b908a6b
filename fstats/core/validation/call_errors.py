"""Errors for calls with missing or surplus arguments.

Each message shows a call that can be copied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from numbers import Real
from typing import Any

import numpy as np

from .name_suggestions import alternative_name

# example values of required settings, for the calls that error messages suggest
EXAMPLE_VALUES = {"margin": "0.01", "rope": "0.01", "control": '"A"', "effect_size": "0.5"}


def accept_other_forms(constructor: Callable[..., None]) -> Callable[..., None]:
    """Decorate a constructor so that it also takes arguments in the forms of other libraries, and explains a wrong call."""

    @wraps(constructor)
    def init(test: Any, /, *values: Any, **named: Any) -> None:
        other = test._from_other_form(values, named)
        if other is not None:
            test.__dict__.update(other.__dict__)
            return
        try:
            constructor(test, *values, **named)
        except TypeError as error:
            sentences = {name: about["sentence"] for name, about in test.inputs.items()}
            raise_for_wrong_call(error, type(test).__name__, constructor, values, named, sentences, getattr(test, "tails", ()))
            raise

    return init


def raise_for_wrong_call(
    error: TypeError,
    title: str,
    function: Callable[..., Any],
    values: Sequence[Any],
    named: Mapping[str, Any],
    sentences: Mapping[str, str] | None = None,
    alternatives: Collection[str] = ("two-sided", "greater", "less"),
) -> None:
    """Raise TypeError with the rule and the right call if Python could not call a function with these arguments.

    Other errors come from inside the function: their traceback has more frames than the frame of the caller.
    """
    if error.__traceback__ is not None and error.__traceback__.tb_next is None:
        raise TypeError(wrong_call_message(title, function, values, named, sentences or {}, alternatives)) from None


def wrong_call_message(
    title: str,
    function: Callable[..., Any],
    values: Sequence[Any],
    named: Mapping[str, Any],
    sentences: Mapping[str, str],
    alternatives: Collection[str],
) -> str:
    r"""Return the error message for missing or surplus arguments; ``sentences`` describe the arguments.

    >>> def train(model, records, *, margin, alternative="less"): ...
    >>> print(wrong_call_message("train", train, ["tree"], {}, {"margin": "The largest loss."}, ()).replace("; ", ";\n"))
    train() must be given model, records and margin (The largest loss);
    got model, without records and margin. Write `train(model, records, margin=0.01)`.
    >>> print(wrong_call_message("train", train, ["tree", 5, "larger", -0.2, 0.2], {}, {}, ("less", "greater")).replace("; ", ";\n"))
    train() must be given model, records and margin, and settings by name;
    got 5 positional arguments, without margin. Write `train(model, records, margin=0.2, alternative="greater")`.
    """
    from inspect import signature

    parameters = [p for p in signature(function).parameters.values() if p.name not in ("self", "cls")]
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    required = [
        p.name for p in parameters if (p.default is p.empty or p.default is ...) and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    by_position, surplus = positional[: len(values)], values[len(positional) :]
    missing = [name for name in required if name not in by_position and name not in named]
    twice = [name for name in by_position if name in named]
    described = [f"{name} ({sentences[name].rstrip('.')})" if name in missing and name in sentences else name for name in required]
    got = (
        f"{len(values)} positional arguments"
        if surplus
        else join_words([*by_position, *(name for name in named if name in required and name not in twice)])
    )
    got += f", without {join_words(missing)}" * bool(missing) + f", {join_words(twice)} also by name" * bool(twice)
    if not required:
        return f"{title}() takes all arguments by name; got {got}. Write `{_first_example(title, function)}`."
    settings = _settings_for(surplus, [p.name for p in parameters if p.kind is p.KEYWORD_ONLY], required, alternatives)
    known = {name: value.__name__ for name, value in zip(by_position, values) if isinstance(value, type)}
    call = [known.get(name, name) for name in required if name in positional]
    if call[0] == "d" and surplus and np.shape(values[0]) == np.shape(values[1]) != ():
        call[0] = "a - b"
    settings = {name: f"{name}={EXAMPLE_VALUES.get(name, name)}" for name in required if name not in positional} | settings
    rule = f"{title}() must be given {join_words(described)}{', and settings by name' * bool(surplus)}"
    return f"{rule}; got {got}. Write `{title}({', '.join([*call, *settings.values()])})`."


def join_words(words: Sequence[str]) -> str:
    """Join words by commas and "and"; "nothing" if there are no words."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))) or "nothing"


def _settings_for(
    surplus: Sequence[Any], settings: Sequence[str], required: Sequence[str], alternatives: Collection[str]
) -> dict[str, str]:
    """Return the settings that surplus positional arguments probably mean, each as text: a margin, a level, or an alternative."""
    meant: dict[str, str] = {}
    number_names = [name for name in settings if (name in required or name == "effect_size") and name != "control"]
    number_names += ["alpha"] * ("alpha" in settings)
    for value in surplus:
        if isinstance(value, str) and "alternative" in settings and (word := alternative_name(value)) in alternatives:
            meant["alternative"] = f'alternative="{word}"'
        elif isinstance(value, Real) and value and number_names and (number_names[0] != "alpha" or 0 < float(value) < 0.5):
            meant.setdefault(number_names[0], f"{number_names[0]}={abs(float(value)):g}")
    return meant


def _first_example(title: str, function: Callable[..., Any]) -> str:
    """Return the first call of a function in the examples of its docstring."""
    found = re.search(rf">>> .*?({title}\([^()]*\))", function.__doc__ or "")
    return found[1] if found else f"help({title})"
