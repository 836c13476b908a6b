"""Sandboxes for untrusted notebooks: bubblewrap and WebAssembly."""
