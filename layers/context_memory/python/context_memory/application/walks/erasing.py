"""Erasing every user of a company, each as if they had asked for it, with a receipt of their own.

The company is closed before the first one is met: nobody's turns are accepted any more, once every function has heard
of it. The second time round finds who came in between. What the company shares with all of them goes after that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.walks import Line, Phase

if TYPE_CHECKING:
    from context_memory.application.erase.requesting import RequestErase
    from context_memory.domain.erasing import Erasure
    from context_memory.domain.ids import UserKey
    from context_memory.domain.walks import Walk
    from context_memory.ports.erasing import SharedIndexes, Tombstones
    from context_memory.ports.facts import SharedFacts
    from context_memory.ports.links import LinksOfUsers, Merges
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseUser:
    """The step of the walk `erase`. Results: `erased`, `would_erase`.

    A line tells the receipt's id; the receipt itself becomes final later, and is the user's.
    """

    request: RequestErase
    tombstones: Tombstones

    def __call__(self, user: UserKey, walk: Walk) -> Line | None:
        """Erase a user whom this walk has not erased; whether they had opted out stays as it is."""
        if walk.dry_run:
            return None if walk.phase is Phase.AGAIN else Line(user_id=user.user_id, result="would_erase")
        known = self.tombstones.standing(user).erasure
        if known is not None and walk.started_at is not None and known.requested_at >= walk.started_at:
            return None if walk.phase is Phase.AGAIN else erased(user, known)
        return erased(user, self.request(user, off=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseShared:
    """What the walk `erase` does afterwards: facts of spaces and of the company go, the indexes over them, and links.

    Merges go before links, so that none is left whose link nobody knows.
    """

    facts: SharedFacts
    indexes: SharedIndexes
    merges: Merges
    links: LinksOfUsers
    telemetry: Telemetry

    def __call__(self, walk: Walk) -> None:
        """Remove all that is shared; whoever dies here finds the rest next time."""
        if walk.dry_run:
            return
        scopes = self.facts.scopes(walk.company_id)
        removed = sum(map(self.facts.clear, scopes))
        objects = self.indexes.clear(walk.company_id)
        merges = self.merges.clear_merges(walk.company_id)
        links = self.links.clear_links(walk.company_id)
        self.telemetry.event(
            "erased what a company shares",
            scopes=len(scopes),
            facts=removed,
            objects=objects,
            merges=merges,
            links=links,
        )


def erased(user: UserKey, erasure: Erasure) -> Line:
    """What a report says of a user who was erased."""
    return Line(user_id=user.user_id, result="erased", details={"receipt_id": erasure.receipt_id})
