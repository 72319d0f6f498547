from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from context_memory.adapters.in_memory.system import MONDAY_MORNING
from context_memory.adapters.s3.remains import S3IndexRemains
from context_memory.adapters.s3.shared_indexes import S3SharedIndexes
from context_memory.domain.erasing import Erasure, LedgerEntry, Remnant, Standing
from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.scopes import Scope, SharedScope, UserScope
from context_memory.domain.forgotten import Forgotten
from context_memory.domain.state import UserSettings
from context_memory.ports.facts import Facts
from context_memory.ports.recall import Given, PromptMemory
from tests.support.facts import COMPANY, SALES, a_fact
from tests.support.records import LENA, LOOK_ALIKES, pointer, stored, turn_record
from tests.support.stored_facts import kept, store, texts, waiting
from tests.support.stores import WORK_BUCKET, at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.erasing import Found
    from tests.support.stores import MockedAws, Stores

PROMPT = PromptMemory(
    prompt_id="p", epoch=0, answers={"asked": (Given("a" * 20, Scope.USER, 0.5, ("words",)),)}, disabled=True
)


def fenced(stores: Stores, user: UserKey = LENA, *, receipt_id: str = "r1", on: bool = True) -> Erasure:
    before = stores.tombstones.standing(user)
    erasure = before.fenced(receipt_id, at(10))
    stores.tombstones.fence(user, before, erasure, context_memory=on)
    return erasure


def remembering(stores: Stores, user: UserKey = LENA, *, turn_id: str = "turn-1") -> None:
    record = turn_record(turn_id)
    stores.table.accept(user, record)
    stores.table.settle(stored(record, user=user))
    stores.table.accept(user, turn_record("turn-2", open_key="02"))
    stores.table.remember_forgotten(user, 0, ["digest"], Forgotten(said_at=at(7), noted_at=at(7)))
    waiting(stores, "turn-3", user=user)
    kept(stores, "turn-4", user=user)
    stores.kept_turns.close(user, 0, at(1))
    store(stores, a_fact("Lives in Basel", UserScope(user)), a_fact("Writes Rust", UserScope(user)), user=user)
    stores.prompts.remember(user, PROMPT, MONDAY_MORNING)


def finished(stores: Stores, erasure: Erasure, user: UserKey = LENA) -> Erasure:
    for _ in range(2):
        erasure, before = erasure.swept(at(30)), erasure
        stores.tombstones.advance(user, before, erasure)
    return erasure


def kinds(batches: Iterator[list[Found]]) -> list[Remnant]:
    return sorted(found.kind for batch in batches for found in batch)


def test_nobody_knows_of_an_erase_that_never_was(stores: Stores) -> None:
    assert stores.tombstones.standing(LENA) == Standing()


def test_a_fence_moves_the_epoch_and_takes_pointer_and_rules_away(stores: Stores) -> None:
    stores.write_settings(LENA, UserSettings(pins=frozenset({"p"}), deny_phrases=("war",)))
    remembering(stores)
    assert stores.tombstones.standing(LENA).has_profile
    erasure = fenced(stores)
    state = stores.table.state(LENA)
    assert state.profile is None
    assert state.settings == UserSettings(epoch=1, erased_at=at(10), erase_running=True)
    assert erasure.counts == {Remnant.PROFILE: 1}
    assert stores.tombstones.standing(LENA) == Standing(epoch=1, erasure=erasure)


def test_whoever_opts_out_is_off_behind_the_fence(stores: Stores) -> None:
    fenced(stores, on=False)
    assert not stores.table.state(LENA).settings.context_memory


def test_a_fence_is_refused_while_an_erase_runs(stores: Stores) -> None:
    before = stores.tombstones.standing(LENA)
    first = fenced(stores)
    for standing in (before, stores.tombstones.standing(LENA)):
        with pytest.raises(CommitRefused):
            stores.tombstones.fence(LENA, standing, standing.fenced("r2", at(11)), context_memory=True)
    assert stores.tombstones.standing(LENA).erasure == first


def test_of_two_fences_at_once_one_stands(stores: Stores) -> None:
    before = stores.tombstones.standing(LENA)

    def fence(number: int) -> bool:
        try:
            stores.tombstones.fence(LENA, before, before.fenced(f"r{number}", at(10)), context_memory=True)
        except CommitRefused:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(fence, range(4))) == [False, False, False, True]
    assert stores.tombstones.standing(LENA).epoch == 1


