"""The rehearsal: durable and guarded like production, sized for a test load.

Before the first deployment: name the account, the region, who is told of alarms, and who signs users' tokens.
"""

from __future__ import annotations

from infra.environments.model import Environment
from infra.environments.parts import Architecture, Budget, Company, FunctionSize, Models, Retention, Throttle, Throttles

ENVIRONMENT = Environment(
    name="staging",
    durable=True,
    architecture=Architecture.ARM64,
    load=FunctionSize(memory_mb=1024, timeout_seconds=10, reserved_concurrency=50),
    ingest=FunctionSize(memory_mb=1024, timeout_seconds=15),
    recall=FunctionSize(memory_mb=1024, timeout_seconds=10),
    consolidate=FunctionSize(memory_mb=1024, timeout_seconds=300),
    extract=FunctionSize(memory_mb=1024, timeout_seconds=300),
    maintain=FunctionSize(memory_mb=1024, timeout_seconds=600),
    account_function=FunctionSize(memory_mb=1024, timeout_seconds=15),
    admin=FunctionSize(memory_mb=512, timeout_seconds=15),
    throttles=Throttles(
        load=Throttle(rate=200, burst=400),
        recall=Throttle(rate=200, burst=400),
        turns=Throttle(rate=200, burst=400),
        status=Throttle(rate=200, burst=400),
        me=Throttle(rate=20, burst=40),
        admin=Throttle(rate=5, burst=10),
        changes=Throttle(rate=10, burst=20),
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
    budget=Budget(daily_tokens=20_000_000),
    retention=Retention(logs=30, audit=90),
    tags={"service": "context-memory", "environment": "staging"},
)
