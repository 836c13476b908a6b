"""Interactive explorers (sliders and pictures) for resampling tests."""
