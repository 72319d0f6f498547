from __future__ import annotations

from dataclasses import replace

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.administration import Administration
from context_memory.application.ladder import Ladder
from context_memory.application.walks.asking import Asking
from context_memory.application.walks.expiring import StartExpiry
from context_memory.contracts.companies import budget_document
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.enablement import OperatorFlags
from context_memory.domain.errors import EraseRunning, FlagsUnavailable, StoreUnavailable, VersionConflict
from context_memory.domain.jobs import CompanyJob, JobKind, WalkJob
from context_memory.domain.spending import DailyBudget
from context_memory.domain.walks import Walk, WalkKind, WalkStatus

SMALL, LARGE = CompanySettings(max_tokens=500), CompanySettings(max_tokens=8000, legacy=True)


def administration_of(world: InMemoryWorld) -> Administration:
    budget = DailyBudget(daily_tokens=1000, saving_share=0.8)
    ladder = Ladder(budgets=world.budgets, budget=budget, clock=world.clock, telemetry=world.telemetry)
    asking = Asking(
        walks=world.walks,
        companies=world.companies,
        jobs=world.jobs,
        agenda=world.agenda,
        clock=world.clock,
        identifiers=world.identifiers,
        telemetry=world.telemetry,
    )
    return Administration(
        flags=world.flags,
        companies=world.companies,
        ladder=ladder,
        jobs=asking,
        agenda=world.agenda,
        clock=world.clock,
        telemetry=world.telemetry,
    )


@pytest.mark.parametrize(("daily_tokens", "allowed", "step"), [(None, 1000, "saving"), (900, 900, "paused")])
def test_a_company_sees_its_budget_of_the_day_and_where_it_stands(
    daily_tokens: int | None, allowed: int, step: str
) -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = OperatorFlags(context_memory=True, daily_tokens=daily_tokens)
    world.budgets.spend("acme", 900, world.clock.now().date())
    _, _, standing = administration_of(world).show("acme")
    assert budget_document(standing) == {
        "daily_tokens": allowed,
        "used": 900,
        "step": step,
        "resets_at": "2026-01-06T00:00:00+00:00",
    }


def test_with_the_counters_out_of_reach_the_rest_is_shown_all_the_same() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = OperatorFlags(context_memory=True)

    def hook(step: str) -> None:
        if step == "before:budgets.used":
            raise StoreUnavailable("as wanted")

    world.whenever(hook)
    _, flags, standing = administration_of(world).show("acme")
    assert flags.context_memory
    assert (budget_document(standing)["used"], budget_document(standing)["step"]) == (None, "full")


def test_a_company_sees_its_settings_and_what_the_operator_switched() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = OperatorFlags(context_memory=True, daily_tokens=7)
    stored, flags, _ = administration_of(world).show("acme")
    assert (stored.settings, stored.version) == (CompanySettings(), 0)
    assert flags == OperatorFlags(context_memory=True, daily_tokens=7)


def test_with_flags_out_of_reach_nothing_is_shown_as_off() -> None:
    world = InMemoryWorld()

    def hook(step: str) -> None:
        if step == "before:flags.flags":
            raise FlagsUnavailable("as wanted")

    world.whenever(hook)
    with pytest.raises(FlagsUnavailable):
        administration_of(world).show("acme")


def test_settings_are_replaced_and_counted() -> None:
    administration = administration_of(InMemoryWorld())
    assert administration.change("acme", LARGE).version == 1
    assert administration.change("acme", SMALL).version == 2
    assert administration.companies.settings("acme").settings == SMALL


@pytest.mark.parametrize("expected", ['"1"', "*", '"7", "1"'])
def test_a_change_upon_what_was_seen_goes_through(expected: str) -> None:
    administration = administration_of(InMemoryWorld())
    administration.change("acme", LARGE)
    tags = frozenset(expected.split(", "))
    assert administration.change("acme", SMALL, expected=tags).version == 2


@pytest.mark.parametrize("expected", [frozenset({'"0"'}), frozenset({'"2"', "1"}), frozenset[str]()])
def test_a_change_upon_something_else_changes_nothing_and_names_what_counts(expected: frozenset[str]) -> None:
    administration = administration_of(InMemoryWorld())
    administration.change("acme", LARGE)
    with pytest.raises(VersionConflict) as refused:
        administration.change("acme", SMALL, expected=expected)
    assert refused.value.version == 1
    assert administration.companies.settings("acme").settings == LARGE


