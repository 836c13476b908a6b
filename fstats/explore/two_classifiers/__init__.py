"""Interactive explorers (sliders and pictures) for tests of two classifiers."""
