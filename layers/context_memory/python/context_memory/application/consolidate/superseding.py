"""A regenerated or edited message replaces an older turn: what that turn had changed is taken back first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.operations import withdraw

if TYPE_CHECKING:
    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.domain.ids import UserKey
    from context_memory.domain.profile import Bullets
    from context_memory.domain.state import OpenTurn, UserState
    from context_memory.ports import UserTable


def superseded_and_open(state: UserState) -> tuple[OpenTurn, ...]:
    """Open turns, dead ones included, that another open turn replaces: they need not run any more."""
    replaced = {turn.supersedes_turn_id for turn in state.open_turns}
    return tuple(turn for turn in state.open_turns if turn.turn_id in replaced)


def take_back(
    table: UserTable, user: UserKey, state: UserState, bullets: Bullets, turns: tuple[GatheredTurn, ...]
) -> Bullets:
    """`bullets` without what superseded turns had changed, where those bullets still stand."""
    for gathered in turns:
        replaced = gathered.turn.supersedes_turn_id
        record = table.turn(user, replaced) if replaced else None
        if record is None or record.revision is None or record.epoch != state.settings.epoch:
            continue
        revision = table.revision(user, record.epoch, record.revision)
        if revision is not None:
            own = tuple(operation for operation in revision.operations if operation.turn_id == record.turn_id)
            bullets = withdraw(bullets, own)
    return bullets
