"""Tables of facts, asked by our own functions alone, each time with credentials that they lend."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory.bootstrap.lance import lance as build

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from context_memory.contracts.lance import Answer, Asked

service = build(os.environ)


def handler(event: Asked, context: LambdaContext) -> Answer:
    """Answer one request; nothing of it is logged."""
    return service.answer(event)
