"""The one table behind the function, the slider and the diagram: a rule for every combination of answers."""

from .equivalence_rules import EQUIVALENCE_RULES
from .many_classifier_rules import MANY_CLASSIFIER_RULES
from .two_classifier_rules import TWO_CLASSIFIER_RULES

RULES = (*TWO_CLASSIFIER_RULES, *MANY_CLASSIFIER_RULES, *EQUIVALENCE_RULES)
