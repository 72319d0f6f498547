from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from threading import Barrier, local
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.walks.asking import PAGES, Asking, role_of
from context_memory.application.walks.walking import STRETCH, WalkOn, entry_of
from context_memory.domain.errors import ConfirmationRefused, StoreUnavailable, UnknownJob
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import WalkJob
from context_memory.domain.walks import MOST_GUESSES, Line, Phase, Walk, WalkKind, WalkStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ADMIN = "arn:aws:sts::123456789012:assumed-role/admin/lena@example.org"
PLENTY = 600.0
CLOSING = timedelta(0)


class Died(BaseException):
    """The process ended here."""


class Company:
    """A company with users, and a walk whose step writes down whom it met."""

    def __init__(self, users: int = 250) -> None:
        self.world = InMemoryWorld()
        self.users = [UserKey("acme", f"user-{number:03}") for number in range(users)]
        for user in self.users:
            self.world.roster.enter(user)
        self.met: Counter[str] = Counter()
        self.fault: Callable[[UserKey], None] = lambda _user: None
        self.asking = Asking(
            walks=self.world.walks,
            companies=self.world.companies,
            jobs=self.world.jobs,
            agenda=self.world.agenda,
            clock=self.world.clock,
            identifiers=self.world.identifiers,
            telemetry=self.world.telemetry,
        )

    def step(self, user: UserKey, walk: Walk) -> Line | None:
        """What the walk does for one user."""
        if walk.phase is Phase.AGAIN and self.met[user.user_id]:
            return None
        self.fault(user)
        self.met[user.user_id] += 1
        return Line(user_id=user.user_id, result="done", listed=user.user_id.endswith("0"))

    def begin(self, kind: WalkKind = WalkKind.CONDENSE) -> str:
        """Ask for a walk."""
        return self.asking.ask("acme", kind, asked_by=role_of(ADMIN)).walk.job_id

    def stretch(self, job_id: str, seconds: float = PLENTY, *, at_once: int = 1) -> None:
        """What one message sets off."""
        walk_on = WalkOn(
            walks=self.world.walks,
            directory=self.world.directory,
            step_of=lambda _kind: self.step,
            jobs=self.world.jobs,
            agenda=self.world.agenda,
            clock=self.world.clock,
            telemetry=self.world.telemetry,
            at_once=at_once,
            closing=CLOSING,
        )
        walk_on(WalkJob(company_id="acme", job_id=job_id), seconds)

    def work(self, seconds: float = PLENTY) -> int:
        """Answer messages until none is visible; how many there were."""
        for number in range(100):
            delivery = self.world.jobs.receive()
            if delivery is None:
                return number
            assert isinstance(delivery.job, WalkJob)
            self.stretch(delivery.job.job_id, seconds)
            self.world.jobs.acknowledge(delivery.receipt)
        raise AssertionError("The walk never ends.")

    def walk(self, job_id: str) -> Walk:
        """The walk as it stands."""
        return self.asking.report("acme", job_id).walk

    def lines(self, job_id: str) -> Sequence[Line]:
        """The whole report."""
        found: list[Line] = []
        after = 0
        while True:
            report = self.asking.report("acme", job_id, after=after)
            found += [line for page in report.pages for line in page.lines]
            if report.following is None:
                return found
            after = report.following


def fail_for(*names: str, error: Exception | None = None) -> Callable[[UserKey], None]:
    def fault(user: UserKey) -> None:
        if user.user_id in names:
            raise error or KeyError(user.user_id)

    return fault


def test_a_walk_meets_everybody_once_and_ends() -> None:
    company = Company()
    job_id = company.begin()
    assert company.work() == 3
    assert company.met == Counter(user.user_id for user in company.users)
    walk = company.walk(job_id)
    assert (walk.status, walk.users, walk.done, walk.failed) == (WalkStatus.DONE, 250, 250, 0)
    assert walk.counts == {"done": 250}
    assert walk.finished_at == company.world.clock.now()


def test_the_report_lists_what_is_worth_listing() -> None:
    company = Company()
    job_id = company.begin()
    company.work()
    assert [line.user_id for line in company.lines(job_id)] == [f"user-{number:03}" for number in range(0, 250, 10)]


