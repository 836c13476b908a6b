"""The one table behind the function, the slider and the diagram: a rule for every combination of answers."""

from .alike import ALIKE
from .many import MANY
from .two import TWO

RULES = (*TWO, *MANY, *ALIKE)
