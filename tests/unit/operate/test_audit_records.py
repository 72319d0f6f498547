"""Reading the audit trail: packed or plain, with or without lines, by the hours that may hold a record."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.operate.audit_records import hours, read

RECORDS = [{"audit": True, "user": "a}{b", "request_id": "r-1"}, {"audit": True, "user": None, "request_id": "r-2"}]


@pytest.mark.parametrize("between", ["\n", "", "\n\n"])
@pytest.mark.parametrize("packed", [True, False])
def test_records_are_told_apart_whatever_stands_between_them(between: str, packed: bool) -> None:  # noqa: FBT001 - what is tested
    body = between.join(json.dumps(record) for record in RECORDS).encode()
    assert list(read(gzip.compress(body) if packed else body)) == RECORDS


def test_an_empty_object_holds_no_record() -> None:
    assert list(read(b"")) == []


@given(st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none(), max_size=3), max_size=4))
def test_what_was_written_is_read_back(records: list[dict[str, object]]) -> None:
    assert list(read("\n".join(json.dumps(record) for record in records).encode())) == records


def test_every_hour_between_two_times_is_looked_into() -> None:
    since, until = datetime(2026, 12, 31, 22, 59, tzinfo=UTC), datetime(2027, 1, 1, 0, 1, tzinfo=UTC)
    assert list(hours(since, until)) == [
        "records/2026/12/31/22/",
        "records/2026/12/31/23/",
        "records/2027/01/01/00/",
    ]