def test_any_version_means_one_that_was_written() -> None:
    administration = administration_of(InMemoryWorld())
    with pytest.raises(VersionConflict):
        administration.change("acme", SMALL, expected=frozenset({"*"}))
    assert administration.change("acme", SMALL, expected=frozenset({'"0"'})).version == 1


def test_who_is_overtaken_between_looking_and_writing_is_told() -> None:
    world = InMemoryWorld()
    administration = administration_of(world)

    def somebody_else(step: str) -> None:
        if step == "after:companies.settings":
            world.whenever(lambda _: None)
            world.companies.replace("acme", LARGE, version=None)

    world.whenever(somebody_else)
    with pytest.raises(VersionConflict) as refused:
        administration.change("acme", SMALL, expected=frozenset({'"0"'}))
    assert refused.value.version == 1
    assert world.companies.settings("acme").settings == LARGE


ADMIN = "arn:aws:sts::123456789012:assumed-role/administrator/session"


def noted(world: InMemoryWorld, company_id: str = "acme") -> list[JobKind]:
    """What stands in the agenda of a company today."""
    return [entry.kind for entry in world.agenda.due(company_id, world.clock.now().date())]


def walk_set_off(world: InMemoryWorld) -> Walk:
    """The one walk whose first stretch is on its way, once it is."""
    assert world.jobs.receive() is None  # readers still know the cap of before
    world.clock.advance(90)
    delivery = world.jobs.receive()
    assert delivery is not None
    assert isinstance(delivery.job, WalkJob)
    walk = world.walks.walk("acme", delivery.job.job_id)
    assert walk is not None
    assert world.jobs.receive() is None
    return walk


def test_a_lower_cap_sets_off_a_walk_that_condenses_what_is_longer() -> None:
    world = InMemoryWorld()
    administration_of(world).change("acme", SMALL, caller=ADMIN)
    walk = walk_set_off(world)
    assert (walk.kind, walk.dry_run, walk.asked_by) == (WalkKind.CONDENSE, False, "123456789012/administrator")
    assert noted(world) == [JobKind.WALK]
    assert noted(world, "acme2") == []


@pytest.mark.parametrize("settings", [LARGE, CompanySettings(), CompanySettings(legacy=True)])
def test_a_cap_that_is_no_lower_sets_nothing_off(settings: CompanySettings) -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    administration.change("acme", CompanySettings(legacy=True))
    administration.change("acme", settings)
    world.clock.advance(900)
    assert (world.jobs.receive(), noted(world)) == (None, [])


def test_an_expiry_is_noted_for_today_however_often_it_is_set() -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    for months in (12, 12, 18):
        administration.change("acme", CompanySettings(expire_after_months=months))
    assert noted(world) == [JobKind.EXPIRE]


def test_an_expiry_is_still_noted_when_a_round_met_its_entry_before_the_setting_was_written() -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    round_of_the_week = StartExpiry(
        asking=administration.jobs, companies=world.companies, agenda=world.agenda, clock=world.clock
    )

    def strike(step: str) -> None:
        if step == "before:companies.replace":
            world.whenever(lambda _: None)
            round_of_the_week(CompanyJob(kind=JobKind.EXPIRE, company_id="acme"), 10.0)
            assert noted(world) == []

    world.whenever(strike)
    administration.change("acme", CompanySettings(expire_after_months=12))
    assert noted(world) == [JobKind.EXPIRE]


@pytest.mark.parametrize("step", ["before:agenda.note", "before:walks.open", "after:walks.open", "before:jobs.send"])
def test_where_it_cannot_be_noted_what_must_follow_nothing_is_changed_and_trying_again_does_both(step: str) -> None:
    world = InMemoryWorld()
    administration = administration_of(world)

    def down(reached: str) -> None:
        if reached == step:
            raise StoreUnavailable("as wanted")

    world.whenever(down)
    with pytest.raises(StoreUnavailable):
        administration.change("acme", replace(SMALL, expire_after_months=12))
    world.whenever(lambda _: None)
    assert world.companies.settings("acme").version == 0
    administration.change("acme", replace(SMALL, expire_after_months=12))
    assert world.companies.settings("acme").settings == replace(SMALL, expire_after_months=12)
    assert {JobKind.EXPIRE, JobKind.WALK} <= set(noted(world))


