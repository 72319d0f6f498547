from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.company_settings import LONGEST_REVISION_DAYS, Retention
from context_memory.domain.errors import EraseRunning, InvalidInput, StoreUnavailable
from context_memory.domain.jobs import JobKind, UserJob
from context_memory.domain.news import NewsKind
from tests.support.eraser import JOB_SECONDS, REQUEST_SECONDS, SETTLING, Eraser, forgotten, remains
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from context_memory.adapters.in_memory.world import InMemoryWorld

BASEL = body(identity=["Lives in Basel."])


def remembering(house: House) -> Eraser:
    """Lena has a profile with two versions, a revision, a turn that waits and a file at the legacy place."""
    house.learns(BASEL)
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.profiles.put(LENA, b"orphan", replaces=house.world.profiles.latest_etag(LENA))
    house.world.profiles.legacy_files[LENA] = b"- Lives in Bern."
    house.world.clock.advance(60)
    house.post("t2", "I write Rust.")
    house.world.table.remember_forgotten(LENA, 0, ["hash"], forgotten(house.world))
    house.world.clock.advance(60)
    return Eraser(house.world)


def due(world: InMemoryWorld, *, days: int = 0) -> list[JobKind]:
    return [entry.kind for entry in world.agenda.due("acme", world.clock.now().date() + timedelta(days=days))]


def test_an_erase_leaves_nothing_and_says_what_went(house: House) -> None:
    eraser = remembering(house)
    receipt = eraser.erase()
    assert remains(house.world) == []
    assert receipt["status"] == "provisional"
    assert receipt["counts"] == {
        "versions": 3,
        "payloads": 1,
        "indexes": 0,
        "items": {"profile": 1, "seen": 1, "open": 1, "turns": 2, "revisions": 1, "forgotten": 1},
    }
    assert receipt["probe"] == {"found": 0, "at": receipt["first_sweep_at"]}
    assert receipt["second_sweep_at"] is None


def test_the_second_sweep_makes_the_receipt_final_after_whatever_ran_has_ended(house: House) -> None:
    eraser = remembering(house)
    provisional = eraser.erase()
    swept = house.world.clock.now()
    eraser.work()
    final = eraser.receipt()
    assert final["status"] == "final"
    assert final["receipt_id"] == provisional["receipt_id"]
    assert house.world.clock.now() - swept >= SETTLING
    assert final["backups_expire_on"] == (house.world.clock.now() + timedelta(days=35)).date().isoformat()
    assert due(house.world) == []
    (news,) = house.world.news.published[-1:]
    assert (news.kind, news.epoch, news.counts["turns"]) == (NewsKind.ERASED, 1, 2)


def test_of_a_company_that_keeps_history_for_a_year_nothing_is_due_about_the_user_on_any_day_to_come(
    house: House,
) -> None:
    longest = Retention(revision_days=LONGEST_REVISION_DAYS)
    house.world.switches.companies["acme"] = replace(house.world.switches.flags("acme"), retention=longest)
    eraser = remembering(house)
    assert JobKind.TIDY not in due(house.world, days=LONGEST_REVISION_DAYS)
    assert JobKind.TIDY in due(house.world, days=LONGEST_REVISION_DAYS + 1)
    eraser.erase()
    eraser.work()
    assert due(house.world, days=400) == []


def test_the_job_waits_for_the_request_that_asks_for_it(house: House) -> None:
    remembering(house)
    asked_at = house.world.clock.now()
    Eraser(house.world, sweep_seconds=0.0).erase()
    (message,) = [sent for sent in house.world.jobs.sent if sent.job.kind is JobKind.ERASE]  # type: ignore[union-attr]  # a user's
    assert message.visible_at - asked_at >= timedelta(seconds=REQUEST_SECONDS)


def test_while_it_runs_nothing_is_accepted_and_nothing_is_loaded(house: House) -> None:
    eraser = remembering(house)
    eraser.erase()
    loaded = house.load()
    assert (loaded.reason, loaded.view) == ("erase_running", None)
    with pytest.raises(EraseRunning):
        house.post("t3", "I live in Bern.")
    eraser.work()
    house.learns(BASEL)
    house.world.clock.advance(1)
    assert house.post("t3", "I live in Basel.") is None
    house.work()
    assert house.memory() == BASEL


def test_a_turn_of_before_is_refused_afterwards(house: House) -> None:
    eraser = remembering(house)
    before = house.world.clock.now()
    eraser.erase()
    eraser.work()
    with pytest.raises(InvalidInput, match="occurred_at"):
        house.post("t1", "I live in Basel.", occurred_at=before)


def test_a_put_that_lands_after_the_first_sweep_is_caught_by_the_second(house: House) -> None:
    eraser = remembering(house)
    eraser.erase()
    house.world.profiles.put(LENA, b"late", replaces=None)
    house.world.payloads.put(LENA, "t3", "a" * 64, b"late")
    house.world.table.remember_forgotten(LENA, 0, ["late"], forgotten(house.world))
    eraser.work()
    assert remains(house.world) == []
    counts = eraser.receipt()["counts"]
    assert (counts["versions"], counts["payloads"], counts["items"]["forgotten"]) == (4, 2, 2)


