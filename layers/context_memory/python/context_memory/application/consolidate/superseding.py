"""A regenerated or edited message replaces an older turn: what that turn had changed is taken back first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.application.replacing import replaced_by
from context_memory.domain.operations import OperationKind, withdraw
from context_memory.domain.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.domain.ids import UserKey
    from context_memory.domain.operations import Operation
    from context_memory.domain.profile import Bullets
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import OpenTurn, UserState
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.users import UserTable

_FORGETS = frozenset({Outcome.FORGOTTEN})


def superseded_and_open(state: UserState) -> tuple[OpenTurn, ...]:
    """Open turns, dead ones included, that another open turn replaces: they need not run any more.

    Where turns name each other, the one that was accepted last stays.
    """
    replacing = {turn.supersedes_turn_id: turn.key for turn in state.unfinished if turn.supersedes_turn_id}
    return tuple(
        turn
        for turn in state.unfinished
        if turn.turn_id in replacing and (turn.supersedes_turn_id is None or replacing[turn.turn_id] > turn.key)
    )


def take_back(
    table: UserTable,
    user: UserKey,
    state: UserState,
    bullets: Bullets,
    *,
    turns: tuple[GatheredTurn, ...],
    forgotten: Callable[[str], bool],
) -> Bullets:
    """`bullets` without what superseded turns had changed, where those bullets still stand.

    What was forgotten since does not come back with them.
    """
    for gathered in turns:
        for record in replaced_by(table, user, gathered.turn):
            if record.revision is None or record.epoch != state.settings.epoch:
                continue
            revision = table.revision(user, record.epoch, record.revision)
            if revision is not None:
                bullets = withdraw(bullets, _own(record, revision, forgotten))
    return bullets


def _own(record: TurnRecord, revision: Revision, forgotten: Callable[[str], bool]) -> tuple[Operation, ...]:
    """What of a revision is a turn's own and may be taken back.

    What the user asked to forget stays forgotten, whatever becomes of the message that asked.
    """
    final = frozenset({OperationKind.REMOVED, OperationKind.CHANGED}) if record.outcome in _FORGETS else ()
    return tuple(
        operation
        for operation in revision.operations
        if operation.turn_id == record.turn_id
        and operation.kind not in final
        and not (operation.before and forgotten(operation.before))
    )
