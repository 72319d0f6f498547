"""The environment as frozen values. Nothing else in the service reads environment variables.

Each function has settings of its own, so that it starts with what it needs and refuses to start without it; and each
has a module of its own, for load waits for every class that is built.
Dataclasses and no validation library: load reads them on every cold start.
"""
