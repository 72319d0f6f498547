"""How turns end: the settlement of a chain, with its revision where something was stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.consolidate.gathered import newest
from context_memory.application.steps import is_silent
from context_memory.domain.language.words import content_words
from context_memory.domain.last_line import without_secrets
from context_memory.domain.operations import diff
from context_memory.domain.outcomes import Outcome
from context_memory.domain.revision import Revision, Source
from context_memory.domain.writers import Writer
from context_memory.ports.users import Settlement

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.application.commit.base import Base
    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.application.consolidate.task import Ending
    from context_memory.domain.ids import UserKey
    from context_memory.domain.operations import Operation
    from context_memory.domain.profile import Profile
    from context_memory.domain.state import ProfilePointer, UserState
    from context_memory.domain.turn import TurnRecord, Usage

_COUNTS = frozenset({Outcome.EXPIRED, Outcome.MODEL_REJECTED, Outcome.SKIPPED_BLANK})
"""Outcomes of single turns after which nobody needs to wait for them any more."""


def dropped(user: UserKey, state: UserState, record: TurnRecord, outcome: Outcome, now: datetime) -> Settlement:
    """A turn that ends without a change. Of one that was erased or switched off not even its time counts."""
    counts = outcome in _COUNTS
    return Settlement(
        user=user,
        epoch=record.epoch,
        turns=(record,),
        outcome=outcome,
        finished_at=now,
        consolidated_through=_seen(state, record.occurred_at) if counts else None,
        announces=not is_silent(outcome, None),
        check_settings=counts,
    )


def ended(
    user: UserKey, state: UserState, turns: tuple[GatheredTurn, ...], ending: Ending, now: datetime
) -> Settlement:
    """The end of a chain that stores nothing."""
    zones = [gathered.turn.time_zone for gathered in turns if gathered.turn.time_zone and not gathered.late]
    return Settlement(
        user=user,
        epoch=state.settings.epoch,
        turns=tuple(gathered.record for gathered in turns),
        outcome=ending.outcome,
        finished_at=now,
        consolidated_through=_seen(state, newest(turns)),
        reason=ending.reason,
        announces=not is_silent(ending.outcome, ending.reason),
        extracts=ending.extracts,
        forgets=ending.forget,
        facts=ending.facts,
        heeded=ending.heeded,
        last_time_zone=zones[-1] if zones else state.last_time_zone,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What a stored change was made with."""

    model: str
    prompt_version: str
    policy_version: str
    usage: tuple[Usage, ...]


def stored(
    settled: Settlement,
    base: Base,
    profile: Profile,
    pointer: ProfilePointer,
    *,
    turns: tuple[GatheredTurn, ...],
    provenance: Provenance,
    rules: int,
) -> Settlement:
    """The same settlement with a new version of the profile and the revision that tells of it.

    `rules` is the count of the user's rules that the change was made under.
    """
    operations = diff(base.profile.bullets, profile.bullets)
    revision = Revision(
        epoch=pointer.epoch,
        turn_count=pointer.turn_count,
        version_id=pointer.version_id,
        writer=Writer.TURN,
        written_at=settled.finished_at,
        operations=tuple(_kept(operation, turns) for operation in operations),
        sources=tuple(
            Source(
                gathered.record.turn_id,
                gathered.turn.chat_id,
                gathered.turn.occurred_at,
                gathered.turn.supersedes_turn_id,
            )
            for gathered in turns
        ),
        model=provenance.model,
        prompt_version=provenance.prompt_version,
        policy_version=provenance.policy_version,
        usage=provenance.usage,
        moved_legacy=base.legacy,
    )
    return replace(settled, base=base.pointer, pointer=pointer, revision=revision, rules=rules)


def _seen(state: UserState, moment: datetime) -> datetime:
    return max(moment, state.consolidated_through or moment)


def _kept(operation: Operation, turns: Sequence[GatheredTurn]) -> Operation:
    """An operation as a revision keeps it, with its turn."""
    return replace(without_secrets(operation), turn_id=_source(operation, turns))


def _source(operation: Operation, turns: Sequence[GatheredTurn]) -> str:
    """The turn that a change rests on: the one with most of its words, the youngest of equals."""
    words = content_words(f"{operation.after or ''} {operation.before or ''}")
    return max(enumerate(turns), key=lambda at: (len(words & content_words(at[1].evidence.grounds)), at[0]))[
        1
    ].record.turn_id
