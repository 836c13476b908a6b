"""Drawing of plots as SVG or with matplotlib."""
