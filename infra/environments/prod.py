"""Production: durable, guarded, sized for one cell (docs/deploying.md says how many users that carries).

Before the first deployment: name the account, the region, who is told of alarms, and who signs users' tokens.
"""

from __future__ import annotations

from infra.environments.model import Environment
from infra.environments.parts import Architecture, Budget, Company, FunctionSize, Models, Retention, Throttle, Throttles

ENVIRONMENT = Environment(
    name="prod",
    durable=True,
    architecture=Architecture.ARM64,
    load=FunctionSize(memory_mb=1024, timeout_seconds=10, reserved_concurrency=200),
    ingest=FunctionSize(memory_mb=1024, timeout_seconds=15),
    recall=FunctionSize(memory_mb=1024, timeout_seconds=10),
    consolidate=FunctionSize(memory_mb=1024, timeout_seconds=300),
    extract=FunctionSize(memory_mb=1024, timeout_seconds=300),
    maintain=FunctionSize(memory_mb=1024, timeout_seconds=900),
    account_function=FunctionSize(memory_mb=1024, timeout_seconds=15),
    admin=FunctionSize(memory_mb=512, timeout_seconds=15),
    throttles=Throttles(
        load=Throttle(rate=1000, burst=2000),
        recall=Throttle(rate=1000, burst=2000),
        turns=Throttle(rate=1000, burst=2000),
        status=Throttle(rate=1000, burst=2000),
        me=Throttle(rate=100, burst=200),
        admin=Throttle(rate=10, burst=20),
        changes=Throttle(rate=50, burst=100),
        docs=Throttle(rate=10, burst=20),
    ),
    models=Models(
        gate="gpt-4.1-mini",
        consolidation="gpt-4.1-mini",
        scrub="gpt-4.1-mini",
        small="gpt-4.1-nano",
        extraction="gpt-4.1-mini",
        embedding="text-embedding-3-small",
        requests_per_minute=5000,
    ),
    companies={"acme": Company(), "smoke": Company()},  # the second is what `make smoke` speaks for
    budget=Budget(daily_tokens=100_000_000),
    retention=Retention(logs=90, audit=365),
    tags={"service": "context-memory", "environment": "prod"},
)
