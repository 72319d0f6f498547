"""Facts for a question, and citations of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory import edge
from context_memory.bootstrap.recall import recall as build

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.contracts.http import Answer, Request

locks, audit, telemetry = build(os.environ)

ROUTES: Mapping[str, Callable[[Request], Answer]] = {}

handler = edge.http(ROUTES, telemetry, locks=locks, audit=audit, stage="recall")
