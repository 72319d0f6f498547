"""Reading the audit trail: packed or plain, with or without lines, by the hours that may hold a record."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.adapters import pseudonyms
from infra.operate.audit_records import NOT_HASHED, hours, read, sorted_out

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


def record(request_id: str, user: str | None = "lena", **more: object) -> dict[str, object]:
    return {"time": request_id, "user": user, "company_id": "acme", "request_id": request_id, **more}


def test_a_record_that_was_delivered_twice_is_told_once_and_in_its_order() -> None:
    found = sorted_out([record("2"), record("1"), record("2"), record("3", "max")], "lena", "acme")
    assert [one["request_id"] for one in found.of_user] == ["1", "2"]


def test_no_line_hides_another_by_naming_its_request_or_lacking_something() -> None:
    true, forged = record("1", caller="true"), record("1", caller="forged")
    odd: dict[str, object] = {"user": "lena"}
    assert sorted_out([true, forged, odd, {}], "lena", "acme").of_user == [true, forged, odd]


def test_calls_whose_user_nobody_could_hash_are_told_to_whoever_asks_for_one_of_the_company() -> None:
    unknown = record("1", NOT_HASHED)
    found = sorted_out([unknown, record("2", NOT_HASHED) | {"company_id": "globex"}, record("3", None)], "lena", "acme")
    assert (found.of_user, found.of_whom) == ([], [unknown])


def test_a_user_who_could_not_be_hashed_is_called_the_same_by_who_writes_and_who_reads() -> None:
    assert NOT_HASHED == pseudonyms.UNKNOWN
