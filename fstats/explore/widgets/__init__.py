"""The widget behind all explorers: sliders, drag handles, pictures."""
