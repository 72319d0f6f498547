from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.operate.dead_letters.letter import DeadLetter, Kind, Selection
from infra.operate.table import age, lined_up, shown

NOTICE = {"company_id": "acme", "user_id": "lena", "turn_id": "t1", "reason": "crashed"}
DOORBELL = {"company_id": "acme", "user_id": "lena", "kind": "turns"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*NOTICE, "kind"]) | st.text(), inner),
    max_leaves=8,
)


def letter(body: object) -> DeadLetter:
    text = body if isinstance(body, str) else json.dumps(body)
    attributes = {"SentTimestamp": "1781000000123", "MessageGroupId": "group"}
    message: dict[str, Any] = {"MessageId": "m1", "ReceiptHandle": "r1", "Body": text, "Attributes": attributes}
    return DeadLetter.of(message)


def test_a_notice_tells_of_a_turn_and_why_it_was_given_up() -> None:
    read = letter(NOTICE)
    assert (read.kind, read.company_id, read.user_id) == (Kind.NOTICE, "acme", "lena")
    assert (read.turn_id, read.reason) == ("t1", "crashed")
    assert read.sent_at == datetime.fromtimestamp(1781000000.123, UTC)


def test_a_doorbell_tells_of_a_user() -> None:
    read = letter(DOORBELL)
    assert (read.kind, read.user_id, read.turn_id, read.reason) == (Kind.DOORBELL, "lena", None, "crash_loop")


def test_a_job_tells_what_it_was_and_of_whom() -> None:
    read = letter({"job": "erase", "company_id": "acme", "user_id": "lena", "epoch": 3, "off": True})
    assert (read.kind, read.company_id, read.user_id, read.reason) == (Kind.JOB, "acme", "lena", "erase")
    company = letter({"job": "walk", "company_id": "acme", "job_id": "j1"})
    assert (company.kind, company.user_id, company.reason) == (Kind.JOB, None, "walk")


@pytest.mark.parametrize("body", [{"job": "I live in Basel."}, {"job": "erase", "user_id": 7}, {"job": 1}])
def test_what_calls_itself_a_job_and_is_none_is_unknown(body: object) -> None:
    assert (letter(body).kind, letter(body).reason) == (Kind.UNKNOWN, None)


@pytest.mark.parametrize(
    "body",
    ["", "{", "[" * 100_000, "null", NOTICE | {"said": "I live in Basel."}, NOTICE | {"user_id": 7}, {"kind": "turns"}],
)
def test_what_the_service_never_writes_is_unknown_and_none_of_it_is_shown(body: object) -> None:
    read = letter(body)
    assert (read.kind, read.company_id, read.user_id, read.turn_id, read.reason) == (Kind.UNKNOWN, *[None] * 4)


@given(st.text() | JSON.map(json.dumps))
def test_no_body_makes_reading_fail(body: str) -> None:
    read = letter(body)
    for told in (read.company_id, read.user_id, read.turn_id, read.reason):
        shown(told).encode()  # a lone surrogate would make printing fail


def test_a_selection_means_all_that_it_names() -> None:
    assert letter(NOTICE) in Selection()
    assert letter(NOTICE) in Selection(company_id="acme", user_id="lena", turn_id="t1")
    assert letter(NOTICE) not in Selection(user_id="lena", turn_id="t2")
    assert letter(NOTICE) not in Selection(company_id="globex", user_id="lena")
    assert letter(DOORBELL) not in Selection(turn_id="t1")
    assert letter("{") not in Selection(company_id="acme")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("lena", "lena"),
        ("źena", "źena"),
        (None, "-"),
        ("-", "'-'"),
        ("", "''"),
        ("a b", "'a b'"),
        ("\x1b[2J", "'\\x1b[2J'"),
        ("a\u202eb", "'a\\u202eb'"),
        ("a\nb", "'a\\nb'"),
    ],
)
def test_an_id_cannot_steer_the_terminal(text: str | None, word: str) -> None:
    assert shown(text) == word


@pytest.mark.parametrize(
    ("since", "words"),
    [(-5, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (7200, "2 h"), (86399, "23 h"), (86400 * 13, "13 d")],
)
def test_an_age_is_told_in_its_largest_unit(since: int, words: str) -> None:
    assert age(timedelta(seconds=since)) == words


def test_columns_stand_under_each_other() -> None:
    assert lined_up([("kind", "user"), ("notice", "lena"), ("x", "")]) == ["kind    user", "notice  lena", "x"]
