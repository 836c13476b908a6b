"""The course for those who read without a kernel: a web site, decks of slides, paper.  Stored outputs are shown; nothing is executed."""
