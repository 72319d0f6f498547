"""In a browser: where facts come from, what became of messages, and the ways to take either back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import REQUIRED, browser, missing
from tests.support.page_answers import answers, fact, happened, keeps, memory, problem, remembers, settles, turn
from tests.support.page_site import page_site
from tests.support.page_visits import DEVICES, Visit, visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Request

pytestmark = pytest.mark.skipif(bool(missing()) and not REQUIRED, reason=missing())
TURN = "turn/1 ü"
BASEL, CHESS, TEA, GO = "Lives in Basel.", "Plays chess and go.", "Plays chess.", "Plays <i>go</i>."
LEARNED = fact(BASEL, 1, source={"turn_id": TURN, "chat_id": "c", "provider": None, "space_id": "s"})
MERGED = fact(
    CHESS,
    2,
    tier="archival",
    merged={"at": "2026-06-10T03:00:00+00:00", "until": "2026-07-10T03:00:00+00:00", "texts": [TEA, GO]},
)
STORED = {"status": "done", "outcome": "stored", "added": 1, "confirmed": 2}
CHANGE = {"kind": "removed", "section": "Identity", "before": BASEL, "after": None}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with page_site(tmp_path_factory.mktemp("page")) as url:
        yield url


@pytest.fixture(params=DEVICES)
def tab(chromium: Browser, site: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A visitor of whose messages one taught a fact, and of whose facts one was merged."""
    with visit(chromium, site, device=request.param) as visitor:
        remembers(visitor.page, {})
        settles(visitor.page)
        keeps(visitor.page, LEARNED, MERGED)
        happened(visitor.page, turn("turn-2", outcome="noop"), turn(TURN, outcome="noop", facts=STORED))
        yield visitor


def sent(tab: Visit, path: str) -> list[Any]:
    """The bodies that are posted to an address from now on."""
    found: list[Any] = []

    def keep(request: Request) -> None:
        if request.method == "POST" and request.url.endswith(f"/v1/me/{path}"):
            found.append(request.post_data_json)

    tab.page.on("request", keep)
    return found


def shown(tab: Visit, text: str) -> Locator:
    return tab.page.locator(".facts > li").filter(has=tab.page.locator(".text", has_text=text))


def focused(tab: Visit) -> str:
    """What is read first to somebody who does not see the page."""
    return str(tab.page.evaluate("document.activeElement.innerText"))


def unlearns(tab: Visit, *, removed: int = 1, restored: int = 0, etag: str = '"0-3"') -> None:
    """The service would take this back."""
    counts = {"removed": removed, "restored": restored}
    body = {"operations": [CHANGE] if removed else [], "dropped": [], "cut": [], "revisions": [2], "pinned": []}
    answers(tab.page, "POST", "unlearn?preview=true", {**body, "etag": etag, "facts": counts})


def test_a_merged_fact_shows_what_it_was_made_of_and_is_taken_apart(tab: Visit) -> None:
    tab.sign_in(place="facts")
    asked = sent(tab, f"facts/{MERGED['id']}/expand")
    tab.page.get_by_text("Made of 2 facts").click()

    assert shown(tab, CHESS).locator("details li").all_inner_texts() == [TEA, GO]
    assert "Can be undone until Jul 10, 2026." in shown(tab, CHESS).inner_text()
    tab.for_everybody("facts-merged")
    answers(tab.page, "POST", "facts/*/expand", {"facts": [], "count": 3, "next": None})
    keeps(tab.page, LEARNED, fact(TEA, 3), fact(GO, 4))
    tab.page.get_by_role("button", name=f"Take apart again: {CHESS}").click()
    tab.notice.get_by_text("The 2 facts that it was made of stand again").wait_for()
    shown(tab, TEA).wait_for()
    assert tab.page.locator(".facts .text").all_inner_texts() == [BASEL, TEA, GO]
    assert (len(asked), focused(tab)) == (1, "Single facts")


def test_a_fact_tells_what_it_said_before(tab: Visit) -> None:
    past = [{"text": "Lives in <u>Bern</u>.", "replaced_at": "2026-06-12T03:00:00+00:00"}]
    keeps(tab.page, fact(BASEL, 1, supersedes=past), MERGED)
    tab.sign_in(place="facts")
    shown(tab, BASEL).get_by_text("What it said before").click()

    assert shown(tab, BASEL).locator("details li").all_inner_texts() == ["Lives in <u>Bern</u>. until Jun 12, 2026"]
    assert shown(tab, CHESS).get_by_text("What it said before").count() == 0
    tab.for_everybody("facts-before")


def test_where_there_is_no_room_for_what_a_fact_was_made_of_it_stays_and_that_is_said(tab: Visit) -> None:
    answers(tab.page, "POST", "facts/*/expand", problem("invalid_input", 422, field="fact_id", detail="d"), status=422)
    tab.sign_in(place="facts")
    tab.page.get_by_text("Made of 2 facts").click()
    tab.page.get_by_role("button", name="Take apart again").click()

    tab.notice.get_by_text("There is no room for the single facts.").wait_for()
    assert shown(tab, CHESS).count() == 1


def test_a_merge_that_cannot_be_undone_any_more_offers_nothing(tab: Visit) -> None:
    keeps(tab.page, fact(CHESS, 2, merged={**MERGED["merged"], "texts": []}))
    tab.sign_in(place="facts")

    assert shown(tab, CHESS).locator("details").count() == 0