@pytest.mark.parametrize("users", [0, 1, STRETCH, STRETCH + 1])
def test_a_company_of_any_size_is_walked_through_to_its_end(users: int) -> None:
    company = Company(users)
    job_id = company.begin()
    company.work()
    assert company.walk(job_id).status is WalkStatus.DONE
    assert company.met.total() == users


def test_users_of_companies_with_similar_names_are_never_met() -> None:
    company = Company(3)
    for other in ("acme2", "acm", "acme-x"):
        company.world.roster.enter(UserKey(other, "user-000"))
    company.begin()
    company.work()
    assert company.met.total() == 3


def test_a_stretch_ends_in_time_and_the_next_goes_on_behind_it() -> None:
    company = Company(10)
    company.fault = lambda _user: company.world.clock.advance(10)
    job_id = company.begin()
    company.stretch(job_id, seconds=35)
    assert company.walk(job_id).users == 4
    company.world.jobs.sent.clear()
    company.world.agenda.rung(entry_of(company.walk(job_id)), company.world.clock.now())
    company.stretch(job_id)
    assert company.met == Counter(user.user_id for user in company.users)


def test_several_users_at_once_are_told_in_their_order() -> None:
    company = Company(30)
    job_id = company.begin()
    company.stretch(job_id, at_once=8)
    assert [line.user_id for line in company.lines(job_id)] == ["user-000", "user-010", "user-020"]
    assert company.walk(job_id).users == 30


DEATHS = [
    *(f"{when}:{step}" for when in ("before", "after") for step in ("walks.walk", "directory.users", "walks.move")),
    "before:jobs.send",
    "after:jobs.send",
    "before:agenda.strike",
]


@pytest.mark.parametrize("death", DEATHS)
def test_a_worker_that_dies_anywhere_is_followed_by_one_that_goes_on(death: str) -> None:
    company = Company()
    job_id = company.begin()
    died: list[str] = []

    def die(step: str) -> None:
        if step == death and not died:
            died.append(step)
            raise Died

    company.world.whenever(die)
    with pytest.raises(Died):
        company.work()
    company.world.clock.advance(2 * 3600)  # the message comes again
    company.work()
    walk = company.walk(job_id)
    assert (walk.status, walk.users, walk.counts) == (WalkStatus.DONE, 250, {"done": 250})
    assert set(company.met) == {user.user_id for user in company.users}
    assert company.world.agenda.due("acme", company.world.clock.now().date()) == []


def test_of_two_workers_on_one_stretch_the_slower_stops_and_counts_nothing_twice() -> None:
    company = Company()
    job_id = company.begin()
    overtaken: list[str] = []

    def overtake(step: str) -> None:
        if step == "before:walks.move" and not overtaken:
            overtaken.append(step)
            company.stretch(job_id)

    company.world.whenever(overtake)
    company.stretch(job_id)
    assert company.walk(job_id).users == STRETCH
    assert len(company.world.jobs.waiting()) == 2  # the one of the beginning, and the faster worker's
    company.work()
    walk = company.walk(job_id)
    assert (walk.users, walk.counts) == (250, {"done": 250})


def test_messages_too_many_come_to_an_end() -> None:
    company = Company()
    job_id = company.begin()
    for _ in range(5):
        company.world.jobs.send(WalkJob(company_id="acme", job_id=job_id))
    company.work()
    assert company.world.jobs.waiting() == []
    assert company.walk(job_id).users == 250


def test_users_with_whom_it_fails_are_tried_once_more_at_the_end() -> None:
    company = Company()
    job_id = company.begin()
    failed: set[str] = set()

    def fail_once(user: UserKey) -> None:
        if user.user_id in {"user-005", "user-190"} and user.user_id not in failed:
            failed.add(user.user_id)
            raise KeyError(user.user_id)

    company.fault = fail_once
    company.work()
    walk = company.walk(job_id)
    assert (walk.status, walk.users, walk.failed, walk.counts) == (WalkStatus.DONE, 250, 0, {"done": 250})
    assert {"user-005", "user-190"} <= {line.user_id for line in company.lines(job_id)}
    assert not [line for line in company.lines(job_id) if line.failed]


