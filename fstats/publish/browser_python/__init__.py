"""Web pages that run Python in the browser.

A page needs neither a server nor a network.
"""
