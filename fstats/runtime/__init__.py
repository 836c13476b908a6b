"""Tools for parallel and interruptible computations.

The tools are parallel workers, file locks, checkpoint files and atomic writes.
"""