def test_a_second_request_joins_the_erase_that_runs(house: House) -> None:
    eraser = remembering(house)
    first, second = eraser.erase(), eraser.erase()
    assert second == first
    eraser.work()
    assert eraser.erasure().epoch == 1


def test_whoever_joins_an_erase_to_be_off_is_off_after_it(house: House) -> None:
    eraser = remembering(house)
    eraser.erase()
    eraser.erase(off=True)
    eraser.work()
    assert house.load().reason == "user_off"
    entry = house.world.ledger.newest(LENA)
    assert entry is not None
    assert not entry.context_memory


def test_an_erase_keeps_memory_off_where_it_was_off(house: House) -> None:
    eraser = remembering(house)
    eraser.erase(off=True)
    eraser.work()
    eraser.erase()
    eraser.work()
    assert house.load().reason == "user_off"
    assert eraser.erasure().epoch == 2


def test_an_erase_of_somebody_unknown_is_one(house: House) -> None:
    receipt = Eraser(house.world).erase()
    assert receipt["status"] == "provisional"
    assert receipt["counts"] == {"versions": 0, "payloads": 0, "indexes": 0, "items": {}}


def test_a_request_without_time_leaves_the_sweep_to_its_job(house: House) -> None:
    remembering(house)
    eraser = Eraser(house.world, sweep_seconds=0.0)
    receipt = eraser.erase()
    assert (receipt["status"], receipt["signature"], receipt["probe"]) == ("running", None, None)
    assert remains(house.world) != []
    eraser.work()
    assert remains(house.world) == []
    assert eraser.receipt()["status"] == "final"


def test_a_job_without_time_goes_on_by_message(house: House) -> None:
    remembering(house)
    eraser = Eraser(house.world, sweep_seconds=0.0)
    eraser.erase()
    house.world.whenever(lambda step: house.world.clock.advance(JOB_SECONDS) if "delete" in step else None)
    eraser.work()
    assert eraser.receipt()["status"] == "final"
    assert remains(house.world) == []
    assert eraser.receipt()["counts"]["versions"] == 3


def test_a_request_that_dies_before_the_fence_is_finished_by_its_job(house: House) -> None:
    eraser = remembering(house)

    def down(step: str) -> None:
        if step == "before:table.fence":
            raise StoreUnavailable("DynamoDB is down.")

    house.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        eraser.erase(off=True)
    assert house.load().view is not None
    house.world.whenever(lambda _: None)
    eraser.work()
    assert remains(house.world) == []
    assert house.load().reason == "user_off"
    assert house.world.ledger.newest(LENA) is not None


def test_nothing_is_fenced_that_nobody_would_go_on_with(house: House) -> None:
    eraser = remembering(house)

    def down(step: str) -> None:
        if step == "before:jobs.send":
            raise StoreUnavailable("SQS is down.")

    house.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        eraser.erase()
    house.world.whenever(lambda _: None)
    assert house.memory() == BASEL


def test_a_lost_message_is_made_up_for_by_the_agenda(house: House) -> None:
    eraser = remembering(house)
    eraser.erase()
    house.world.jobs.sent.clear()
    house.world.clock.advance(86400)
    (entry,) = house.world.agenda.due("acme", house.world.clock.now().date())
    assert entry.user is not None
    eraser.job(UserJob(kind=entry.kind, user=entry.user), JOB_SECONDS)
    assert eraser.receipt()["status"] == "final"
    assert due(house.world) == []


def test_a_message_that_comes_after_its_work_changes_nothing(house: House) -> None:
    eraser = remembering(house)
    eraser.erase()
    eraser.work()
    receipt = eraser.receipt()
    house.learns(BASEL)
    house.world.clock.advance(1)
    house.post("t3", "I live in Basel.")
    house.work()
    eraser.job(UserJob(kind=JobKind.ERASE, user=LENA, epoch=1), JOB_SECONDS)
    assert house.memory() == BASEL
    assert eraser.receipt() == receipt


def test_a_store_that_fails_behind_the_fence_leaves_a_receipt_and_the_rest_to_the_job(house: House) -> None:
    eraser = remembering(house)

    def down(step: str) -> None:
        if step == "before:payloads.delete":
            raise StoreUnavailable("S3 is down.")

    house.world.whenever(down)
    receipt = eraser.erase()
    assert receipt["status"] == "running"
    house.world.whenever(lambda _: None)
    eraser.work()
    assert remains(house.world) == []


def test_a_signer_that_fails_leaves_the_receipt_to_the_job(house: House) -> None:
    eraser = remembering(house)

    def down(step: str) -> None:
        if step == "before:signer.sign":
            raise StoreUnavailable("KMS is down.")

    house.world.whenever(down)
    assert eraser.erase()["status"] == "running"
    house.world.whenever(lambda _: None)
    eraser.work()
    assert eraser.receipt()["signature"] is not None
