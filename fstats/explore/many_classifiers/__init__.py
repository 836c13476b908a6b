"""Interactive explorers (sliders and pictures) for tests of many classifiers."""
