from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.application.walks.asking import Asking
from context_memory.application.walks.condensing import Condense
from context_memory.application.walks.migrating import Migrate
from context_memory.application.walks.unlearning import UnlearnUser
from context_memory.application.walks.walking import WalkOn
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.errors import InvalidInput
from context_memory.domain.facts.fact import Source
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import JobKind, UserJob, WalkJob
from context_memory.domain.walks import Line, Walk, WalkKind, WalkStatus
from context_memory.domain.writers import Writer
from tests.support.facts import a_fact
from tests.support.house import House, body
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from context_memory.application.walks.walking import Step

ANN, BOB, CEM = PEOPLE = [UserKey("acme", name) for name in ("ann", "bob", "cem")]
FILE = b"# User Memory\n\n## Identity\n- Lives in Basel.\n"
CLOSING = timedelta(0)


class Office:
    """A house whose walks are worked off."""

    def __init__(self, house: House) -> None:
        self.house, self.world = house, house.world
        world = house.world
        self.steps: dict[WalkKind, Step] = {
            WalkKind.MIGRATE: Migrate(change=house.change, jobs=world.jobs),
            WalkKind.CONDENSE: Condense(table=world.table, companies=world.companies, jobs=world.jobs),
            WalkKind.UNLEARN: UnlearnUser(change=house.change, table=world.table, facts=house.rewrite_facts),
        }
        self.asking = Asking(
            walks=world.walks,
            companies=world.companies,
            jobs=world.jobs,
            agenda=world.agenda,
            clock=world.clock,
            identifiers=world.identifiers,
            telemetry=world.telemetry,
        )

    def learn(self, user: UserKey, turn_id: str, said: str, *bullets: str) -> None:
        """Let a turn make these the user's identity."""
        self.house.post(turn_id, said, user)
        self.house.learns(body(identity=list(bullets)))
        self.house.work()

    def walk(self, kind: WalkKind, *, dry_run: bool = False, parameters: str = "{}") -> tuple[Walk, Sequence[Line]]:
        """Ask for a walk and work it off; the walk and its report."""
        asked = self.asking.ask("acme", kind, asked_by="x", dry_run=dry_run, parameters=parameters)
        self.work(asked.walk.job_id)
        return self.report(asked.walk.job_id)

    def work(self, job_id: str) -> None:
        """One stretch after another until the walk is over."""
        walk_on = WalkOn(
            walks=self.world.walks,
            directory=self.world.directory,
            step_of=self.steps.__getitem__,
            jobs=self.world.jobs,
            agenda=self.world.agenda,
            clock=self.world.clock,
            telemetry=self.world.telemetry,
            at_once=1,
            closing=CLOSING,
        )
        while self.report(job_id)[0].running:
            walk_on(WalkJob(company_id="acme", job_id=job_id), 100.0)

    def report(self, job_id: str) -> tuple[Walk, Sequence[Line]]:
        """The walk as it stands, and its lines."""
        report = self.asking.report("acme", job_id)
        return report.walk, [line for page in report.pages for line in page.lines]

    def last_writer(self, user: UserKey) -> Writer:
        """Who made what stands."""
        pointer = self.world.table.state(user).profile
        assert pointer is not None
        revision = self.world.table.revision(user, pointer.epoch, pointer.turn_count)
        assert revision is not None
        return revision.writer

    def asked_of(self, kind: JobKind) -> list[UserKey]:
        """Users about whom jobs of a kind were sent."""
        jobs = self.world.jobs.waiting()
        return [job.user for job in jobs if isinstance(job, UserJob) and job.kind is kind]


@pytest.fixture
def office() -> Iterator[Office]:
    with House() as house:
        house.world.companies.replace("acme", CompanySettings(legacy=True), version=None)
        yield Office(house)


