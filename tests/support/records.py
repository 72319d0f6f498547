"""Turns, pointers and settlements for tests of what stores them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.ids import UserKey
from context_memory.domain.operations import Operation, OperationKind
from context_memory.domain.outcomes import Outcome
from context_memory.domain.profile import Section
from context_memory.domain.revision import Revision, Source
from context_memory.domain.state import ProfilePointer
from context_memory.domain.turn import TurnRecord, Usage
from context_memory.domain.writers import Writer
from context_memory.ports.users import Settlement
from tests.support.indexes import small_index
from tests.support.stores import at

if TYPE_CHECKING:
    from typing import Any

LENA = UserKey("acme", "lena")
LOOK_ALIKES = (
    UserKey("acme", "lena/"),
    UserKey("acme", "lena#"),
    UserKey("acme", "Lena"),
    UserKey("acme", "lena%2F"),
    UserKey("acme", "lena "),
    UserKey("acme", "lena%20"),
    UserKey("acme", "lena=20"),
    UserKey("acme-2", "lena"),
    UserKey("acme", ".."),
    UserKey("acme", "le:na*&=?"),
    UserKey("acme", "źena"),
)
"""Users whose ids could be taken for Lena's, or for a way out of their folder, by a careless key."""

USAGE = Usage("gate", "small-model", 812, 512, 3)


def turn_record(turn_id: str = "turn-1", **changes: Any) -> TurnRecord:  # noqa: ANN401 - any field of the record
    """A turn that was just accepted."""
    values: dict[str, Any] = {
        "epoch": 0,
        "payload_sha256": "a" * 64,
        "open_key": f"01{turn_id}",
        "accepted_at": at(1),
        "occurred_at": at(0),
    }
    return TurnRecord(turn_id=turn_id, **{**values, **changes})


def pointer(turn_count: int = 1, *, epoch: int = 0, version_id: str | None = None) -> ProfilePointer:
    """A pointer to some version."""
    return ProfilePointer(
        epoch=epoch,
        turn_count=turn_count,
        version_id=version_id or f"version-of-{turn_count}",
        sha256="b" * 64,
        tokens=231,
        index=small_index(),
        policy_version="policy-1",
        last_updated=at(5),
    )


def revision(turn_count: int = 1, *, epoch: int = 0, version_id: str | None = None) -> Revision:
    """The revision beside `pointer`."""
    return Revision(
        epoch=epoch,
        turn_count=turn_count,
        version_id=version_id or f"version-of-{turn_count}",
        writer=Writer.TURN,
        written_at=at(5),
        operations=(
            Operation(OperationKind.ADDED, Section.WORK, None, "Leads the Zürich office", "turn-1"),
            Operation(OperationKind.REMOVED, Section.SKILLS, "Knows COBOL", None),
        ),
        sources=(Source("turn-1", "chat-1", at(0)),),
        model="large-model",
        prompt_version="prompts-1",
        policy_version="policy-1",
        usage=(USAGE,),
        let_go=(1,),
    )


def unchanged(*turns: TurnRecord, **changes: Any) -> Settlement:  # noqa: ANN401 - any field of the settlement
    """Ends turns without a stored change."""
    values: dict[str, Any] = {
        "user": LENA,
        "epoch": 0,
        "outcome": Outcome.NOOP,
        "finished_at": at(6),
        "consolidated_through": at(0),
    }
    return Settlement(turns=turns, **{**values, **changes})


def stored(*turns: TurnRecord, turn_count: int = 1, base: ProfilePointer | None = None, **changes: Any) -> Settlement:  # noqa: ANN401 - any field of the settlement
    """Ends turns with a stored change."""
    epoch = changes.get("epoch", 0)
    version_id = changes.pop("version_id", None)
    values: dict[str, Any] = {
        "outcome": Outcome.UPDATED,
        "base": base,
        "pointer": pointer(turn_count, epoch=epoch, version_id=version_id),
        "revision": revision(turn_count, epoch=epoch, version_id=version_id),
    }
    return unchanged(*turns, **{**values, **changes})
