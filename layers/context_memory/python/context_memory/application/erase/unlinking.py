"""What is left of a user where the company keeps whose channels are whose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.erasing import Remnant
from context_memory.domain.links import Provider
from context_memory.ports.erasing import Found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.domain.ids import UserKey
    from context_memory.ports.links import LinksOfUsers

_AT_ONCE = 25


@dataclass(frozen=True, slots=True)
class LinksLeft:
    """`Remains`: every provider that belongs to the user, whoever linked it.

    Links know no epoch. One that is made while an erase runs goes with it, one that is made afterwards stays.
    """

    links: LinksOfUsers

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:  # noqa: ARG002 - links know no epoch
        """All of them."""
        after: Provider | None = None
        while page := self.links.of_user(user, limit=_AT_ONCE, after=after):
            yield [Found(Remnant.LINKS, provider.spelled) for provider in page]
            after = page[-1]

    def delete(self, user: UserKey, epoch: int, batch: list[Found]) -> None:  # noqa: ARG002 - likewise
        """Let them belong to nobody."""
        for one in batch:
            self.links.let_go(user, Provider.from_segment(one.key))
