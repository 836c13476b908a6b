"""Grading policy of a course (a TOML file): points, penalties for lateness, and the attempt that counts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from pathlib import Path
from typing import Any, Literal

from .submission_mark import QuestionMark

SHARES = ("carried", "carried_typed", "digits", "mistake", "mistake_choice", "mistake_function", "typed")
OPTIONS = {"take": ("last", "best"), "free_text": ("auto", "always", "never")}
TABLES = {
    "points": {*SHARES, "free_text"},
    "late": {"deadline", "grace_minutes", "percent_a_day", "most_percent", "by_the_minute"},
    "attempts": {"take"},
    "deadlines": set(),  # its keys are not fixed: they are names of exercises
    "extensions": set(),
}
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Policy:
    """Grading policy of a course; :meth:`read` reads it from a TOML file, ``Policy()`` has the default rules."""

    carried: float = 1.0
    carried_typed: float = 0.0
    digits: float = 0.75
    mistake: float = 0.5
    mistake_choice: float = 0.0
    mistake_function: float = 0.5
    typed: float = 1.0
    free_text: Literal["auto", "always", "never"] = "auto"
    deadline: datetime | None = None
    grace_minutes: float = 0.0
    percent_a_day: float = 0.0
    most_percent: float = 100.0
    by_the_minute: bool = False
    take: Literal["last", "best"] = "last"
    deadlines: Mapping[str, datetime] = field(default_factory=dict)
    extensions: Mapping[str, datetime] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Policy:
        """Read the rules of a TOML file; missing rules have their default.

        Raises
        ------
        ValueError
            If the file is no TOML, or has an unknown rule or an invalid value.
        """
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"the policy {path} is not a valid TOML file: {error}") from None
        rules: dict[str, Any] = {}
        for table, entries in content.items():
            if table not in TABLES or not isinstance(entries, dict):
                raise ValueError(f"the policy {path} can have the tables {', '.join(TABLES)}; got the table {table!r}")
            names = TABLES[table]
            if names and (unknown := entries.keys() - names):
                raise ValueError(
                    f"the table {table} of {path} can have the entries {', '.join(sorted(names))}; got the entry {sorted(unknown)[0]!r}"
                )
            rule = {name: name if names else "deadline" for name in entries}
            checked = {name: _check_rule(rule[name], value, f"{table}.{name} in {path}") for name, value in entries.items()}
            rules |= checked if names else {table: checked}
        return cls(**rules)

    # -- points --------------------------------------------------------------------------------------------------------
    def share(self, mark: QuestionMark) -> tuple[float, str]:
        """Return the share of its points that an answer earns, and the reason in words."""
        typed = self.typed if mark.computed is False and mark.kind == "value" else 1.0
        if mark.chained:
            typed *= self.carried_typed
        for_mistakes = {"choice": self.mistake_choice, "function": self.mistake_function}
        share, why = {
            "right": (1.0, "right"),
            "carried": (self.carried, "right, given an earlier answer"),
            "digits": (self.digits, "the right way, but too few digits"),
            "mistake": (for_mistakes.get(mark.kind, self.mistake), f"a mistake with a name, {mark.mistake}"),
            "unanswered": (0.0, "not answered"),
            "unreadable": (0.0, "not what was asked for"),
        }.get(mark.verdict, (0.0, "not right"))
        source = "an earlier wrong answer" if mark.chained else "the data"
        is_mentioned = typed < 1 and (mark.chained or mark.verdict in ("right", "carried", "digits"))
        addition = f", but typed in, not computed from {source}" if is_mentioned else ""
        return share * typed, why + addition

    def points(self, mark: QuestionMark) -> float:
        """Return the points that an answer earns."""
        return mark.of * self.share(mark)[0]

    # -- lateness --------------------------------------------------------------------------------------------------------
    def deadline_for(self, exercise: str, student: str) -> datetime | None:
        """Return the deadline of a student in an exercise; None if there is none."""
        day = self.deadlines.get(exercise, self.deadline)
        extended = self.extensions.get(student)
        return max(day, extended) if day and extended else day

    def late_penalty(self, exercise: str, student: str, handed_in: datetime | None) -> tuple[float, str]:
        """Return the penalty for lateness in percent, and the reason in words (empty if the submission was in time)."""
        deadline = self.deadline_for(exercise, student)
        if deadline is None or handed_in is None:
            return 0.0, ""
        after = handed_in - deadline
        if after <= timedelta(minutes=self.grace_minutes):
            return 0.0, ""
        days = after / DAY if self.by_the_minute else float(ceil(after / DAY))
        percent = min(self.percent_a_day * days, self.most_percent)
        return percent, f"{format_duration(after)} late: {percent:g} % taken off"


def format_duration(span: timedelta) -> str:
    """Format a duration in days, hours and minutes, rounded up to the minute."""
    minutes = ceil(span / timedelta(minutes=1))
    parts = (minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")
    return " ".join(f"{count} {unit}{'s' * (count != 1)}" for count, unit in parts if count)


def _check_rule(name: str, value: Any, where: str) -> Any:
    """Return the value of a rule; raise ValueError if it is not valid."""
    if name == "deadline":
        return _parse_time(value, where)
    if name in OPTIONS:
        if value not in OPTIONS[name]:
            raise ValueError(f"{where} must be {' or '.join(map(repr, OPTIONS[name]))}; got {value!r}")
        return value
    if name == "by_the_minute":
        if not isinstance(value, bool):
            raise ValueError(f"{where} must be true or false; got {value!r}")
        return value
    most = 1.0 if name in SHARES else float("inf") if name == "grace_minutes" else 100.0
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise ValueError(f"{where} must be a number {'from 0 to ' + format(most, 'g') if most < 1e9 else 'of at least 0'}; got {value!r}")
    return float(value)


def _parse_time(value: Any, where: str) -> datetime:
    """Parse a date with time; if it names no time zone, it is in the zone of this machine."""
    if not isinstance(value, datetime):
        raise ValueError(f"{where} must be a date with a time, such as 2026-12-01T23:59:00+01:00 (without quotes); got {value!r}")
    return value.astimezone()
