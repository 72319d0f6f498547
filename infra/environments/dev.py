"""The team's shared environment: as in production, but small, and it may be torn down."""

from __future__ import annotations

from infra.environments.model import Environment
from infra.environments.parts import Architecture, Budget, Company, FunctionSize, Models, Retention, Throttle, Throttles

ENVIRONMENT = Environment(
    name="dev",
    durable=False,
    architecture=Architecture.ARM64,
    load=FunctionSize(memory_mb=1024, timeout_seconds=10),
    ingest=FunctionSize(memory_mb=1024, timeout_seconds=15),
    recall=FunctionSize(memory_mb=1024, timeout_seconds=10),
    consolidate=FunctionSize(memory_mb=1024, timeout_seconds=300),
    extract=FunctionSize(memory_mb=1024, timeout_seconds=300),
    maintain=FunctionSize(memory_mb=1024, timeout_seconds=300),
    account_function=FunctionSize(memory_mb=1024, timeout_seconds=15),
    admin=FunctionSize(memory_mb=512, timeout_seconds=15),
    throttles=Throttles(
        load=Throttle(rate=50, burst=100),
        recall=Throttle(rate=50, burst=100),
        turns=Throttle(rate=50, burst=100),
        status=Throttle(rate=50, burst=100),
        me=Throttle(rate=10, burst=20),
        admin=Throttle(rate=5, burst=10),
        changes=Throttle(rate=5, burst=10),
        docs=Throttle(rate=5, burst=10),
    ),
    models=Models(
        gate="gpt-4.1-mini",
        consolidation="gpt-4.1-mini",
        scrub="gpt-4.1-mini",
        small="gpt-4.1-nano",
        extraction="gpt-4.1-mini",
        embedding="text-embedding-3-small",
    ),
    companies={"acme": Company(), "smoke": Company()},  # the second is what `make smoke` speaks for
    budget=Budget(daily_tokens=5_000_000),
    retention=Retention(logs=14, audit=30),
    tags={"service": "context-memory", "environment": "dev"},
)
