"""The one table behind the function, the slider and the diagram: a rule for every combination of answers."""

from .equivalence_rules import ALIKE
from .many_classifier_rules import MANY
from .two_classifier_rules import TWO

RULES = (*TWO, *MANY, *ALIKE)
