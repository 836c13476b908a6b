"""A name that is not known, and those that its writer may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher


def format_names_by_similarity(name: str, known: Iterable[str]) -> str:
    """What an error says of a name: the three nearest ones, then the others.

    >>> format_names_by_similarity("irsi", ["heart", "iris", "sonar", "wine", "yeast3"])
    "the nearest names are 'iris', 'wine', 'heart'; then there are sonar, yeast3"
    >>> format_names_by_similarity("f2", ["f1", "accuracy"])
    "the nearest names are 'f1', 'accuracy'"
    """
    rest = _sort_by_similarity(name, known)[3:]
    return format_nearest_names(name, known) + (f"; then there {'are' if len(rest) > 1 else 'is'} {', '.join(rest)}" if rest else "")


def format_nearest_names(name: str, known: Iterable[str]) -> str:
    """The three nearest ones, where there are too many to tell all.

    >>> format_nearest_names("irsi", ["iris"]), format_nearest_names("irsi", ["sonar", "iris"])
    ("the nearest name is 'iris'", "the nearest names are 'iris', 'sonar'")
    """
    few = _sort_by_similarity(name, known)[:3]
    return f"the nearest {'names are' if len(few) > 1 else 'name is'} {', '.join(map(repr, few))}" if few else "there are none"


def _sort_by_similarity(name: str, known: Iterable[str]) -> list[str]:
    return sorted(sorted(known), key=lambda other: -SequenceMatcher(None, name.lower(), other.lower()).ratio())


class AmbiguousNameError(LookupError):
    """A beginning of more names than one."""


def resolve_numbered_name(name: str, stems: Iterable[str], what: str) -> str:
    """The one of several numbered names that is meant: by number, by the name with it or without, by a file, or by a beginning.

    >>> lessons = ["01_paired_t", "01b_without_pairs", "10_simulation"]
    >>> [resolve_numbered_name(name, lessons, "lesson") for name in ("1", "01", "paired_t", "notebooks/01_paired_t.ipynb", "01b", "sim")]
    ['01_paired_t', '01_paired_t', '01_paired_t', '01_paired_t', '01b_without_pairs', '10_simulation']
    """
    listed = [*stems]
    folder, _, word = name.replace("\\", "/").rstrip("/").removesuffix(".ipynb").lower().rpartition("/")

    def called(stem: str) -> tuple[str, ...]:
        number, _, title = stem.lower().partition("_")
        return stem.lower(), title, number, number.lstrip("0") or "0"

    found = [stem for stem in listed if word and word in called(stem)]
    found = found or [stem for stem in listed if word and not folder and any(one.startswith(word) for one in called(stem)[:2])]
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousNameError(f"{name} may be {', '.join(found)}: say which is meant")
    raise LookupError(f"there is no {what} {name!r}; {format_nearest_names(word, listed)}; fstats --list lists all")


# What a caller may know an argument by from scikit-learn, and what it is called here.
NAMES_IN_OTHER_LIBRARIES = {"n_jobs": "jobs", "random_state": "rng", "seed": "rng", "cv": "splits", "verbose": "progress"}
MAX_LISTED_NAMES = 30  # names that are not all told where one is near
MIN_SIMILARITY = 0.82  # of its letters a name shares with the one that was meant


def closest_name(name: str, known: Iterable[str]) -> str:
    """The one name that somebody may have meant; empty where none is near.

    >>> closest_name("alternativ", ["alpha", "alternative"]), closest_name("n_jobs", ["jobs", "rng"]), closest_name("depth", ["jobs", "rng"])
    ('alternative', 'jobs', '')
    """
    listed = sorted(known)
    if NAMES_IN_OTHER_LIBRARIES.get(name) in listed:
        return NAMES_IN_OTHER_LIBRARIES[name]
    typed = name.lower()

    def likeness(other: str) -> float:
        in_another_order = sorted(typed) == sorted(other.lower())
        return 1.0 if in_another_order else SequenceMatcher(None, typed, other.lower()).ratio()

    best = max(listed, key=likeness, default="")
    return best if best and likeness(best) >= MIN_SIMILARITY else ""


class UnknownNameError(AttributeError):
    """It says what :func:`unknown_name_message` says, as soon as somebody reads it: who only asks with ``hasattr`` does not wait for the words."""

    def __str__(self) -> str:
        return unknown_name_message(*self.args)


def unknown_name_message(what: str, names: Iterable[str], known: Iterable[str]) -> str:
    """What an error says of names that something does not have: which one may have been meant, and what there is.

    >>> unknown_name_message("PairedT", ["alternativ"], ["a", "b", "alternative"])
    "PairedT has no 'alternativ': did you mean 'alternative'? It has a, b, alternative"
    """
    wrong, there = sorted(names), [*known]
    hints = [(name, closest_name(name, there)) for name in wrong]
    asked = " and ".join(f"{hint!r}" + (f" for {name!r}" if len(wrong) > 1 else "") for name, hint in hints if hint)
    said = f"{what} has no {', '.join(map(repr, wrong))}"
    if asked and len(there) > MAX_LISTED_NAMES:
        return f"{said}: did you mean {asked}?"
    return f"{said}: did you mean {asked}? It has {', '.join(there)}" if asked else f"{said}; it has {', '.join(there)}"
