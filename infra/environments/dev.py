"""The team's shared environment: as in production, but small, and it may be torn down."""

from __future__ import annotations

from infra.environments.model import Architecture, Environment, FunctionSize, Models, Switches, Throttle

DEV = Environment(
    name="dev",
    durable=False,
    architecture=Architecture.ARM64,
    load=FunctionSize(memory_mb=1024, timeout_seconds=10),
    ingest=FunctionSize(memory_mb=1024, timeout_seconds=15),
    consolidate=FunctionSize(memory_mb=1024, timeout_seconds=300),
    maintain=FunctionSize(memory_mb=512, timeout_seconds=300),
    throttle=Throttle(rate=50, burst=100),
    models=Models(gate="gpt-4.1-mini", consolidation="gpt-4.1-mini", scrub="gpt-4.1-mini"),
    switches=Switches(),
    log_retention_days=14,
)
