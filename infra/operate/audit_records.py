"""The audit trail, read by the hour: one bucket, records as JSON, packed on AWS and plain on the emulator."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from infra.names import AUDIT_RECORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from infra.operate.target import Target

NOT_HASHED = "unknown"
"""Stands for a user in a record while the key of the hashes was out of reach."""
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Records in the order of their times: of one user, and of the user's company where nobody could say whose."""

    of_user: list[dict[str, Any]]
    of_whom: list[dict[str, Any]]


def records(target: Target, user: str, *, company_id: str, since: datetime, until: datetime) -> Found:
    """What was recorded about a user between two times of UTC.

    Args:
        target: where the trail is.
        user: the hash that stands for the user.
        company_id: the user's company.
        since: of the first record.
        until: of the last record. Those of the last minutes may still be on their way.
    """
    s3, bucket = target.client("s3"), target.names.audit_bucket
    bodies = (
        s3.get_object(Bucket=bucket, Key=listed["Key"])["Body"].read()
        for prefix in hours(since, until)
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        for listed in page.get("Contents", ())
    )
    return sorted_out((record for body in bodies for record in read(body)), user, company_id)


def sorted_out(found: Iterable[Mapping[str, Any]], user: str, company_id: str) -> Found:
    """Those that matter of what stands in the trail.

    A record that was delivered twice counts once. Two that differ both count, whatever request they name: a function
    that was taken over could write lines, and none of them may hide a true one.
    """
    of_user: dict[str, dict[str, Any]] = {}
    of_whom: dict[str, dict[str, Any]] = {}
    for record in found:  # of which there may be millions: only those that matter are kept
        whole = json.dumps(record, sort_keys=True)
        if record.get("user") == user:
            of_user[whole] = dict(record)
        elif (record.get("user"), record.get("company_id")) == (NOT_HASHED, company_id):
            of_whom[whole] = dict(record)
    return Found(of_user=_in_order(of_user.values()), of_whom=_in_order(of_whom.values()))


def _in_order(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(found, key=lambda record: str(record.get("time")))


def hours(since: datetime, until: datetime) -> Iterator[str]:
    """Folders that may hold records of that time: a record lies by the hour at which it arrived."""
    hour = since.replace(minute=0, second=0, microsecond=0)
    while hour <= until:
        yield f"{AUDIT_RECORDS}{hour:%Y/%m/%d/%H}/"
        hour += timedelta(hours=1)


def read(body: bytes) -> Iterator[dict[str, Any]]:
    """The records of one object, whether or not something stands between them."""
    text = (gzip.decompress(body) if body.startswith(_GZIP) else body).decode().strip()
    decoder = json.JSONDecoder()
    while text:
        record, end = decoder.raw_decode(text)
        yield record
        text = text[end:].lstrip()
