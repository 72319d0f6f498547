"""Receipts of erasures."""

from __future__ import annotations

from typing import Literal

from context_memory.contracts.openapi.answers.shared import Count, Moment, Told


class ErasedCounts(Told):
    """What was surely deleted: at least so much."""

    versions: Count
    payloads: Count
    indexes: Count
    items: dict[str, Count]


class ErasureProbe(Told):
    """The last look for anything that is left."""

    found: Count
    at: Moment


class ErasureTombstone(Told):
    """What stays, and why."""

    stays: list[str]
    why: str


class ErasureReceipt(Told):
    """What an erase has done; everything but digest and signature is signed."""

    format: Literal["context-memory/receipt"]
    version: Literal[1]
    receipt_id: str
    company_id: str
    user_id: str
    status: Literal["running", "provisional", "final"]
    epoch: Count
    requested_at: Moment
    first_sweep_at: Moment | None
    second_sweep_at: Moment | None
    counts: ErasedCounts
    probe: ErasureProbe | None
    tombstone: ErasureTombstone
    backups_expire_on: str | None
    key: str
    digest: str
    signature: str | None
