"""The settings page in a browser when things are not as usual: signed out, too late, offline, off, refused, hostile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error as PlaywrightError

from tests.support.browser import REQUIRED, browser, missing
from tests.support.page_answers import WRITTEN, answers, fact, keeps, memory, problem, remembers, settles
from tests.support.page_site import page_site
from tests.support.page_visits import MAGNIFIED, Visit, visit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Dialog, Request

pytestmark = pytest.mark.skipif(bool(missing()) and not REQUIRED, reason=missing())
BASEL, BERN = "Lives in Basel.", "Lives in Bern."
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>alert(1)</script>[x](javascript:alert(2))"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with page_site(tmp_path_factory.mktemp("page")) as url:
        yield url


@pytest.fixture
def tab(chromium: Browser, site: str) -> Iterator[Visit]:
    """A visitor whose service remembers one thing."""
    with visit(chromium, site, device="phone") as visitor:
        remembers(visitor.page, {"Identity": [BASEL]})
        settles(visitor.page)
        yield visitor


def saves(tab: Visit, *texts: str, count: int = 4) -> list[dict[str, Any]]:
    """The service takes the next edit, and remembers these; gives what it was sent, once it was."""
    sent: list[dict[str, Any]] = []

    def keep(request: Request) -> None:
        if request.method == "PUT":
            sent.append(dict(request.post_data_json or {}))

    tab.page.on("request", keep)
    body = memory({"Identity": texts}, count=count) | {"changes": {"operations": [], "dropped": [], "cut": []}}
    answers(tab.page, "PUT", "memory", body, etag=f'"0-{count}-aa"')
    return sent


def test_who_is_not_signed_in_sees_nothing_and_no_request_is_made(tab: Visit) -> None:
    tab.page.goto(tab.url)

    assert "See what is remembered" in tab.heading()
    assert [address for address in tab.asked if "/v1/" in address] == []


def test_the_token_is_nowhere_but_in_the_pages_own_memory(tab: Visit) -> None:
    tab.sign_in()

    kept = tab.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert "eyJ" not in kept
    assert "verifier" not in kept
    assert "code=" not in tab.page.url


def test_the_page_asks_nobody_but_its_own_server_the_api_and_the_issuer(tab: Visit) -> None:
    tab.sign_in()
    tab.go("Settings")

    assert len({urlsplit(address).netloc for address in tab.asked}) == 3
    assert {urlsplit(address).hostname for address in tab.asked} == {"localhost"}


def test_an_answer_to_a_question_of_others_signs_nobody_in(tab: Visit) -> None:
    tab.page.goto(tab.url)
    tab.page.locator(".welcome .primary").click()
    tab.page.get_by_label("User").wait_for()
    tab.page.goto(f"{tab.url}?code=stolen&state=forged")

    assert tab.page.get_by_role("alert").inner_text() == "Signing in did not work. Please try again."
    assert [address for address in tab.asked if address.endswith("/token")] == []


def test_a_session_that_ends_while_somebody_writes_loses_nothing(tab: Visit) -> None:
    tab.sign_in()
    sent = saves(tab, BERN)
    answers(tab.page, "PUT", "memory", {"message": "Unauthorized"}, status=401, times=1)
    tab.act(BASEL, "Edit")
    tab.write(BERN)

    assert "Please sign in again" in tab.question.inner_text()
    with tab.page.context.expect_page() as opened:
        tab.question.get_by_role("button", name="Sign in").click()
    tab.identify(opened.value, "lena")
    tab.question.wait_for(state="detached")
    tab.note(BERN).wait_for()

    assert tab.notes() == [BERN]
    assert len(sent) == 2
    assert sent[0] == sent[1]


def test_who_does_not_sign_in_again_keeps_what_they_typed(tab: Visit) -> None:
    tab.sign_in()
    answers(tab.page, "PUT", "memory", {"message": "Unauthorized"}, status=401)
    tab.act(BASEL, "Edit")
    tab.write(BERN)
    tab.question.get_by_role("button", name="Not now").click()

    tab.page.locator(".editor .trouble").get_by_text("You are signed out. Sign in to go on.").wait_for()
    assert tab.page.locator(".editor textarea").input_value() == BERN


def test_what_one_person_wrote_is_never_saved_as_another_who_signs_in_again(tab: Visit) -> None:
    """On a machine that several people use: their versions may well have the same number."""
    tab.sign_in("lena")
    sent = saves(tab, BERN)
    answers(tab.page, "PUT", "memory", {"message": "Unauthorized"}, status=401, times=1)
    tab.act(BASEL, "Edit")
    tab.write(BERN)
    with tab.page.context.expect_page() as opened:
        tab.question.get_by_role("button", name="Sign in").click()
    tab.identify(opened.value, "max")

    tab.notice.get_by_text("Somebody else has signed in.").wait_for()
    assert len(sent) == 1
    tab.question.get_by_role("button", name="Not now").click()
    assert tab.page.locator(".editor textarea").input_value() == BERN
    assert len(sent) == 1


def changed_meanwhile(tab: Visit, *texts: str) -> None:
    """Somebody was faster: the next edit is refused, and this is what counts now."""
    answers(tab.page, "PUT", "memory", problem("version_conflict", 412), status=412, times=1, etag='"0-4-aa"')
    remembers(tab.page, {"Identity": texts}, count=4)


def test_where_somebody_was_faster_the_person_sees_what_changed_and_puts_theirs_on_top(tab: Visit) -> None:
    tab.sign_in()
    sent = saves(tab, BERN, "Works at a bank.", count=5)
    changed_meanwhile(tab, BASEL, "Works at a bank.")
    tab.act(BASEL, "Edit")
    tab.write(BERN)

    assert "Works at a bank." in tab.question.locator(".operations .added").inner_text()
    tab.picture("conflict")
    assert tab.barriers() == []
    tab.question.get_by_role("button", name="Make my change on top").click()
    tab.note(BERN).wait_for()
    assert tab.notes() == [BERN, "Works at a bank."]
    assert sent[-1]["sections"][0] == {"heading": "Identity", "bullets": [BERN, "Works at a bank."]}


def test_who_leaves_it_as_it_is_overwrites_nothing_and_keeps_their_words(tab: Visit) -> None:
    tab.sign_in()
    sent = saves(tab)
    changed_meanwhile(tab, "Lives in Chur.")
    tab.act(BASEL, "Edit")
    tab.write(BERN)

    assert "no longer there" in tab.question.locator(".warning").inner_text()
    tab.page.keyboard.press("Escape")
    assert len(sent) == 1
    assert tab.page.locator(".editor textarea").input_value() == BERN


def test_a_text_that_is_too_much_stays_in_the_editor_with_the_reason(tab: Visit) -> None:
    tab.sign_in()
    too_much = problem("invalid_input", 422, field="memory", detail="over the cap", tokens=2100, cap=2000)
    answers(tab.page, "PUT", "memory", too_much, status=422)
    tab.act(BASEL, "Edit")
    tab.write("Much " * 300)

    tab.page.locator(".editor .trouble").get_by_text("2100 tokens, and 2000 are allowed").wait_for()
    assert tab.page.locator(".editor textarea").input_value().startswith("Much")


def test_what_the_policy_did_not_let_stand_is_said(tab: Visit) -> None:
    tab.sign_in()
    dropped = [{"section": "Identity", "text": HOSTILE, "reason": "hidden"}]
    body = memory({"Identity": [BASEL]}, count=4) | {
        "changes": {"operations": [], "dropped": dropped, "cut": [{"section": "Identity", "text": BERN}]}
    }
    answers(tab.page, "PUT", "memory", body)
    tab.add("About you", HOSTILE)

    tab.notice.get_by_text("it holds hidden signs").wait_for()
    assert f"Removed to make room: “{BERN}”." in tab.notice.inner_text()
    assert HOSTILE in tab.notice.inner_text()


def test_text_of_people_is_text_wherever_it_is_shown(tab: Visit) -> None:
    remembers(tab.page, {"Identity": [f"*{HOSTILE}", f"One\n- {HOSTILE}"]})
    operation = {"kind": "changed", "section": HOSTILE, "before": HOSTILE, "after": f"{HOSTILE} more"}
    revision = {
        "n": 1,
        "writer": HOSTILE,
        "written_at": WRITTEN,
        "reason": HOSTILE,
        "operations": [operation],
        "turns": [],
        "model": HOSTILE,
        "prompt_version": None,
        "restorable": True,
        "redacted": False,
    }
    turn = {
        "turn_id": HOSTILE,
        "occurred_at": WRITTEN,
        "status": HOSTILE,
        "outcome": None,
        "reason": HOSTILE,
        "revision": None,
    }
    link = {"kind": HOSTILE, "writer": HOSTILE, "written_at": WRITTEN, "turn_id": HOSTILE, "model": HOSTILE}
    origins = {"bullets": [{"id": HOSTILE, "section": "Identity", "text": HOSTILE, "chain": [link]}]}
    answers(tab.page, "GET", "memory/origins", origins)
    answers(tab.page, "GET", "memory/revisions?*", {"revisions": [revision], "next": None})
    answers(tab.page, "GET", "turns?*", {"turns": [turn]})
    answers(tab.page, "GET", "deny-rules", {"phrases": [HOSTILE], "kinds": []})
    merged = {"at": WRITTEN, "until": WRITTEN, "texts": [HOSTILE, HOSTILE]}
    keeps(tab.page, fact(HOSTILE, 1, source={"turn_id": HOSTILE, "chat_id": None}, merged=merged))

    tab.sign_in()
    tab.page.locator(".note.pinned").get_by_role("button", name="Where").click()
    tab.question.get_by_role("button", name="Close").click()
    for view in ("History", "Activity", "Facts", "Settings", "Memory"):
        tab.go(view)
        assert "onerror" in tab.page.locator("main").inner_text()
        assert tab.page.locator("main img, main script, main a[href^=javascript]").count() == 0
    assert "owned" not in tab.page.title()
    assert tab.said == []


def test_the_browser_itself_refuses_markup_that_is_made_from_text(tab: Visit) -> None:
    tab.sign_in()

    with pytest.raises(PlaywrightError, match="TrustedHTML"):
        tab.page.evaluate("document.body.innerHTML = '<b>x</b>'")
    assert tab.page.locator("body > b").count() == 0


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("flags_unavailable", "Whether memory is on is unknown right now. Please try again in 5 seconds."),
        ("store_unavailable", "The memory is out of reach right now. Nothing is lost. Please try again in 5 seconds."),
        ("never_heard_of", "This did not work (never_heard_of). Please try again in 5 seconds."),
    ],
)
def test_a_view_that_cannot_be_shown_says_why_and_can_be_asked_for_again(tab: Visit, name: str, sentence: str) -> None:
    answers(tab.page, "GET", "memory", problem(name, 503), status=503, times=1, retry_after="5")
    tab.sign_in()

    assert tab.page.get_by_role("alert").locator("p").inner_text() == sentence
    tab.picture(f"failed-{name}")
    tab.page.get_by_role("button", name="Try again").click()
    tab.note(BASEL).wait_for()


@pytest.mark.parametrize("beside", ["another note is pinned", "another note is saved", "another view is looked at"])
def test_words_that_are_not_saved_outlive_what_is_done_beside_them(tab: Visit, beside: str) -> None:
    remembers(tab.page, {"Identity": [BASEL, "Works at a bank."]})
    tab.sign_in()
    tab.act(BASEL, "Edit")
    tab.page.locator(".editor textarea").fill(BERN)

    if beside == "another note is pinned":
        remembers(tab.page, {"Identity": [BASEL, "*Works at a bank."]})
        answers(tab.page, "PUT", "pins", {"pins": ["Works at a bank."]})
        tab.act("Works at a bank.", "Pin")
        tab.page.locator(".note.pinned").wait_for()
    elif beside == "another note is saved":
        saves(tab, BASEL, "Works at a bank.", "Likes tea.")
        tab.page.get_by_role("button", name="Add a note to: About you").click()
        tab.page.locator(".foot textarea").fill("Likes tea.")
        tab.page.keyboard.press("Control+Enter")
        tab.note("Likes tea.").wait_for()
    else:
        tab.go("Settings")
        tab.go("Memory")

    assert tab.page.locator(".note .editor textarea").input_value() == BERN
    saves(tab, BERN, count=5)
    tab.page.locator(".note .editor .primary").click()
    tab.note(BERN).wait_for()
    assert tab.page.locator(".editor").count() == 0


def test_words_for_a_note_that_is_gone_become_a_new_one(tab: Visit) -> None:
    tab.sign_in()
    tab.act(BASEL, "Edit")
    tab.page.locator(".editor textarea").fill(BERN)
    remembers(tab.page, {"Identity": ["Likes tea."]}, count=4)
    tab.go("Settings")
    tab.go("Memory")
    sent = saves(tab, "Likes tea.", BERN, count=5)
    tab.page.locator(".foot .editor .primary").click()
    tab.note(BERN).wait_for()

    assert sent[-1]["sections"][0]["bullets"] == ["Likes tea.", BERN]


def test_who_closes_the_page_with_words_that_are_not_saved_is_asked(tab: Visit) -> None:
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    tab.page.on("dialog", leave)
    tab.sign_in()
    tab.act(BASEL, "Edit")
    tab.page.reload()
    assert asked == []

    tab.identify(tab.page, "lena")
    tab.act(BASEL, "Edit")
    tab.page.locator(".editor textarea").press_sequentially(" Really.")
    tab.page.reload()
    assert asked == ["beforeunload"]


def test_who_signs_out_is_out_whatever_they_were_writing(tab: Visit) -> None:
    tab.sign_in()
    tab.act(BASEL, "Edit")
    tab.page.locator(".editor textarea").press_sequentially(" Really.")
    tab.page.get_by_role("button", name="Sign out").click()

    tab.page.locator(".welcome").wait_for()


def test_a_key_that_puts_signs_together_puts_no_words_away(tab: Visit) -> None:
    tab.sign_in()
    tab.act(BASEL, "Edit")
    composing = {"key": "Escape", "isComposing": True, "bubbles": True}
    tab.page.locator(".editor textarea").dispatch_event("keydown", composing)

    assert tab.page.locator(".editor textarea").input_value() == BASEL


def test_what_is_written_from_right_to_left_is_shown_so(tab: Visit) -> None:
    arabic = "\u064a\u0639\u064a\u0634 \u0641\u064a \u0628\u0627\u0632\u0644 (SQL)."
    remembers(tab.page, {"Identity": [arabic, BASEL]})
    tab.sign_in()

    directions = tab.page.locator(".note .text").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).direction)"
    )
    assert directions == ["rtl", "ltr"]


@pytest.mark.parametrize("language", ["en-GB", "de-CH"])
def test_nothing_lies_beside_the_window_where_the_page_is_magnified(
    chromium: Browser, site: str, language: str
) -> None:
    with visit(chromium, site, device="phone", language=language) as tab:
        tab.page.set_viewport_size({"width": MAGNIFIED[0], "height": MAGNIFIED[1]})
        remembers(tab.page, {"Work Context": ["Donaudampfschifffahrtsgesellschaft" * 9]})
        settles(tab.page)
        answers(tab.page, "GET", "memory/revisions?*", {"revisions": [], "next": None})
        answers(tab.page, "GET", "turns?*", {"turns": []})
        tab.sign_in()
        for place in ("memory", "history", "activity", "settings"):
            tab.page.goto(f"{tab.url}#/{place}")
            tab.page.locator(".loading").wait_for(state="detached")
            assert tab.page.evaluate("document.documentElement.scrollWidth") == MAGNIFIED[0], place


def test_what_there_is_no_room_for_is_shown_before_anything_is_brought_in(tab: Visit) -> None:
    shown = {"operations": [], "dropped": [], "cut": [{"section": "Identity", "text": BERN}], "removed": []}
    answers(tab.page, "POST", "import?*", {**shown, "tokens": 2000, "cap": 2000, "etag": '"0-3"'})
    tab.sign_in(place="settings")
    tab.page.get_by_label("Or as text").fill("- Lives in Bern.")
    tab.page.get_by_role("button", name="Show what would change").click()

    tab.page.locator(".preview .warning", has_text=f"Removed to make room: “{BERN}”.").wait_for()


def test_what_a_restore_does_not_bring_back_is_said(tab: Visit) -> None:
    said: dict[str, Any] = {
        "written_at": WRITTEN,
        "reason": None,
        "operations": [],
        "turns": [],
        "restorable": True,
        "redacted": False,
    }
    revisions = [{"n": n, "writer": "user", "model": None, "prompt_version": None, **said} for n in (2, 1)]
    answers(tab.page, "GET", "memory/revisions?*", {"revisions": revisions, "next": None})
    answers(tab.page, "GET", "memory/revisions/1", revisions[1] | {"memory": "# User Memory\n"})
    dropped = [{"section": "Identity", "text": BERN, "reason": "deny_rule"}]
    changes = {"operations": [], "dropped": dropped, "cut": []}
    answers(tab.page, "POST", "memory/revisions/1/restore", memory({"Identity": [BASEL]}) | {"changes": changes})
    tab.sign_in(place="history")
    tab.page.get_by_role("button", name="Go back to this version").click()
    tab.question.get_by_role("button", name="Go back").click()

    tab.notice.get_by_text(f"Not kept as it was: “{BERN}” (you asked never to remember it).").wait_for()


def test_who_has_as_many_rules_as_there_may_be_can_only_take_some_back(tab: Visit) -> None:
    full = {"phrases": [f"phrase {n}" for n in range(19)], "kinds": ["health"]}
    answers(tab.page, "GET", "deny-rules", full)
    tab.sign_in(place="settings")

    assert tab.page.get_by_label("Religion").is_disabled()
    assert tab.page.get_by_label("Health").is_enabled()


def test_offline_is_said_and_what_was_typed_stays(tab: Visit) -> None:
    tab.sign_in()
    tab.act(BASEL, "Edit")
    tab.page.unroute_all()
    tab.page.context.set_offline(True)
    tab.notice.get_by_text("You are offline.").wait_for()
    tab.write(BERN)

    tab.page.locator(".editor .trouble").get_by_text("You are offline.").wait_for()
    assert tab.page.locator(".editor textarea").input_value() == BERN
    tab.picture("offline")


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("company_off", "Your company has not switched memory on."),
        ("user_off", "You have switched memory off. Nothing is remembered."),
        ("erase_running", "Your memory is being erased. This takes a few minutes."),
    ],
)
def test_where_memory_is_off_the_page_says_why_and_offers_no_edit(tab: Visit, reason: str, sentence: str) -> None:
    answers(tab.page, "GET", "memory", memory({}, reason=reason))
    tab.sign_in()

    assert tab.page.locator(".banner").inner_text() == sentence
    assert tab.page.get_by_role("button", name=re.compile("Add a note|Edit")).count() == 0
    assert tab.page.get_by_text(re.compile("Change whatever|Nothing yet")).count() == 0


def test_what_is_remembered_is_shown_where_a_company_has_switched_memory_off(tab: Visit) -> None:
    answers(tab.page, "GET", "memory", memory({"Work Context": [BASEL]}, reason="company_off"))
    tab.sign_in()

    assert tab.notes() == [BASEL]
    assert tab.page.locator("main h2").all_inner_texts() == ["What you work on"]


def test_a_file_of_somebody_else_is_refused_in_words_that_help(tab: Visit) -> None:
    answers(tab.page, "POST", "import?*", problem("invalid_input", 422, field="user_id", detail="d"), status=422)
    tab.sign_in(place="settings")
    tab.page.get_by_label("Or as text").fill('{"format": "context-memory/export", "memory": "", "user_id": "max"}')
    tab.page.get_by_role("button", name="Show what would change").click()

    tab.page.locator(".preview .trouble").get_by_text("exported for somebody else").wait_for()


def test_while_an_erasure_runs_the_switch_cannot_be_moved(tab: Visit) -> None:
    settles(tab.page, reason="erase_running", erase={"state": "running", "requested_at": WRITTEN})
    tab.sign_in(place="settings")

    assert tab.page.get_by_role("switch").is_disabled()
    assert "being erased" in tab.page.locator(".banner").inner_text()
    assert "Erasing is under way." in tab.page.locator(".receipt").inner_text()
    assert tab.page.get_by_role("button", name="Erase").count() == 0


def test_while_memory_is_off_nothing_is_offered_that_would_be_refused(tab: Visit) -> None:
    settles(tab.page, on=False, reason="user_off", erase={"state": "done", "requested_at": WRITTEN})
    tab.sign_in(place="settings")

    assert tab.page.locator("main h2").all_inner_texts() == ["Memory", "Take it along"]
    assert tab.page.get_by_role("switch").is_enabled()


def test_an_empty_memory_says_what_will_fill_it(tab: Visit) -> None:
    remembers(tab.page, {}, count=0)
    tab.sign_in()

    assert tab.page.locator(".lead").inner_text().startswith("Nothing is remembered yet.")
    assert tab.page.get_by_text("Nothing yet.").count() == 6
    tab.picture("empty")
    assert tab.barriers() == []


def test_the_first_note_of_an_empty_memory_is_sent_in_its_section(tab: Visit) -> None:
    remembers(tab.page, {}, count=0)
    tab.sign_in()
    sent = saves(tab, BERN, count=1)
    tab.add("What you know", BERN)
    tab.notice.get_by_text("Note added.").wait_for()

    assert sent[-1]["sections"] == [{"heading": "Skills & Expertise", "bullets": [BERN]}]


def test_everything_can_be_done_without_a_mouse(tab: Visit) -> None:
    tab.sign_in()
    saves(tab, BERN)
    keyboard = tab.page.keyboard
    tab.page.locator(".skip").focus()
    assert tab.page.locator(".skip").bounding_box()["y"] >= 0  # type: ignore[index] # it is there
    keyboard.press("Enter")
    assert tab.page.locator(":focus").get_attribute("id") == "content"
    keyboard.press("Tab")
    assert (tab.page.locator(":focus").get_attribute("aria-label") or "").startswith("Edit")
    keyboard.press("Enter")
    keyboard.press("Escape")
    assert (tab.page.locator(":focus").get_attribute("aria-label") or "").startswith("Edit")
    keyboard.press("Enter")
    keyboard.press("Control+A")
    keyboard.type(BERN)
    keyboard.press("Control+Enter")
    tab.note(BERN).wait_for()

    assert tab.page.locator(":focus").inner_text() == "About you"
    assert "Note changed." in tab.notice.inner_text()


def test_a_change_can_be_taken_back_at_once(tab: Visit) -> None:
    tab.sign_in()
    sent = saves(tab, count=4)
    tab.act(BASEL, "Remove")
    tab.notice.get_by_role("button", name="Undo").wait_for()
    assert tab.notes() == []
    saves(tab, BASEL, count=5)
    tab.notice.get_by_role("button", name="Undo").click()
    tab.note(BASEL).wait_for()

    assert sent[-1]["sections"][0]["bullets"] == [BASEL]


def test_the_browsers_language_is_spoken_until_another_is_chosen(chromium: Browser, site: str) -> None:
    with visit(chromium, site, device="phone", language="de-CH") as tab:
        remembers(tab.page, {"Identity": [BASEL]})
        tab.sign_in()
        assert tab.heading() == "Was über Sie gemerkt ist"
        assert tab.page.locator("html").get_attribute("lang") == "de"

        tab.page.get_by_label("Sprache").select_option("en")
        tab.page.locator("main h1", has_text="What is remembered").wait_for()
        assert tab.page.locator(":focus").get_attribute("aria-label") == "Language"
        tab.page.reload()
        assert tab.page.evaluate("localStorage.getItem('context-memory.language')") == "en"


def test_after_a_reload_the_issuer_is_asked_without_a_click_and_after_signing_out_it_is_not(tab: Visit) -> None:
    tab.sign_in(place="settings")
    tab.page.reload()
    tab.identify(tab.page, "lena")
    assert tab.heading() == "Your decisions"

    tab.page.get_by_role("button", name="Sign out").click()
    tab.page.locator(".welcome").wait_for()
    tab.page.reload()
    tab.page.locator(".welcome").wait_for()


def test_who_signs_out_leaves_nothing_on_the_screen_to_go_back_to(chromium: Browser, site: str) -> None:
    """A browser keeps whole pages for the way back; what is kept must show nothing."""
    with visit(chromium, site) as tab:
        remembers(tab.page, {"Identity": [BASEL]})
        settles(tab.page)
        tab.sign_in()
        tab.page.evaluate("addEventListener('pagehide', () => { sessionStorage.left = document.body.textContent })")
        tab.page.get_by_role("button", name="Sign out").click()
        tab.page.locator(".welcome").wait_for()

        assert BASEL not in tab.page.evaluate("sessionStorage.left")
