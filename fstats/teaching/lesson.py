"""Lessons in Jupyter notebooks.

A lesson has a core, an appendix, hidden cells for the lecturer, and an estimated duration.

The core is taught. Each cell of the core is a slide or a part of a slide (Jupyter's ``slideshow`` metadata). The core ends at a heading
of the second level that begins with *Appendix*; the appendix has no slides. Two kinds of cells are folded and are not on slides: notes for
the lecturer (tag ``speaker-notes``) and answers to tasks with explorers (tag ``answers``). A question to the room (tag
``poll``) has its own slide, so that no slide shows a question next to the output that answers it (:mod:`fstats.teaching.polls`).

:attr:`Lesson.minutes` estimates how long the core takes, and a test compares the estimate with the minutes that the first cell announces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from .polls import POLL

APPENDIX = "## Appendix"
SHOWN = ("slide", "subslide", "fragment")
# title that readers click to open a hidden cell, by tag of the cell
FOLDED_TITLES = {"speaker-notes": "For the lecturer", "answers": "Answers"}
NUMBER_WORDS = {"ten": 10, "fifteen": 15, "twenty": 20, "twenty-five": 25, "thirty": 30}

# Planned courses: minutes of a lecture, and numbers of the lessons in each lecture.
COURSES = {
    "Six lectures of 45 minutes": (45, ("00 01", "01b 02 03", "04 05 05b", "06 11", "07 08 09", "12 15")),
    "One lecture of 90 minutes": (90, ("00 01 03 06 09",)),
}

# Assumptions for the duration of a lesson's core: the text is read aloud, each cell is run, and each output is read.
WORDS_PER_MINUTE = 130  # number of words per minute of a slow speaker
RUN_SECONDS = 8  # seconds to run a code cell and read its output; no cell of the course takes longer
LOOK_SECONDS = 12  # seconds to look at a picture or table
FORMULA_SECONDS = 10  # seconds to read a displayed formula
EXPLORER_SECONDS = 150  # seconds for an explorer; the audience asks, and the lecturer moves the sliders
QUESTIONS_FACTOR = 1.2  # factor by which questions from the audience lengthen a lecture
POLL_SECONDS = 45  # seconds for a bet or a poll: read the question, vote, and discuss the wrong choices


class LessonCell:
    """One cell of a notebook: its text or code, and its properties."""

    def __init__(self, cell: Any) -> None:
        self.source = "".join(cell["source"])
        self.is_code = cell["cell_type"] == "code"
        self.tags = set(cell["metadata"].get("tags", ()))
        self.slide = cell["metadata"].get("slideshow", {}).get("slide_type", "")
        # measured duration of the lesson in minutes, or None; only the first cell of a lesson stores it
        self.rehearsed_minutes: float | None = cell["metadata"].get("fstats", {}).get("rehearsed")
        outputs = cell.get("outputs", ())
        self.output_kinds = [kind for output in outputs for kind in output.get("data", {}) if kind in ("image/png", "text/html")]
        self.printed_text = "".join("".join(output.get("text") or output.get("data", {}).get("text/plain", "")) for output in outputs)

    @property
    def begins_appendix(self) -> bool:
        """Whether this cell is the heading of the appendix."""
        return not self.is_code and self.source.startswith(APPENDIX)

    @property
    def is_folded(self) -> bool:
        """Whether the cell is folded: notes for the lecturer, or answers."""
        return not self.tags.isdisjoint(FOLDED_TITLES)

    @property
    def has_only_imports(self) -> bool:
        """Whether the cell only imports names, and so shows no output."""
        statement = r"(?:from \S+ )?import (?:\([^)]*\)|[^(\n]+)"
        return self.is_code and not re.sub(statement, "", self.source).strip()

    @property
    def is_explorer(self) -> bool:
        """Whether the cell shows an explorer."""
        return self.is_code and re.search(r"\bexplore\.\w+\(", self.source) is not None

    @property
    def seconds(self) -> float:
        """Duration of the cell in a lecture."""
        if self.is_folded:
            return 0.0
        if POLL in self.tags:
            return POLL_SECONDS
        if self.is_code:
            return RUN_SECONDS + (EXPLORER_SECONDS if self.is_explorer else LOOK_SECONDS * bool(self.output_kinds))
        return 60 * len(spoken_words(self.source)) / WORDS_PER_MINUTE + FORMULA_SECONDS * self.source.count("$$") / 2


def spoken_words(text: str) -> list[str]:
    """Return the spoken words of a text: addresses and folded parts are left out, and a formula counts as one word.

    >>> spoken_words("**Why** [`01`](01_paired_t.ipynb), if $t = 2$? <details>Not this.</details>")
    ['Why', '01', 'if', 'formula']
    """
    for pattern, replacement in (
        (r"(?s)<details>.*?</details>", " "),
        (r"(?s)\$\$.*?\$\$", " "),
        (r"\$[^$]*\$", " formula "),
        (r"\]\([^)]*\)", " "),
    ):
        text = re.sub(pattern, replacement, text)
    return re.findall(r"[^\W_](?:[^\W_]|['’.-](?=\w))*", text)


def slide_type(cell: LessonCell, in_core: bool) -> str:
    """Return the slide type of a cell; a type that the author of the cell has chosen is kept.

    A heading begins a slide, other text begins a subslide, and the output of code appears with the text before the code. A cell that only
    imports names runs but is not shown.
    """
    if cell.is_folded:
        return "notes"
    if not in_core or cell.has_only_imports:
        return "skip"
    if cell.slide in SHOWN:
        return cell.slide
    if cell.is_code:
        return "fragment"
    return "slide" if re.match(r"##? ", cell.source) else "subslide"


def slide_types(cells: Iterable[Any]) -> list[str]:
    """Return the slide type of each cell of a notebook; output after a question to the room begins a new subslide."""
    in_core, asked, types = True, False, []
    for cell in map(LessonCell, cells):
        in_core = in_core and not cell.begins_appendix
        kind = slide_type(cell, in_core)
        types.append("subslide" if asked and kind == "fragment" else kind)
        asked = POLL in cell.tags if kind in SHOWN else asked
    return types


@dataclass(frozen=True)
class Lesson:
    """A notebook that is taught in a lecture."""

    name: str
    cells: tuple[LessonCell, ...]

    @classmethod
    def read(cls, path: Path) -> Lesson:
        """Read the lesson in a notebook file."""
        return cls(path.stem, tuple(map(LessonCell, json.loads(path.read_text(encoding="utf-8"))["cells"])))

    @cached_property
    def core(self) -> tuple[LessonCell, ...]:
        """Cells before the appendix."""
        end = next((place for place, cell in enumerate(self.cells) if cell.begins_appendix), len(self.cells))
        return self.cells[:end]

    @property
    def title(self) -> str:
        """Heading of the lesson."""
        return self._first(r"^# (.*)")

    @property
    def question(self) -> str:
        """Question that the lesson answers."""
        return self._first(r"^\*\*(.+)\*\*$")

    @property
    def prerequisites(self) -> str:
        """Knowledge that the lesson requires."""
        return self._first(r"You need:? (.+?)\.(?:\s|$)")

    @property
    def announced_minutes(self) -> int:
        """Minutes that the first cell announces."""
        return NUMBER_WORDS[self._first(r"^In ([a-z-]+) minutes")]

    @property
    def minutes(self) -> float:
        """Estimated minutes of the core."""
        return sum(cell.seconds for cell in self.core) / 60

    def links(self, word: str) -> list[str]:
        """Return the names of the notebooks that are linked after a word such as "Next", without their endings."""
        match = re.search(rf"\*\*{word}[.:]\*\*(.*?)(?:\*\*|$)", self._text, re.DOTALL)
        return re.findall(r"\]\(([^)#]+)\.ipynb", match[1]) if match else []

    @property
    def _text(self) -> str:
        return "\n\n".join(cell.source for cell in self.cells if not cell.is_code)

    def _first(self, pattern: str) -> str:
        match = re.search(pattern, self.cells[0].source, re.MULTILINE)
        if match is None:
            raise ValueError(
                f"the first cell of {self.name} must contain a line of the form {pattern}. Copy the line from another notebook of the "
                "course."
            )
        return match[1]


def read_lessons(folder: Path) -> list[Lesson]:
    """Read all lessons of a folder, in the order of the course, which follows from each lesson's link to the next lesson."""
    unordered = {path.stem: Lesson.read(path) for path in sorted(folder.glob("[0-9]*.ipynb"))}
    name, lessons = min(unordered, default=""), []
    while name in unordered:
        lessons.append(unordered.pop(name))
        name = next(iter(lessons[-1].links("Next")), "")
    return [*lessons, *unordered.values()]


