"""The jobs `embed` and `publish`: whatever happens at any step, the next one brings facts and indexes together."""

from __future__ import annotations

import contextlib
from datetime import date
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import CommitRefused, ModelUnavailable, StoreUnavailable
from context_memory.domain.facts.embedding import waiting
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.domain.jobs import AgendaEntry, JobKind, ScopeJob, UserJob
from context_memory.ports.facts import FactsChange
from tests.support.facts import a_fact
from tests.support.house import LENA, PLENTY, House

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.jobs import Job

OWN, SALES = UserScope(LENA), SharedScope("acme", "sales")
TODAY = date(2026, 3, 2)
JOBS: dict[str, tuple[FactScope, JobKind, Job]] = {
    "embed": (OWN, JobKind.EMBED, UserJob(kind=JobKind.EMBED, user=LENA)),
    "publish": (SALES, JobKind.PUBLISH, ScopeJob(scope=SALES)),
}
BOTH = pytest.mark.parametrize("name", list(JOBS))


def store(house: House, scope: FactScope, *texts: str) -> None:
    """Facts without vectors, as after an outage of the endpoint."""
    facts = tuple(a_fact(text, scope) for text in texts)
    world = house.world
    if isinstance(scope, SharedScope):
        stands = world.shared_facts.facts(scope)
        world.shared_facts.change(scope, stands.head, facts, (), count=stands.count_after(facts))
        return
    stands, epoch = world.facts.facts(LENA, scope), world.table.state(LENA).settings.epoch
    change = FactsChange(
        user=LENA, base=stands.head, epoch=epoch, at=world.clock.now(), puts=facts, count=stands.count_after(facts)
    )
    world.facts.change(change)


def stored(house: House, scope: FactScope) -> tuple[int, tuple[Fact, ...]]:
    found = (
        house.world.shared_facts.facts(scope)
        if isinstance(scope, SharedScope)
        else house.world.facts.facts(LENA, scope)
    )
    return found.head.version, found.facts


def do(house: House, name: str, job: Job | None = None, seconds: float = PLENTY) -> None:
    _, kind, usual = JOBS[name]
    house.workers[kind](job or usual, seconds)


def together(house: House, scope: FactScope) -> bool:
    """Whether every fact has its vector, and the index holds just these facts."""
    version, facts = stored(house, scope)
    (_, published), indexed = house.world.published.published[scope]
    has_all = not waiting(facts, house.world.embedder.model)
    return has_all and published == version and set(indexed.values()) == set(facts)


@BOTH
def test_facts_get_their_vectors_and_are_published_with_them(house: House, name: str) -> None:
    scope = JOBS[name][0]
    store(house, scope, "Likes tea.", "Has a boat.")
    do(house, name)
    assert together(house, scope)
    assert len(stored(house, scope)[1]) == 2


def steps(name: str) -> list[str]:
    seen: list[str] = []
    with House() as house:
        store(house, JOBS[name][0], "Likes tea.", "Has a boat.")
        house.world.whenever(seen.append)
        do(house, name)
    return seen


STEPS = [(name, number, step) for name in JOBS for number, step in enumerate(steps(name))]
AT_EACH_STEP = pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, number, _ in STEPS], ids=["-".join(map(str, one)) for one in STEPS]
)


def once(number: int, strike: Callable[[], None]) -> Callable[[str], None]:
    taken = iter(range(10_000))

    def hook(_: str) -> None:
        if next(taken) == number:
            strike()

    return hook


def out_of_reach() -> None:
    raise StoreUnavailable("as the test wants it")


@AT_EACH_STEP
def test_a_job_that_dies_at_any_step_is_finished_by_the_next(house: House, name: str, number: int) -> None:
    scope = JOBS[name][0]
    store(house, scope, "Likes tea.", "Has a boat.")
    house.world.whenever(once(number, out_of_reach))
    with contextlib.suppress(StoreUnavailable):
        do(house, name)
    house.world.whenever(lambda _: None)
    do(house, name)
    assert together(house, scope)


@AT_EACH_STEP
def test_a_write_at_any_step_stands_and_its_own_job_brings_it_in(house: House, name: str, number: int) -> None:
    scope = JOBS[name][0]
    store(house, scope, "Likes tea.")

    def write() -> None:
        house.world.whenever(lambda _: None)
        store(house, scope, "Has a boat.")

    house.world.whenever(once(number, write))
    do(house, name)
    house.world.whenever(lambda _: None)
    do(house, name)
    assert {fact.text for fact in stored(house, scope)[1]} == {"Likes tea.", "Has a boat."}
    assert together(house, scope)


@BOTH
def test_while_the_endpoint_is_down_the_entry_stays_and_what_is_shared_is_found_by_its_words(
    house: House, name: str
) -> None:
    scope, kind, _ = JOBS[name]
    store(house, scope, "Likes tea.")
    entry = AgendaEntry(
        company_id="acme",
        kind=kind,
        due=TODAY,
        user=LENA if name == "embed" else None,
        space_id="sales" if name == "publish" else None,
    )
    house.world.agenda.note(entry)
    (noted,) = house.world.agenda.due("acme", TODAY)

    def down(step: str) -> None:
        if step == "before:embedder.passages":
            raise ModelUnavailable("as the test wants it")

    house.world.whenever(down)
    with pytest.raises(ModelUnavailable):
        do(house, name, noted.job())
    assert house.world.agenda.due("acme", TODAY) == [noted]
    assert (scope in house.world.published.published) is (name == "publish")
    house.world.whenever(lambda _: None)
    do(house, name, noted.job())
    assert house.world.agenda.due("acme", TODAY) == []
    assert together(house, scope)


@BOTH
def test_what_is_left_when_the_time_is_up_goes_on_in_another_message(house: House, name: str) -> None:
    scope, _, job = JOBS[name]
    store(house, scope, *(f"Rule {number}." for number in range(80)))
    world = house.world
    world.whenever(lambda step: world.clock.advance(30) if step == "after:embedder.passages" else None)
    do(house, name, seconds=31)
    assert world.jobs.waiting() == [job]
    assert len(waiting(stored(house, scope)[1], world.embedder.model)) == 16
    world.whenever(lambda _: None)
    house.tend()
    assert together(house, scope)


def test_of_a_user_who_opts_out_meanwhile_nothing_comes_back(house: House) -> None:
    store(house, OWN, "Likes tea.")

    def erase(step: str) -> None:
        if step == "before:embedder.passages":
            house.world.whenever(lambda _: None)
            epoch = house.world.table.state(LENA).settings.epoch
            house.world.tombstones.switch(LENA, epoch, on=False)

    house.world.whenever(erase)
    with pytest.raises(CommitRefused):
        do(house, "embed")
    assert OWN not in house.world.published.published
    do(house, "embed")
    assert OWN not in house.world.published.published


def test_nothing_of_a_company_that_was_closed_is_published(house: House) -> None:
    store(house, SALES, "Likes tea.")
    house.world.companies.close("acme", "a-walk")
    do(house, "publish")
    assert SALES not in house.world.published.published
