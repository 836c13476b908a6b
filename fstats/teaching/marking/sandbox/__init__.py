"""Run untrusted notebooks in a sandbox: bubblewrap or WebAssembly."""
