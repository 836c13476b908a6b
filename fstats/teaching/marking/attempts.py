"""Which of the notebooks that were handed in are attempts, and what the files do not tell of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .graded import Attempt
from .policy import Policy
from .submissions import Received


def by_upload(found: Sequence[Received]) -> dict[tuple[str, str], list[Received]]:
    """The attempts by exercise and student: one for each upload, however many notebooks are in it."""
    uploads: dict[tuple[str, str, str], list[Received]] = {}
    for one in found:
        if not one.problem:
            uploads.setdefault((one.exercise, one.student, one.upload), []).append(one)
    tried: dict[tuple[str, str], list[Received]] = {}
    for (exercise, student, _), every in uploads.items():
        one = one_of(every)
        if len(every) > 1:
            note = f"{len(every)} notebooks of this exercise in one upload: {one.path} counts, the others were not looked at."
            one = replace(one, note=f"{one.note} {note}".strip())
        tried.setdefault((exercise, student), []).append(one)
    return tried


def one_of(upload: Sequence[Received]) -> Received:
    """The notebook that counts of several of one exercise in one upload, which else would be as many tries.

    The one that was handed in last; of those the one that has the exercise's own name; else the last by name.
    """
    last = max((one.handed_in for one in upload if one.handed_in), default=None)
    there = [one for one in upload if one.handed_in == last]
    own = [one for one in there if _has_own_name(one)]
    return (own or there)[-1]


def _has_own_name(one: Received) -> bool:
    again = r"(-\d+)?" if one.layout == "canvas" else ""  # which Canvas adds where a name comes again
    return bool(re.fullmatch(rf"(\d+_)?{one.exercise}{again}\.ipynb", one.file.casefold()))


def lost(others: Sequence[Received]) -> dict[tuple[str, str], str]:
    """Why a student has no mark although there is a file."""
    return {(one.exercise, one.student): f"{one.path}: {one.problem}" for one in others if one.student and one.exercise}


def remarks(tried: Sequence[Received], attempt: Attempt | None, policy: Policy) -> tuple[str, ...]:
    """What cannot be told from the files."""
    if attempt is None:
        return ()
    handed_in, due = attempt.submission, policy.due(attempt.submission.exercise, attempt.submission.student)
    said = [handed_in.note] if handed_in.note else []
    numbers: dict[str, list[str]] = {}  # by layout and folder: another assignment may give other numbers
    for one in tried:
        if one.number and one.number not in (there := numbers.setdefault(one.upload.rpartition(one.number)[0], [])):
            there.append(one.number)
    for there in numbers.values():
        if len(there) > 1:
            said.append(f"Files of several people there have this student's name ({', '.join(there)}): whose is {handed_in.path}?")
    if len(tried) > 1 and policy.take == "last" and not all(one.handed_in for one in tried):
        said.append(f"{len(tried)} notebooks without times: {attempt.submission.path} counts as the last by its name.")
    if handed_in.late:
        if due is None:
            said.append("Handed in late, says Canvas; the policy has no deadline.")
        elif handed_in.handed_in is None:
            said.append("Handed in late, says Canvas, and nobody says when: nothing is taken off without a list of times.")
        elif not policy.late(handed_in.exercise, handed_in.student, handed_in.handed_in)[1]:
            said.append(f"Handed in late, says Canvas, but in time by {handed_in.known_by}.")
    elif handed_in.handed_in is None and due:
        said.append("Nobody knows when it was handed in: taken as in time.")
    return tuple(said)
