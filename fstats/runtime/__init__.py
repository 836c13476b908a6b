"""Long computations: parallel workers, file locks, checkpoint files, atomic writes, library versions and optional dependencies."""
