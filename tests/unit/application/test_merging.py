"""Past facts move with a link, once, and come back when that is asked for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import MergeGone, MergeRuns, UnknownJob
from context_memory.domain.facts.fact import Past, Tier, fact_id
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.links import LinkWish, Provider
from context_memory.domain.merging import UNDONE_WITHIN, MergeStatus
from context_memory.domain.state import UserSettings
from tests.support.forgetting import forgetting_in
from tests.support.links import asking_of, links_of
from tests.support.merged import NEW, OLD, PHONE, Died, Merged, dies_at

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.ids import UserKey

DESK = Provider.read("slack:u1")
MOST_STEPS = 400


def usual() -> Merged:
    """Three facts of whom the provider leaves, one of which the other has, too."""
    merged = Merged()
    merged.know(OLD, "Likes tea.", "Has a cat.", "Lives in Basel.")
    merged.know(NEW, "lives in Basel", "Plays chess.", provider=None)
    return merged


def test_without_being_asked_nothing_moves() -> None:
    merged = usual()
    links_of(merged.world).link("acme", PHONE, LinkWish(user_id=NEW.user_id))
    assert merged.world.jobs.receive() is None
    assert set(merged.facts(OLD)) == {"Likes tea.", "Has a cat.", "Lives in Basel."}


def test_facts_move_to_the_user_whose_the_provider_is_and_keep_where_they_come_from() -> None:
    merged = usual()
    before = merged.facts(OLD)
    merged.ask()
    assert merged.work() is MergeStatus.MERGED
    assert merged.facts(OLD) == {}
    assert set(merged.facts(NEW)) == {"Likes tea.", "Has a cat.", "lives in Basel", "Plays chess."}
    tea = merged.facts(NEW)["Likes tea."]
    assert tea == replace(before["Likes tea."], id=fact_id(UserScope(NEW), "Likes tea."))
    assert merged.merge.moved == 3


def test_by_default_only_what_was_learned_through_the_provider_moves() -> None:
    merged = usual()
    merged.know(OLD, "Rides a bike.", provider=DESK)
    merged.know(OLD, "Wrote this himself.", provider=None)
    merged.ask()
    merged.work()
    assert set(merged.facts(OLD)) == {"Rides a bike.", "Wrote this himself."}


def test_all_facts_of_a_user_move_where_that_is_said() -> None:
    merged = usual()
    merged.know(OLD, "Rides a bike.", provider=DESK)
    merged.ask(merge_from=OLD.user_id)
    merged.work()
    assert merged.facts(OLD) == {}
    assert "Rides a bike." in merged.facts(NEW)


def test_what_both_know_is_confirmed_and_stays_the_one_that_stood() -> None:
    merged = usual()
    stood = merged.facts(NEW)["lives in Basel"]
    merged.world.clock.advance(60)
    merged.know(OLD, "Lives in Basel.")
    later = merged.world.clock.now()
    merged.ask()
    merged.work()
    assert merged.facts(NEW)["lives in Basel"] == replace(stood, last_confirmed_at=later)


def test_more_facts_than_a_transaction_holds_all_move() -> None:
    merged = Merged()
    merged.know(OLD, *(f"Fact {number}." for number in range(80)))
    merged.know(OLD, *(f"Thing {number}." for number in range(80)))
    merged.ask()
    assert merged.work() is MergeStatus.MERGED
    assert (len(merged.facts(OLD)), len(merged.facts(NEW)), merged.merge.moved) == (0, 160, 160)


def test_what_finds_no_room_stays_where_it_is_and_displaces_nothing() -> None:
    merged = Merged(cap=4)
    merged.know(OLD, "Core one.", tier=Tier.CORE)
    merged.know(OLD, "Archival one.", tier=Tier.ARCHIVAL)
    merged.know(OLD, "Usual one.", "Plays chess.")
    merged.know(NEW, "Plays chess.", "Second.", provider=None)
    merged.ask()
    assert merged.work() is MergeStatus.MERGED
    assert set(merged.facts(NEW)) == {"Plays chess.", "Second.", "Core one.", "Usual one."}
    assert set(merged.facts(OLD)) == {"Archival one."}
    assert (merged.merge.moved, merged.merge.left_behind, merged.left_over()) == (3, 1, 3)


def test_what_finds_its_room_taken_on_the_way_goes_back() -> None:
    merged = Merged(cap=1)
    merged.know(OLD, "Likes tea.")
    merged.ask()
    taken = False

    def take_the_room(step: str) -> None:
        nonlocal taken
        if step == "after:table.move" and not taken:
            taken = True
            merged.know(NEW, "Was faster.", provider=None)

    merged.world.whenever(take_the_room)
    assert merged.work() is MergeStatus.MERGED
    assert (set(merged.facts(OLD)), set(merged.facts(NEW))) == ({"Likes tea."}, {"Was faster."})
    assert merged.left_over() == 0


def test_undone_each_has_what_they_had_before() -> None:
    merged = usual()
    before = merged.facts(OLD), merged.facts(NEW)
    merged.ask()
    merged.work()
    merged.undo()
    assert merged.work() is MergeStatus.UNDONE
    assert (merged.facts(OLD), merged.facts(NEW)) == before
    assert (merged.merge.returned, merged.left_over()) == (3, 0)


def test_what_the_target_has_changed_stays_changed_there_and_returns_as_it_was() -> None:
    merged = usual()
    before = merged.facts(OLD)["Likes tea."]
    merged.ask()
    merged.work()
    tea, now = merged.facts(NEW)["Likes tea."], merged.world.clock.now()
    coffee = replace(
        tea,
        id=fact_id(UserScope(NEW), "Likes coffee."),
        text="Likes coffee.",
        supersedes=(Past(tea.id, tea.text, now),),
    )
    merged.put(NEW, [coffee, replace(merged.facts(NEW)["Has a cat."], tier=Tier.CORE)], [tea.id])
    merged.undo()
    merged.work()
    assert merged.facts(OLD)["Likes tea."] == before
    assert set(merged.facts(OLD)) == {"Likes tea.", "Has a cat.", "Lives in Basel."}
    assert merged.facts(NEW)["Likes coffee."] == coffee
    assert merged.facts(NEW)["Has a cat."].tier is Tier.CORE
    assert "Likes tea." not in merged.facts(NEW)


def test_being_cited_is_no_change() -> None:
    merged = usual()
    merged.ask()
    merged.work()
    merged.world.facts.cite(NEW, [merged.facts(NEW)["Likes tea."].id])
    merged.undo()
    merged.work()
    assert "Likes tea." not in merged.facts(NEW)


def test_what_the_target_has_deleted_stays_gone() -> None:
    merged = usual()
    merged.ask()
    merged.work()
    merged.drop(NEW, "Likes tea.")
    merged.undo()
    merged.work()
    assert set(merged.facts(OLD)) == {"Has a cat.", "Lives in Basel."}
    assert (merged.merge.returned, merged.left_over()) == (2, 0)


@pytest.mark.parametrize("since", [True, False])
def test_what_the_source_has_asked_to_forget_since_does_not_come_back_to_it(*, since: bool) -> None:
    merged = usual()
    said_at = merged.world.clock.now() + timedelta(seconds=60 if since else -60)
    merged.ask()
    merged.work()
    forgets(merged, OLD, "Likes tea.", said_at)
    merged.undo()
    merged.work()
    assert ("Likes tea." in merged.facts(OLD)) is not since
    assert "Likes tea." not in merged.facts(NEW)
    assert {"Has a cat.", "Lives in Basel."} <= set(merged.facts(OLD))


def forgets(merged: Merged, user: UserKey, text: str, said_at: datetime) -> None:
    world = merged.world
    forgetting = forgetting_in(world)
    forgetting.remember(user, 0, [text], said_at)


def denies(merged: Merged, user: UserKey, phrase: str) -> None:
    settings = merged.world.table.state(user).settings
    changed = replace(settings, deny_phrases=(phrase,), rules=settings.rules + 1)
    merged.world.table.write_settings(user, changed)


@pytest.mark.parametrize("since", [True, False])
def test_what_the_target_has_asked_to_forget_since_it_was_stated_is_not_brought_to_it(*, since: bool) -> None:
    merged = usual()
    forgets(merged, NEW, "likes tea", merged.world.clock.now() + timedelta(seconds=60 if since else -60))
    merged.ask()
    assert merged.work() is MergeStatus.MERGED
    assert ("Likes tea." in merged.facts(NEW)) is not since
    assert ("Likes tea." in merged.facts(OLD)) is since
    assert (merged.merge.left_behind, merged.merge.moved) == ((1, 2) if since else (0, 3))


@pytest.mark.parametrize("how", ["text", "keyword"])
def test_what_the_targets_phrases_forbid_is_not_brought_to_it(how: str) -> None:
    merged = usual()
    merged.know(OLD, "Drinks Assam." if how == "text" else "Drinks a lot.", keywords=("Assam",))
    denies(merged, NEW, "assam")
    merged.ask()
    merged.work()
    assert set(merged.facts(NEW)) == {"Likes tea.", "Has a cat.", "lives in Basel", "Plays chess."}
    assert len(merged.facts(OLD)) == 1


def test_a_rule_that_is_set_while_facts_are_on_their_way_counts() -> None:
    merged = usual()
    merged.ask()

    def deny(step: str) -> None:
        if step == "before:table.move" and merged.world.moves.moved(OLD, merged.merge_id, 0):
            merged.world.steps.hook = lambda _: None
            denies(merged, NEW, "tea")

    merged.world.whenever(deny)
    assert merged.work() is MergeStatus.MERGED
    assert merged.world.table.state(NEW).settings.deny_phrases == ("tea",)
    assert "Likes tea." not in merged.facts(NEW)
    assert set(merged.facts(OLD)) == {"Likes tea."}
    assert merged.left_over() == 2


def test_history_comes_under_the_targets_own_ids_and_without_what_the_target_wants_no_more() -> None:
    merged = Merged()
    now = merged.world.clock.now()
    past = [Past(fact_id(UserScope(OLD), text), text, now) for text in ("Likes tea.", "Likes milk.", "Likes rum.")]
    merged.know(OLD, "Likes coffee.", supersedes=tuple(past))
    forgets(merged, NEW, "Likes milk.", now + timedelta(seconds=1))
    denies(merged, NEW, "rum")
    merged.ask()
    merged.work()
    (tea,) = merged.facts(NEW)["Likes coffee."].supersedes
    assert (tea.text, tea.id) == ("Likes tea.", fact_id(UserScope(NEW), "Likes tea."))
    merged.undo()
    merged.work()
    assert merged.facts(OLD)["Likes coffee."].supersedes == tuple(past)


def test_what_the_source_has_forbidden_since_does_not_come_back_to_it() -> None:
    merged = usual()
    merged.ask()
    merged.work()
    denies(merged, OLD, "tea")
    merged.undo()
    assert merged.work() is MergeStatus.UNDONE
    assert (set(merged.facts(OLD)), merged.left_over()) == ({"Has a cat.", "Lives in Basel."}, 0)


def test_what_the_source_has_stated_anew_meanwhile_stays_as_it_is() -> None:
    merged = usual()
    merged.ask()
    merged.work()
    merged.world.clock.advance(60)
    merged.know(OLD, "likes tea", provider=DESK)
    anew = merged.facts(OLD)["likes tea"]
    merged.undo()
    merged.work()
    assert merged.facts(OLD)["likes tea"] == anew
    assert set(merged.facts(OLD)) == {"likes tea", "Has a cat.", "Lives in Basel."}


@pytest.mark.parametrize("way_back", [False, True])
def test_wherever_the_process_dies_nothing_is_lost_and_nothing_is_there_twice(*, way_back: bool) -> None:
    texts = [f"Fact {number}." for number in range(5)]

    def prepared() -> Merged:
        merged = Merged(at_once=2)
        merged.know(OLD, *texts)
        merged.know(NEW, "fact 3", "Plays chess.", provider=None)
        merged.ask()
        if way_back:
            merged.work()
            merged.undo()
        return merged

    there = prepared()
    there.work()
    wanted = there.facts(OLD), there.facts(NEW)
    deaths = 0
    for number in range(1, MOST_STEPS):
        merged = prepared()
        merged.world.whenever(dies_at(number))
        try:
            merged.work()
        except Died:
            deaths += 1
            merged.world.whenever(lambda _: None)
            met = set(merged.facts(OLD)) | set(merged.facts(NEW))
            kept = {one.text for one in merged.world.moves.moved(OLD, merged.merge_id, 0)}
            assert met | kept >= set(texts) - {"Fact 3."}
            merged.work()
            assert (merged.facts(OLD), merged.facts(NEW)) == wanted
        else:
            break
    assert deaths > 20


@pytest.mark.parametrize("way_back", [False, True])
def test_two_who_work_on_one_merge_do_it_once(*, way_back: bool) -> None:
    for _ in range(5):
        merged, alone = usual(), usual()
        for one in (merged, alone):
            one.ask()
        if way_back:
            for one in (merged, alone):
                one.work()
                one.undo()
        alone.work()
        with ThreadPoolExecutor(2) as pool:
            done = [pool.submit(merged.work) for _ in range(2)]
        assert {future.result() for future in done} == {alone.merge.status}
        assert merged.facts(OLD) == alone.facts(OLD)
        assert merged.facts(NEW) == alone.facts(NEW)


def test_a_writer_who_comes_in_between_loses_nothing() -> None:
    merged = usual()
    merged.ask()
    written = 0

    def write(step: str) -> None:
        nonlocal written
        if step == "before:table.move" and written < 4:
            written += 1
            merged.know(NEW, f"New {written}.", provider=None)
            merged.know(OLD, f"Old {written}.", provider=DESK)

    merged.world.whenever(write)
    assert merged.work() is MergeStatus.MERGED
    assert {f"New {number}." for number in range(1, 5)} < set(merged.facts(NEW))
    assert set(merged.facts(OLD)) == {f"Old {number}." for number in range(1, 5)}
    assert {"Likes tea.", "Has a cat."} < set(merged.facts(NEW))


@pytest.mark.parametrize("user", [OLD, NEW])
def test_who_is_erased_after_it_was_asked_for_gets_and_gives_nothing(user: object) -> None:
    merged = usual()
    merged.ask()
    erased = OLD if user == OLD else NEW
    merged.erase(erased)
    other = NEW if erased == OLD else OLD
    before = merged.facts(other)
    assert merged.work() is MergeStatus.DROPPED
    assert (merged.facts(erased), merged.facts(other)) == ({}, before)


@pytest.mark.parametrize("erased", [OLD, NEW])
def test_an_erase_at_any_moment_of_a_merge_brings_nothing_back_and_takes_nothing_of_the_others(erased: object) -> None:
    who = OLD if erased == OLD else NEW
    outcomes = set()
    for number in range(1, MOST_STEPS):
        merged = usual()
        before_old, before_new = set(merged.facts(OLD)), set(merged.facts(NEW))
        merged.ask()
        met = 0

        def erase(_: str, merged: Merged = merged, number: int = number) -> None:
            nonlocal met
            met += 1
            if met == number:
                merged.world.steps.hook = lambda _: None
                merged.erase(who)

        merged.world.whenever(erase)
        outcomes.add(status := merged.work())
        if met < number:
            break
        assert merged.facts(who) == {}
        if who == OLD and status is MergeStatus.DROPPED:
            assert set(merged.facts(NEW)) == before_new
        if who == NEW and status is MergeStatus.DROPPED:
            assert set(merged.facts(OLD)) == before_old
        if who == NEW and status is MergeStatus.MERGED:
            assert merged.facts(OLD) == {}
    assert outcomes == {MergeStatus.DROPPED, MergeStatus.MERGED}


@pytest.mark.parametrize("erased", [OLD, NEW])
def test_what_was_erased_since_does_not_come_back_by_undoing(erased: object) -> None:
    merged = usual()
    merged.ask()
    merged.work()
    who, other = (OLD, NEW) if erased == OLD else (NEW, OLD)
    merged.erase(who)
    before = merged.facts(other)
    merged.undo()
    assert merged.work() is MergeStatus.KEPT
    assert (merged.facts(who), merged.facts(other)) == ({}, before)


@pytest.mark.parametrize("erased", [OLD, NEW])
def test_an_erase_at_any_moment_of_the_way_back_leaves_the_erased_with_nothing(erased: object) -> None:
    who = OLD if erased == OLD else NEW
    for number in range(1, MOST_STEPS):
        merged = usual()
        merged.ask()
        merged.work()
        merged.undo()
        met = 0

        def erase(_: str, merged: Merged = merged, number: int = number) -> None:
            nonlocal met
            met += 1
            if met == number:
                merged.world.steps.hook = lambda _: None
                merged.erase(who)

        merged.world.whenever(erase)
        status = merged.work()
        if met < number:
            break
        assert status in {MergeStatus.UNDONE, MergeStatus.KEPT}
        assert merged.facts(who) == {}
        if who == OLD and status is MergeStatus.UNDONE:
            assert set(merged.facts(NEW)) == {"lives in Basel", "Plays chess."}
    assert number > 5


def test_a_user_who_has_memory_off_is_not_written_to() -> None:
    merged = usual()
    merged.world.table.write_settings(NEW, UserSettings(context_memory=False))
    merged.ask()
    assert merged.work() is MergeStatus.DROPPED
    assert set(merged.facts(OLD)) == {"Likes tea.", "Has a cat.", "Lives in Basel."}


def test_work_that_takes_too_long_goes_on_with_the_next_message() -> None:
    merged = usual()
    merged.ask()
    delivery = merged.world.jobs.receive()
    assert delivery is not None

    def slow(step: str) -> None:
        if step == "after:table.move":
            merged.world.clock.advance(2000)

    merged.world.whenever(slow)
    assert merged.work() is MergeStatus.MOVING
    again = merged.world.jobs.receive()
    assert again is not None
    assert again.job == delivery.job
    assert merged.work() is MergeStatus.MERGED


def test_a_merge_under_way_cannot_be_undone() -> None:
    merged = usual()
    merged.ask()
    with pytest.raises(MergeRuns):
        merged.undo()


def test_a_merge_cannot_be_undone_after_thirty_days() -> None:
    merged = usual()
    merged.ask()
    merged.work()
    merged.world.clock.advance(UNDONE_WITHIN / timedelta(seconds=1) - 1)
    asking = asking_of(merged.world)
    merged.world.clock.advance(1)
    with pytest.raises(MergeGone):
        asking.undo("acme", PHONE, merged.merge_id)


def test_a_merge_of_another_link_or_of_none_is_unknown() -> None:
    merged = usual()
    merged.ask()
    for provider, merge_id in ((DESK, merged.merge_id), (PHONE, "another")):
        with pytest.raises(UnknownJob):
            asking_of(merged.world).undo("acme", provider, merge_id)


def test_undoing_is_asked_for_twice_and_done_once() -> None:
    merged = usual()
    merged.ask()
    merged.work()
    merged.undo()
    merged.undo()
    merged.work()
    merged.undo()
    assert merged.work() is MergeStatus.UNDONE
    assert set(merged.facts(OLD)) == {"Likes tea.", "Has a cat.", "Lives in Basel."}


def test_no_line_says_who_or_what_is_merged() -> None:
    merged = usual()
    merged.ask()
    merged.work()
    merged.undo()
    merged.work()
    written = repr(merged.world.telemetry.lines)
    assert "moved a merge on" in written
    assert not any(word in written for word in ("mia", "lena", "123", "tea", merged.merge_id))