def test_old_files_become_first_versions_as_they_are_and_those_that_cannot_be_read_are_named(office: Office) -> None:
    office.world.profiles.legacy_files |= {ANN: FILE, BOB: b"\xff", CEM: b" \n"}
    dry, _ = office.walk(WalkKind.MIGRATE, dry_run=True)
    assert dry.counts == {"would_migrate": 1, "unreadable": 1, "nothing": 1}
    assert office.world.table.state(ANN).profile is None
    walk, lines = office.walk(WalkKind.MIGRATE)
    assert (walk.status, walk.counts) == (WalkStatus.DONE, {"migrated": 1, "unreadable": 1, "nothing": 1})
    assert [(line.user_id, line.result) for line in lines] == [("ann", "migrated"), ("bob", "unreadable")]
    pointer = office.world.table.state(ANN).profile
    assert pointer is not None
    revision = office.world.table.revision(ANN, pointer.epoch, pointer.turn_count)
    assert revision is not None
    assert (revision.writer, revision.operations) == (Writer.MIGRATION, ())
    assert b"- Lives in Basel." in office.world.profiles.version(ANN, pointer.version_id).body
    assert office.world.profiles.legacy_files[BOB] == b"\xff"


def test_a_file_over_the_cap_is_taken_over_whole_and_condensed_later(office: Office) -> None:
    facts = "".join(f"- Has the number {number} in a long list of numbers.\n" for number in range(400))
    office.world.profiles.legacy_files[ANN] = b"# User Memory\n\n## Identity\n" + facts.encode()
    office.walk(WalkKind.MIGRATE)
    pointer = office.world.table.state(ANN).profile
    assert pointer is not None
    assert b"number 0 in" in office.world.profiles.version(ANN, pointer.version_id).body
    assert b"number 399 in" in office.world.profiles.version(ANN, pointer.version_id).body
    assert ANN in office.asked_of(JobKind.CONDENSE)


def test_a_migration_that_is_done_again_changes_nothing(office: Office) -> None:
    office.world.profiles.legacy_files[ANN] = FILE
    office.walk(WalkKind.MIGRATE)
    before = office.world.table.state(ANN).profile
    walk, _ = office.walk(WalkKind.MIGRATE)
    assert walk.counts == {"nothing": 1}
    assert office.world.table.state(ANN).profile == before


def test_profiles_over_a_lowered_cap_are_to_be_condensed_and_no_others(office: Office) -> None:
    many = [f"Has the number {number} in a long list of numbers." for number in range(60)]
    office.learn(ANN, "t1", " ".join(many), *many)
    office.learn(BOB, "t1", "I live in Basel.", "Lives in Basel.")
    office.world.companies.replace("acme", CompanySettings(max_tokens=500), version=None)
    walk, (line,) = office.walk(WalkKind.CONDENSE, dry_run=True)
    assert (walk.counts, line.user_id) == ({"would_ask": 1, "fits": 1}, "ann")
    assert office.asked_of(JobKind.CONDENSE) == []
    assert office.walk(WalkKind.CONDENSE)[0].counts == {"asked": 1, "fits": 1}
    assert office.asked_of(JobKind.CONDENSE) == [ANN]


BAD = json.dumps({"turn_ids": ["bad"]})


def incident(office: Office) -> None:
    """Two users learned something from turns of one id, one of them nothing else; the third learned from another."""
    office.learn(ANN, "good", "I live in Basel.", "Lives in Basel.")
    office.learn(ANN, "bad", "I am the pope.", "Lives in Basel.", "Is the pope.")
    office.learn(BOB, "bad", "I am the pope.", "Is the pope.")
    office.learn(CEM, "good", "I live in Bern.", "Lives in Bern.")


def test_the_dry_run_tells_for_whom_how_much_would_change_and_no_text(office: Office) -> None:
    incident(office)
    walk, lines = office.walk(WalkKind.UNLEARN, dry_run=True, parameters=BAD)
    assert walk.counts == {"would_change": 2, "nothing": 1}
    assert [(line.user_id, line.details) for line in lines] == [
        ("ann", {"removed": 1, "revisions": 1, "pinned": 0}),
        ("bob", {"removed": 1, "revisions": 1, "pinned": 0}),
    ]
    assert "pope" in office.house.memory(ANN)
    assert "pope" not in repr((walk, lines))


