"""An erase can die between any two steps. Whatever the step: afterwards all is gone, and no receipt says too much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.domain.errors import ContextMemoryError, StoreUnavailable
from context_memory.domain.links import LinkWish, Provider
from context_memory.domain.news import NewsKind
from context_memory.ports.recall import PromptMemory
from tests.support.eraser import Eraser, forgotten, remains
from tests.support.facts import a_fact
from tests.support.links import links_of
from tests.support.records import LENA, stored, turn_record
from tests.support.stored_facts import store, waiting

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTS: dict[str, Any] = {
    "versions": 3,
    "payloads": 1,
    "indexes": 0,
    "items": {
        "profile": 1,
        "seen": 1,
        "open": 1,
        "turns": 3,
        "revisions": 1,
        "forgotten": 1,
        "facts": 2,
        "extractions": 1,
        "prompts": 1,
        "links": 2,
        "others": 1,
    },
}
GIVEN = PromptMemory(prompt_id="p", epoch=0, answers={"asked": ()})


class Killed(BaseException):
    """The process is gone; no code of ours may stop it on its way out."""


def remembering() -> InMemoryWorld:
    """Lena has a profile of two versions with its revision, two turns, one of which waits, and more."""
    world = InMemoryWorld()
    first, second = turn_record("t1"), turn_record("t2")
    world.table.accept(LENA, first)
    written = world.profiles.put(LENA, b"- Lives in Basel.", replaces=None)
    world.table.settle(stored(first, version_id=written.version_id))
    world.profiles.put(LENA, b"orphan", replaces=world.profiles.latest_etag(LENA))
    world.profiles.legacy_files[LENA] = b"- Lives in Bern."
    world.table.accept(LENA, second)
    world.payloads.put(LENA, "t2", second.payload_sha256, b"I write Rust.")
    world.table.remember_forgotten(LENA, 0, ["hash"], forgotten(world))
    waiting(world, "t3")
    store(world, a_fact("Lives in Basel"), a_fact("Writes Rust"))
    world.prompts.remember(LENA, GIVEN, world.clock.now())
    for text in ("telegram:123", "slack:u1"):
        links_of(world).link("acme", Provider.read(text), LinkWish(user_id="lena"))
    return world


def steps() -> list[str]:
    seen: list[str] = []
    world = remembering()
    eraser = Eraser(world)
    world.whenever(seen.append)
    eraser.erase(off=True)
    eraser.work()
    world.whenever(lambda _: None)
    assert eraser.receipt()["counts"] == COUNTS
    return seen


STEPS = steps()
LAST = max(number for number, step in enumerate(STEPS) if step == "before:table.advance")
"""The step that lifts the fence; whoever asks after it asks for another erase."""
CASES = list(enumerate(STEPS))
NAMES = [f"{number}-{step}" for number, step in CASES]


def mishap(number: int, step: str, error: BaseException) -> Callable[[str], None]:
    """Strikes once, at that step of the story."""
    taken = iter(range(10_000))

    def strike(name: str) -> None:
        if next(taken) == number:
            assert name == step
            raise error

    return strike


def erased(eraser: Eraser) -> None:
    eraser.erase(off=True)
    eraser.work()


def assert_erased(eraser: Eraser) -> None:
    world = eraser.world
    assert remains(world) == []
    settings = world.table.state(LENA).settings
    assert (settings.context_memory, settings.erase_running) == (False, False)
    receipt = eraser.receipt()
    assert (receipt["status"], receipt["probe"]["found"]) == ("final", 0)
    assert receipt["signature"] is not None
    counts = flat(receipt["counts"])
    assert all(counts[kind] <= most for kind, most in flat(COUNTS).items())
    assert set(counts) <= set(flat(COUNTS))
    assert NewsKind.ERASED in {news.kind for news in world.news.published}
    entry = world.ledger.newest(LENA)
    assert entry is not None
    assert (entry.epoch, entry.context_memory) == (eraser.erasure().epoch, False)
    assert world.agenda.due("acme", world.clock.now().date()) == []


def flat(counts: dict[str, Any]) -> dict[str, int]:
    nothing = dict.fromkeys(COUNTS["items"], 0)
    items: dict[str, int] = counts["items"]
    return nothing | {kind: count for kind, count in counts.items() if kind != "items"} | items


@pytest.mark.parametrize(("number", "step"), CASES, ids=NAMES)
def test_a_kill_at_any_step_is_made_up_for_by_the_job(number: int, step: str) -> None:
    world = remembering()
    eraser = Eraser(world)
    world.whenever(mishap(number, step, Killed()))
    with pytest.raises(Killed):
        erased(eraser)
    world.whenever(lambda _: None)
    eraser = Eraser(world)
    if not world.jobs.sent:
        assert world.table.state(LENA).profile is not None  # nobody was asked yet, and so nothing has begun
        eraser.erase(off=True)
    eraser.work()
    assert_erased(eraser)


@pytest.mark.parametrize(("number", "step"), CASES, ids=NAMES)
def test_a_lost_answer_at_any_step_erases_all_and_counts_nothing_twice(number: int, step: str) -> None:
    """The step fails or, worse, succeeds while its answer is lost; the process lives on and messages come again."""
    world = remembering()
    eraser = Eraser(world)
    world.whenever(mishap(number, step, StoreUnavailable("The answer was lost.")))
    for _ in range(2):
        try:
            eraser.erase(off=True)
            break
        except ContextMemoryError:
            continue
    for _ in range(2):
        try:
            eraser.work()
            break
        except ContextMemoryError:
            continue
    world.whenever(lambda _: None)
    assert_erased(eraser)


@pytest.mark.parametrize(("number", "step"), CASES, ids=NAMES)
def test_another_erase_at_any_step_of_one_is_the_same(number: int, step: str) -> None:
    """Requests and jobs run side by side: together they erase once, and count nothing twice."""
    world = remembering()
    eraser = Eraser(world)
    taken = iter(range(10_000))

    def strike(name: str) -> None:
        if next(taken) == number:
            assert name == step
            world.whenever(lambda _: None)
            Eraser(world).erase(off=True)

    world.whenever(strike)
    eraser.erase(off=True)
    eraser.work()
    world.whenever(lambda _: None)
    eraser.work()
    assert_erased(eraser)
    asked_after_the_end = number > LAST
    assert eraser.erasure().epoch == (2 if asked_after_the_end else 1)
