"""Base classes of all explorers: the widget, its sliders, and drag handles in pictures."""
