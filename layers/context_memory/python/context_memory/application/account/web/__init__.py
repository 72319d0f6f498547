"""The routes under `/v1/me` that go beyond a look at the memory: a request in, a use case called, an answer out.

One module for each group of routes that is built together, with late imports, when the first of them is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.ids import UserKey

    type UserRoute = Callable[[UserKey, Request], Answer]
    """Answers a request about that user."""

    type Routes = Mapping[str, UserRoute]
    """By `METHOD /path`."""
