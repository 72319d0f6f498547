from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.application.walks.asking import Asking
from context_memory.application.walks.erasing import EraseShared, EraseUser
from context_memory.application.walks.expiring import SCHEDULE, ExpireUser, StartExpiry, expiry
from context_memory.application.walks.walking import WalkOn, nothing_more
from context_memory.domain.absence import months_before
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.errors import MemorySwitchedOff, StoreUnavailable
from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import CompanyJob, JobKind, UserJob, WalkJob
from context_memory.domain.links import Declaration, LinkChange, Origin, Provider, following
from context_memory.domain.merging import Merge
from context_memory.domain.profile import Bullets
from context_memory.domain.walks import Line, Walk, WalkKind, WalkStatus
from context_memory.ports.facts import FactsHead
from tests.support.eraser import Eraser, remains
from tests.support.facts import a_fact
from tests.support.house import House, body

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from context_memory.application.walks.walking import Step

PEOPLE = [UserKey("acme", name) for name in ("ann", "bob", "cem")]
LOOK_ALIKES = [UserKey("acme2", "ann"), UserKey("acm", "ann"), UserKey("acme-x", "bob")]
DAY = 86400
CLOSING = timedelta(seconds=360)


class Office:
    """A house with several users, whose erases and walks are worked off."""

    def __init__(self, house: House) -> None:
        self.house, self.world = house, house.world
        self.eraser = Eraser(house.world)
        self.steps: dict[WalkKind, Step] = {
            WalkKind.ERASE: EraseUser(request=self.eraser.request, tombstones=self.world.tombstones),
            WalkKind.EXPIRE: ExpireUser(request=self.eraser.request, table=self.world.table, clock=self.world.clock),
        }
        self.erase_shared = EraseShared(
            facts=self.world.shared_facts,
            indexes=self.world.shared_indexes,
            merges=self.world.merges,
            links=self.world.links,
            telemetry=self.world.telemetry,
        )
        self.asking = Asking(
            walks=self.world.walks,
            companies=self.world.companies,
            jobs=self.world.jobs,
            agenda=self.world.agenda,
            clock=self.world.clock,
            identifiers=self.world.identifiers,
            telemetry=self.world.telemetry,
        )

    def tell(self, *users: UserKey) -> None:
        """Let each of them be remembered for something."""
        for user in users:
            self.house.post(f"t-{self.world.clock.monotonic()}", "I moved to Basel.", user)
            self.house.learns(body(identity=["Lives in Basel."]))
            self.house.work()

    def work(self, *, hours: int = 3) -> None:
        """Answer every job that comes within some hours."""
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
            afterwards=lambda kind: self.erase_shared if kind is WalkKind.ERASE else nothing_more,
        )
        for _ in range(hours * 12):
            while delivery := self.world.jobs.receive():
                if isinstance(delivery.job, WalkJob):
                    walk_on(delivery.job, 200.0)
                elif isinstance(delivery.job, UserJob) and delivery.job.kind is JobKind.ERASE:
                    self.eraser.job(delivery.job, 200.0)
                self.world.jobs.acknowledge(delivery.receipt)
            self.world.clock.advance(300)

    def erase_company(self) -> str:
        """Ask and confirm."""
        asked = self.asking.ask("acme", WalkKind.ERASE, asked_by="admin")
        assert asked.code is not None
        self.asking.confirm("acme", asked.walk.job_id, asked.code)
        return asked.walk.job_id

    def report(self, job_id: str) -> tuple[Walk, Sequence[Line]]:
        """The walk and all its lines."""
        report = self.asking.report("acme", job_id)
        return report.walk, [line for page in report.pages for line in page.lines]


@pytest.fixture
def office() -> Iterator[Office]:
    with House() as house:
        yield Office(house)


def test_nothing_of_anybody_of_the_company_is_left_and_everybody_has_a_receipt(office: Office) -> None:
    office.tell(*PEOPLE, *LOOK_ALIKES)
    job_id = office.erase_company()
    office.work()
    walk, lines = office.report(job_id)
    assert (walk.status, walk.counts) == (WalkStatus.DONE, {"erased": 3})
    for user, line in zip(PEOPLE, lines, strict=True):
        assert remains(office.world, user) == []
        erasure = office.world.tombstones.standing(user).erasure
        assert erasure is not None
        assert not erasure.running
        assert (line.user_id, line.details["receipt_id"]) == (user.user_id, erasure.receipt_id)
    for user in LOOK_ALIKES:
        assert "Basel" in office.house.memory(user)


