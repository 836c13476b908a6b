"""The picture model, and its back ends for matplotlib and SVG."""
