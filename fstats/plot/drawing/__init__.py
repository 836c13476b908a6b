"""The picture model, and its matplotlib and SVG back ends."""
