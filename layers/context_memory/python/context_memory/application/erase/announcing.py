"""What makes sure that an erase is gone on with, whatever becomes of who began it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.jobs import AgendaEntry, JobKind

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.ports.system import Clock


def agenda_entry(user: UserKey, clock: Clock) -> AgendaEntry:
    """The entry by which a day's round finds an erase whose messages are lost."""
    return AgendaEntry(company_id=user.company_id, kind=JobKind.ERASE, due=clock.now().date(), user=user)
