"""Publish the course for readers without a kernel: web site, slide decks and printable pages, from stored outputs; nothing is executed."""