def contents_table(lessons: Sequence[Lesson]) -> str:
    """Write the table of contents: question, prerequisites and duration of each lesson, and the work before and after each lesson."""
    titles = {lesson.name: lesson.title for lesson in lessons}
    lines = ["| lesson | its question | minutes | you need | then do |", "|:--|:--|--:|:--|:--|"]
    for lesson in lessons:
        number = lesson.name.partition("_")[0]
        exercises = [name for name in lesson.links("Now you") if "exercises/" in name]  # links to exercises only, not to other notebooks
        then = ", ".join(f"[{name.rpartition('/')[2].partition('_')[0]}]({name}.ipynb)" for name in exercises)
        before = [f"[{name.partition('_')[0]}]({name}.ipynb)" for name in lesson.links("Before") if name in titles]
        needs = "; ".join(filter(None, [", ".join(before), lesson.prerequisites]))
        rehearsed = lesson.cells[0].rehearsed_minutes
        minutes = str(lesson.announced_minutes) + (f" ({rehearsed:.0f} rehearsed)" if rehearsed else "")
        cells = f"[{number} {lesson.title}]({lesson.name}.ipynb)", lesson.question, minutes, needs, f"exercise {then}" if then else ""
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def course_tables(lessons: Sequence[Lesson]) -> str:
    """Write the planned courses as tables: the lessons of each lecture, and their minutes with questions."""
    numbered = {lesson.name.partition("_")[0]: lesson for lesson in lessons}
    lines = []
    for words, (_, lectures) in COURSES.items():
        lines += [f"**{words}**", "", "| lecture | lessons | minutes with questions |", "|--:|:--|--:|"]
        for place, numbers in enumerate(map(str.split, lectures), 1):
            planned = [numbered[number] for number in numbers]
            links = ", ".join(f"[{number} {lesson.title}]({lesson.name}.ipynb)" for number, lesson in zip(numbers, planned))
            lines.append(f"| {place} | {links} | {minutes_with_questions(planned):.0f} |")
        lines.append("")
    return "\n".join(lines).rstrip()


def minutes_with_questions(lessons: Iterable[Lesson]) -> float:
    """Return the minutes of a lecture on some lessons, from rehearsed durations or, where these are missing, from estimates."""
    return QUESTIONS_FACTOR * sum(lesson.cells[0].rehearsed_minutes or lesson.minutes for lesson in lessons)
