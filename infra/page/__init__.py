"""The settings page: its files, what a browser may do with them, and whom they talk to.

The stack `page` and the server of the local environment both serve what stands here, so that they cannot differ.
"""
