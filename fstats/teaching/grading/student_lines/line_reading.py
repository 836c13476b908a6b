"""Find the error in a student's line of code.

If no single change makes the line right, two changes are tried. A line that no change makes right still has parts that are right, parts
that are missing, and parts that do not belong.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any
from warnings import catch_warnings

import numpy as np

from ....core.procedure import Procedure
from ..answers.answer_value import has_full_precision, is_equal, is_real_valued
from ..exercise import required_steps, start_test
from ..question import Function, Question
from ..verdicts.marked_line import MarkedLine
from .call_remarks import OTHER_KIND, call_remarks, operation_remarks
from .code_history import place_in_line
from .evaluation_limits import NotRead
from .line_changes import Change, LineChanges, size
from .line_edits import CLEAR, COMPARISON, MISSING_RANK, PARENTHESES, REST, Edit
from .line_parts import TRIVIAL, Site
from .line_values import agrees
from .loop_changes import loop_slip
from .outdated_names import lost_data, rounded_input, stale_name
from .pure_evaluator import PureEvaluator
from .pure_functions import READY_MADE

UNSAID = ("alpha", "null")  # a line may contain a number such as 0.975 instead of these inputs, so they never count as missing
WORK_OF_A_CHANGE, CHOICE = 1_000, 500  # maximum units of work for one change; minimum units of work to choose one of several
# Pairs of changes: maximum rank of a change, maximum number of combined changes, minimum units of work left to try a pair.
# The last number is the work that is kept for changes in the answer line itself.
PAIR_RANK, MOST_OF_PAIRS, PAIR_RESERVE, SINGLE_RESERVE = 2, 80, 500, 9_000
REPEATED_ANSWER = "`{}` is your answer to {}; this question asks for another quantity."
SUMMARIES = ("mean", "std", "var", "stdev", "pstdev", "variance", "pvariance", "sem", "fmean", "median", "average", "rankdata", "rank")


@dataclass(frozen=True)
class LineReading:
    """What a line says: the change that makes it right, or what is known of its parts.

    Attributes
    ----------
    text : str
        The line of code in which the wrong part stands.
    is_last : bool
        Whether the wrong part is the whole line.
    edit : Edit or None
        The change.
    known : dict
        Texts of parts, with the quantities that they are.
    absent : tuple
        Quantities of the formula that no part is.
    second : Edit or None
        The change of a second part that is wrong, too.
    whole : str
        The other quantity that the whole line is.
    foreign : dict
        Texts of parts with known quantities that do not belong to the formula.
    remarks : tuple
        Sentences on calls of tests and distributions.
    stale : tuple or None
        A name that was computed before another name changed, and the other name.
    mistake : str
        The sentence about the mistake whose value the wrong part has.
    is_proved : bool
        Whether the change makes the line right on other data, too.
    source : str
        The line of code that gave the wrong part its value, if the part is a name.
    """

    text: str
    is_last: bool = False
    edit: Edit | None = None
    known: dict[str, str] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    second: Edit | None = None
    whole: str = ""
    foreign: dict[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    stale: tuple[str, str] | None = None
    mistake: str = ""
    is_proved: bool = True
    source: str = ""


class LineReader(LineChanges):
    """Reader of the line of one answer."""

    is_proved = True  # True if the found change makes the line right on other data, too
    is_sure = False  # True if the reply to the line explains the answer better than the reply to its number

    def reading(self) -> LineReading | None:
        """Return what the line says; None if it cannot be read, or if nothing true is known about it."""
        with np.errstate(all="ignore"), catch_warnings(action="ignore"):
            if lost := lost_data(self):
                self.is_sure = True
                return LineReading(self.definition.text, remarks=(lost,))
            if stale := stale_name(self):
                return LineReading(self.definition.text, stale=stale)
            if not agrees(self.home.known_value(self.root, self.definition.time), self.context.answer):
                return None
            reading = None
            with suppress(NotRead):  # stop if the evaluation needs too much work
                self.read_parts()
                if slip := loop_slip(self) or rounded_input(self):
                    self.is_sure = True
                    return LineReading(self.definition.text, remarks=slip)
                reading = None if self.is_typed else self._parts_reading()
                changes = self._wrong_parts()
                # the remark "a function of another kind" explains more than the change of a function and of its argument
                if changes and not (len(changes) > 1 and reading and any(OTHER_KIND in remark for remark in reading.remarks)):
                    # missing parentheses are visible in the line, so if a named mistake has the same value, that is chance
                    is_rare = self.is_proved and is_real_valued(self.context.right)
                    self.is_sure = is_rare and [edit.words for edit, _ in changes] == [PARENTHESES]
                    return self._change_reading(changes, reading.known if reading else {})
            return reading

    def differs_from(self, test: type[Procedure], step: str = "") -> bool:
        """Whether the line gives another value than a step of a test, such as a wrong step, on other data."""
        return not all(self._agreements(test, step)) if not self._has_typed_data() else False

    def avoids(self, test: type[Procedure], step: str) -> bool:
        """Whether the line has the right value of the earlier step that is wrong in a test, or a quantity that the test leaves out."""
        used, steps = required_steps(test, step), type(self.context.test).steps
        left_out = [name for name in self.context.step.slots if name not in used and not (name in steps and {*steps[name].slots} <= used)]
        looked_for = [
            name
            for name in (left_out if step == self.context.question.step else [step])
            if name in self.quantities and not self.quantities[name] and (name == step or not np.ndim(self.home.quantities(name)))
        ]  # counts are left out, because a line may contain them for other reasons
        sites = [site for site in self.sites if not site.is_local]
        return any({self.quantity_of(site.part, site.definition), self.answered_step(site)} & {*looked_for} for site in sites)

    def never_agrees_with(self, test: type[Procedure]) -> bool:
        """Whether the line holds no typed numbers, and gives another value than a test with a wrong step on all other data."""
        level, typed = (
            getattr(self.context.test, "alpha", None),
            [site.part.value for site in self.sites if isinstance(site.part, ast.Constant)],
        )
        # if the line contains the level as a typed number, use only data with the same level
        worlds = [world for world, _ in self.worlds if level not in typed or world.quantities("alpha") == level]
        found = [] if {*typed} - {*TRIVIAL, 0.5, level} else [*self._agreements(test, "", worlds)]
        # a yes-or-no answer often agrees by chance, so one disagreement is enough
        return len(found) > len(worlds) // 2 and not (all if self.is_decision else any)(found)

    def _agreements(self, test: type[Procedure], step: str, worlds: Sequence[PureEvaluator] = ()) -> Iterator[bool]:
        with np.errstate(all="ignore"), catch_warnings(action="ignore"):
            for world in worlds or [world for world, _ in self.worlds]:
                value = self.part_value(world, self.root, self.definition)
                if value is not None:
                    yield is_equal(value, getattr(start_test(test, world.data), step or self.context.question.step))

    def _change_reading(self, changes: list[Change], known: dict[str, str]) -> LineReading:
        (edit, site), *more = changes
        part = edit.marked or edit.part
        origin = self.history.find(part.id, site.definition.time) if isinstance(part, ast.Name) and not site.is_local else None
        is_own = origin is not None and isinstance(origin.tree, ast.expr) and not origin.is_data and origin.text != site.text
        is_turned = isinstance(self.root, ast.UnaryOp) and part is not self.root  # True if only the sign may be wrong
        # another index, or a quantity that is the same on all data, often fits by chance
        is_index = any(isinstance(one.part, ast.Subscript) and one.part.slice is part for one in self.sites)
        numbers = [world.quantities(edit.quantity) for world, _ in self.worlds] if isinstance(part, ast.Constant) and edit.quantity else []
        is_chance = is_index or len({*numbers}) == 1
        steps, slots = type(self.context.test).steps, self.context.step.slots
        of_the_law = steps["null"].slots if "null" in slots and "null" in steps else ()
        return LineReading(
            site.text,
            part is self.root,
            edit,
            known,
            second=more[0][0] if more else None,
            mistake="" if more else self._mistake_of(edit, site),
            source=origin.text if origin and is_own and not self.quantity_of(part, site.definition) else "",
            is_proved=self.is_proved and not (is_turned or is_chance) and edit.quantity in ("", "alpha", *slots, *of_the_law),
        )

    @property
    def _whole(self) -> str:
        """Name of the other quantity that the whole line computes; empty if there is none."""
        return self.quantity_of(self.root, self.definition)

    def _parts_reading(self) -> LineReading | None:
        """Return the known facts about the parts of a line that no change makes right; None if nothing is known."""
        context, known, slots = self.context, self._known_parts(), self.context.step.slots_in(self.context.test)
        needed = required_steps(type(context.test), context.step.name)
        whole = self._whole if self._whole != context.step.name else ""
        parts = {text: name for text, name in known.items() if name in needed and name != whole}
        # quantities with which the answer can be computed in another way, such as p for a decision, or W+ for W-
        ways = {name for name in known.values() if name not in needed and self.is_other_way(name)}
        others = {text: name for text, name in known.items() if name not in {*needed, *ways, whole}}
        foreign = {text: name for text, name in others.items() if self._is_foreign(text, name)}
        wanted = [name for name in slots if name in self.quantities and name not in UNSAID and self._can_be_missed(name)]
        compared = self.formula.comparison_remark() if self.is_decision else ""
        remarks = (
            *self._repeated_answer(),
            *call_remarks(self),
            *self.formula.argument_remarks(),
            *self.formula.lacking_functions(),
            *([compared] if compared else []),
        )
        is_test = any(" is the right test" in remark for remark in remarks)  # a complete SciPy test computes all quantities of the formula
        absent = (
            () if is_test or compared or ways else tuple(dict.fromkeys(self._absent(name) for name in wanted if not self.has_value(name)))
        )
        has_all = bool(slots) and all(name in self.quantities and self.has_value(name) for name in slots)
        if not whole and not remarks:
            with suppress(ValueError, TypeError, AttributeError, SyntaxError):  # a formula in words has no operations
                remarks = operation_remarks(self) if has_all or (absent and not foreign) else ()
        if not (whole or remarks or foreign or absent) and (first := self.formula.first_operation()):
            site, words = first
            remarks = (MarkedLine(site.text, *place_in_line(site.text, site.part)), *words)
        if whole or remarks or foreign or absent or (parts and has_all):
            return LineReading(
                self.definition.text, known=parts if absent or has_all else {}, absent=absent, whole=whole, foreign=foreign, remarks=remarks
            )
        return None

    def _repeated_answer(self) -> Iterator[str]:
        """Yield the remark that the line consists of the name of an earlier answer."""
        name = self.root.func if isinstance(self.root, ast.Call) else self.root  # the line may call the function of an earlier question
        known = self.history.find(name.id, self.definition.time) if isinstance(name, ast.Name) else None
        keys = [key for key, definitions in self.history.checked.items() if known in definitions and key != self.context.question.key]
        asked = self.context.exercise.question(keys[0]) if keys else None
        is_same = isinstance(asked, Question | Function) and asked.step == self.context.step.name
        is_same = is_same and self.context.exercise.tested(asked) is type(self.context.test)  # type: ignore[arg-type]
        if keys and not self._whole and not is_same:
            yield REPEATED_ANSWER.format(ast.unparse(name), keys[0])

    def _absent(self, name: str) -> str:
        """If exactly one input of a missing quantity is missing in the line, return this input; otherwise return the quantity."""
        steps = type(self.context.test).steps
        numbers = self._numbers(steps[name].slots) if name in steps else {}
        missing = [slot for slot in numbers if not self.has_value(slot)]
        known = {self.quantity_of(site.part, site.definition) for site in self.sites if not site.is_local} & {*steps}
        # a value that seems to be missing may be part of a right value whose definition is not evaluated
        is_inside = any(slot in steps[quantity].slots for quantity in known for slot in missing)
        others = [slot for slot in numbers if slot not in missing and not numbers[slot].ndim]
        if len(missing) == 1 and others and not is_inside and not numbers[missing[0]].ndim and self._can_be_missed(missing[0]):
            return self._absent(missing[0])
        return name

    def _mistake_of(self, edit: Edit, site: Site) -> str:
        """Describe the mistake at an earlier step that gives the value of the marked part; empty if there is none, or several."""
        part, context = edit.marked or edit.part, self.context
        value = None if site.is_local else self.part_value(self.home, part, site.definition)
        if value is None or not is_real_valued(value):
            return ""
        named = [one for one in context.exercise.mistakes_at(context.question) if one.step != context.question.step]
        fitting = {one.what for one in named if agrees(value, getattr(context.tests[one.wrong], one.step))}
        return fitting.pop() if len(fitting) == 1 and not self.quantity_of(part, site.definition) else ""

    def _is_foreign(self, text: str, name: str) -> bool:
        """Return whether a known part is foreign to the formula; possible parameters, right entries, operations, and counts - 1 are not."""
        value = self.home.quantities(name)
        if self.context.is_probability and not np.ndim(value) and value == np.floor(value):
            return False  # the count may be a parameter of a distribution
        if not np.ndim(value) and np.ndim(self.context.right) and any(agrees(value, entry) for entry in np.ravel(self.context.y)):
            return False
        counts = [self.home.quantities(count) for count, is_count in self.quantities.items() if is_count]
        return not isinstance(ast.parse(text, mode="eval").body, ast.BinOp) and not any(agrees(value, count - 1) for count in counts)

    def _can_be_missed(self, name: str) -> bool:
        """Return whether a quantity is certainly missing, that is, it is not computed inside a function or a loop."""
        value = self.home.quantities(name)
        if any(isinstance(site.definition.tree, ast.FunctionDef) for site in self.sites):
            return False
        if any(site.is_local or ast.unparse(site.part).partition("(")[0].endswith((*READY_MADE,)) for site in self.sites):
            return not np.ndim(value)
        for site in self.sites:
            match site.part:
                case ast.Call(ast.Attribute(inner, function), arguments) if function in SUMMARIES:
                    part = arguments[0] if arguments and self.home.path(inner, site.definition.time, {}) else inner
                    sample = np.asarray(self.part_value(self.home, part, site.definition))
                    if sample.dtype.kind not in "biuf":
                        return False
                    inside = [sample.size, sample.mean(), *sample.shape, *(sample.mean(axis) for axis in range(sample.ndim))]
                    if any(agrees(one, value) for one in inside):
                        return False
        return True

    # -- the wrong part --------------------------------------------------------------------------------------------------------
    def _wrong_parts(self) -> list[Change]:
        """Return the smallest of the most likely single changes that make the line right; if there is none, return two changes."""
        tried = self.changes()
        found, is_inside = list[Change](), False
        unproved: list[Change] = []  # changes that make the line right on these data only, because the line contains typed numbers
        with suppress(NotRead):
            for rank in sorted(tried):
                # do not try unlikely slips for a decision, or if the line has the value of another quantity
                if (rank > PAIR_RANK and (self.is_decision or self._whole)) or (found and rank >= MISSING_RANK):
                    break
                fits = []
                with suppress(NotRead):  # if the work exceeds its limit, keep the changes that were found before
                    for change in tried[rank]:
                        if self._can_be_tried(change) and not self.is_foreign_number(change[0]):
                            fits.append((change, self._fits(change[0]) and self._has_right_sides(change[0])))
                self.budget.units = max(self.budget.units, CHOICE * any(everywhere for _, everywhere in fits))
                fitting = [change for change, everywhere in fits if everywhere and not self.is_used_up(change)]
                # keep the likeliest changes that are right on these data only; do not replace a typed 0, 1 or 2 by a quantity
                unproved = unproved or [
                    change
                    for change, everywhere in fits
                    if everywhere is False
                    and rank < MISSING_RANK
                    and not (change[0].quantity and getattr(change[0].part, "value", None) in TRIVIAL)
                ]
                if found:  # the change found before marks a right part, so accept only a change of a wrong part
                    fitting = [one for one in fitting if not self.right_around(one) and (is_inside or one[0].words.startswith("`"))]
                if fitting:
                    first = max(fitting, key=size) if rank == MISSING_RANK else min(fitting, key=self.order)
                    right = 0 if rank >= MISSING_RANK else self.right_around(first)
                    found, is_inside = [first], right > 1
                    if not right:
                        break
        if found:
            return found
        unproved = [change for change in unproved if change[0].words == PARENTHESES] or unproved
        if len({id(edit.marked or edit.part) for edit, _ in unproved}) == 1:
            self.is_proved = False
            return unproved[:1]
        is_rare = is_real_valued(self.context.right) and (np.ndim(self.context.right) or has_full_precision(self.context.right))
        return self._two_wrong_parts(tried) if is_rare and not unproved and not self._whole else []

    def _has_right_sides(self, edit: Edit) -> bool | None:
        """Return True if a changed decision compares numbers of the formula; otherwise None, since it is often right by chance."""
        if not self.is_decision or edit.words == COMPARISON:
            return True
        if edit.words == REST:
            return None
        around = self.around(edit.part)
        known = [*self.formula.values, *(self.home.quantities(name) for name in self.names if not np.ndim(self.home.quantities(name)))]
        for site in self.sites:
            if isinstance(site.part, ast.Compare) and not site.is_local and id(site.part) in around and site.part is not edit.part:
                for side in (site.part.left, *site.part.comparators):
                    with suppress(NotRead):
                        value = self.home.with_edits(side, site.definition.time, {id(edit.part): edit.replacement}, around)
                        if not np.ndim(value) and not any(agrees(sign * value, one) for one in known for sign in (1, -1)):
                            return None
        return True

    def _can_be_tried(self, change: Change) -> bool:
        """Return whether there is work left for a change; a comparison sign is changed only if both sides are right."""
        edit, site = change
        if self.budget.units < SINGLE_RESERVE and site.definition is not self.definition:
            return False
        if not self.is_decision or edit.words != COMPARISON or site.is_local:
            return True
        sides = (edit.part.left, *edit.part.comparators)  # type: ignore[attr-defined]
        names, level = {self.quantity_of(side, site.definition) for side in sides} - {""}, getattr(self.context.test, "alpha", None)
        is_with_level = any(agrees(self.part_value(self.home, side, site.definition), level) for side in sides)
        is_mixed = is_with_level and not names <= {*self.context.step.slots}  # comparing a statistic with the level is two mistakes
        return not is_mixed and all(self._is_right_side(side, site) for side in sides)

    def _is_right_side(self, part: ast.expr, site: Site) -> bool:
        """Return whether a side of a comparison is a known quantity, the typed level, or not a single number."""
        value = self.part_value(self.home, part, site.definition)
        is_level = isinstance(part, ast.Constant) and agrees(value, getattr(self.context.test, "alpha", None))
        if value is None or np.ndim(value) or is_level:
            return True
        return any(agrees(sign * value, self.home.quantities(name)) for name in self.names for sign in (1, -1))

    def _two_wrong_parts(self, tried: dict[float, list[Change]]) -> list[Change]:
        """Return two likely changes that make the line right together, in the order of their positions in the line."""
        likely = [change for rank in sorted(tried) for change in tried[rank] if change[0].rank <= PAIR_RANK and change[0].is_likely]
        pairs = combinations(likely[:MOST_OF_PAIRS], 2)  # changes in the answer line come first, because they need little work
        for one, other in sorted(pairs, key=lambda pair: sum(site.definition is not self.definition for _, site in pair)):
            if self.budget.units < PAIR_RESERVE:
                break
            if one[0].part is not other[0].part and self._fits(one[0], other[0]):
                alone = [change for change in (one, other) if self._is_right_here(change[0])]  # changes that suffice on their own
                self.is_proved = not alone
                return alone[:1] or sorted((one, other), key=self._place)
        return []

    def _is_right_here(self, edit: Edit) -> bool:
        """Return whether a change makes the line right on the student's data."""
        value = self.edited(self.home, edit)
        return any(agrees(value, target) for target in self.targets)

    def _place(self, change: Change) -> tuple[bool, tuple[int, int]]:
        """Return the sort key of two wrong parts; the whole line comes last, because a mark under it shows nothing."""
        part = change[0].marked or change[0].part
        return part is self.root, place_in_line(change[1].text, part)

    def edited(self, world: PureEvaluator, *changed: Edit) -> Any:
        """Return the value of the line with changed parts; None if it is not read."""
        parts = [one for edit in changed for one in (edit, *edit.also)]
        around = self.around(*(one.part for one in parts))
        return self.changed_value(world, {id(one.part): one.replacement for one in parts}, around, WORK_OF_A_CHANGE)

    def _fits(self, *changed: Edit) -> bool | None:
        """Return whether changes make the line right on all data; False if only here, None if they do not make it right here."""
        value = self.edited(self.home, *changed)
        if value is None or not any(agrees(value, target) for target in self.targets):
            return None
        elsewhere = [(found, right) for world, right in self.worlds if (found := self.edited(world, *changed)) is not None]
        right_there = [agrees(found, right) for found, right in elsewhere]
        if self.is_decision and (np.ndim(self.context.y) or changed[0].words != COMPARISON) and self._is_untested():
            return None  # if the right decision is the same on all data, even a constant would be right
        if len(right_there) > len(self.worlds) // 2 and all(right_there):
            return True
        is_regrouped = changed[0].words in CLEAR  # rearranged operations rarely give the right number by chance
        is_sure = is_real_valued(self.context.right) and (has_full_precision(self.context.right) or is_regrouped)
        fits_here_only = not right_there or self.is_typed or (self._has_typed_data() and not any(right_there))
        return False if is_sure and (fits_here_only or is_regrouped) else None

    def _is_untested(self) -> bool:
        """Return whether each wrong entry has the same right decision on all other data."""
        places = np.flatnonzero(np.asarray(self.context.x) != self.context.y)
        return all(len({bool(np.ravel(right)[place]) for _, right in self.worlds}) == 1 for place in places)

    def _has_typed_data(self) -> bool:
        """Return whether the line contains typed numbers that are counts of these data, or counts minus 1."""
        typed = {site.part.value for site in self.sites if isinstance(site.part, ast.Constant) and type(site.part.value) in (int, float)}
        counts = {self.home.quantities(name) for name, is_count in self.quantities.items() if is_count}
        return bool(typed & (counts | {count - 1 for count in counts}) - set(TRIVIAL))

    # -- known parts -----------------------------------------------------------------------------------------------------------
    def _known_parts(self) -> dict[str, str]:
        """Map the text of each part with the value of exactly one known quantity to the name of this quantity."""
        known: dict[str, str] = {}
        for site in self.sites:
            is_own = site.definition is self.definition and not site.is_local and not isinstance(site.part, ast.Constant)
            name = self.quantity_of(site.part, site.definition) if is_own else ""
            text = site.text[slice(*place_in_line(site.text, site.part))]
            if name and name != self.context.question.step and text and name not in known.values():
                known[text] = name
        return known
