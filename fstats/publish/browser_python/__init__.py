"""Python in the browser: engine, scripts and files with which a web page runs the course without a server and without a network."""