def test_users_with_whom_it_keeps_failing_are_listed_and_the_walk_says_so() -> None:
    company = Company()
    company.fault = fail_for("user-005", "user-190")
    job_id = company.begin()
    company.work()
    walk = company.walk(job_id)
    assert (walk.status, walk.done, walk.failed) == (WalkStatus.FAILED, 248, 2)
    assert [(line.user_id, line.details["error"]) for line in company.lines(job_id) if line.failed] == [
        ("user-005", "unforeseen"),
        ("user-190", "unforeseen"),
    ]
    assert "user-005" not in repr(company.world.telemetry)


def test_retrying_ends_even_where_no_time_is_left_for_more_than_one_user_a_stretch() -> None:
    company = Company(12)
    company.fault = fail_for(*(f"user-{number:03}" for number in range(0, 12, 2)))
    job_id = company.begin()
    company.work(seconds=0)
    walk = company.walk(job_id)
    assert (walk.status, walk.done, walk.failed) == (WalkStatus.FAILED, 6, 6)
    assert all(line.details["tries"] == 2 for line in company.lines(job_id) if line.failed)


def test_while_the_world_is_down_a_walk_waits_and_blames_nobody() -> None:
    company = Company(20)

    def down(_user: UserKey) -> None:
        raise StoreUnavailable("The store is down.")

    company.fault = down
    job_id = company.begin()
    with pytest.raises(StoreUnavailable):
        company.stretch(job_id)
    assert company.walk(job_id).users == 0
    company.fault = lambda _user: None
    company.work()
    assert company.walk(job_id).counts == {"done": 20}


def test_an_erase_walks_through_the_company_twice_for_who_came_meanwhile() -> None:
    company = Company(3)
    asked = company.asking.ask("acme", WalkKind.ERASE, asked_by=role_of(ADMIN))
    assert asked.code is not None
    company.asking.confirm("acme", asked.walk.job_id, asked.code)
    company.stretch(asked.walk.job_id)
    company.world.roster.enter(UserKey("acme", "a-newcomer"))
    company.work()
    assert company.met["a-newcomer"] == 1
    walk = company.walk(asked.walk.job_id)
    assert (walk.status, walk.users, walk.counts) == (WalkStatus.DONE, 4, {"done": 4})


def test_an_erase_meets_nobody_before_it_is_confirmed_and_the_company_stays_open() -> None:
    company = Company(3)
    asked = company.asking.ask("acme", WalkKind.ERASE, asked_by=role_of(ADMIN))
    assert asked.walk.status is WalkStatus.AWAITING_CONFIRMATION
    assert company.world.jobs.waiting() == []
    company.stretch(asked.walk.job_id)
    assert company.met.total() == 0
    assert not company.world.companies.settings("acme").closed


def test_a_company_is_closed_before_anybody_is_erased() -> None:
    company = Company(3)
    asked = company.asking.ask("acme", WalkKind.ERASE, asked_by=role_of(ADMIN))
    assert asked.code is not None
    company.asking.confirm("acme", asked.walk.job_id, asked.code)
    assert company.world.companies.settings("acme").closed
    assert company.met.total() == 0


def test_a_wrong_code_confirms_nothing_and_after_some_of_them_neither_does_the_right_one() -> None:
    company = Company(3)
    asked = company.asking.ask("acme", WalkKind.ERASE, asked_by=role_of(ADMIN))
    assert asked.code is not None
    for _ in range(MOST_GUESSES):
        with pytest.raises(ConfirmationRefused):
            company.asking.confirm("acme", asked.walk.job_id, "00000000")
    with pytest.raises(ConfirmationRefused):
        company.asking.confirm("acme", asked.walk.job_id, asked.code)
    assert company.walk(asked.walk.job_id).status is WalkStatus.AWAITING_CONFIRMATION


def test_a_code_is_good_for_an_hour() -> None:
    company = Company(3)
    asked = company.asking.ask("acme", WalkKind.ERASE, asked_by=role_of(ADMIN))
    assert asked.code is not None
    company.world.clock.advance(3601)
    with pytest.raises(ConfirmationRefused):
        company.asking.confirm("acme", asked.walk.job_id, asked.code)


