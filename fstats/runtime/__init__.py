"""How long work is run: by many workers, one run at a time, kept and taken up again, with which versions and extras."""
