from __future__ import annotations

from datetime import UTC, datetime

import pytest

from context_memory.domain.profile import Bullets, Section
from context_memory.domain.reconcile import Grounds, Reconciled, Rules, reconcile
from context_memory.domain.replies.candidate import Candidate

TURN = datetime(2026, 6, 17, 11, 40, tzinfo=UTC)
ALL = frozenset(Section)


class Reconciling:
    """Reconciles as a turn on 17 June 2026 would; a candidate names all six sections unless `filled` says less."""

    def __call__(
        self,
        base: Bullets,
        candidate: Bullets,
        said: str,
        *,
        filled: frozenset[Section] = ALL,
        rules: Rules | None = None,
        forget: bool = False,
        late: bool = False,
        additions_only: bool = False,
        time_zone: str | None = None,
    ) -> Reconciled:
        grounds = Grounds(said, TURN, time_zone, forget=forget, late=late)
        return reconcile(base, Candidate(candidate, filled), grounds, rules or Rules(), additions_only=additions_only)


@pytest.fixture
def reconciled() -> Reconciling:
    return Reconciling()
