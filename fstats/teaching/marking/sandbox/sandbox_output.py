"""Parse the untrusted output of a sandbox."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ....core.number_format import truncate_text
from ...sandbox_runtime.function_call import CallResult
from ...sandbox_runtime.json_serialisation import DOTS_JSON, deserialise
from ...sandbox_runtime.plain_value import DEPTH, ENTRIES, ForeignObject
from .notebook_session import parse_line

LINES = 4_000  # maximum number of output lines; no notebook has so many cells
MAX_SHOWN = 200  # maximum number of characters of a displayed value
# control characters, marks of the text direction, and halves of surrogate pairs
CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class DeliveredAnswer:
    """Answer to one question: a value, or the calls of a function, or the reason why there is no value."""

    value: Any = ...
    calls: tuple[CallResult, ...] | None = None
    stub: bool = False
    missing: str = ""
    shown: str = ""
    # True if the value comes from the student's own check, because the name in the original check is empty
    own: bool = False


@dataclass(frozen=True)
class SandboxOutput:
    """Output of one run.

    Parameters
    ----------
    answers : mapping
        The answer to each question, by key; a missing key means that no answer was delivered.
    problems : tuple of str
        Errors that cells raised, each in one sentence.
    ended : str
        Sentences with the reasons why the run is incomplete; empty if it is complete.
    flags : tuple of str
        Notes for the lecturer.
    lost : tuple of int
        Numbers of the cells that a limit ended, or that ended their process; the other cells ran without them.
    """

    answers: Mapping[str, DeliveredAnswer]
    problems: tuple[str, ...] = ()
    ended: str = ""
    flags: tuple[str, ...] = ()
    lost: tuple[int, ...] = ()


def parse_output(output: bytes, keys: Sequence[str]) -> SandboxOutput:
    """Parse the lines of an output; the last answer to each question counts, as in the notebook."""
    answers: dict[str, DeliveredAnswer] = {}
    problems: list[str] = []
    ended: list[str] = []
    lost: list[int] = []
    sent = output.split(b"\n", LINES)
    noise = len(sent) > LINES
    for line in map(_line, filter(None, sent[:LINES])):
        fields = {name: str(line.get(name, "")) for name in ("lost", "over", "why", "cell", "raised")}
        if isinstance(line.get("number"), int):
            lost.append(line["number"])
            lost_cell = fields["lost"][:1].upper() + fields["lost"][1:]
            ended += [f"{lost_cell} was ended: {fields['why']}; the other cells ran without it."] * bool(fields["why"])
        elif "over" in line:
            place = f" in {fields['over']}" if fields["over"] else ""
            ended.append(f"The run ended early{place}: {fields['why']}.")
        elif "raised" in line:
            problems.append(f"{fields['cell'][:80]} raised {fields['raised'][:MAX_SHOWN]}")
        elif isinstance(key := line.get("key"), str) and key in keys:
            answer = _answer(line)
            if key not in answers or _is_nothing(answers[key]) or not _is_nothing(answer):
                answers[key] = answer
        else:
            noise = noise or line.get("end") is not True
    flags = ("The output contains foreign lines: the code wrote into the channel of the answers.",) if noise else ()
    return SandboxOutput(answers, tuple(problems[:20]), " ".join(ended), flags, tuple(lost))


def _line(text: bytes) -> dict[str, Any]:
    """Parse a line of the output; if it does not come from the runner, return an empty mapping."""
    return {name: _sanitise(value) for name, value in parse_line(text).items()}


def _sanitise(sent: Any, depth: int = 0) -> Any:
    """Replace characters that files or terminals cannot represent; cut values that are too deeply nested or too long."""
    if isinstance(sent, str):
        return CONTROL_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", sent)
    if isinstance(sent, (list, dict)) and depth > DEPTH + 3:
        return {"shown": "lists within lists"}
    if isinstance(sent, list):
        return [_sanitise(entry, depth + 1) for entry in sent[: ENTRIES + 1]]
    if isinstance(sent, dict):
        return {_sanitise(name): _sanitise(value, depth + 1) for name, value in sent.items()}
    return sent


def _is_nothing(answer: DeliveredAnswer) -> bool:
    return answer.calls is None and (answer.value is ... or answer.value is None)


def _answer(line: Mapping[str, Any]) -> DeliveredAnswer:
    calls, missing, own = line.get("calls"), line.get("missing"), line.get("own") is True
    if isinstance(calls, list):
        values = [call.get("value") for call in calls if isinstance(call, dict)]
        return DeliveredAnswer(calls=tuple(map(_call, calls[:LINES])), stub=line.get("stub") is True, shown=_short(values), own=own)
    if isinstance(missing, str):
        return DeliveredAnswer(missing=missing[:MAX_SHOWN], own=own)
    return DeliveredAnswer(deserialise(line.get("value")), shown=_short(line.get("value")), own=own)


def _call(call: Any) -> CallResult:
    if not isinstance(call, dict):
        return CallResult(ForeignObject("nothing"))
    changed = call["changed"][:10] if isinstance(call.get("changed"), list) else []
    raised, names = _parse_text(call.get("raised"), 400), tuple(_parse_text(name, 40) for name in changed)
    return CallResult(deserialise(call.get("value")), raised, names, call.get("printed") is True, _parse_text(call.get("used"), 80))


def _parse_text(value: Any, most: int) -> str:
    return value[:most] if isinstance(value, str) else ""


def _short(sent: Any) -> str:
    """Return a value as short JSON text for display; empty if the question was not answered, which dots (...) mark."""
    if sent is None or sent == DOTS_JSON:
        return ""
    if isinstance(sent, dict):
        sent = next((sent[name] for name in ("shown", "tuple") if name in sent), sent)
    return truncate_text(json.dumps(sent, ensure_ascii=False), MAX_SHOWN)
