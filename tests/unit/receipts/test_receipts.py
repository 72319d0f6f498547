"""A receipt attests what happened, to anybody with the public key, and nothing once a letter of it was changed."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.erase.sealing import Receipts
from context_memory.domain.erasing import Remnant, Standing
from context_memory.domain.ids import UserKey
from infra.local.cli import main
from infra.receipts import ReceiptError, attested, checked
from tests.support.eraser import Eraser
from tests.support.records import turn_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LENA = UserKey("acme", "léna 🦉\u2028")
WORLD = InMemoryWorld()
RECEIPT = Eraser(WORLD).erase(LENA)
KEY = WORLD.signer.public_key


def written(receipt: dict[str, Any]) -> bytes:
    return json.dumps(receipt).encode()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - any JSON
    """Every leaf of a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path
        return
    for name, one in inner:
        yield from places(one, (*path, name))


def changed(receipt: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    copied: Any = copy.deepcopy(receipt)
    inner = copied
    for name in path[:-1]:
        inner = inner[name]
    match inner[path[-1]]:
        case int() as number:
            inner[path[-1]] = number + 1
        case str() as text:
            inner[path[-1]] = ("B" if text[0] == "A" else "A") + text[1:]
        case _:
            inner[path[-1]] = "2026-01-05T09:30:00+00:00"
    tampered: dict[str, Any] = copied
    return tampered


def test_a_whole_receipt_is_believed() -> None:
    assert checked(written(RECEIPT), KEY) == RECEIPT


def test_it_says_who_was_erased_by_whose_key_and_each_time_as_it_was() -> None:
    began = datetime(2026, 6, 17, 23, 50, tzinfo=UTC)
    fenced = Standing(epoch=4, has_profile=True).fenced("r-1", began)
    swept = replace(fenced.swept(began + timedelta(seconds=7)), counts={Remnant.VERSIONS: 3, Remnant.TURNS: 2})
    final = swept.swept(began + timedelta(minutes=17))
    told = {
        "format": "context-memory/receipt",
        "version": 1,
        "receipt_id": "r-1",
        "company_id": "acme",
        "user_id": LENA.user_id,
        "status": "final",
        "epoch": 5,
        "requested_at": "2026-06-17T23:50:00+00:00",
        "first_sweep_at": "2026-06-17T23:50:07+00:00",
        "second_sweep_at": "2026-06-18T00:07:00+00:00",
        "counts": {"versions": 3, "payloads": 0, "indexes": 0, "items": {"turns": 2}},
        "probe": {"found": 0, "at": "2026-06-18T00:07:00+00:00"},
        "backups_expire_on": "2026-07-23",
        "key": WORLD.signer.key,
    }
    receipts = Receipts(signer=WORLD.signer, settling=timedelta(minutes=16), backup_days=35)
    stated = receipts.of(LENA, receipts.sealed(LENA, final))
    assert {name: stated[name] for name in told} == told
    assert set(stated) - set(told) == {"tombstone", "digest", "signature"}


def test_before_the_second_sweep_backups_are_said_to_expire_when_it_can_have_been_at_the_earliest() -> None:
    began = datetime(2026, 6, 17, 23, 50, tzinfo=UTC)
    swept = Standing().fenced("r-1", began).swept(began)
    receipts = Receipts(signer=WORLD.signer, settling=timedelta(minutes=16), backup_days=35)
    assert receipts.of(LENA, swept)["backups_expire_on"] == "2026-07-23"
    assert replace(receipts, backup_days=0).of(LENA, swept)["backups_expire_on"] is None


def test_its_spelling_does_not_matter() -> None:
    assert checked(json.dumps(RECEIPT, indent=4, ensure_ascii=False, sort_keys=True).encode(), KEY) == RECEIPT


@pytest.mark.parametrize("path", list(places(RECEIPT)), ids=lambda path: ".".join(map(str, path)))
def test_a_change_of_any_field_is_noticed(path: tuple[Any, ...]) -> None:
    with pytest.raises(ReceiptError):
        checked(written(changed(RECEIPT, path)), KEY)


@pytest.mark.parametrize("field", sorted(RECEIPT))
def test_a_field_that_was_taken_out_is_noticed(field: str) -> None:
    with pytest.raises(ReceiptError):
        checked(written({name: value for name, value in RECEIPT.items() if name != field}), KEY)


def test_a_field_that_was_added_is_noticed() -> None:
    with pytest.raises(ReceiptError, match="digest"):
        checked(written(RECEIPT | {"also": "everything else"}), KEY)


def test_a_digest_made_anew_does_not_help() -> None:
    stated = {name: value for name, value in RECEIPT.items() if name not in {"digest", "signature"}}
    forged = Eraser(InMemoryWorld()).erase(LENA)  # by another key, of the same name
    assert forged["key"] == stated["key"]
    with pytest.raises(ReceiptError, match="signature"):
        checked(written(forged), KEY)


def test_an_unsigned_receipt_attests_nothing() -> None:
    running = Eraser(InMemoryWorld(), sweep_seconds=0.0)
    running.world.table.accept(LENA, turn_record())
    with pytest.raises(ReceiptError, match="not signed"):
        checked(written(running.erase(LENA)), KEY)


@given(st.binary() | st.recursive(st.none() | st.text(), st.lists).map(lambda value: json.dumps(value).encode()))
def test_whatever_else_is_shown_is_refused_in_words(document: bytes) -> None:
    with pytest.raises(ReceiptError):
        checked(document, KEY)


def test_a_key_of_another_kind_is_refused_in_words() -> None:
    other = rsa.generate_private_key(65537, 2048).public_key()
    for key in (other.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo), b"no key"):
        with pytest.raises(ReceiptError, match="key"):
            checked(written(RECEIPT), key)


def test_what_it_attests_names_counts_probe_and_backups() -> None:
    said = "\n".join(attested(RECEIPT))
    for word in (RECEIPT["receipt_id"], LENA.user_id, "found 0", RECEIPT["backups_expire_on"], "epoch 1"):
        assert word in said


def test_the_command_says_whether_a_receipt_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key.pem").write_bytes(KEY)
    (tmp_path / "whole.json").write_bytes(written(RECEIPT))
    (tmp_path / "tampered.json").write_bytes(written(RECEIPT | {"status": "final"}))
    whole, tampered = (
        main(["verify-receipt", str(tmp_path / f"{name}.json"), "--key", str(tmp_path / "key.pem")])
        for name in ("whole", "tampered")
    )
    assert (whole, tampered) == (0, 1)
    said = capsys.readouterr()
    assert "provisional receipt" in said.out
    assert "its digest does not fit" in said.err


def test_a_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    assert main(["verify-receipt", str(tmp_path / "none.json"), "--key", str(tmp_path / "none.pem")]) == 2
