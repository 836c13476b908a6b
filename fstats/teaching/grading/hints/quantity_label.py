"""Short names of the quantities of a statistical test."""

from __future__ import annotations

import re
from typing import Any


def quantity_label(test: Any, name: str) -> str:
    """Return the sentence of a step or an input without its explanations, such as "mean difference"."""
    about = str(test.steps[name].sentence if name in test.steps else test.inputs[name]["sentence"])
    words = re.split(r"[:;]| \(|, (?=with |because |if )|\.$", re.sub(r"^Claim \d: ", "", about))[0].strip()
    # a label that begins with a person's name keeps its capital letter, such as "Friedman's chi-squared" or "Iman and Davenport's F"
    is_a_name = words.partition(" ")[0].endswith(("'s", "'")) or bool(re.match(r"\w+ and [A-Z]\w+'s ", words))
    can_begin_small = words[1:2].islower() or words.startswith("A ")  # False for a word that must keep its capital letter, such as "H0"
    return words[:1].lower() + words[1:] if can_begin_small and not is_a_name else words


def missing_part(test: Any, name: str) -> str:
    """Return the sentence about a part that is missing in a line, which follows from a quantity of the test."""
    return f"A part is missing here; it follows from this quantity: {quantity_label(test, name)}."
