"""Base classes and controls of interactive explorers."""

from .drag_handle import DragHandle
from .explorer import Explorer, SimulationExplorer
from .score_explorer import TOLERANCE, ScoreExplorer, restrict_slider, score_limits
from .slider import LEVEL_SLIDER, Control, Slider, integer_slider, step_slider

__all__ = ["LEVEL_SLIDER", "Control", "DragHandle", "Explorer", "SimulationExplorer", "Slider", "integer_slider", "step_slider"]
__all__ += ["TOLERANCE", "ScoreExplorer", "restrict_slider", "score_limits"]
