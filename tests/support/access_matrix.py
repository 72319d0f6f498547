"""Every question about access, with the answer that the rules of `access_rights` give."""

from __future__ import annotations

import functools
from itertools import chain
from typing import TYPE_CHECKING

from tests.support import access_keys, access_people, access_roles, access_sessions, access_shared

if TYPE_CHECKING:
    from tests.support.access_cells import Cell


@functools.cache
def matrix() -> tuple[Cell, ...]:
    """All cells, each once."""
    return tuple(
        dict.fromkeys(
            chain(
                *(access_roles.assumptions(), access_roles.service_assumptions(), access_roles.own_rights()),
                *(access_sessions.sessions(), access_sessions.wide_requests(), access_sessions.listers()),
                *(access_shared.shared_by_sessions(), access_shared.shared_by_functions()),
                access_sessions.transports(),
                *(access_people.callers(), access_people.callers_elsewhere()),
                *(access_people.operators(), access_people.auditors(), access_people.administrators()),
                *(access_keys.keys(), access_keys.receipts(), access_keys.alarms()),
            )
        )
    )
