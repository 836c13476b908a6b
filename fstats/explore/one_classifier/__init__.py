"""Interactive explorers (sliders and pictures) for tests of one classifier."""
