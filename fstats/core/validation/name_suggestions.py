"""Suggestions of similar names for misspelt names."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from difflib import SequenceMatcher
from importlib.resources import files
from typing import Any


def format_names_by_similarity(name: str, known: Iterable[str]) -> str:
    """List the known names for an error message: the three most similar names, then the other names.

    >>> format_names_by_similarity("irsi", ["heart", "iris", "sonar", "wine", "yeast3"])
    "the nearest names are 'iris', 'wine', 'heart'; then there are sonar, yeast3"
    >>> format_names_by_similarity("f2", ["f1", "accuracy"])
    "the nearest names are 'f1', 'accuracy'"
    """
    rest = _sort_by_similarity(name, known)[3:]
    return format_nearest_names(name, known) + (f"; then there {'are' if len(rest) > 1 else 'is'} {', '.join(rest)}" if rest else "")


def format_nearest_names(name: str, known: Iterable[str]) -> str:
    """List only the three most similar names, for an error message that would be too long with all names.

    >>> format_nearest_names("irsi", ["iris"]), format_nearest_names("irsi", ["sonar", "iris"])
    ("the nearest name is 'iris'", "the nearest names are 'iris', 'sonar'")
    """
    nearest = _sort_by_similarity(name, known)[:3]
    return f"the nearest {'names are' if len(nearest) > 1 else 'name is'} {', '.join(map(repr, nearest))}" if nearest else "there are none"


def _sort_by_similarity(name: str, known: Iterable[str]) -> list[str]:
    return sorted(sorted(known), key=lambda other: -SequenceMatcher(None, name.lower(), other.lower()).ratio())


class AmbiguousNameError(LookupError):
    """Error for an abbreviation with which several names begin."""


def resolve_numbered_name(name: str, stems: Iterable[str], what: str) -> str:
    """Find a numbered name from its number, from the name with or without number, from a file name, or from its first letters.

    >>> lessons = ["01_paired_t", "01b_without_pairs", "10_simulation"]
    >>> [resolve_numbered_name(name, lessons, "lesson") for name in ("1", "01", "paired_t", "notebooks/01_paired_t.ipynb", "01b", "sim")]
    ['01_paired_t', '01_paired_t', '01_paired_t', '01_paired_t', '01b_without_pairs', '10_simulation']
    """
    listed = [*stems]
    folder, _, word = name.replace("\\", "/").rstrip("/").removesuffix(".ipynb").lower().rpartition("/")

    def spellings(stem: str) -> tuple[str, ...]:
        number, _, title = stem.lower().partition("_")
        return stem.lower(), title, number, number.lstrip("0") or "0"

    matches = [stem for stem in listed if word and word in spellings(stem)]
    matches = matches or [stem for stem in listed if word and not folder and any(text.startswith(word) for text in spellings(stem)[:2])]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise AmbiguousNameError(f"the name {name} is ambiguous; it can be {' or '.join(matches)}. Write one of these names.")
    raise LookupError(f"there is no {what} {name!r}; {format_nearest_names(word, listed)}; fstats --list lists all")


# comments in the TOML file explain its keys and values
OTHER_LIBRARIES: dict[str, dict[str, str]] = tomllib.loads(files(__package__).joinpath("name_suggestions.toml").read_text(encoding="utf-8"))
OTHER_NAMES, ARGUMENTS_IN_OTHER_LIBRARIES = OTHER_LIBRARIES["names"], OTHER_LIBRARIES["arguments"]
NAMES_IN_OTHER_LIBRARIES, ADVICE_ON_ARGUMENTS, ALTERNATIVES_IN_OTHER_LIBRARIES = (
    {word: name for name, words in table.items() for word in words.split()}
    for table in (OTHER_LIBRARIES["settings"] | OTHER_NAMES, OTHER_LIBRARIES["advice"], OTHER_LIBRARIES["alternatives"])
)
MAX_LISTED_NAMES = 30  # up to this number of names, an error message lists all of them, even if one is similar
MIN_SIMILARITY = 0.82  # minimum similarity ratio (difflib) of two names that count as similar


def closest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant; empty if no known name is similar.

    >>> [closest_name(name, ["alternative", "jobs", "rng"]) for name in ("alternativ", "n_jobs", "depth")]
    ['alternative', 'jobs', '']
    """
    listed = sorted(known)
    for other in (NAMES_IN_OTHER_LIBRARIES.get(name, ""), *ARGUMENTS_IN_OTHER_LIBRARIES.get(name, "").split()):
        if other in listed:
            return other
    typed = name.lower()

    def similarity(other: str) -> float:
        is_anagram = sorted(typed) == sorted(other.lower())
        return 1.0 if is_anagram else SequenceMatcher(None, typed, other.lower()).ratio()

    best = max(listed, key=similarity, default="")
    return best if best and similarity(best) >= MIN_SIMILARITY else ""


def alternative_name(word: Any) -> str:
    """Return the alternative of this package that another library calls by this word; empty for an unknown word.

    >>> [alternative_name(word) for word in ("two_sided", "larger", "smaller", "two.sided", "t", "g", "l", ">", "equal")]
    ['two-sided', 'greater', 'less', 'two-sided', 'two-sided', 'greater', 'less', 'greater', '']
    """
    letters = "".join(filter(lambda letter: letter.isalnum() or letter in "<>!=", word.lower())) if isinstance(word, str) else ""
    return ALTERNATIVES_IN_OTHER_LIBRARIES.get(letters, "")


def alternative_remedy(word: Any, allowed: Iterable[str]) -> str:
    """Return the end of an error message that says how this package writes an alternative; empty for an unknown word."""
    name = alternative_name(word)
    return f". Write `alternative='{name}'`." if name in allowed else ""


class UnknownNameError(AttributeError):
    """Error for a missing attribute; :func:`unknown_name_message` is called only if the message is read (not by ``hasattr``)."""

    def __str__(self) -> str:
        return unknown_name_message(*self.args)


def unknown_name_message(what: str, names: Iterable[str], known: Iterable[str]) -> str:
    """Return the error message for unknown names: the name that was probably meant, and the known names.

    >>> unknown_name_message("PairedT", ["alternativ"], ["a", "b", "alternative"])
    "PairedT has no 'alternativ': did you mean 'alternative'? It has a, b, alternative"
    """
    wrong, listed = sorted(names), [*known]
    hints = [(name, closest_name(name, listed)) for name in wrong]
    suggestion = " and ".join(f"{hint!r}" + (f" for {name!r}" if len(wrong) > 1 else "") for name, hint in hints if hint)
    advice = dict.fromkeys(ADVICE_ON_ARGUMENTS[name] for name, hint in hints if not hint and name in ADVICE_ON_ARGUMENTS)
    message = "; ".join([f"{what} has no {', '.join(map(repr, wrong))}", *advice])
    if suggestion and len(listed) > MAX_LISTED_NAMES:
        return f"{message}: did you mean {suggestion}?"
    if len(listed) > MAX_LISTED_NAMES:
        return f"{message}; {format_nearest_names(wrong[0], listed)}; dir({what}) lists all"
    return f"{message}: did you mean {suggestion}? It has {', '.join(listed)}" if suggestion else f"{message}; it has {', '.join(listed)}"