def test_a_fact_leads_to_the_message_that_it_was_learned_from_and_back(tab: Visit) -> None:
    tab.sign_in(place="facts")
    assert shown(tab, CHESS).get_by_role("link").count() == 0
    shown(tab, BASEL).get_by_role("link", name="From your message of Jun 17, 2026").click()
    tab.page.locator(".turns > li.sought").wait_for()

    assert f"Message {TURN}" in focused(tab)
    assert tab.page.locator("nav [aria-current]").inner_text() == "Activity"
    tab.for_everybody("activity-sought")
    tab.page.locator(".turns").get_by_role("link", name=BASEL).click()
    tab.page.locator(".facts .sought").wait_for()
    assert focused(tab) == BASEL


def test_a_fact_that_stands_far_down_the_list_is_shown_to_whoever_looks_for_it(tab: Visit) -> None:
    others = [fact(f"Fact {number}.", number) for number in range(3, 83)]
    keeps(tab.page, *others, MERGED, LEARNED)
    last = max(others, key=lambda one: (-int(one["last_confirmed_at"][8:10]), one["text"]))
    tab.sign_in(place=f"facts/{last['id']}")
    tab.page.locator(".facts .sought").wait_for()

    assert focused(tab) == last["text"]


@pytest.mark.parametrize("address", ["activity/%E0%A4%A", "activity/unknown", "activity/"])
def test_an_address_that_names_nothing_shows_the_view(tab: Visit, address: str) -> None:
    tab.sign_in(place=address)

    assert tab.heading() == "What happened to your last messages"
    assert tab.page.locator(".sought").count() == 0


def test_the_last_messages_say_what_became_of_their_facts(tab: Visit) -> None:
    queued, dead = ({"status": status, "outcome": None} for status in ("queued", "dead"))
    skipped = {"status": "done", "outcome": "skipped"}
    happened(
        tab.page,
        turn("queued", facts=queued),
        turn("dead", facts=dead),
        turn("skipped", outcome="noop", facts=skipped),
        turn(TURN, outcome="noop", facts=STORED),
    )
    tab.sign_in(place="activity")

    said = tab.page.locator(".turns > li")
    assert "Facts: waiting to be read" in said.nth(0).inner_text()
    assert "Facts: could not be read" in said.nth(1).inner_text()
    assert "Facts" not in said.nth(2).inner_text()
    assert "Facts: 1 noted and 2 stated again" in said.nth(3).inner_text()
    assert [one.get_attribute("class") for one in said.all()] == ["waiting", "bad", "calm", "good"]
    tab.for_everybody("activity-facts")


def test_what_became_of_messages_is_shown_where_facts_cannot_be_fetched(tab: Visit) -> None:
    answers(tab.page, "GET", "facts?*", problem("store_unavailable", 503), status=503)
    tab.sign_in(place="activity")

    assert tab.page.locator(".turns > li").count() == 2
    assert tab.page.locator(".turns .learned").count() == 0


def test_what_was_learned_from_a_message_is_shown_and_then_taken_back(tab: Visit) -> None:
    tab.sign_in(place="activity")
    asked, done = sent(tab, "unlearn?preview=true"), sent(tab, "unlearn")
    unlearns(tab, restored=1)
    assert tab.page.get_by_role("button", name="Take back what was learned").count() == 1
    tab.page.get_by_role("button", name="Take back what was learned").click()

    assert BASEL in tab.question.locator(".operations .removed").inner_text()
    assert "One fact is removed." in tab.question.inner_text()
    assert "One fact that it had replaced stands again." in tab.question.inner_text()
    tab.for_everybody("unlearn")
    changes = {"operations": [CHANGE], "dropped": [], "cut": []}
    answers(tab.page, "POST", "unlearn", memory({}) | {"changes": changes, "facts": {"removed": 1, "restored": 1}})
    keeps(tab.page, MERGED)
    tab.question.get_by_role("button", name="Take back").click()
    tab.notice.get_by_text("was taken back").wait_for()
    tab.page.locator(".turns .learned").wait_for(state="detached")
    assert asked == done == [{"turn_ids": [TURN]}]


def test_taking_back_is_shown_anew_where_the_memory_changed_meanwhile(tab: Visit) -> None:
    tab.sign_in(place="activity")
    unlearns(tab)
    answers(tab.page, "POST", "unlearn", problem("version_conflict", 412), status=412, times=1)
    tab.page.get_by_role("button", name="Take back what was learned").click()
    tab.question.get_by_role("button", name="Take back").click()

    tab.question.get_by_text("Your memory changed meanwhile.").wait_for()
    unlearns(tab, removed=0)
    tab.question.get_by_role("button", name="Cancel").click()
    tab.page.get_by_role("button", name="Take back what was learned").click()
    tab.question.get_by_text("Nothing is left").wait_for()
    assert tab.question.get_by_role("button").all_inner_texts() == ["Close"]


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (0, "Then its text is deleted."),
        (1, "keeps its text for one day at most"),
        (30, "for 30 days at most"),
        (None, ""),
    ],
)
def test_the_page_says_what_becomes_of_the_text_of_messages(tab: Visit, days: int | None, told: str) -> None:
    settles(tab.page, keeps_days=days)
    tab.sign_in(place="activity")
    lead = tab.page.locator("p.lead").inner_text()
    assert lead.startswith("After each answer your message is read once")
    assert told in lead
    assert ("deleted" in lead) == bool(told)