def share(office: Office) -> list[SharedScope]:
    """Let companies share facts, ours first with all and with one space."""
    scopes = [SharedScope("acme"), SharedScope("acme", "sales"), SharedScope("acme2"), SharedScope("acm", "sales")]
    for scope in scopes:
        office.world.shared_facts.change(scope, FactsHead(), [a_fact("Bern is closed on Fridays", scope)], [], count=1)
        office.world.shared_indexes.objects[scope.company_id] = 3
    return scopes


def shared(office: Office, scopes: Sequence[SharedScope]) -> list[int]:
    return [len(office.world.shared_facts.facts(scope).facts) for scope in scopes]


def test_what_the_company_shares_goes_with_its_users_and_no_other_companys(office: Office) -> None:
    office.tell(*PEOPLE)
    scopes = share(office)
    office.erase_company()
    office.work()
    assert shared(office, scopes) == [0, 0, 1, 1]
    assert office.world.shared_indexes.objects == {"acme2": 3, "acm": 3}


def test_whose_channels_are_whose_goes_with_the_company_and_no_other_companys(office: Office) -> None:
    phone, at = Provider.read("telegram:123"), office.world.clock.now()
    for company_id in ("acme", "acme2"):
        link = following(None, phone, "nobody-known", Origin.DECLARED, at)
        merge = Merge(
            company_id=company_id,
            merge_id="m-1",
            provider=phone,
            source_id="ann",
            target_id="bob",
            all_facts=False,
            asked_at=at,
        )
        office.world.links.write(company_id, [LinkChange(provider=phone, before=None, after=link)], merge=merge)
        office.world.links.declare(company_id, frozenset({"bob"}), Declaration())
    office.erase_company()
    office.work()
    links, merges = office.world.links, office.world.merges
    assert (links.link("acme", phone), links.declaration("acme"), merges.merge("acme", "m-1")) == (
        None,
        Declaration(),
        None,
    )
    assert links.link("acme2", phone)
    assert links.declaration("acme2").privileged
    assert merges.merge("acme2", "m-1")


def test_what_a_company_without_users_shares_goes_too(office: Office) -> None:
    scopes = share(office)
    office.erase_company()
    office.work()
    assert shared(office, scopes) == [0, 0, 1, 1]


@pytest.mark.parametrize(
    "step",
    [
        "before:shared_facts.scopes",
        "after:shared_facts.clear",
        "before:shared_indexes.clear",
        "after:links.clear_links",
    ],
)
def test_a_walk_does_not_say_that_it_is_over_while_something_shared_is_left(office: Office, step: str) -> None:
    scopes, failures = share(office), iter(range(2))

    def fail(now: str) -> None:
        if now == step and next(failures, None) is not None:
            raise StoreUnavailable("The table is out of reach.")

    office.world.whenever(fail)
    job_id = office.erase_company()
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            office.work()
        assert office.report(job_id)[0].running
    office.work()
    assert office.report(job_id)[0].status is WalkStatus.DONE
    assert shared(office, scopes) == [0, 0, 1, 1]
    assert office.world.shared_indexes.objects == {"acme2": 3, "acm": 3}


def test_a_dry_run_says_whom_it_would_erase_asks_for_no_code_and_erases_nobody(office: Office) -> None:
    office.tell(*PEOPLE)
    asked = office.asking.ask("acme", WalkKind.ERASE, asked_by="admin", dry_run=True)
    assert asked.code is None
    office.work()
    assert office.report(asked.walk.job_id)[0].counts == {"would_erase": 3}
    assert not office.world.companies.settings("acme").closed
    assert all("Basel" in office.house.memory(user) for user in PEOPLE)


def test_a_dry_run_leaves_what_the_company_shares(office: Office) -> None:
    scopes = share(office)
    office.asking.ask("acme", WalkKind.ERASE, asked_by="admin", dry_run=True)
    office.work()
    assert shared(office, scopes) == [1, 1, 1, 1]


def test_who_comes_in_while_the_company_closes_is_erased_the_second_time_round(office: Office) -> None:
    office.tell(*PEOPLE)
    newcomer, came = UserKey("acme", "a-newcomer"), list[str]()

    def come(step: str) -> None:
        if step == "after:walks.move" and not came:
            came.append(step)
            office.house.post("t-new", "I moved to Bern.", newcomer)

    job_id = office.erase_company()
    office.world.whenever(come)
    office.work()
    walk, lines = office.report(job_id)
    assert walk.counts == {"erased": 4}
    assert sorted(line.user_id for line in lines) == ["a-newcomer", "ann", "bob", "cem"]
    assert remains(office.world, newcomer) == []