@pytest.mark.parametrize("rules", [False, True], ids=["nothing set", "rules set"])
def test_a_fence_stands_on_how_the_user_is_switched(stores: Stores, rules: bool) -> None:  # noqa: FBT001 - a case
    if rules:
        stores.write_settings(LENA, UserSettings(deny_phrases=("war",)))
    before = replace(stores.tombstones.standing(LENA), context_memory=False)
    with pytest.raises(CommitRefused) as refused:
        stores.tombstones.fence(LENA, before, before.fenced("r1", at(10)), context_memory=False)
    assert refused.value.clauses == {"settings"}
    assert stores.tombstones.standing(LENA).epoch == 0


def test_of_a_fence_and_a_switch_at_once_the_slower_is_told(stores: Stores) -> None:
    finished(stores, fenced(stores, on=False))
    for epoch in range(1, 11):
        before, start = stores.tombstones.standing(LENA), Barrier(2)
        erasure = before.fenced(f"r{epoch + 1}", at(10))

        def fence(before: Standing = before, erasure: Erasure = erasure) -> None:
            stores.tombstones.fence(LENA, before, erasure, context_memory=before.context_memory)

        def switch(epoch: int = epoch) -> None:
            stores.tombstones.switch(LENA, epoch, on=True)

        def done(act: Callable[[], None], start: Barrier = start) -> bool:
            start.wait()
            try:
                act()
            except CommitRefused:
                return False
            return True

        with ThreadPoolExecutor(2) as pool:
            stands, switched = pool.map(done, (fence, switch))
        assert stands is not switched
        assert stores.tombstones.standing(LENA).context_memory is switched  # nobody who turned it on finds it off
        if switched:
            erasure = before.fenced(f"r{epoch + 1}", at(10))
            stores.tombstones.fence(LENA, stores.tombstones.standing(LENA), erasure, context_memory=False)
        finished(stores, erasure)


def test_a_step_is_written_on_top_of_the_one_before_and_no_other(stores: Stores) -> None:
    erasure = fenced(stores)
    counted = erasure.counted([Remnant.TURNS, Remnant.TURNS, Remnant.VERSIONS])
    stores.tombstones.advance(LENA, erasure, counted)
    assert stores.tombstones.standing(LENA).erasure == counted
    with pytest.raises(CommitRefused):
        stores.tombstones.advance(LENA, erasure, erasure.counted([Remnant.SEEN]))
    with pytest.raises(CommitRefused):
        stores.tombstones.advance(LENA, replace(counted, receipt_id="r2"), counted.counted([Remnant.SEEN]))
    assert stores.tombstones.standing(LENA).erasure == counted


def test_of_many_counts_at_once_one_is_written(stores: Stores) -> None:
    erasure = fenced(stores)

    def count(number: int) -> bool:
        try:
            stores.tombstones.advance(LENA, erasure, erasure.counted([Remnant.TURNS] * (number + 1)))
        except CommitRefused:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(count, range(4))) == 1


def test_the_last_step_lifts_the_fence_and_keeps_the_receipt(stores: Stores) -> None:
    erasure = replace(fenced(stores), sealed='{"é": 1}')
    first, second = erasure.swept(at(12)), erasure.swept(at(12)).swept(at(30))
    stores.tombstones.advance(LENA, erasure, first)
    assert stores.table.state(LENA).settings.erase_running
    stores.tombstones.advance(LENA, first, replace(second, sealed='{"é": 1}'))
    settings = stores.table.state(LENA).settings
    assert (settings.epoch, settings.erase_running, settings.erased_at) == (1, False, at(10))
    assert stores.tombstones.standing(LENA).erasure == replace(second, sealed='{"é": 1}')
    assert stores.tombstones.standing(LENA).running is None


def test_memory_is_turned_on_again_only_where_no_erase_runs(stores: Stores) -> None:
    erasure = fenced(stores, on=False)
    with pytest.raises(CommitRefused):
        stores.tombstones.switch(LENA, 1, on=True)
    finished(stores, erasure)
    with pytest.raises(CommitRefused):
        stores.tombstones.switch(LENA, 0, on=True)
    stores.tombstones.switch(LENA, 1, on=True)
    assert stores.table.state(LENA).settings.context_memory


