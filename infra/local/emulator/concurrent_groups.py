"""Lets the groups of a FIFO queue run beside each other, as AWS does.

The emulator works a FIFO queue off one batch after another, because a batch could mix groups and two batches could
then overtake each other. A batch of one message holds one group, whose next message waits for this one anyway.
"""

from __future__ import annotations

from typing import Any


def install(functions: Any) -> None:
    """Give mappings of batch size 1 the concurrency of other queues."""
    stock = functions._sqs_esm_concurrency

    def concurrency(mapping: dict[str, Any], record: Any, config: Any, queue: Any = None) -> int:
        limit: int = stock(mapping, record, config, None if mapping.get("BatchSize") == 1 else queue)
        return limit

    functions._sqs_esm_concurrency = concurrency
