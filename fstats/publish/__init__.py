"""Publish the course as a web site, slides and PDF."""
