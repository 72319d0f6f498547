"""The commit's clauses and effects on one user's items, as adapters/dynamodb/settlement.py spells them for AWS."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.items import SEEN
from context_memory.domain.facts.heeding import UNHEEDED
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.outcomes import TurnStatus
from context_memory.domain.state import OpenChange, OpenTurn, UserSettings
from context_memory.domain.turn import FACTS
from context_memory.ports.facts import pending_extraction

if TYPE_CHECKING:
    from context_memory.adapters.in_memory.items import Items
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.users import Settlement


def failed_clauses(items: Items, settlement: Settlement) -> frozenset[str]:
    """Names of the clauses that do not hold."""
    holds = {
        "profile": settlement.pointer is None or _profile_is_as_read(items, settlement),
        "settings": not settlement.check_settings or is_on(items, settlement.epoch, settlement.rules),
        "turn": all(_may_end(items, record, settlement.epoch) for record in settlement.turns),
        "facts": settlement.facts is None or items.head_of_facts(settlement.facts.epoch) == settlement.facts.base,
        "seen": _never_goes_back(items, settlement),
        "revision": settlement.revision is None or _number(settlement) not in items.revisions,
    }
    return frozenset(name for name, held in holds.items() if not held)


def put_through(items: Items, settlement: Settlement) -> None:
    """Do what a settlement says, once all its clauses hold."""
    pointer, revision = settlement.pointer, settlement.revision
    if pointer:
        items.profile = pointer
    if revision:
        items.revisions[_number(settlement)] = revision
        if not settlement.turns:
            items.open_changes[_number(settlement)] = OpenChange(revision.epoch, revision.turn_count)
    if settlement.pins is not None and settlement.rules is not None:
        settings = items.settings or UserSettings(epoch=settlement.epoch)
        items.settings = replace(settings, pins=settlement.pins, rules=settlement.rules + 1)
    for record in settlement.turns:
        items.turns[record.turn_id] = replace(
            items.turns[record.turn_id],
            outcome=settlement.outcome,
            status=TurnStatus.DONE,
            reason=settlement.reason,
            revision=pointer.turn_count if pointer else None,
            finished_at=settlement.finished_at,
        )
        _leave_open(items, record, untold=settlement.announces)
        _hand_over(items, record, settlement)
    if settlement.facts:
        items.change_facts(settlement.facts)
    if settlement.consolidated_through or settlement.last_time_zone:
        items.epochs[SEEN] = settlement.epoch
    items.consolidated_through = settlement.consolidated_through or items.consolidated_through
    items.last_time_zone = settlement.last_time_zone or items.last_time_zone


def _leave_open(items: Items, record: TurnRecord, *, untold: bool) -> None:
    if untold:
        items.open_turns[record.open_key] = replace(open_turn(record), untold=True)
    else:
        items.open_turns.pop(record.open_key, None)


def _hand_over(items: Items, record: TurnRecord, settlement: Settlement) -> None:
    turn = items.turns[record.turn_id]
    if settlement.outcome and settlement.extracts_from(record):
        heeded = settlement.heeded or UNHEEDED
        pending = pending_extraction(record, settlement.outcome, forgets=settlement.forgets, heeded=heeded)
        items.extractions[record.open_key] = pending
        if not record.wants_facts:
            items.turns[record.turn_id] = replace(turn, consumers=(*record.consumers, FACTS))
    elif record.wants_facts:
        items.turns[record.turn_id] = replace(turn, facts_outcome=FactsOutcome.SKIPPED)


def open_turn(record: TurnRecord) -> OpenTurn:
    """The item by which the turn is found to be waiting."""
    return OpenTurn(
        key=record.open_key,
        turn_id=record.turn_id,
        accepted_at=record.accepted_at,
        occurred_at=record.occurred_at,
        supersedes_turn_id=record.supersedes_turn_id,
    )


def _profile_is_as_read(items: Items, settlement: Settlement) -> bool:
    stands, base = items.profile, settlement.base
    if stands is None or base is None:
        return stands is None and base is None
    return (stands.epoch, stands.turn_count) == (settlement.epoch, base.turn_count)


def is_on(items: Items, epoch: int, rules: int | None) -> bool:
    """Whether memory is on in that epoch, no erase runs, and the rules are these, unless they do not matter."""
    settings = items.settings or UserSettings()
    same_rules = rules is None or settings.rules == rules
    return settings.epoch == epoch and settings.context_memory and not settings.erase_running and same_rules


def _may_end(items: Items, record: TurnRecord, epoch: int) -> bool:
    turn = items.turns.get(record.turn_id)
    open_still = turn is not None and turn.epoch == epoch and turn.outcome is None
    return open_still and turn is not None and (turn.teaches or not record.teaches)


def _never_goes_back(items: Items, settlement: Settlement) -> bool:
    before, after = items.consolidated_through, settlement.consolidated_through
    return before is None or after is None or before <= after


def _number(settlement: Settlement) -> tuple[int, int]:
    revision = settlement.revision
    return (revision.epoch, revision.turn_count) if revision else (settlement.epoch, 0)
