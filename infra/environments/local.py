"""The emulator on this machine: the same stacks, sizes that suit two cores, data that may vanish.

The endpoint of the model and the tokenizer's folder are those of this machine: the local environment fills them in.
"""

from __future__ import annotations

from infra.environments.model import Architecture, Environment, FunctionSize, Models, Switches, Throttle

LOCAL = Environment(
    name="local",
    durable=False,
    architecture=Architecture.HOST,
    load=FunctionSize(memory_mb=512, timeout_seconds=10),
    ingest=FunctionSize(memory_mb=512, timeout_seconds=15),
    consolidate=FunctionSize(memory_mb=1024, timeout_seconds=300),
    maintain=FunctionSize(memory_mb=512, timeout_seconds=300),
    throttle=Throttle(rate=1000, burst=1000),
    models=Models(gate="offline-rules", consolidation="offline-rules", scrub="offline-rules"),
    switches=Switches(),
    log_level="DEBUG",
    log_retention_days=1,
    wait_seconds_first=1,
    wait_seconds_max=30,
)
