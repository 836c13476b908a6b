"""Publish the course as a web site, slide decks and printable pages."""
