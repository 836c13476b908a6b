"""Python in the browser: a web page that runs the course without a server or a network."""
