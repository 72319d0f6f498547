from __future__ import annotations

import hashlib
import hmac
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.adapters.in_memory.system import CountingIdentifiers, ManualClock
from context_memory.adapters.secrets import KeyedHasher, LateSecret
from context_memory.adapters.system import RandomIdentifiers, SystemClock
from context_memory.domain.errors import StoreUnavailable

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class FakeSecrets:
    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)

    def get_secret_value(self, **_: str) -> dict[str, str]:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return {"SecretString": answer}


def late(fake: FakeSecrets) -> LateSecret:
    return LateSecret(client=cast("Any", fake), secret_id="hash", own_role=nullcontext)


def test_a_secret_is_read_late_and_once() -> None:
    fake = FakeSecrets("key", "another")
    secret = late(fake)
    assert len(fake.answers) == 2
    assert (secret(), secret()) == ("key", "key")
    assert len(fake.answers) == 1


def test_a_failed_read_is_tried_again() -> None:
    throttled = ClientError({"Error": {"Code": "ThrottlingException", "Message": "hash"}}, "GetSecretValue")
    secret = late(FakeSecrets(throttled, "key"))
    with pytest.raises(StoreUnavailable):
        secret()
    assert secret() == "key"


def test_an_empty_secret_hashes_nothing() -> None:
    with pytest.raises(StoreUnavailable):
        KeyedHasher(late(FakeSecrets(""))).digest("forgotten", "text")


def test_a_digest_is_an_hmac_under_a_key_of_its_purpose() -> None:
    key = hmac.new(b"key", b"forgotten", hashlib.sha256).digest()
    expected = hmac.new(key, "Zürich".encode(), hashlib.sha256).hexdigest()
    assert KeyedHasher(lambda: "key").digest("forgotten", "Zürich") == expected


def test_digests_differ_by_text_purpose_and_environment() -> None:
    hasher = KeyedHasher(lambda: "key")
    digests = {
        hasher.digest("user", "a"),
        hasher.digest("user", "b"),
        hasher.digest("forgotten", "a"),
        hasher.digest("use", "ra"),
        KeyedHasher(lambda: "other").digest("user", "a"),
    }
    assert len(digests) == 5


def test_no_text_makes_a_digest_fail() -> None:
    assert len(KeyedHasher(lambda: "key").digest("user", "\ud800")) == 64


@settings(max_examples=50, deadline=None)
@given(st.lists(st.datetimes(datetime(1971, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC)), min_size=2))  # noqa: DTZ001 - Hypothesis wants naive bounds
def test_ulids_sort_by_time_of_creation(moments: list[datetime]) -> None:
    identifiers = RandomIdentifiers()
    spelled = [identifiers.ulid(moment) for moment in sorted(moments)]
    assert spelled == sorted(spelled)
    assert len(set(spelled)) == len(moments)
    assert {len(ulid) for ulid in spelled} == {26}


def test_ulids_of_one_millisecond_sort_as_they_were_made() -> None:
    identifiers = RandomIdentifiers()
    made = [identifiers.ulid(NOON + timedelta(microseconds=number)) for number in range(500)]
    assert made == sorted(set(made))


def test_a_ulid_spells_its_time_as_the_format_says() -> None:
    # The first ten characters are the milliseconds since 1970 in base 32.
    assert RandomIdentifiers().ulid(datetime.fromtimestamp(1469918176.385, UTC))[:10] == "01ARYZ6S41"


def test_two_processes_do_not_draw_the_same_names() -> None:
    one, other = RandomIdentifiers(), RandomIdentifiers()
    assert one.ulid(NOON) != other.ulid(NOON)
    assert len({one.nonce() for _ in range(50)} | {other.nonce() for _ in range(50)}) == 100


def test_a_nonce_is_eight_hex_digits() -> None:
    assert all(
        len(nonce) == 8 and int(nonce, 16) >= 0
        for nonce in (RandomIdentifiers().nonce(), CountingIdentifiers().nonce())
    )


def test_the_machines_clock_is_aware_and_does_not_run_backwards() -> None:
    clock = SystemClock()
    assert clock.now().utcoffset() == timedelta(0)
    assert clock.monotonic() <= clock.monotonic()


def test_the_manual_clock_moves_both_ways_of_telling_time() -> None:
    clock = ManualClock(NOON)
    clock.advance(90.5)
    assert clock.now() == NOON + timedelta(seconds=90.5)
    assert clock.monotonic() == 90.5


def test_counted_ulids_sort_like_drawn_ones() -> None:
    identifiers = CountingIdentifiers()
    made = [identifiers.ulid(NOON), identifiers.ulid(NOON), identifiers.ulid(NOON + timedelta(seconds=1))]
    assert made == sorted(set(made))
