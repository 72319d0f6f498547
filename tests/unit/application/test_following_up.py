"""What follows a change that no turn has made: news, the policy's reader, and the cap."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.jobs import AgendaEntry, JobKind, UserJob
from context_memory.domain.news import NewsKind
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.state import UserSettings
from context_memory.domain.writers import Writer
from context_memory.ports.users import Rules
from tests.support.house import LENA, PROMPTS, House, body

if TYPE_CHECKING:
    from context_memory.application.changing.wanted import Standing
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import ProfilePointer
    from tests.support.scripted_model import Asked

BASEL = "Lives in Basel."
DIET = "Takes insulin twice a day."
FOLLOW_UP = UserJob(kind=JobKind.FOLLOW_UP, user=LENA)


def write(house: House, *bullets: str, writer: Writer = Writer.USER) -> None:
    """Make Identity hold exactly these bullets."""

    def make(standing: Standing) -> Wanted:
        return Wanted(bullets=standing.bullets.with_section(Section.IDENTITY, bullets))

    assert house.change(LENA, writer, make).stored


def pointer(house: House) -> ProfilePointer:
    found = house.world.table.state(LENA).profile
    assert found is not None
    return found


def revision(house: House, number: int) -> Revision:
    found = house.world.table.revision(LENA, 0, number)
    assert found is not None
    return found


def watched(house: House, purpose: str, answer: str) -> list[str]:
    """What the model is asked from now on for a purpose; it gives the same answer each time."""
    seen: list[str] = []

    def told(asked: Asked) -> str:
        seen.append(asked.said_by("user"))
        return answer

    house.model.script(purpose, told)
    return seen


def due(house: House, days: int = 0) -> list[AgendaEntry]:
    house.world.clock.advance(days * 86_400)
    return list(house.world.agenda.due("acme", house.world.clock.now().date()))


def test_a_change_without_a_turn_is_told_with_its_writer_and_its_counts(house: House) -> None:
    house.model.queue("scrub", "CLEAN")
    write(house, BASEL)
    house.tend()
    (news,) = house.world.news.published
    assert (news.kind, news.writer, news.revision, news.turn_ids) == (NewsKind.UPDATED, Writer.USER, 1, ())
    assert news.counts == {"added": 1, "changed": 0, "removed": 0}
    assert news.step is not None
    assert news.step["status"] == "completed"
    assert house.world.table.state(LENA).open_changes == ()


def test_what_is_clean_stays_the_same_revision_and_counts_as_checked(house: House) -> None:
    house.model.queue("scrub", "CLEAN")
    write(house, BASEL)
    assert pointer(house).policy_version == ""
    house.tend()
    assert (pointer(house).turn_count, pointer(house).policy_version) == (1, PROMPTS.policy_version)
    assert revision(house, 1).policy_version == PROMPTS.policy_version


def test_what_the_policy_takes_out_is_a_revision_of_its_own(house: House) -> None:
    house.model.queue("scrub", "2 DROP")
    write(house, BASEL, DIET, writer=Writer.IMPORT)
    house.tend()
    assert house.memory() == body(identity=[BASEL])
    after = revision(house, 2)
    assert (after.writer, after.reason, after.model) == (Writer.SCRUB, "policy", "large")
    assert after.prompt_version == PROMPTS.version
    assert [(one.before, one.after) for one in after.operations] == [(DIET, None)]
    assert [usage.purpose for usage in after.usage] == ["scrub"]
    assert pointer(house).policy_version == PROMPTS.policy_version
    assert [(news.writer, news.revision) for news in house.world.news.published] == [
        (Writer.IMPORT, 1),
        (Writer.SCRUB, 2),
    ]


def test_the_reader_is_asked_once_however_often_the_job_comes(house: House) -> None:
    house.model.queue("scrub", "2 DROP")
    write(house, BASEL, DIET)
    house.tend()
    for _ in range(3):
        house.workers[JobKind.FOLLOW_UP](FOLLOW_UP, 100.0)
    house.tend()
    assert pointer(house).turn_count == 2
    assert len(house.world.news.published) == 2


def test_of_an_edit_upon_a_checked_profile_only_its_own_bullets_are_looked_at(house: House) -> None:
    seen = watched(house, "scrub", "CLEAN")
    write(house, BASEL, "Writes Rust.")
    house.tend()
    write(house, BASEL, "Writes Rust.", "Sails on Sundays.")
    house.tend()
    assert "1: Lives in Basel." in seen[0]
    assert "2: Writes Rust." in seen[0]
    assert "1: Sails on Sundays." in seen[1]
    assert "Rust" not in seen[1].split("<lines")[1]
    assert pointer(house).policy_version == PROMPTS.policy_version


@pytest.mark.parametrize("writer", [Writer.IMPORT, Writer.RESTORE, Writer.MIGRATION])
def test_whatever_came_by_the_file_is_checked_whole(house: House, writer: Writer) -> None:
    seen = watched(house, "scrub", "CLEAN")
    write(house, BASEL)
    house.tend()
    write(house, BASEL, "Sails on Sundays.", writer=writer)
    house.tend()
    assert "1: Lives in Basel." in seen[1]
    assert "2: Sails on Sundays." in seen[1]


def test_what_only_loses_bullets_stays_as_checked_as_it_was(house: House) -> None:
    house.model.queue("scrub", "CLEAN")
    write(house, BASEL, "Writes Rust.")
    house.tend()
    write(house, BASEL)
    assert pointer(house).policy_version == PROMPTS.policy_version
    house.tend()  # asks nobody: the model has no other answer in its queue
    assert pointer(house).turn_count == 2


def test_a_veto_leaves_everything_as_it_is_until_the_next_chain(house: House) -> None:
    house.model.queue("scrub", "I cannot say.", "I cannot say.")
    write(house, BASEL)
    house.tend()
    assert (pointer(house).turn_count, pointer(house).policy_version) == (1, "")
    assert house.world.telemetry.total("scrub_vetoed") == 1
    assert house.world.jobs.waiting() == []


def test_the_policy_overrides_pins(house: House) -> None:
    house.model.queue("scrub", "2 DROP")
    write(house, BASEL, DIET)
    pins = frozenset({pin_of(Section.IDENTITY, DIET), pin_of(Section.IDENTITY, BASEL)})
    settings = house.world.table.state(LENA).settings
    house.world.table.change_rules(LENA, settings, Rules(pins=pins, deny_phrases=(), deny_kinds=frozenset()))
    house.tend()
    assert DIET not in house.memory()
    assert house.world.table.state(LENA).settings.pins == {pin_of(Section.IDENTITY, BASEL)}


def test_kinds_that_the_user_denies_are_taken_out_of_all_that_is_stored(house: House) -> None:
    house.model.queue("scrub", "CLEAN")
    write(house, BASEL, DIET)
    house.tend()
    seen = watched(house, "scrub", "2 DROP")
    house.deny(LENA, (), frozenset({"health"}))
    house.tend()
    assert house.memory() == body(identity=[BASEL])
    assert "illnesses" in seen[0]
    house.tend()
    assert len(seen) == 1


def test_a_turn_that_comes_first_is_kept_and_the_scrub_runs_again(house: House) -> None:
    write(house, BASEL, DIET, writer=Writer.IMPORT)
    house.model.script("scrub", lambda asked: "2 DROP" if DIET in asked.said_by("user").split("<lines")[1] else "CLEAN")
    raced: list[bool] = []

    def overtake(step: str) -> None:
        if step == "before:profiles.put" and not raced:
            raced.append(True)
            write(house, BASEL, DIET, "Writes Rust.")

    house.world.whenever(overtake)
    house.tend()
    assert raced
    assert house.memory() == body(identity=[BASEL, "Writes Rust."])
    assert house.world.telemetry.total("commit_conflicts_total", writer="scrub") == 1


def test_while_the_budget_is_used_up_news_go_out_and_the_scrub_waits_for_the_next_day(house: House) -> None:
    write(house, BASEL)
    house.world.budgets.spend("acme", house.budget.daily_tokens, house.world.clock.now().date())
    house.tend()
    assert len(house.world.news.published) == 1
    assert house.world.jobs.waiting() == []
    assert pointer(house).policy_version == ""
    assert [entry.kind for entry in due(house, days=1)] == [JobKind.FOLLOW_UP]
    house.model.queue("scrub", "CLEAN")
    house.ring_agenda()
    house.tend()
    assert pointer(house).policy_version == PROMPTS.policy_version
    assert due(house) == []


def bus_down(house: House) -> None:
    def silent(step: str) -> None:
        if step == "before:news.publish":
            raise StoreUnavailable("The bus is down.")

    house.world.whenever(silent)


def test_while_the_bus_is_down_what_may_not_stand_goes_and_its_news_come_later(house: House) -> None:
    house.model.queue("scrub", "2 DROP")
    write(house, BASEL, DIET)
    bus_down(house)
    house.tend()
    assert house.memory() == body(identity=[BASEL])
    assert pointer(house).policy_version == PROMPTS.policy_version
    assert house.world.jobs.waiting() != []
    assert house.world.news.published == []
    house.world.whenever(lambda _: None)
    house.world.clock.advance(60)
    house.tend()  # asks nobody: the model has no other answer in its queue
    assert [(news.writer, news.revision) for news in house.world.news.published] == [
        (Writer.USER, 1),
        (Writer.SCRUB, 2),
    ]
    assert house.world.table.state(LENA).open_changes == ()
    assert house.world.jobs.waiting() == []


def test_while_the_bus_is_down_what_a_phrase_forbids_goes(house: House) -> None:
    house.model.script("scrub", lambda _: "CLEAN")
    write(house, BASEL, DIET)
    rules = Rules(pins=frozenset(), deny_phrases=("insulin",), deny_kinds=frozenset())
    # Of whoever set the rule and died before anything was taken out.
    house.world.table.change_rules(LENA, house.world.table.state(LENA).settings, rules)
    bus_down(house)
    house.tend()
    assert house.memory() == body(identity=[BASEL])


def test_an_entry_stays_on_the_agenda_until_its_news_are_out(house: House) -> None:
    house.model.queue("scrub", "CLEAN")
    write(house, BASEL)
    house.world.jobs.sent.clear()
    due(house, days=1)
    house.ring_agenda()
    bus_down(house)
    house.tend()
    assert [entry.kind for entry in due(house)] == [JobKind.FOLLOW_UP]
    house.world.whenever(lambda _: None)
    house.world.clock.advance(60)
    house.tend()
    assert len(house.world.news.published) == 1
    assert due(house) == []


@pytest.mark.parametrize("fault", [StoreUnavailable("The bucket is down."), LookupError("a fault of ours")])
def test_what_cannot_be_checked_is_told_all_the_same_and_the_job_comes_again(house: House, fault: Exception) -> None:
    write(house, BASEL)

    def fail(step: str) -> None:
        if step == "before:profiles.latest":
            raise fault

    house.world.whenever(fail)
    with pytest.raises(type(fault)):
        house.workers[JobKind.FOLLOW_UP](FOLLOW_UP, 100.0)
    assert [news.revision for news in house.world.news.published] == [1]
    assert pointer(house).policy_version == ""


def test_where_the_message_was_lost_the_agenda_makes_up_for_it(house: House) -> None:
    def silent(step: str) -> None:
        if step == "before:jobs.send":
            raise StoreUnavailable("The queue is down.")

    house.world.whenever(silent)
    write(house, BASEL)
    house.world.whenever(lambda _: None)
    house.tend()
    assert house.world.news.published == []
    assert [entry.kind for entry in due(house, days=1)] == [JobKind.FOLLOW_UP]
    house.model.queue("scrub", "CLEAN")
    house.ring_agenda()
    house.tend()
    assert len(house.world.news.published) == 1
    assert due(house) == []


@pytest.mark.parametrize(
    "settings", [UserSettings(epoch=1), UserSettings(epoch=1, erase_running=True), UserSettings(context_memory=False)]
)
def test_of_a_memory_that_is_gone_or_off_nothing_is_asked(house: House, settings: UserSettings) -> None:
    write(house, BASEL)
    house.world.table.write_settings(LENA, settings)
    house.tend()
    assert house.world.jobs.waiting() == []
    assert pointer(house).turn_count == 1


def test_a_company_that_is_switched_off_pays_for_no_scrub(house: House) -> None:
    write(house, BASEL)
    house.world.switches.companies["acme"] = CompanyFlags(context_memory=False)
    house.tend()
    assert len(house.world.news.published) == 1
    assert pointer(house).policy_version == ""


def test_an_erase_while_the_model_reads_leaves_nothing(house: House) -> None:
    write(house, BASEL, DIET)

    def erase(_: Asked) -> str:
        house.world.table.write_settings(LENA, UserSettings(epoch=1))
        return "2 DROP"

    house.model.script("scrub", erase)
    house.tend()
    assert house.world.table.state(LENA).current is None
    assert house.world.table.revision(LENA, 1, 1) is None
    assert house.world.table.revision(LENA, 0, 2) is None


def test_what_a_job_asks_is_paid_by_its_company(house: House) -> None:
    house.model.queue("scrub", "CLEAN")
    write(house, BASEL)
    house.tend()
    assert house.world.budgets.used("acme", house.world.clock.now().date()) > 0


def many(count: int) -> list[str]:
    return [f"Knows the whole history of harbour number {number} on the upper Rhine." for number in range(count)]


def lower_the_cap(house: House, max_tokens: int = 500) -> None:
    house.world.companies.replace("acme", CompanySettings(max_tokens=max_tokens), version=None)
    house.world.switches.companies["acme"] = replace(house.world.switches.flags("acme"), max_tokens=max_tokens)


def outgrown(house: House) -> None:
    """A profile that was checked, in a company that has lowered its cap since."""
    house.model.queue("scrub", "CLEAN")

    def make(_: Standing) -> Wanted:
        return Wanted(bullets=Bullets(identity=(BASEL,), work=tuple(many(60))))

    assert house.change(LENA, Writer.IMPORT, make).stored
    house.tend()
    lower_the_cap(house)
    assert pointer(house).tokens > 500


CONDENSE = UserJob(kind=JobKind.CONDENSE, user=LENA)


def test_a_profile_over_a_lowered_cap_is_condensed_by_the_model(house: House) -> None:
    outgrown(house)
    house.model.queue("condense", body(identity=[BASEL], work=many(20)))
    house.world.jobs.send(CONDENSE)
    house.tend()
    assert pointer(house).tokens <= 500
    after = revision(house, 2)
    assert (after.writer, after.reason, after.model) == (Writer.CONDENSATION, "over_cap", "large")
    assert after.prompt_version == PROMPTS.version
    assert [usage.purpose for usage in after.usage] == ["condense"]
    assert house.world.telemetry.total("condense_total", trigger="job", result="llm_ok") == 1
    assert pointer(house).policy_version == PROMPTS.policy_version
    house.world.jobs.send(CONDENSE)
    house.tend()
    assert pointer(house).turn_count == 2


def test_what_is_pinned_outlives_a_lowered_cap_whatever_the_model_gives(house: House) -> None:
    outgrown(house)
    last = many(60)[-1]  # the first to go
    pinned = house.pin(LENA, [pin_of(Section.WORK, last)])
    condensing = watched(house, "condense", body(identity=[BASEL], work=many(20)))
    house.world.jobs.send(CONDENSE)
    house.tend()
    assert f"- {last} [pinned]" in condensing[0]
    assert pointer(house).tokens <= 500
    assert last in house.memory()
    assert house.world.table.state(LENA).settings.pins == pinned


def test_where_the_model_gives_nothing_usable_it_is_trimmed_and_says_so(house: House) -> None:
    outgrown(house)
    house.model.queue("condense", "No.", "No.")
    house.world.jobs.send(CONDENSE)
    house.tend()
    assert pointer(house).tokens <= 500
    assert "truncated to fit memory budget" in house.memory()
    assert BASEL in house.memory()
    assert house.world.telemetry.total("condense_total", trigger="job", result="trimmed") == 1


def test_what_was_not_checked_is_checked_before_it_is_condensed(house: House) -> None:
    def make(_: Standing) -> Wanted:
        return Wanted(bullets=Bullets(identity=(BASEL, DIET), work=tuple(many(60))))

    assert house.change(LENA, Writer.IMPORT, make).stored
    lower_the_cap(house)
    house.model.queue("scrub", "2 DROP")
    condensed = watched(house, "condense", body(identity=[BASEL], work=many(20)))
    house.tend()
    assert len(condensed) == 1
    assert DIET not in condensed[0]
    assert DIET not in house.memory()
    assert pointer(house).tokens <= 500


def test_a_load_of_a_profile_over_its_cap_gets_it_condensed_and_asks_once(house: House) -> None:
    outgrown(house)
    house.model.queue("condense", body(identity=[BASEL], work=many(20)))
    for _ in range(3):
        shown = house.load().view
        assert shown is not None
        assert shown.tokens <= 500  # nobody waits for the model to be shown what fits
    assert house.world.doorbells.receive() is not None
    assert house.world.doorbells.receive() is None
    house.look()
    house.tend()
    assert pointer(house).tokens <= 500
    house.load()
    house.work()
    house.tend()
    assert pointer(house).turn_count == 2


def test_a_load_within_the_cap_rings_for_nobody(house: House) -> None:
    house.model.queue("scrub", "CLEAN")
    write(house, BASEL)
    house.tend()
    house.load()
    assert house.world.doorbells.receive() is None


def test_a_ring_that_is_not_heard_costs_a_load_nothing(house: House) -> None:
    outgrown(house)

    def silent(step: str) -> None:
        if step == "before:doorbells.ring":
            raise StoreUnavailable("The queue is down.")

    house.world.whenever(silent)
    assert house.load().view is not None


def test_where_neither_agenda_nor_queue_answers_the_doorbell_is_answered_all_the_same(house: House) -> None:
    outgrown(house)

    def silent(step: str) -> None:
        if step in {"before:agenda.note", "before:jobs.send"}:
            raise StoreUnavailable("Nobody answers.")

    house.world.whenever(silent)
    assert house.look() is None


def test_a_user_who_looks_at_a_profile_over_its_cap_gets_it_condensed(house: House) -> None:
    outgrown(house)
    house.model.queue("condense", body(identity=[BASEL], work=many(20)))
    assert house.show().profile is not None
    house.tend()
    assert pointer(house).tokens <= 500
    house.tend()
    house.show()
    assert house.world.jobs.waiting() == []