def test_a_user_who_erased_themselves_before_the_confirmation_and_came_back_is_erased_again(office: Office) -> None:
    office.tell(PEOPLE[0])
    asked = office.asking.ask("acme", WalkKind.ERASE, asked_by="admin")
    assert asked.code is not None
    office.eraser.erase(PEOPLE[0])
    office.work(hours=0)
    office.eraser.work()
    office.tell(PEOPLE[0])
    if office.world.clock.now() > asked.walk.asked_at + timedelta(hours=1):
        asked = office.asking.ask("acme", WalkKind.ERASE, asked_by="admin")
    assert asked.code is not None
    office.asking.confirm("acme", asked.walk.job_id, asked.code)
    office.work()
    assert remains(office.world, PEOPLE[0]) == []


def test_a_stretch_that_is_done_again_gives_nobody_a_second_receipt(office: Office) -> None:
    office.tell(*PEOPLE)
    job_id = office.erase_company()
    moves: list[str] = []

    def die(step: str) -> None:
        if step == "before:walks.move":
            moves.append(step)
            if len(moves) == 2:  # the stretch was written down, and all of its users are being erased
                raise KeyboardInterrupt

    office.world.whenever(die)
    with pytest.raises(KeyboardInterrupt):
        office.work()
    epochs = [office.world.tombstones.standing(user).epoch for user in PEOPLE]
    office.world.clock.advance(2 * 3600)
    office.work()
    assert [office.world.tombstones.standing(user).epoch for user in PEOPLE] == epochs
    assert office.report(job_id)[0].counts == {"erased": 3}


def expire(office: Office, *, months: int = 12, dry_run: bool = False) -> str:
    parameters = json.dumps({"months": months})
    asked = office.asking.ask("acme", WalkKind.EXPIRE, asked_by="x", parameters=parameters, dry_run=dry_run)
    office.work()
    return asked.walk.job_id


def test_who_has_been_away_for_too_long_is_erased_and_nobody_else(office: Office) -> None:
    ann, bob, cem = PEOPLE
    office.tell(ann, bob)
    office.world.clock.advance(200 * DAY)
    office.tell(bob, cem)
    office.world.clock.advance(200 * DAY)
    walk, lines = office.report(expire(office))
    assert walk.counts == {"erased": 1, "active": 2}
    assert [line.user_id for line in lines] == ["ann"]
    assert remains(office.world, ann) == []
    assert all("Basel" in office.house.memory(user) for user in (bob, cem))


def test_a_turn_that_waits_is_a_sign_of_life(office: Office) -> None:
    office.tell(PEOPLE[0])
    office.world.clock.advance(400 * DAY)
    office.house.post("t-late", "Hello again, I moved to Bern.", PEOPLE[0])
    assert office.report(expire(office))[0].counts == {"active": 1}


def test_a_dry_run_of_expiry_tells_since_when_they_are_away(office: Office) -> None:
    office.tell(PEOPLE[0])
    seen = office.world.clock.now().date()
    office.world.clock.advance(400 * DAY)
    walk, (line,) = office.report(expire(office, dry_run=True))
    assert walk.counts == {"would_erase": 1}
    assert line.details == {"last_seen": seen.isoformat()}
    assert "Basel" in office.house.memory(PEOPLE[0])


def test_who_was_away_is_remembered_anew_when_they_come_back(office: Office) -> None:
    office.tell(PEOPLE[0])
    office.world.clock.advance(400 * DAY)
    assert office.report(expire(office))[0].counts == {"erased": 1}
    assert office.world.tombstones.standing(PEOPLE[0]).context_memory
    office.world.clock.advance(DAY)
    office.tell(PEOPLE[0])
    assert "Basel" in office.house.memory(PEOPLE[0])


def test_of_whom_nothing_is_kept_nothing_expires(office: Office) -> None:
    office.world.roster.enter(PEOPLE[0])
    assert office.report(expire(office))[0].counts == {"nothing": 1}


