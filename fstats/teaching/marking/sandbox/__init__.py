"""Sandboxes for untrusted notebooks."""