def test_the_code_itself_is_kept_nowhere() -> None:
    company = Company(3)
    asked = company.asking.ask("acme", WalkKind.ERASE, asked_by=role_of(ADMIN))
    assert asked.code is not None
    assert asked.code not in repr(replace(company.walk(asked.walk.job_id), job_id=""))


@pytest.mark.parametrize("death", ["after:walks.start", "after:agenda.note", "after:jobs.send"])
def test_a_confirmation_that_dies_on_its_way_can_be_said_again(death: str) -> None:
    company = Company(3)
    asked = company.asking.ask("acme", WalkKind.ERASE, asked_by=role_of(ADMIN))
    assert asked.code is not None

    def die(step: str) -> None:
        if step == death:
            raise Died

    company.world.whenever(die)
    with pytest.raises(Died):
        company.asking.confirm("acme", asked.walk.job_id, asked.code)
    company.world.whenever(lambda _: None)
    company.asking.confirm("acme", asked.walk.job_id, asked.code)
    company.work()
    assert company.walk(asked.walk.job_id).status is WalkStatus.DONE


def test_two_who_confirm_at_once_begin_one_walk() -> None:
    company = Company(3)
    asked = company.asking.ask("acme", WalkKind.ERASE, asked_by=role_of(ADMIN))
    assert asked.code is not None
    code, overtaken = asked.code, list[str]()

    def overtake(step: str) -> None:
        if step == "before:walks.start" and not overtaken:
            overtaken.append(step)
            company.asking.confirm("acme", asked.walk.job_id, code)

    company.world.whenever(overtake)
    assert company.asking.confirm("acme", asked.walk.job_id, code).running
    company.work()
    assert company.met.total() == 3


def test_a_walk_whose_first_message_is_lost_stands_on_the_agenda() -> None:
    company = Company(3)

    def down(step: str) -> None:
        if step == "before:jobs.send":
            raise StoreUnavailable("The queue is down.")

    company.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        company.begin()
    (entry,) = company.world.agenda.due("acme", company.world.clock.now().date())
    assert isinstance(entry.job(), WalkJob)


def test_the_report_names_the_role_of_who_asked_and_nothing_they_chose() -> None:
    company = Company(1)
    assert company.walk(company.begin()).asked_by == "123456789012/admin"
    assert company.asking.ask("acme", WalkKind.CONDENSE, asked_by=role_of("nonsense")).walk.asked_by == "unknown"


def test_each_of_many_guesses_at_once_counts() -> None:
    company, together = Company(0), Barrier(MOST_GUESSES, timeout=10)
    asked = company.asking.ask("acme", WalkKind.ERASE, asked_by="admin")
    first = local()

    def wait(step: str) -> None:
        """Let nobody write before all have compared."""
        if step == "before:walks.move" and not hasattr(first, "over"):
            first.over = True
            together.wait()

    def guess(code: str) -> None:
        with suppress(ConfirmationRefused):
            company.asking.confirm("acme", asked.walk.job_id, code)

    company.world.whenever(wait)
    with ThreadPoolExecutor(MOST_GUESSES) as pool:
        list(pool.map(guess, (f"guess {number}" for number in range(MOST_GUESSES))))
    company.world.whenever(lambda _step: None)
    assert asked.code is not None
    with pytest.raises(ConfirmationRefused):
        company.asking.confirm("acme", asked.walk.job_id, asked.code)


@pytest.mark.parametrize(("stretches", "told"), [(1, 1), (PAGES, PAGES), (PAGES + 1, PAGES)])
def test_a_report_says_where_it_goes_on_only_where_something_follows(stretches: int, told: int) -> None:
    company = Company(STRETCH * stretches - 1)
    job_id = company.begin()
    company.stretch(job_id, 100.0)
    if stretches > 1:
        assert company.asking.report("acme", job_id).following is not None
    company.work()
    first = company.asking.report("acme", job_id)
    assert (first.walk.status, len(first.pages)) == (WalkStatus.DONE, told)
    assert first.following == (first.pages[-1].number if stretches > told else None)


def test_a_job_of_another_company_is_unknown() -> None:
    company = Company(1)
    job_id = company.begin()
    with pytest.raises(UnknownJob):
        company.asking.report("acme2", job_id)
    with pytest.raises(UnknownJob):
        company.asking.confirm("acme2", job_id, "code")