@pytest.mark.parametrize(
    ("at", "months", "before"),
    [
        ((2026, 3, 31), 1, (2026, 2, 28)),
        ((2024, 3, 31), 1, (2024, 2, 29)),
        ((2026, 1, 15), 1, (2025, 12, 15)),
        ((2026, 12, 31), 12, (2025, 12, 31)),
        ((2026, 2, 28), 60, (2021, 2, 28)),
    ],
)
def test_months_are_those_of_the_calendar(at: tuple[int, int, int], months: int, before: tuple[int, int, int]) -> None:
    assert months_before(datetime(*at, 8, tzinfo=UTC), months) == datetime(*before, 8, tzinfo=UTC)


def start(office: Office) -> None:
    job = StartExpiry(
        asking=office.asking, companies=office.world.companies, agenda=office.world.agenda, clock=office.world.clock
    )
    job(CompanyJob(kind=JobKind.EXPIRE, company_id="acme"), 10.0)


def dues(office: Office) -> list[date]:
    entries = office.world.agenda.due("acme", date(2099, 1, 1))
    return [entry.due for entry in entries if entry.kind is JobKind.EXPIRE]


def test_a_week_s_walk_is_begun_once_and_the_next_monday_noted(office: Office) -> None:
    office.world.companies.replace("acme", CompanySettings(expire_after_months=6), version=None)
    today = office.world.clock.now().date()
    for day in (today, today - timedelta(days=3)):
        office.world.agenda.note(expiry("acme", day))
    for _ in range(2):  # the message comes twice
        start(office)
    assert dues(office) == [today + timedelta(days=7 - today.weekday())]
    assert dues(office)[0].weekday() == 0
    walk = office.world.walks.walk("acme", f"EXPIRE-{today.isoformat()}")
    assert walk is not None
    assert (walk.asked_by, json.loads(walk.parameters)) == (SCHEDULE, {"months": 6})


def test_a_company_that_lets_nobody_expire_any_more_is_looked_through_no_more(office: Office) -> None:
    office.world.agenda.note(expiry("acme", office.world.clock.now().date()))
    start(office)
    assert dues(office) == []
    assert office.world.jobs.waiting() == []


@pytest.mark.parametrize("death", ["after:walks.open", "after:jobs.send", "after:agenda.note", "before:agenda.strike"])
def test_a_death_on_the_way_loses_no_week(office: Office, death: str) -> None:
    office.world.companies.replace("acme", CompanySettings(expire_after_months=6), version=None)
    today = office.world.clock.now().date()
    office.world.agenda.note(expiry("acme", today))

    def die(step: str) -> None:
        if step == death:
            raise KeyboardInterrupt

    office.world.whenever(die)
    with pytest.raises(KeyboardInterrupt):
        start(office)
    office.world.whenever(lambda _: None)
    start(office)
    assert dues(office) == [today + timedelta(days=7 - today.weekday())]
    office.work()
    walk = office.world.walks.walk("acme", f"EXPIRE-{today.isoformat()}")
    assert walk is not None
    assert walk.status is WalkStatus.DONE


def test_rules_of_somebody_of_whom_nothing_else_is_kept_are_erased_with_the_company(office: Office) -> None:
    office.house.deny(PEOPLE[0], ("my divorce",), frozenset())
    office.erase_company()
    office.work()
    assert office.world.table.state(PEOPLE[0]).settings.deny_phrases == ()


def test_who_is_let_in_by_a_function_that_has_not_heard_of_the_closing_is_erased_too(office: Office) -> None:
    office.tell(*PEOPLE)
    newcomer, closed = UserKey("acme", "a-newcomer"), office.world.clock.now()
    job_id = office.erase_company()

    def come(_step: str) -> None:
        if office.world.clock.now() >= closed + timedelta(minutes=5):
            office.world.whenever(lambda _: None)
            office.house.post("t-new", "I moved to Bern.", newcomer)

    office.world.whenever(come)
    office.work()
    assert office.report(job_id)[0].counts == {"erased": 4}
    assert remains(office.world, newcomer) == []


def test_nobody_writes_into_a_company_that_was_closed_to_be_erased(office: Office) -> None:
    ann, house = PEOPLE[0], office.house
    office.tell(ann)
    office.erase_company()
    office.work()
    for write in (
        lambda: house.edit(ann, Bullets(identity=("Lives in Bern.",)), expected=frozenset({(1, 0)})),
        lambda: house.deny(ann, ("my divorce",), frozenset()),
    ):
        with pytest.raises(MemorySwitchedOff):
            write()
    assert remains(office.world, ann) == []
    assert office.world.table.state(ann).settings.deny_phrases == ()
