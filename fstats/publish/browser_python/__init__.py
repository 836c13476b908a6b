"""Python in the browser: engine, scripts and files with which a page runs the course without a server and without a network."""
