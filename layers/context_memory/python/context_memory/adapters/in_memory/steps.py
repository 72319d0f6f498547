"""Where a test may come in: before and after everything that a twin does, each step under its name."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def _nothing(step: str) -> None:
    """Let every step pass."""


class Steps:
    """Calls `hook` with `before:<port>.<method>` and, when the method succeeded, `after:<port>.<method>`.

    A hook may raise (before: nothing happened; after: it happened and the caller does not learn it), wait for
    another thread, or do with the same twins what somebody else might have done at that moment.
    Ports are called `profiles`, `payloads`, `texts` (kept payloads), `table`, `doorbells`, `facts_doorbells`, `jobs`,
    `agenda`, `walks`, `directory`, `roster`, `switches`, `flags`, `companies`, `spaces`, `budgets`, `shared_facts`,
    `shared_indexes`, `links`, `merges`, `news` and `embedder`.
    """

    def __init__(self, hook: Callable[[str], None] = _nothing) -> None:
        self.hook = hook

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Surround one method; outside of every lock, so that the hook may use the twins."""
        self.hook(f"before:{name}")
        yield
        self.hook(f"after:{name}")
