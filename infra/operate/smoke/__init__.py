"""What can only be seen on a deployed environment: that it remembers, keeps people apart, and would call for help.

It talks to the service as an orchestrator does, about a user of its own whom it removes again as far as it may.
"""
