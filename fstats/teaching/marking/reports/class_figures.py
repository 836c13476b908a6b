"""Figures of a class: points, verdicts, mistakes, discrimination of questions, and times of submissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from ....plot.drawing.picture import Picture, picture_in_pixels
from ....plot.drawing.picture_marks import BLACK, BLUE, GREY, ORANGE, VERMILLION, Bars, Cells, Label, Line, Mark, Points, VerticalLine
from ..marks.student_grade import StudentGrade
from .item_analysis import OUTCOMES, Item

MOST_MISTAKES = 12
DAY = timedelta(days=1)


def points_figure(rows: Sequence[StudentGrade]) -> Picture:
    """Draw the mean percentage of the points earned in each question."""
    max_points = {mark.key: mark.of for mark in rows[0].marks if mark.of}
    keys = [*max_points]
    shares = {key: float(np.mean([one.questions.get(key, 0.0) / max_points[key] for one in rows])) for key in keys}
    at = np.arange(1.0, len(keys) + 1)
    marks: list[Mark] = [Bars(at, 100 * np.array([*shares.values()]), 0.7, BLUE)]
    marks += [Label(x, 100 * share + 5, f"{100 * share:.0f}", "middle") for x, share in zip(at.tolist(), shares.values(), strict=True)]
    limits, axes = ((0.3, len(keys) + 0.7), (0.0, 112.0)), (f"question, {keys[0]} to {keys[-1]}", "% of its points, mean")
    text = f"Mean share of the points of each question: {', '.join(f'{key} {100 * share:.0f} %' for key, share in shares.items())}."
    return Picture("Points of each question", *axes, *limits, tuple(marks), text, whole_x=True)


def outcomes_figure(asked: Sequence[Item]) -> Picture:
    """Draw how often each outcome occurs among the answers to each question, in percent of the class."""
    names = [name for name in OUTCOMES if any(one.outcomes[name] for one in asked)]
    cells = [(k, line, one.outcomes[name] / one.students) for line, name in enumerate(names, 1) for k, one in enumerate(asked)]
    columns, lines, shares = np.array(cells).T
    words = tuple(f"{100 * share:.0f}" if share else "" for share in shares)
    start, wide, high = 220.0, 36.0, 26.0  # width of the names, width of a cell, and height of a row, in pixels
    marks: list[Mark] = [Cells(start + wide * (columns + 0.5), -high * (lines + 0.5), shares, wide, high, words)]
    marks += [Label(start - 8, -high * (line + 0.5), OUTCOMES[name], "end") for line, name in enumerate(names, 1)]
    marks += [Label(start + wide * (k + 0.5), -high * 0.5, one.key, "middle") for k, one in enumerate(asked)]
    counts = {one.key: {OUTCOMES[name]: one.outcomes[name] for name in names if one.outcomes[name]} for one in asked}
    description = "; ".join(
        f"{one.key}: {', '.join(f'{name} {100 * count / one.students:.0f} %' for name, count in counts[one.key].items())}" for one in asked
    )
    text = f"Outcomes of the answers of {asked[0].students} students. {description}."
    title = "Outcomes of the answers, in % of the class"
    return picture_in_pixels(title, start + wide * len(asked) + 10, high * (len(names) + 1), marks, text, beside=40.0)


def discrimination_figure(asked: Sequence[Item]) -> Picture:
    """Draw the discrimination of each question: its point-biserial correlation with the points of the others, and the range by chance."""
    known = [(k + 1.0, one, one.discrimination) for k, one in enumerate(asked) if one.discrimination is not None]
    at, correlations = np.array([k for k, *_ in known]), np.array([r for *_, r in known])
    marks: list[Mark] = [Line((0.5, len(asked) + 0.5), (0.0, 0.0), BLACK, 1.0)]
    marks += [*(Line((k, k), one.chance_range, GREY, 9.0) for k, one, _ in known), Points(at, correlations, BLUE, "the question")]
    low = min([-0.3, *(one.chance_range[0] for _, one, _ in known), *correlations])
    high = max([0.6, *(one.chance_range[1] for _, one, _ in known), *correlations])
    description = "; ".join(
        f"{one.key} {one.discrimination:.2f} (chance {one.chance_range[0]:.2f} to {one.chance_range[1]:.2f}): {one.discrimination_text}"
        if one.discrimination is not None
        else f"{one.key}: {one.discrimination_text}"
        for one in asked
    )
    title = "Do students who have a question right do better in the other questions?"
    xlabel = f"question, {asked[0].key} to {asked[-1].key}; grey: range by chance in 95 of 100 classes"
    limits = (0.5, len(asked) + 0.5), (low - 0.05, high + 0.1)
    text = f"Point-biserial correlation of each question with the points of all others, of {asked[0].students} students. {description}."
    return Picture(title, xlabel, "point-biserial correlation", *limits, tuple(marks), text, whole_x=True)


def first_attempts_figure(asked: Sequence[Item], due: datetime | None) -> Picture | None:
    """Draw the time of the first attempt at each question: the median, and the range of the middle half of the class."""
    known = [(k + 1.0, one) for k, one in enumerate(asked) if one.first_attempts]
    if not known:
        return None
    start = due or min(one.first_attempts[0] for _, one in known)
    days = [[(moment - start) / DAY for moment in one.first_attempts] for _, one in known]
    parts = np.array([np.quantile(one, (0.25, 0.5, 0.75)) for one in days]).T
    # the quartiles determine the unit of time, so that a single late attempt does not change it
    unit, scale = ("days", 1.0) if np.ptp(parts) > 3 else ("hours", 24.0)
    low, middles, high = scale * parts
    at = np.array([k for k, _ in known])
    since = "the deadline" if due else f"{start:%d %B %Y, %H:%M}"
    marks: list[Mark] = [Line((k, k), (a, b), GREY, 9.0) for k, a, b in zip(at.tolist(), low.tolist(), high.tolist(), strict=True)]
    marks.append(Points(at, middles, BLUE, "half of the students had tried it"))
    margin = 0.1 * max(high.max() - low.min(), 0.5)
    medians = "; ".join(f"{one.key} {m:.1f} (of {len(one.first_attempts)})" for (_, one), m in zip(known, middles.tolist(), strict=True))
    xlabel = f"question, {asked[0].key} to {asked[-1].key}; grey: the middle half of the class"
    ylabel = f"{unit} from {since}" if due else f"{unit} from the first"
    limits = (0.5, len(asked) + 0.5), (low.min() - margin, high.max() + margin)
    text = f"Medians of the first attempts at each question, in {unit} from {since}, as far as they are known: {medians}."
    return Picture("First attempt at each question", xlabel, ylabel, *limits, tuple(marks), text, whole_x=True)


def mistakes_figure(rows: Sequence[StudentGrade]) -> Picture | None:
    """Draw the mistakes with names, the most common first; each student counts once."""
    marked = [{(mark.guess, mark.mistake) for mark in one.marks if mark.mistake} for one in rows]
    sure, perhaps = (Counter(name for found in marked for guess, name in found if guess is wanted) for wanted in (False, True))
    common = (sure + perhaps).most_common(MOST_MISTAKES)
    if not common:
        return None
    most = max(count for _, count in common)
    marks: list[Mark] = []
    texts = []
    for line, (name, count) in enumerate(common):
        y, least = float(len(common) - line), sure[name]
        texts.append(f"{name}: {least} ({100 * least / len(rows):.0f} %)" + (f", perhaps {count - least} more" if count > least else ""))
        marks += [Line((0.0, float(count)), (y, y), GREY, 12.0)] * (count > least)
        marks += [*[Line((0.0, float(least)), (y, y), ORANGE, 12.0)] * bool(least), Label(0.0, y + 0.42, texts[-1])]
    limits, height = ((0.0, most * 1.05), (0.4, len(common) + 0.9)), 0.45 + 0.13 * len(common)
    text = f"Number of students, of {len(rows)}, who made each mistake with a name, the most common first. {'; '.join(texts)}."
    axes = "students who made the mistake; grey: perhaps", ""
    return Picture("Mistakes with names", *axes, *limits, tuple(marks), text, yticks=False, whole_x=True, height=height)


def submission_times_figure(rows: Sequence[StudentGrade]) -> Picture | None:
    """Draw the submission times, in days before (negative) and after the deadline, or since the first submission."""
    timed = [(one, one.attempt.submission.handed_in) for one in rows if one.attempt and one.attempt.submission.handed_in]
    if not timed:
        return None
    first = min(moment for _, moment in timed if moment)
    due = rows[0].policy.deadline_for(rows[0].exercise, "")
    days = np.array([(moment - (due or first)) / DAY for _, moment in timed if moment])
    low, high = float(np.floor(days.min())), float(max(np.ceil(days.max()), np.floor(days.min()) + 1))
    width = max(1.0, np.ceil((high - low) / 30)) if high - low > 2 else 1 / 12
    edges = low + width * np.arange(np.ceil((high - low) / width - 1e-9) + 1)
    counts = np.histogram(days, edges)[0].astype(float)
    marks: list[Mark] = [Bars(edges[:-1] + width / 2, counts, 0.95 * width, GREY)]
    if due:
        marks.append(VerticalLine(0.0, "deadline", VERMILLION))
    late = sum(1 for one, _ in timed if one.late[1])
    start = "the deadline" if due else f"{first:%d %B %Y, %H:%M}"
    step = "2 hours" if width < 1 else f"{width:g} days" if width > 1 else "a day"
    limits = (min(low, -0.05), max(edges[-1], 0.05)), (0.0, counts.max() * 1.2)
    span = f"from {days.min():.1f} to {days.max():.1f} days from {start}"
    text = f"{len(timed)} submission times, in steps of {step}, {span}; {late} after the deadline and any grace or extension."
    return Picture("Submission times", f"days from {start}", "notebooks", *limits, tuple(marks), text)
