"""Each job of the settings page once, on a phone and on a desk, through the deployed stacks and the real issuer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import REQUIRED, browser, missing
from tests.support.deployed import Somebody, eventually
from tests.support.page_visits import DEVICES, Visit, visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.support.deployed import Deployed

pytestmark = [
    pytest.mark.deployed,
    pytest.mark.skipif(bool(missing()) and not REQUIRED, reason=missing()),
    pytest.mark.parametrize("device", DEVICES),
]
RUST, HASKELL = "Knows Rust.", "Knows Haskell and a little Prolog."
HOSTILE = "Likes <b onclick=alert(1)>bold</b> and <script>alert(1)</script>."
GO: dict[str, object] = {
    "op": "add", "id": None, "text": "Knows Go.", "tier": "contextual", "keywords": [], "quote": "I know Go"
}  # fmt: skip
IBAN = "Pays from CH93 0076 2011 6238 5295 7."


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def somebody(learning: Deployed) -> Somebody:
    """A user of whom one thing was learned."""
    user = learning.newcomer()
    user.post("turn-1", "I know Rust.")
    assert user.done("turn-1")["outcome"] == "updated"
    return user


@pytest.fixture
def tab(chromium: Browser, somebody: Somebody, device: str) -> Iterator[Visit]:
    with visit(chromium, somebody.deployed.local.outputs.page_url, device=device) as visitor:
        yield visitor


def signed_in(tab: Visit, user: Somebody, place: str = "memory") -> None:
    tab.sign_in(user.key.user_id, place=place)


def test_what_is_remembered_is_shown_and_changed_in_place(tab: Visit, somebody: Somebody) -> None:
    tab.page.goto(tab.url)
    tab.heading()
    tab.for_everybody("welcome")
    signed_in(tab, somebody)
    assert tab.notes() == [RUST]

    tab.act(RUST, "Edit")
    tab.for_everybody("edit")
    tab.write(HASKELL)
    tab.note(HASKELL).wait_for()
    tab.add("How you like answers", HOSTILE)
    tab.note(HOSTILE).wait_for()
    tab.act(HASKELL, "Pin")
    tab.page.locator(".note.pinned").wait_for()
    tab.for_everybody("memory")
    assert (HASKELL in somebody.memory(), RUST in somebody.memory()) == (True, False)
    assert tab.page.locator("main b, main script").count() == 0

    tab.act(HOSTILE, "Remove")
    tab.notice.get_by_text("Note removed.").wait_for()
    tab.page.reload()
    tab.identify(tab.page, somebody.key.user_id)
    tab.note(HASKELL).wait_for()
    assert tab.notes() == [HASKELL]
    assert tab.page.locator(".note.pinned").count() == 1


def test_what_a_chat_learned_meanwhile_is_not_overwritten(tab: Visit, somebody: Somebody) -> None:
    signed_in(tab, somebody)
    tab.act(RUST, "Edit")
    somebody.post("turn-2", "I know Go.")
    assert somebody.done("turn-2")["outcome"] == "updated"
    tab.write(HASKELL)

    assert "Knows Go." in tab.question.locator(".operations .added").inner_text()
    tab.for_everybody("conflict")
    tab.question.get_by_role("button", name="Make my change on top").click()
    tab.note(HASKELL).wait_for()
    assert sorted(tab.notes()) == ["Knows Go.", HASKELL]


def test_the_history_shows_what_changed_and_takes_it_back(tab: Visit, somebody: Somebody) -> None:
    signed_in(tab, somebody)
    tab.act(RUST, "Edit")
    tab.write("Knows Rust very well.")
    tab.note("Knows Rust very well.").wait_for()
    tab.go("History")

    mine, learned = tab.page.locator(".history article").all()
    assert mine.locator("h2").inner_text() == "Changed by you"
    assert learned.locator("h2").inner_text() == "Learned from a chat"
    assert [mark.strip() for mark in mine.locator(".new ins").all_inner_texts()] == ["Rust very well."]
    learned.get_by_text("Details").click()
    tab.for_everybody("history")
    mine.get_by_role("button", name="Undo this change").click()
    assert "Your memory becomes what it was" in tab.question.inner_text()
    tab.for_everybody("restore")
    tab.question.get_by_role("button", name="Go back").click()
    tab.notice.get_by_text("Restored.").wait_for()

    tab.page.locator(".history article").nth(2).wait_for()
    assert tab.page.locator(".history h2").first.inner_text() == "Restored by you"
    assert RUST in somebody.memory()


def test_a_note_tells_where_it_comes_from(tab: Visit, somebody: Somebody) -> None:
    signed_in(tab, somebody)
    tab.act(RUST, "Where does this come from")

    tab.question.locator(".chain li").wait_for()
    told = tab.question.inner_text()
    assert "Learned from a chat" in told
    assert "Message turn-1" in told
    tab.for_everybody("origin")


def test_what_shall_never_be_remembered_is_taken_out_at_once(tab: Visit, somebody: Somebody) -> None:
    signed_in(tab, somebody, "settings")
    tab.page.get_by_label("Health").check()
    tab.notice.get_by_text("Rules saved.").wait_for()
    tab.page.get_by_label("A word or phrase").fill("Rust")
    tab.page.get_by_role("button", name="Add", exact=True).click()

    tab.notice.get_by_text("One note was taken out.").wait_for()
    assert tab.page.locator(".phrases li").all_inner_texts() == ["Rust"]
    assert tab.page.get_by_label("Health").is_checked()
    assert "Rust" not in somebody.memory()
    tab.for_everybody("settings")
    tab.page.get_by_role("button", name="Allow again: Rust").click()
    tab.page.locator(".phrases").wait_for(state="detached")


def test_what_was_taken_along_can_be_brought_back_and_is_shown_first(tab: Visit, somebody: Somebody) -> None:
    signed_in(tab, somebody, "settings")
    with tab.page.expect_download() as everything:
        tab.page.get_by_role("button", name="Save everything").click()
    export = json.loads(Path(everything.value.path()).read_text())
    assert (export["format"], export["user_id"]) == ("context-memory/export", somebody.key.user_id)
    assert RUST in export["memory"]

    brought = f"## Skills & Expertise\n- {HASKELL}\n\n## Identity\n- {IBAN}\n"
    tab.page.get_by_label("Or as text").fill(brought)
    tab.page.get_by_role("button", name="Show what would change").click()
    preview = tab.page.locator(".preview")
    preview.locator(".operations").wait_for()
    assert preview.locator("h3").inner_text() == "1 added"
    assert "Account numbers: 1" in preview.inner_text()
    assert HASKELL not in somebody.memory()
    tab.for_everybody("import")
    preview.get_by_role("button", name="Bring in").click()
    tab.notice.get_by_text("Your notes were brought in.").wait_for()
    assert (RUST in somebody.memory(), HASKELL in somebody.memory()) == (True, True)


def test_facts_are_brought_in_line_by_line_and_stand_in_the_list(tab: Visit, somebody: Somebody) -> None:
    signed_in(tab, somebody, "settings")
    lines = (json.dumps({"text": HASKELL, "tier": "core"}), json.dumps(IBAN))
    tab.page.get_by_label("Or as text").fill("\n".join(lines))
    tab.page.get_by_role("button", name="Show what would change").click()
    preview = tab.page.locator(".preview")
    preview.locator(".refused").get_by_text("a number or a key that is never stored").wait_for()
    assert preview.locator("h3").inner_text() == "Single facts: 1 is added and 1 is not taken"
    preview.get_by_role("button", name="Bring in").click()
    tab.notice.get_by_text("Your facts were brought in.").wait_for()

    tab.page.get_by_role("link", name="See all facts").click()
    brought = tab.page.locator(".facts > li").filter(has_text=HASKELL)
    brought.wait_for()
    assert brought.locator("select").input_value() == "core"
    assert tab.page.locator(".facts > li").filter(has_text="CH93").count() == 0


def test_what_a_message_taught_is_shown_with_its_facts_and_taken_back(tab: Visit, somebody: Somebody) -> None:
    somebody.deployed.model.script("extraction", lambda _: json.dumps({"facts": [GO]}))
    somebody.post("turn-2", "I know Go.")
    assert somebody.done("turn-2")["facts"]["added"] == 1
    signed_in(tab, somebody, "activity")
    message = tab.page.locator(".turns > li").first
    assert "Facts: 1 noted" in message.inner_text()
    message.locator(".learned a").click()
    tab.page.locator(".facts .sought").wait_for()
    tab.page.locator(".facts > li").filter(has_text="Knows Go.").get_by_role("link", name="From your message").click()
    tab.page.locator(".turns > li.sought").wait_for()

    message.get_by_role("button", name="Take back what was learned").click()
    assert "One fact is removed." in tab.question.inner_text()
    tab.for_everybody("take-back")
    tab.question.get_by_role("button", name="Take back", exact=True).click()
    tab.notice.get_by_text("was taken back").wait_for()
    tab.page.locator(".turns .learned").wait_for(state="detached")
    assert ("Knows Go." in somebody.memory(), RUST in somebody.memory()) == (False, True)
    assert somebody.items("FACT#") == []


def test_switching_off_says_that_it_is_for_good_offers_a_copy_and_leaves_a_receipt(
    tab: Visit, somebody: Somebody
) -> None:
    signed_in(tab, somebody, "settings")
    tab.page.get_by_role("switch", name="Memory").click()
    assert "for good: nobody can bring it back" in tab.question.inner_text()
    tab.for_everybody("switch-off")
    with tab.page.expect_download():
        tab.question.get_by_role("button", name="Save a copy first").click()
    tab.page.keyboard.press("Escape")
    assert RUST in somebody.memory()

    tab.page.get_by_role("switch", name="Memory").click()
    tab.question.get_by_role("button", name="Switch off and erase").click()
    tab.notice.get_by_text("Memory is off.").wait_for()
    tab.page.locator(".receipt").wait_for()
    tab.for_everybody("off")
    assert somebody.load().json()["reason"] == "user_off"
    eventually(somebody.versions, lambda versions: versions == [])
    with tab.page.expect_download() as saved:
        tab.page.get_by_role("button", name="Save the receipt").click()
    assert json.loads(Path(saved.value.path()).read_text())["format"] == "context-memory/receipt"
    tab.go("Memory")
    assert tab.page.locator(".banner").inner_text() == "You have switched memory off. Nothing is remembered."


def test_starting_afresh_erases_and_leaves_memory_on(tab: Visit, somebody: Somebody) -> None:
    signed_in(tab, somebody, "settings")
    tab.page.get_by_role("button", name=re.compile("Erase my memory")).click()
    assert "Memory stays on and begins empty." in tab.question.inner_text()
    tab.for_everybody("erase")
    tab.question.get_by_role("button", name="Erase", exact=True).click()
    tab.notice.get_by_text("Your memory is being erased.").wait_for()
    tab.page.locator(".receipt").wait_for()

    assert tab.page.get_by_role("switch", name="Memory").get_attribute("aria-checked") == "true"
    assert RUST not in somebody.memory()


def test_the_last_turns_say_what_became_of_them(tab: Visit, somebody: Somebody) -> None:
    somebody.post("turn-2", "Thank you!")
    assert somebody.done("turn-2")["outcome"] == "noop"
    signed_in(tab, somebody, "activity")

    assert tab.page.locator(".turns strong").all_inner_texts() == [
        "Nothing new to remember",
        "Something was remembered",
    ]
    assert "Message turn-2" in tab.page.locator(".turns li").first.inner_text()
    tab.for_everybody("activity")
