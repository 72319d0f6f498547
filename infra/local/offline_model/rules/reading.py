"""Reads everything that one turn says, as changes in the order in which they were said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

from infra.local.offline_model.body import TOPICS
from infra.local.offline_model.moments import absolute
from infra.local.offline_model.rules.adoption import adopted
from infra.local.offline_model.rules.chinese import CHINESE
from infra.local.offline_model.rules.endings import forgetting, withdrawal
from infra.local.offline_model.rules.english import ENGLISH
from infra.local.offline_model.rules.german import GERMAN
from infra.local.offline_model.rules.wishes import wish
from infra.local.offline_model.statements import statements

if TYPE_CHECKING:
    from infra.local.offline_model.facts import Change
    from infra.local.offline_model.prompt import AskedTurn

_TABLES = (ENGLISH, GERMAN, CHINESE)


def read_turn(turn: AskedTurn) -> tuple[Change, ...]:
    """All changes that a turn asks for; empty for a turn that leaves nothing."""
    return tuple(change for _, change in quoted_changes(turn))


def quoted_changes(turn: AskedTurn) -> tuple[tuple[str, Change], ...]:
    """The same, each with the clause that it rests on."""
    clauses = [*statements(turn.evidence), *filter(None, [adopted(turn.evidence, turn.earlier_answer)])]
    read = ((clause, read_clause(clause, turn)) for clause in clauses)
    return tuple((clause, change) for clause, change in read if change)


def read_clause(clause: str, turn: AskedTurn) -> Change | None:
    """What one clause says; the order is: what goes, how answers should be, what is so."""
    if gone := forgetting(clause) or withdrawal(clause):
        return gone
    dated = absolute(clause, turn.moment.date() if turn.moment else None)
    if wanted := wish(dated):
        return wanted
    fact = next(filter(None, (table.read(dated) for table in _TABLES)), None)
    if fact and fact.heading == TOPICS and turn.moment:
        stamp = f"{turn.moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        return replace(fact, text=f"{stamp}: {fact.text[:1].upper()}{fact.text[1:]}")
    return fact
