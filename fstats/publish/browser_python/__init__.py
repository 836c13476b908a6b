"""The course in a browser tab: what a page needs to run Python by itself, without a server and without a network."""
