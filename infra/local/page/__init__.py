"""Serves the settings page on loopback: the files and headers that the stack `page` serves on AWS."""
