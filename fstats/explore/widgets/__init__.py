"""Base classes of explorers: the widget, its sliders, and drag handles in pictures."""
