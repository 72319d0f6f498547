"""What rules and the policy forbid goes, from history too, whoever dies; what is told again may be had back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.jobs import JobKind, UserJob
from context_memory.domain.profile import Bullets
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from tests.support.scripted_model import Asked

NEW = frozenset({(0, 0)})
BASEL, DIVORCE, INSULIN = "Lives in Basel.", "Went through a divorce.", "Takes insulin twice a day."
NO_KINDS: frozenset[str] = frozenset()
HEALTH = frozenset({"health"})
REDACT = UserJob(kind=JobKind.REDACT, user=LENA)


def clean(house: House) -> None:
    house.model.script("scrub", lambda _: "CLEAN")


def dropping(house: House, text: str) -> None:
    """The scrub drops that bullet, wherever it stands."""

    def scrub(asked: Asked) -> str:
        lines = asked.said_by("user").splitlines()
        found = [line.partition(":")[0] for line in lines if line.endswith(f": {text}")]
        return f"{found[0]} DROP" if found else "CLEAN"

    house.model.script("scrub", scrub)


def rules_without_what_follows(house: House, phrase: str) -> None:
    """Lena denies a phrase, and the process dies once the rule counts."""

    def die(step: str) -> None:
        if step == "before:profiles.put":
            raise StoreUnavailable("down")

    house.world.whenever(die)
    with pytest.raises(StoreUnavailable):
        house.deny(LENA, (phrase,), NO_KINDS)
    house.world.whenever(lambda _: None)


def everything(house: House) -> str:
    """All that is kept of Lena, as one text."""
    world = house.world
    versions = [world.profiles.version(LENA, one.version_id).body.decode() for one in world.profiles.versions(LENA)]
    return "\n".join([*versions, *map(str, world.table.revisions(LENA, 0, limit=100))])


def a_week_later(house: House) -> None:
    house.world.clock.advance(timedelta(days=8).total_seconds())
    house.redact(REDACT, 60)


def test_a_denied_phrase_goes_though_its_request_died_and_no_model_notices(house: House) -> None:
    house.edit(LENA, Bullets(identity=(BASEL, DIVORCE)), expected=NEW)
    rules_without_what_follows(house, "divorce")
    clean(house)
    house.tend()
    assert house.memory() == body(identity=[BASEL])
    a_week_later(house)
    assert "divorce" not in everything(house)


def test_it_goes_even_where_the_company_may_ask_no_model(house: House) -> None:
    house.edit(LENA, Bullets(identity=(BASEL, DIVORCE)), expected=NEW)
    rules_without_what_follows(house, "divorce")
    house.world.switches.companies["acme"] = CompanyFlags(context_memory=False)
    house.tend()
    assert "divorce" not in str(house.world.profiles.latest(LENA))


def test_what_a_denied_kind_takes_out_leaves_history_a_week_later(house: House) -> None:
    house.edit(LENA, Bullets(identity=(BASEL, INSULIN)), expected=NEW)
    house.deny(LENA, (), HEALTH)
    dropping(house, INSULIN)
    house.tend()
    assert house.memory() == body(identity=[BASEL])
    assert "insulin" in everything(house)
    a_week_later(house)
    assert "insulin" not in everything(house)


def test_it_does_so_where_a_turn_came_before_the_job(house: House) -> None:
    house.edit(LENA, Bullets(identity=(BASEL, INSULIN)), expected=NEW)
    house.deny(LENA, (), HEALTH)
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", body(identity=[BASEL, INSULIN], skills=["Writes Rust."]))
    dropping(house, INSULIN)
    house.post("t1", "I write Rust.")
    house.work()
    assert house.memory() == body(identity=[BASEL], skills=["Writes Rust."])
    a_week_later(house)
    assert "insulin" not in everything(house)


def test_what_was_forgotten_and_told_again_can_be_brought_back_once_it_is_lost(house: House) -> None:
    house.edit(LENA, Bullets(identity=(BASEL, DIVORCE)), expected=NEW)
    house.deny(LENA, ("divorce",), NO_KINDS)
    house.deny(LENA, (), NO_KINDS)
    a_week_later(house)
    house.learns(body(identity=[BASEL, DIVORCE]))
    house.post("t1", "I went through a divorce.")
    house.work()
    told = house.world.table.state(LENA).profile
    assert told is not None
    house.edit(LENA, Bullets(identity=(BASEL,)), expected=frozenset({(0, told.turn_count)}))
    house.restore(LENA, told.turn_count)
    assert house.memory() == body(identity=[BASEL, DIVORCE])


def test_a_change_is_stored_though_the_key_of_hashes_is_out_of_reach(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: object) -> str:
        raise StoreUnavailable("down")

    monkeypatch.setattr(type(house.world.hasher), "digest", down)
    house.edit(LENA, Bullets(identity=(BASEL,)), expected=NEW)
    assert house.memory() == body(identity=[BASEL])


def test_what_is_forgotten_while_it_is_told_again_stays_forgotten(house: House) -> None:
    house.edit(LENA, Bullets(identity=(BASEL,)), expected=NEW)
    house.learns(body(identity=[BASEL, DIVORCE]))
    house.post("t1", "I went through a divorce.")

    def deny(step: str) -> None:
        if step == "after:table.settle":
            house.world.whenever(lambda _: None)
            house.world.clock.advance(1)
            house.deny(LENA, ("divorce",), NO_KINDS)

    house.world.whenever(deny)
    house.work()
    assert house.memory() == body(identity=[BASEL])
    a_week_later(house)
    assert "divorce" not in everything(house)


def test_whoever_has_nothing_but_rules_is_in_the_roster_before_they_count(house: House) -> None:
    def die(step: str) -> None:
        if step == "after:table.change_rules":
            raise StoreUnavailable("down")

    house.world.whenever(die)
    with pytest.raises(StoreUnavailable):
        house.deny(LENA, ("divorce",), NO_KINDS)
    house.world.whenever(lambda _: None)
    assert house.world.directory.users("acme", after=None, limit=9, legacy=False) == [LENA]
