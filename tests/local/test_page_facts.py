"""The view of single facts in a browser: looked through, corrected, removed; and when none of that is to be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import REQUIRED, browser, missing
from tests.support.page_answers import answers, fact, happened, keeps, problem, remembers, settles
from tests.support.page_site import page_site
from tests.support.page_visits import DEVICES, Visit, visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Request

pytestmark = pytest.mark.skipif(bool(missing()) and not REQUIRED, reason=missing())
NOVARTIS, RUST = "Works at Novartis in Basel.", "Writes Rust <b>and</b> some Haskell."


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
    """A visitor whose service keeps two facts."""
    with visit(chromium, site, device=request.param) as visitor:
        remembers(visitor.page, {})
        settles(visitor.page)
        happened(visitor.page)
        keeps(visitor.page, NOVARTIS, RUST)
        yield visitor


def sent(tab: Visit, method: str) -> list[tuple[str, Any]]:
    """What is sent from now on with a method: the end of the address and the body."""
    found: list[tuple[str, Any]] = []

    def keep(request: Request) -> None:
        if request.method == method and "/v1/me/facts" in request.url:
            found.append((request.url.partition("/v1/me/")[2], request.post_data_json))

    tab.page.on("request", keep)
    return found


def shown(tab: Visit) -> list[str]:
    return [one.strip() for one in tab.page.locator(".facts .text").all_inner_texts()]


def one(tab: Visit, text: str) -> Locator:
    return tab.page.locator(".facts > li").filter(has_text=text)


def test_facts_are_listed_with_their_tier_and_date_and_their_text_is_text(tab: Visit) -> None:
    tab.sign_in(place="facts")

    assert (tab.heading(), shown(tab)) == ("Single facts", [NOVARTIS, RUST])
    assert one(tab, NOVARTIS).locator("select").input_value() == "contextual"
    assert "stated on Jun 17, 2026" in one(tab, NOVARTIS).inner_text()
    assert tab.page.locator("main b").count() == 0
    tab.for_everybody("facts")


def test_german_says_the_same(tab: Visit) -> None:
    tab.sign_in(place="facts")
    tab.page.get_by_label("Language").select_option("de")

    assert tab.heading() == "Einzelne Fakten"
    assert "genannt am 17" in one(tab, NOVARTIS).inner_text()
    tab.for_everybody("facts-de")


def test_words_are_looked_for_as_they_are_typed(tab: Visit) -> None:
    tab.sign_in(place="facts")
    tab.page.get_by_label("Look for").fill("haskell RUST")

    assert (shown(tab), tab.page.locator("main [role=status]").inner_text()) == ([RUST], "One fact found.")
    tab.page.get_by_label("Look for").fill("nothing of the kind")
    assert (shown(tab), tab.page.locator("main [role=status]").inner_text()) == ([], "0 facts found.")
    tab.page.get_by_label("Look for").fill("")
    assert shown(tab) == [NOVARTIS, RUST]


def test_all_pages_are_fetched_and_shown_a_part_at_a_time(tab: Visit) -> None:
    first, second = ([fact(f"Fact {n}.", n) for n in numbers] for numbers in (range(70), range(70, 80)))
    answers(tab.page, "GET", "facts?limit=500", {"facts": first, "count": 80, "next": first[-1]["id"]}, etag='"7"')
    more = {"facts": second, "count": 80, "next": None}
    answers(tab.page, "GET", f"facts?limit=500&after={first[-1]['id']}", more, etag='"7"')
    tab.sign_in(place="facts")

    assert (len(shown(tab)), tab.page.locator("main [role=status]").inner_text()[:9]) == (50, "80 facts,")
    tab.page.get_by_role("button", name="Show more").click()
    assert len(shown(tab)) == 80
    assert tab.page.evaluate("document.activeElement.closest('li') !== null")


def test_a_fact_is_corrected_where_it_stands(tab: Visit) -> None:
    tab.sign_in(place="facts")
    changed = sent(tab, "PUT")
    answers(tab.page, "PUT", "facts/*", fact("Works at Lonza.", 0))
    one(tab, NOVARTIS).get_by_role("button", name="Edit").click()
    tab.for_everybody("facts-edit")
    keeps(tab.page, "Works at Lonza.", RUST)
    tab.write("Works at Lonza.")
    one(tab, "Works at Lonza.").wait_for()

    assert changed == [(f"facts/{0:020x}", {"text": "Works at Lonza."})]
    assert "Fact saved." in tab.notice.inner_text()


def test_how_often_a_fact_comes_up_is_chosen_beside_it(tab: Visit) -> None:
    tab.sign_in(place="facts")
    changed = sent(tab, "PUT")
    answers(tab.page, "PUT", "facts/*", fact(RUST, 1, tier="core"))
    with tab.page.expect_response(lambda answer: "facts?limit" in answer.url):
        one(tab, RUST).locator("select").select_option(label="Always")

    assert changed == [(f"facts/{1:020x}", {"tier": "core"})]


def test_a_fact_is_removed_and_that_is_undone(tab: Visit) -> None:
    tab.sign_in(place="facts")
    removed, added = sent(tab, "DELETE"), sent(tab, "POST")
    answers(tab.page, "DELETE", "facts/*", {}, status=204)
    keeps(tab.page, NOVARTIS)
    one(tab, RUST).get_by_role("button", name="Remove").click()
    one(tab, RUST).wait_for(state="detached")
    answers(tab.page, "POST", "facts", fact(RUST, 1), status=201)
    keeps(tab.page, NOVARTIS, RUST)
    tab.notice.get_by_role("button", name="Undo").click()
    one(tab, RUST).wait_for()

    assert removed == [(f"facts/{1:020x}", None)]
    assert added == [("facts", {"text": RUST, "tier": "contextual", "keywords": []})]


def test_where_there_is_none_the_first_one_can_be_written(tab: Visit) -> None:
    keeps(tab.page)
    tab.sign_in(place="facts")

    assert "No single facts are kept yet." in tab.page.locator("main .lead").inner_text()
    assert not tab.page.get_by_label("Look for").is_visible()
    tab.for_everybody("facts-empty")
    added = sent(tab, "POST")
    answers(tab.page, "POST", "facts", fact(NOVARTIS, 0), status=201)
    tab.page.get_by_role("button", name="Add a fact").click()
    keeps(tab.page, NOVARTIS)
    tab.write(NOVARTIS)
    one(tab, NOVARTIS).wait_for()
    assert added == [("facts", {"text": NOVARTIS})]
    assert tab.page.get_by_label("Look for").is_visible()


def test_what_may_not_be_kept_is_told_and_the_words_stay(tab: Visit) -> None:
    tab.sign_in(place="facts")
    answers(tab.page, "POST", "facts", problem("invalid_input", 422, field="text", detail="…"), status=422)
    tab.page.get_by_role("button", name="Add a fact").click()
    tab.write("Pays from CH93 0076 2011 6238 5295 7.")
    tab.page.locator(".editor .trouble").get_by_text("This cannot be kept").wait_for()

    assert tab.page.locator(".editor textarea").input_value().startswith("Pays from")
    tab.for_everybody("facts-refused")


def test_words_for_a_fact_that_is_gone_meanwhile_are_not_lost(tab: Visit) -> None:
    tab.sign_in(place="facts")
    one(tab, NOVARTIS).get_by_role("button", name="Edit").click()
    answers(tab.page, "PUT", "facts/*", problem("unknown_fact", 404), status=404)
    keeps(tab.page, RUST)
    tab.write("Works at Lonza.")
    tab.notice.get_by_text("no longer there").wait_for()

    assert shown(tab) == [RUST]
    assert tab.page.locator(".foot textarea").input_value() == "Works at Lonza."


def test_a_list_that_cannot_be_fetched_can_be_asked_for_again(tab: Visit) -> None:
    trouble = problem("store_unavailable", 503)
    answers(tab.page, "GET", "facts?limit=500", trouble, status=503, times=1, retry_after="5")
    tab.sign_in(place="facts")
    tab.page.get_by_role("alert").wait_for()
    tab.for_everybody("facts-failed")
    tab.page.get_by_role("button", name="Try again").click()
    one(tab, NOVARTIS).wait_for()
