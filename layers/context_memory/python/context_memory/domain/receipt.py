"""The receipt of an erase: one JSON document that anybody can check, with the public key, against its signature."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any

from context_memory.domain.erasing import OBJECTS, Remnant

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from context_memory.domain.erasing import Erasure
    from context_memory.domain.ids import UserKey

FORMAT = "context-memory/receipt"
_TOMBSTONE = {
    "stays": ["epoch", "context_memory", "erased_at", "this receipt", "a keyed hash of the user in the ledger"],
    "why": "Without it what was on its way could be stored again, an opt-out be lost, or a backup bring all back.",
}


def statement(user: UserKey, erasure: Erasure, backups_expire_on: date | None, *, key: str) -> dict[str, Any]:
    """What is signed: the receipt without digest and signature.

    Args:
        user: who was erased.
        erasure: as it now stands.
        backups_expire_on: the day on which no backup holds anything of the user any more; None where there is none.
        key: name of the key that signs.
    """
    return {
        "format": FORMAT,
        "version": 1,
        "receipt_id": erasure.receipt_id,
        "company_id": user.company_id,
        "user_id": user.user_id,
        "status": erasure.stage.value,
        "epoch": erasure.epoch,
        "requested_at": _time(erasure.requested_at),
        "first_sweep_at": _time(erasure.first_sweep_at),
        "second_sweep_at": _time(erasure.second_sweep_at),
        "counts": _counts(erasure.counts),
        "probe": {"found": 0, "at": _time(erasure.probed_at)} if erasure.probed_at else None,
        "tombstone": _TOMBSTONE,
        "backups_expire_on": backups_expire_on and backups_expire_on.isoformat(),
        "key": key,
    }


def canonical(stated: Mapping[str, Any]) -> bytes:
    """The bytes that are digested: keys sorted, no blanks, UTF-8."""
    return json.dumps(stated, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def digest(stated: Mapping[str, Any]) -> bytes:
    """SHA-256 over the canonical bytes."""
    return hashlib.sha256(canonical(stated)).digest()


def receipt(stated: Mapping[str, Any], signature: bytes | None) -> dict[str, Any]:
    """The whole document; `signature` (ECDSA with SHA-256 over the canonical bytes, as DER) may be wanting yet."""
    return {
        **stated,
        "digest": digest(stated).hex(),
        "signature": signature and base64.b64encode(signature).decode(),
    }


def _counts(counts: Mapping[Remnant, int]) -> dict[str, Any]:
    in_buckets = {kind.value: counts.get(kind, 0) for kind in OBJECTS}
    items = {kind.value: counts[kind] for kind in Remnant if kind not in OBJECTS and counts.get(kind)}
    return {**in_buckets, "items": items}


def _time(at: datetime | None) -> str | None:
    return at.isoformat(timespec="seconds") if at else None
