"""Tools for long computations: parallel workers, file locks, checkpoint files and atomic writes."""
