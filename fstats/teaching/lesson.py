"""A notebook as a lesson: a core that keeps to its minutes, an appendix, and what its lecturer needs.

The core is what is taught.  Each of its cells is a slide or a part of one (Jupyter's own ``slideshow`` metadata); it ends where a heading
of the second level begins with *Appendix*, whose cells no slide shows.  Beside the slides stand cells of two kinds, folded: what helps the
lecturer (tag ``speaker-notes``) and the answers to what the reader is asked to move (tag ``answers``).  What the room is asked (tag
``poll``) is a slide of its own, so that no slide shows a question beside the output that answers it (:mod:`fstats.teaching.polls`).

:attr:`Lesson.minutes` counts how long the core takes, and a test holds it to what its first cell promises.
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
FOLDED_TITLES = {"speaker-notes": "For the lecturer", "answers": "Answers"}  # tags of folded cells, and what one clicks to unfold them
NUMBER_WORDS = {"ten": 10, "fifteen": 15, "twenty": 20, "twenty-five": 25, "thirty": 30}

# Planned courses: the minutes of each lecture, and its lessons by their numbers.
COURSES = {
    "Six lectures of 45 minutes": (45, ("00 01", "01b 02 03", "04 05 05b", "06 11", "07 08 09", "12 15")),
    "One lecture of 90 minutes": (90, ("00 01 03 06 09",)),
}

# How long the core takes: read aloud, with each cell run and looked at.
WORDS_PER_MINUTE = 130  # a minute, spoken at leisure
RUN_SECONDS = 8  # seconds until a cell is run and read; none of the course runs for longer
LOOK_SECONDS = 12  # seconds for each picture or table that it shows
FORMULA_SECONDS = 10  # seconds for each formula in a line of its own
EXPLORER_SECONDS = 150  # seconds in which the room moves something
QUESTIONS_FACTOR = 1.2  # of these minutes a lecture takes, where the room has questions
POLL_SECONDS = 45  # seconds for each bet and poll, its words among them: hands up, and why the others are wrong


class LessonCell:
    """One cell of a notebook: its words or its code, and what is known of it."""

    def __init__(self, cell: Any) -> None:
        self.source = "".join(cell["source"])
        self.is_code = cell["cell_type"] == "code"
        self.tags = set(cell["metadata"].get("tags", ()))
        self.slide = cell["metadata"].get("slideshow", {}).get("slide_type", "")
        self.rehearsed: float | None = cell["metadata"].get("fstats", {}).get("rehearsed")  # minutes of the lesson that it begins
        outputs = cell.get("outputs", ())
        self.shown = [kind for output in outputs for kind in output.get("data", {}) if kind in ("image/png", "text/html")]
        self.says = "".join("".join(output.get("text") or output.get("data", {}).get("text/plain", "")) for output in outputs)

    @property
    def begins_appendix(self) -> bool:
        """Whether what follows is no part of the core."""
        return not self.is_code and self.source.startswith(APPENDIX)

    @property
    def is_beside(self) -> bool:
        """Whether it is folded: notes for the lecturer, or answers."""
        return not self.tags.isdisjoint(FOLDED_TITLES)

    @property
    def only_imports(self) -> bool:
        """Whether it fetches names, and shows nothing."""
        statement = r"(?:from \S+ )?import (?:\([^)]*\)|[^(\n]+)"
        return self.is_code and not re.sub(statement, "", self.source).strip()

    @property
    def is_explorer(self) -> bool:
        """Whether something in it can be moved."""
        return self.is_code and re.search(r"\bexplore\.\w+\(", self.source) is not None

    @property
    def seconds(self) -> float:
        """How long it takes in a lecture."""
        if self.is_beside:
            return 0.0
        if POLL in self.tags:
            return POLL_SECONDS
        if self.is_code:
            return RUN_SECONDS + (EXPLORER_SECONDS if self.is_explorer else LOOK_SECONDS * bool(self.shown))
        return 60 * len(spoken_words(self.source)) / WORDS_PER_MINUTE + FORMULA_SECONDS * self.source.count("$$") / 2


def spoken_words(text: str) -> list[str]:
    """The words of a text that are said: no addresses, no folded parts; a formula is one word.

    >>> spoken_words("**Why** [`01`](01_paired_t.ipynb), if $t = 2$? <details>Not this.</details>")
    ['Why', '01', 'if', 'formula']
    """
    for what, instead in (
        (r"(?s)<details>.*?</details>", " "),
        (r"(?s)\$\$.*?\$\$", " "),
        (r"\$[^$]*\$", " formula "),
        (r"\]\([^)]*\)", " "),
    ):
        text = re.sub(what, instead, text)
    return re.findall(r"[^\W_](?:[^\W_]|['’.-](?=\w))*", text)


def slide_type(cell: LessonCell, in_core: bool) -> str:
    """What a cell is among the slides, if its author has not chosen otherwise.

    A heading begins a slide, other words one below it, and what a cell of code shows comes to its words.  A cell that only fetches names
    is run and not shown.
    """
    if cell.is_beside:
        return "notes"
    if not in_core or cell.only_imports:
        return "skip"
    if cell.slide in SHOWN:
        return cell.slide
    if cell.is_code:
        return "fragment"
    return "slide" if re.match(r"##? ", cell.source) else "subslide"


def slide_types(cells: Iterable[Any]) -> list[str]:
    """What each cell of a notebook is among the slides; what comes after a question to the room never joins its slide."""
    in_core, asked, found = True, False, []
    for cell in map(LessonCell, cells):
        in_core = in_core and not cell.begins_appendix
        kind = slide_type(cell, in_core)
        found.append("subslide" if asked and kind == "fragment" else kind)
        asked = POLL in cell.tags if kind in SHOWN else asked
    return found


@dataclass(frozen=True)
class Lesson:
    """A notebook that is taught."""

    name: str
    cells: tuple[LessonCell, ...]

    @classmethod
    def read(cls, path: Path) -> Lesson:
        """The lesson in a file."""
        return cls(path.stem, tuple(map(LessonCell, json.loads(path.read_text(encoding="utf-8"))["cells"])))

    @cached_property
    def core(self) -> tuple[LessonCell, ...]:
        """The cells before the appendix."""
        end = next((place for place, cell in enumerate(self.cells) if cell.begins_appendix), len(self.cells))
        return self.cells[:end]

    @property
    def title(self) -> str:
        """Its heading."""
        return self._first(r"^# (.*)")

    @property
    def question(self) -> str:
        """The question that it answers."""
        return self._first(r"^\*\*(.+)\*\*$")

    @property
    def needs(self) -> str:
        """What its reader knows already."""
        return self._first(r"You need:? (.+?)\.(?:\s|$)")

    @property
    def promised(self) -> int:
        """The minutes that its first cell promises."""
        return NUMBER_WORDS[self._first(r"^In ([a-z-]+) minutes")]

    @property
    def minutes(self) -> float:
        """The minutes that its core takes."""
        return sum(cell.seconds for cell in self.core) / 60

    def links(self, word: str) -> list[str]:
        """The notebooks that stand behind a word such as "Next", without their endings."""
        found = re.search(rf"\*\*{word}[.:]\*\*(.*?)(?:\*\*|$)", self._text, re.DOTALL)
        return re.findall(r"\]\(([^)#]+)\.ipynb", found[1]) if found else []

    @property
    def _text(self) -> str:
        return "\n\n".join(cell.source for cell in self.cells if not cell.is_code)

    def _first(self, pattern: str) -> str:
        found = re.search(pattern, self.cells[0].source, re.MULTILINE)
        if found is None:
            raise ValueError(f"{self.name}: the first cell says nothing of the form {pattern}; see another notebook of the course")
        return found[1]


def read_lessons(folder: Path) -> list[Lesson]:
    """All lessons of a folder, in the order of the course: each says which comes next."""
    every = {path.stem: Lesson.read(path) for path in sorted(folder.glob("[0-9]*.ipynb"))}
    name, found = min(every, default=""), []
    while name in every:
        found.append(every.pop(name))
        name = next(iter(found[-1].links("Next")), "")
    return [*found, *every.values()]


def contents_table(found: Sequence[Lesson]) -> str:
    """The lessons as a table: what each asks, what it needs, how long it takes, and what to do before and after it."""
    titles = {lesson.name: lesson.title for lesson in found}
    lines = ["| lesson | its question | minutes | you need | then do |", "|:--|:--|--:|:--|:--|"]
    for lesson in found:
        number = lesson.name.partition("_")[0]
        exercises = [name for name in lesson.links("Now you") if "exercises/" in name]  # and not what else stands in that line
        then = ", ".join(f"[{name.rpartition('/')[2].partition('_')[0]}]({name}.ipynb)" for name in exercises)
        before = [f"[{name.partition('_')[0]}]({name}.ipynb)" for name in lesson.links("Before") if name in titles]
        needs = "; ".join(filter(None, [", ".join(before), lesson.needs]))
        cells = [
            f"[{number} {lesson.title}]({lesson.name}.ipynb)",
            lesson.question,
            str(lesson.promised) + (f" ({lesson.cells[0].rehearsed:.0f} rehearsed)" if lesson.cells[0].rehearsed else ""),
            needs,
            f"exercise {then}" if then else "",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def course_tables(found: Sequence[Lesson]) -> str:
    """The planned courses as tables: the lessons of each lecture, and the minutes that they take with questions."""
    numbered = {lesson.name.partition("_")[0]: lesson for lesson in found}
    lines = []
    for words, (_, lectures) in COURSES.items():
        lines += [f"**{words}**", "", "| lecture | lessons | minutes with questions |", "|--:|:--|--:|"]
        for place, numbers in enumerate(map(str.split, lectures), 1):
            some = [numbered[number] for number in numbers]
            links = ", ".join(f"[{number} {lesson.title}]({lesson.name}.ipynb)" for number, lesson in zip(numbers, some))
            lines.append(f"| {place} | {links} | {minutes_with_questions(some):.0f} |")
        lines.append("")
    return "\n".join(lines).rstrip()


def minutes_with_questions(some: Iterable[Lesson]) -> float:
    """The minutes of a lecture on these lessons: as they were rehearsed, or as they are counted."""
    return QUESTIONS_FACTOR * sum(lesson.cells[0].rehearsed or lesson.minutes for lesson in some)
