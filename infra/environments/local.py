"""The emulator on this machine: the same stacks, sizes that suit two cores, data that may vanish.

The endpoint of the model, the tokenizer's folder, the issuer of users' tokens and the page's origin are those of this
machine: the local environment fills them in. Companies with look-alike ids are there to show that they are kept apart.
"""

from __future__ import annotations

from infra.environments.model import Environment
from infra.environments.parts import (
    Architecture,
    Company,
    Cors,
    FunctionSize,
    Models,
    Oidc,
    Page,
    Retention,
    Throttle,
    Throttles,
)

ISSUER = "http://localhost/issuer-of-this-machine"
PAGE = "https://page-of-this-machine.localhost"
"""Stands for the origin of the settings page, whose port is known when it is started."""
EMBEDDINGS = "http://localhost/embeddings-of-this-machine"
"""Stands for the endpoint that makes vectors, whose port is known when it is started."""
_ENOUGH = Throttle(rate=1000, burst=1000)

ENVIRONMENT = Environment(
    name="local",
    durable=False,
    architecture=Architecture.HOST,
    load=FunctionSize(memory_mb=512, timeout_seconds=10),
    ingest=FunctionSize(memory_mb=512, timeout_seconds=15),
    recall=FunctionSize(memory_mb=1024, timeout_seconds=10),
    consolidate=FunctionSize(memory_mb=1024, timeout_seconds=300),
    extract=FunctionSize(memory_mb=1024, timeout_seconds=300),
    maintain=FunctionSize(memory_mb=1024, timeout_seconds=300),
    account_function=FunctionSize(memory_mb=1024, timeout_seconds=15),
    admin=FunctionSize(memory_mb=512, timeout_seconds=15),
    throttles=Throttles(
        load=_ENOUGH,
        recall=_ENOUGH,
        turns=_ENOUGH,
        status=_ENOUGH,
        me=_ENOUGH,
        admin=_ENOUGH,
        changes=_ENOUGH,
        docs=_ENOUGH,
    ),
    models=Models(
        gate="offline-rules",
        consolidation="offline-rules",
        scrub="offline-rules",
        small="offline-rules",
        extraction="offline-rules",
        embedding="multilingual-e5-small",
        embedding_base_url=EMBEDDINGS,
        embedding_prefixes={"query": "query: ", "passage": "passage: "},
    ),
    companies={"acme": Company(), "acm": Company(), "acme2": Company()},
    oidc=Oidc(issuer=ISSUER, audiences={"acme-app": ("acme",), "shared-app": ("acme", "acme2")}),
    page=Page(client_id="acme-app"),
    cors=Cors(origins=(PAGE,)),
    retention=Retention(logs=1, audit=1),
    log_level="DEBUG",
    wait_seconds_first=1,
    wait_seconds_max=30,
    flags_seconds=1,
    flags_rollout_minutes=0,
)
