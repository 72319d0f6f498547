"""In a browser: notes and single facts brought in, as text and by file; nothing is stored that was not shown before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import REQUIRED, browser, missing
from tests.support.page_answers import answers, problem, remembers, settles
from tests.support.page_site import page_site
from tests.support.page_visits import DEVICES, Visit, visit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Request

pytestmark = pytest.mark.skipif(bool(missing()) and not REQUIRED, reason=missing())
IBAN = "Pays from CH93 0076 2011 6238 5295 7."
LINES = '{"text": "Plays <b>chess</b>.", "tier": "core"}\n"Lives in Basel."\n' + json.dumps({"text": IBAN})
REPORT: dict[str, Any] = {
    "stored": 1,
    "merged": 1,
    "refused": 1,
    "lines": [
        {"line": 1, "result": "stored"},
        {"line": 2, "result": "merged"},
        {"line": 3, "result": "refused", "reason": "secret"},
    ],
}


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
    with visit(chromium, site, device=request.param) as visitor:
        remembers(visitor.page, {})
        settles(visitor.page)
        visitor.sign_in(place="settings")
        yield visitor


def sent(tab: Visit, path: str) -> list[Any]:
    """The bodies that are posted to an address from now on."""
    found: list[Any] = []

    def keep(request: Request) -> None:
        if request.method == "POST" and request.url.endswith(f"/v1/me/{path}"):
            found.append(request.post_data_json)

    tab.page.on("request", keep)
    return found


def look(tab: Visit) -> None:
    tab.page.get_by_role("button", name="Show what would change").click()


def test_lines_of_facts_are_told_one_by_one_before_and_after_they_are_brought_in(tab: Visit) -> None:
    asked, brought = sent(tab, "facts/import?preview=true"), sent(tab, "facts/import")
    answers(tab.page, "POST", "facts/import?preview=true", REPORT)
    tab.page.get_by_label("Or as text").fill(LINES)
    assert tab.page.get_by_label("single facts").is_checked()
    assert not tab.page.get_by_label("stays; new notes are added").is_visible()
    look(tab)

    preview = tab.page.locator(".preview")
    preview.locator("h3").wait_for()
    told = "Single facts: 1 is added, 1 is known already, and 1 is not taken"
    assert preview.locator("h3").inner_text() == told
    assert tab.page.evaluate("document.activeElement.tagName") == "H3"
    refused = preview.locator(".refused").inner_text()
    assert ("Line 3" in refused, IBAN in refused, "a number or a key" in refused) == (True, True, True)
    preview.get_by_text("The 2 lines that are taken").click()
    assert preview.locator(".stored p").all_inner_texts() == ["Plays <b>chess</b>."]
    tab.for_everybody("import-facts")

    answers(tab.page, "POST", "facts/import", REPORT)
    preview.get_by_role("button", name="Bring in").click()
    tab.notice.get_by_text("Your facts were brought in.").wait_for()
    assert asked == brought == [{"jsonl": LINES}]
    assert preview.locator("h3").inner_text() == told
    assert preview.get_by_role("button", name="Bring in").count() == 0
    assert preview.get_by_role("link", name="See all facts").get_attribute("href") == "#/facts"


def test_bullets_from_a_file_are_facts_where_somebody_says_so(tab: Visit, tmp_path: Path) -> None:
    asked, brought = sent(tab, "facts/import?preview=true"), tmp_path / "list.md"
    brought.write_text("- Plays chess.\n")
    answers(tab.page, "POST", "facts/import?preview=true", {"stored": 1, "merged": 0, "refused": 0, "lines": []})
    tab.page.get_by_label("From a file").set_input_files(brought)
    assert tab.page.get_by_label("notes for your memory").is_checked()
    tab.page.get_by_label("single facts").check()
    look(tab)

    tab.page.locator(".preview h3").wait_for()
    assert asked == [{"markdown": "- Plays chess.\n"}]


def test_what_somebody_said_it_is_stays_whatever_they_type(tab: Visit) -> None:
    tab.page.get_by_label("single facts").check()
    tab.page.get_by_label("Or as text").fill("- Plays chess.")

    assert tab.page.get_by_label("single facts").is_checked()


def test_what_was_shown_of_another_text_cannot_be_brought_in(tab: Visit) -> None:
    answers(tab.page, "POST", "facts/import?preview=true", REPORT)
    tab.page.get_by_label("Or as text").fill(LINES)
    look(tab)
    tab.page.get_by_role("button", name="Bring in").wait_for()
    tab.page.get_by_label("Or as text").fill("- Plays go.")

    assert tab.page.locator(".preview").inner_text() == ""


def test_where_every_line_is_refused_there_is_nothing_to_bring_in(tab: Visit) -> None:
    refused = {"stored": 0, "merged": 0, "refused": 1, "lines": [{"line": 1, "result": "refused", "reason": "cap"}]}
    answers(tab.page, "POST", "facts/import?preview=true", refused)
    tab.page.get_by_label("Or as text").fill('"Plays chess."')
    look(tab)

    tab.page.locator(".preview").get_by_text("There is no room for more facts.").wait_for()
    assert tab.page.get_by_role("button", name="Bring in").count() == 0


def test_a_file_that_is_too_long_is_refused_in_words(tab: Visit) -> None:
    answers(tab.page, "POST", "facts/import?*", problem("invalid_input", 422, field="jsonl", detail="d"), status=422)
    tab.page.get_by_label("Or as text").fill(LINES)
    look(tab)

    tab.page.locator(".preview .trouble").get_by_text("That cannot be saved as it is.").wait_for()


def test_the_facts_of_an_export_are_told_line_by_line_beside_its_notes(tab: Visit) -> None:
    shown = {"operations": [], "dropped": [], "cut": [], "removed": [], "tokens": 9, "cap": 2000, "etag": '"0-3"'}
    answers(tab.page, "POST", "import?*", {**shown, "facts": REPORT})
    facts = [{"text": "Plays chess."}, {"text": "Lives in Basel."}, {"text": IBAN}]
    export = {"format": "context-memory/export", "memory": "", "facts": facts}
    tab.page.get_by_label("Or as text").fill(json.dumps(export))
    look(tab)

    refused = tab.page.locator(".preview .refused")
    refused.wait_for()
    assert IBAN in refused.inner_text()
    assert tab.page.get_by_role("button", name="Bring in").count() == 1
