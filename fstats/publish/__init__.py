"""Publish the course as web site, slide decks and printable pages, from the stored outputs of notebooks, for readers without a kernel."""