def test_what_was_looked_at_is_unlearned_for_everybody(office: Office) -> None:
    incident(office)
    dry, _ = office.walk(WalkKind.UNLEARN, dry_run=True, parameters=BAD)
    walk, _ = office.walk(WalkKind.UNLEARN, parameters=office.asking.parameters_of("acme", dry.job_id))
    assert walk.counts == {"changed": 2, "nothing": 1}
    assert "Basel" in office.house.memory(ANN)
    assert "Bern" in office.house.memory(CEM)
    assert not any("pope" in office.house.memory(user) for user in PEOPLE)
    assert [office.last_writer(user) for user in PEOPLE] == [Writer.ADMINISTRATOR, Writer.ADMINISTRATOR, Writer.TURN]


def test_a_stretch_of_unlearning_that_is_done_again_tells_the_same(office: Office) -> None:
    incident(office)
    job_id = office.asking.ask("acme", WalkKind.UNLEARN, asked_by="x", parameters=BAD).walk.job_id

    def die(step: str) -> None:
        if step == "before:walks.move":
            raise KeyboardInterrupt

    office.world.whenever(die)
    with pytest.raises(KeyboardInterrupt):
        office.work(job_id)
    steps: list[str] = []
    office.world.whenever(steps.append)
    office.work(job_id)
    walk, lines = office.report(job_id)
    assert walk.counts == {"changed": 2, "nothing": 1}
    assert [line.details["removed"] for line in lines] == [1, 1]
    assert steps.count("before:profiles.latest") == 1, "only the memory that had not been changed is looked at again"


def test_facts_are_unlearned_with_the_memory_and_where_nothing_else_was(office: Office) -> None:
    incident(office)
    now = office.world.clock.now()
    pope, sails = (
        a_fact(text, created_at=now, source=Source(turn, "c"))
        for text, turn in (("Is pope.", "bad"), ("Sails.", "good"))
    )
    put(office.house, pope, user=ANN)
    put(office.house, pope, sails, user=CEM)
    dry, told = office.walk(WalkKind.UNLEARN, dry_run=True, parameters=BAD)
    assert {line.user_id: line.details.get("facts") for line in told} == {"ann": 1, "bob": None, "cem": 1}
    assert set(stands(office.house, CEM)) == {"Is pope.", "Sails."}
    walk, lines = office.walk(WalkKind.UNLEARN, parameters=BAD)
    assert (dry.counts, walk.counts) == ({"would_change": 3}, {"changed": 3})
    assert [line.details.get("facts") for line in lines] == [1, None, 1]
    assert (set(stands(office.house, ANN)), set(stands(office.house, CEM))) == (set(), {"Sails."})


def test_only_a_dry_run_that_is_over_can_be_applied_and_only_in_its_company(office: Office) -> None:
    incident(office)
    dry, _ = office.walk(WalkKind.UNLEARN, dry_run=True, parameters=BAD)
    applied, _ = office.walk(WalkKind.UNLEARN, parameters=BAD)
    running = office.asking.ask("acme", WalkKind.UNLEARN, asked_by="x", dry_run=True, parameters=BAD).walk
    other, _ = office.walk(WalkKind.CONDENSE, dry_run=True)
    refused = [("acme2", dry.job_id), ("acme", "J"), *(("acme", one.job_id) for one in (applied, running, other))]
    for company_id, job_id in refused:
        with pytest.raises(InvalidInput, match="job_id"):
            office.asking.parameters_of(company_id, job_id)


def test_a_walk_that_rests_on_a_setting_is_not_begun_without_it(office: Office) -> None:
    assert office.asking.parameters_by_settings("acme", WalkKind.MIGRATE) == "{}"
    for kind, field in ((WalkKind.MIGRATE, "legacy"), (WalkKind.EXPIRE, "expire_after_months")):
        with pytest.raises(InvalidInput, match=field):
            office.asking.parameters_by_settings("other", kind)
    office.world.companies.replace("other", CompanySettings(expire_after_months=6), version=None)
    assert json.loads(office.asking.parameters_by_settings("other", WalkKind.EXPIRE)) == {"months": 6}
    assert office.asking.parameters_by_settings("other", WalkKind.ERASE) == "{}"