def test_who_dies_before_the_write_leaves_what_follows_and_who_expects_another_version_does_not() -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    with pytest.raises(VersionConflict):
        administration.change("acme", SMALL, expected=frozenset({'"7"'}))
    assert noted(world) == []

    def dies(reached: str) -> None:
        if reached == "before:companies.replace":
            raise StoreUnavailable("as wanted")

    world.whenever(dies)
    with pytest.raises(StoreUnavailable):
        administration.change("acme", SMALL)
    world.whenever(lambda _: None)
    assert noted(world) == [JobKind.WALK]


def test_a_closed_company_opens_when_it_is_said_and_by_no_other_change() -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    world.companies.close("acme", "J1")
    assert administration.change("acme", SMALL).closed
    assert not administration.change("acme", SMALL, opens=True).closed
    assert not world.companies.settings("acme").closed


def test_a_company_is_not_opened_while_its_erase_still_goes_through_it() -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    asked = administration.jobs.ask("acme", WalkKind.ERASE)
    assert asked.code is not None
    begun = administration.jobs.confirm("acme", asked.walk.job_id, asked.code)
    with pytest.raises(EraseRunning):
        administration.change("acme", SMALL, opens=True)
    assert world.companies.settings("acme").version == 0
    assert administration.change("acme", SMALL).closed  # what is set may change
    world.walks.move(begun, replace(begun, version=begun.version + 1, status=WalkStatus.DONE))
    assert not administration.change("acme", SMALL, opens=True).closed


def confirmed_before(world: InMemoryWorld, step: str) -> list[str]:
    """Have an erase asked for now and confirmed right before a step; its id, once it is."""
    asking, begun = administration_of(world).jobs, list[str]()
    asked = asking.ask("acme", WalkKind.ERASE)

    def confirm(reached: str) -> None:
        if reached == step:
            world.whenever(lambda _: None)
            assert asked.code is not None
            begun.append(asking.confirm("acme", asked.walk.job_id, asked.code).job_id)

    world.whenever(confirm)
    return begun


@pytest.mark.parametrize("closed", [False, True], ids=["open before", "closed by an erase that is over"])
@pytest.mark.parametrize("step", ["before:companies.settings", "after:companies.settings", "before:companies.replace"])
def test_an_erase_that_is_confirmed_while_the_company_is_opened_goes_through_a_closed_one(
    step: str,
    closed: bool,  # noqa: FBT001 - a case
) -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    if closed:
        world.companies.close("acme", "J1")
    begun = confirmed_before(world, step)
    with pytest.raises(EraseRunning):
        administration.change("acme", LARGE, opens=True)
    stands = world.companies.settings("acme")
    assert (stands.closed, [stands.closed_by], stands.version) == (True, begun, 0)


def test_an_erase_that_is_confirmed_after_the_company_was_opened_closes_it_again() -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    world.companies.close("acme", "J1")
    begun = confirmed_before(world, "after:companies.replace")
    assert not administration.change("acme", LARGE, opens=True).closed
    stands = world.companies.settings("acme")
    assert (stands.closed, [stands.closed_by]) == (True, begun)


@pytest.mark.parametrize("step", ["before:walks.start", "after:walks.start"])
def test_a_company_that_is_opened_while_its_erase_is_confirmed_is_closed_when_that_begins(step: str) -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    world.companies.close("acme", "J1")
    asked, told = administration.jobs.ask("acme", WalkKind.ERASE), list[bool]()
    assert asked.code is not None

    def open_it(reached: str) -> None:
        if reached == step:
            world.whenever(lambda _: None)
            try:
                told.append(not administration.change("acme", LARGE, opens=True).closed)
            except EraseRunning:
                told.append(False)

    world.whenever(open_it)
    assert administration.jobs.confirm("acme", asked.walk.job_id, asked.code).running
    assert told == [step == "before:walks.start"]
    assert world.companies.settings("acme").closed_by == asked.walk.job_id


def test_a_change_that_opens_nothing_does_not_mind_a_confirmation() -> None:
    world = InMemoryWorld()
    administration = administration_of(world)
    begun = confirmed_before(world, "before:companies.replace")
    stored = administration.change("acme", LARGE)
    assert (stored.closed, [stored.closed_by]) == (True, begun)