def test_a_running_erase_can_be_made_to_leave_memory_off(stores: Stores) -> None:
    fenced(stores)
    stores.tombstones.switch(LENA, 1, on=False)
    assert not stores.table.state(LENA).settings.context_memory
    assert stores.table.state(LENA).settings.erase_running


def test_all_items_of_an_older_epoch_are_found_and_go(stores: Stores) -> None:
    remembering(stores)
    fenced(stores)
    left = [Remnant.FORGOTTEN, Remnant.OPEN, Remnant.REVISIONS, Remnant.SEEN, *[Remnant.TURNS] * 5]
    left += [Remnant.EXTRACTIONS, *[Remnant.FACTS] * 2, *[Remnant.OTHERS] * 2, *[Remnant.PROMPTS] * 2]
    left.sort()
    assert kinds(stores.items_left.found(LENA, 1)) == left
    for batch in stores.items_left.found(LENA, 1):
        stores.items_left.delete(LENA, 1, batch)
    assert kinds(stores.items_left.found(LENA, 1)) == []
    assert stores.table.turn(LENA, "turn-1") is None
    assert stores.table.forgotten(LENA) == {}
    assert (stores.facts.pending(LENA), stores.prompts.recalled(LENA, "p")) == ([], None)
    assert stores.kept_turns.kept(LENA) == []
    stores.write_settings(LENA, UserSettings())
    assert stores.facts.facts(LENA, UserScope(LENA)) == Facts()


def test_what_is_of_the_new_epoch_stays_also_where_it_was_found_as_old(stores: Stores) -> None:
    remembering(stores)
    found = list(stores.items_left.found(LENA, 1))
    fresh = turn_record("turn-1", epoch=1, open_key="03")
    for batch in found:
        stores.items_left.delete(LENA, 1, batch)
    finished(stores, fenced(stores))
    stores.table.accept(LENA, fresh)
    store(stores, a_fact("Lives in Basel"), epoch=1, at=at(40))
    prompt = replace(PROMPT, epoch=1)
    stores.prompts.remember(LENA, prompt, MONDAY_MORNING)
    for batch in found:  # a sweep that was held up goes on
        stores.items_left.delete(LENA, 1, batch)
    assert stores.table.turn(LENA, "turn-1") == fresh
    assert stores.facts.facts(LENA, UserScope(LENA)).head.count == 1
    assert texts(stores) == ["Lives in Basel"]
    assert stores.prompts.recalled(LENA, "p") == prompt
    assert kinds(stores.items_left.found(LENA, 1)) == []


def test_every_version_and_the_legacy_file_are_found_and_go(stores: Stores) -> None:
    first = stores.profiles.put(LENA, b"1", replaces=None)
    stores.profiles.put(LENA, b"2", replaces=stores.profiles.latest_etag(LENA))
    stores.write_legacy(LENA, b"- Lives in Bern.")
    assert kinds(stores.versions_left.found(LENA, 1)) == [Remnant.VERSIONS] * 3
    for batch in stores.versions_left.found(LENA, 1):
        stores.versions_left.delete(LENA, 1, batch)
        stores.versions_left.delete(LENA, 1, batch)  # what is gone is no error
    assert kinds(stores.versions_left.found(LENA, 1)) == []
    assert stores.profiles.versions(LENA) == []
    assert stores.profiles.legacy(LENA) is None
    assert first.version_id


def test_every_payload_is_found_and_goes(stores: Stores) -> None:
    for number in range(3):
        stores.payloads.put(LENA, f"turn-{number}", "a" * 64, b"{}")
        stores.texts.put(LENA, f"kept-{number}", "b" * 64, b"{}")
    for batch in stores.payloads_left.found(LENA, 1):
        stores.payloads_left.delete(LENA, 1, batch)
    assert kinds(stores.payloads_left.found(LENA, 1)) == []
    assert (stores.payloads.stored(LENA), stores.texts.stored(LENA)) == ([], [])


def test_nothing_of_look_alikes_is_found(stores: Stores) -> None:
    for other in LOOK_ALIKES:
        remembering(stores, other)
        stores.profiles.put(other, b"1", replaces=None)
        stores.payloads.put(other, "turn-1", "a" * 64, b"{}")
        stores.texts.put(other, "turn-1", "a" * 64, b"{}")
        stores.write_legacy(other, b"- Lives in Bern.")
        fenced(stores, LENA, receipt_id="r") if stores.tombstones.standing(LENA).epoch == 0 else None
    for remains in (stores.versions_left, stores.payloads_left, stores.items_left):
        assert kinds(remains.found(LENA, 1)) == []
    assert all(stores.table.state(other).profile == pointer() for other in LOOK_ALIKES)
    assert all(texts(stores, other) == ["Lives in Basel", "Writes Rust"] for other in LOOK_ALIKES)
    assert all(stores.prompts.recalled(other, "p") == PROMPT for other in LOOK_ALIKES)


