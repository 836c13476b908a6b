"""Tests and what measures the library: a package, or Python would find the folder `tests` that another package has installed."""