def test_the_ledger_knows_the_newest_epoch_of_each_user(stores: Stores) -> None:
    assert stores.ledger.newest(LENA) is None
    for epoch in (1, 2, 11):
        entry = LedgerEntry(epoch=epoch, erased_at=at(epoch), context_memory=True)
        stores.ledger.note(LENA, entry)
        stores.ledger.note(LENA, entry)
    assert stores.ledger.newest(LENA) == LedgerEntry(epoch=11, erased_at=at(11), context_memory=True)
    assert [stores.ledger.newest(other) for other in LOOK_ALIKES] == [None] * len(LOOK_ALIKES)


def test_the_ledger_never_turns_memory_on_again(stores: Stores) -> None:
    off = LedgerEntry(epoch=1, erased_at=at(1), context_memory=False)
    for entry in (replace(off, context_memory=True), off, replace(off, context_memory=True)):
        stores.ledger.note(LENA, entry)
    assert stores.ledger.newest(LENA) == off


def test_a_signature_is_checked_with_the_public_key_and_fits_nothing_else(stores: Stores) -> None:
    signed = stores.signer.sign(b"{}")
    key = load_pem_public_key(stores.public_key())
    assert isinstance(key, ec.EllipticCurvePublicKey)
    key.verify(signed, b"{}", ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        key.verify(signed, b"{ }", ec.ECDSA(hashes.SHA256()))
    assert stores.signer.key == "alias/receipts"


def test_times_come_back_as_they_were_written(stores: Stores) -> None:
    erasure = fenced(stores)
    swept = erasure.swept(at(10) + timedelta(microseconds=1))
    stores.tombstones.advance(LENA, erasure, swept)
    assert stores.tombstones.standing(LENA).erasure == swept


def test_every_object_of_an_index_is_found_and_goes_and_nobody_elses(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    assert aws_stores.payloads.stored(LENA) == []
    clients, shared = mocked_aws.clients, (COMPANY, SALES)
    left = S3IndexRemains(client=clients.s3, bucket=WORK_BUCKET, credentials=mocked_aws.credentials())
    folders = [UserScope(user).folder for user in LOOK_ALIKES] + [scope.folder for scope in shared]
    with clients.own_role():
        for folder in (*folders, UserScope(LENA).folder):
            for name in ("lance/facts.lance/data/1", "lance/facts.lance/_versions/1"):
                clients.s3.put_object(Bucket=WORK_BUCKET, Key=f"{folder}{name}", Body=b"")
    assert kinds(left.found(LENA, 1)) == [Remnant.INDEXES] * 2
    for batch in left.found(LENA, 1):
        left.delete(LENA, 1, batch)
    assert kinds(left.found(LENA, 1)) == []
    with clients.own_role():
        listed = clients.s3.list_objects_v2(Bucket=WORK_BUCKET)["Contents"]
    assert len(listed) == 2 * len(folders)


def test_indexes_of_what_a_company_shares_go_and_nobody_elses(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    assert aws_stores.payloads.stored(LENA) == []
    clients = mocked_aws.clients
    shared: list[FactScope] = [COMPANY, SALES, SharedScope("acme", "home-lena")]
    others: list[FactScope] = [
        UserScope(LENA),
        SharedScope("acme2"),
        SharedScope("acme-2", "sales"),
        SharedScope("acm"),
    ]
    with clients.own_role():
        for scope in (*shared, *others):
            clients.s3.put_object(Bucket=WORK_BUCKET, Key=f"{scope.folder}lance/1", Body=b"")
    indexes = S3SharedIndexes(client=clients.s3, bucket=WORK_BUCKET, own_role=clients.own_role)
    assert (indexes.clear("acme"), indexes.clear("acme")) == (3, 0)
    with clients.own_role():
        listed = clients.s3.list_objects_v2(Bucket=WORK_BUCKET)["Contents"]
    assert {one["Key"] for one in listed} == {f"{scope.folder}lance/1" for scope in others}
