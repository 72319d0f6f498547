"""A person at the settings page, in a browser: what they do, what they see, and whether everybody could."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from infra.layers.places import ROOT
from tests.support.browser import AXE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

SCREENSHOTS = ROOT / "build" / "screenshots"
DEVICES = {"phone": (390, 844), "desktop": (1280, 800)}
MAGNIFIED = (320, 256)
"""What is left of a desktop's 1280 by 1024 pixels at 400 %."""
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
PATIENCE_MS = 15_000


@dataclass(frozen=True)
class Visit:
    """One tab with the page in it. `asked` are the addresses of all requests, `said` what the console says."""

    page: Page
    url: str
    device: str
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def sign_in(self, user_id: str = "lena", *, place: str = "memory") -> None:
        """Sign in at the issuer, and come back to a view."""
        self.page.goto(f"{self.url}#/{place}")
        self.page.locator(".welcome .primary").click()
        self.identify(self.page, user_id)
        self.heading()

    @staticmethod
    def identify(window: Page, user_id: str) -> None:
        """Fill in the issuer's form, in this window or another."""
        window.get_by_label("User").fill(user_id)
        window.get_by_role("button", name="Sign in").click()

    def go(self, view: str) -> None:
        """Follow the way to a view, by its English or German name, and wait until it is there."""
        self.page.get_by_role("navigation").get_by_role("link", name=view, exact=True).click()
        self.page.locator(".loading").wait_for(state="detached")
        self.heading()

    def heading(self) -> str:
        """The title of what is shown, once it is."""
        title = self.page.locator("main h1")
        title.wait_for()
        return title.inner_text()

    def note(self, text: str) -> Locator:
        """The note that holds a text."""
        return self.page.locator(".note", has_text=text)

    def notes(self) -> list[str]:
        """All notes that are shown, in their order."""
        return [text.removesuffix("Pinned").strip() for text in self.page.locator(".note .text").all_inner_texts()]

    def act(self, text: str, name: str) -> None:
        """Press one of the buttons of a note, by how its name begins."""
        self.note(text).get_by_role("button", name=name).click()

    def write(self, text: str) -> None:
        """Put a text into the open editor and save it."""
        self.page.locator(".editor textarea").fill(text)
        self.page.locator(".editor .primary").click()

    def add(self, section: str, text: str) -> None:
        """Add a note to a section, by its title on the page."""
        self.page.get_by_role("button", name=f"Add a note to: {section}").click()
        self.write(text)

    @property
    def question(self) -> Locator:
        """The open dialog."""
        return self.page.get_by_role("dialog")

    @property
    def notice(self) -> Locator:
        """What the page says at its foot."""
        return self.page.locator("#notices")

    def picture(self, name: str) -> None:
        """Keep a picture of the whole page, without what was said at its foot, which would hide some of it."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        whole = not self.question.count()
        if whole:
            self.page.evaluate("scrollTo(0, 0)")
        # The page's own policy lets no style in that the screenshot would bring along.
        said = self.page.locator("#notices")
        said.evaluate("one => { one.style.visibility = 'hidden' }")
        self.page.screenshot(path=SCREENSHOTS / f"{name}-{self.device}.png", full_page=whole)
        said.evaluate("one => { one.style.visibility = '' }")

    def for_everybody(self, name: str) -> None:
        """Look at what is shown in both colour schemes: nothing keeps anybody out, and a picture of it is kept."""
        for scheme in SCHEMES:
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            self.picture(f"{name}-{scheme}")
            assert self.barriers() == [], f"{name}, {scheme}, {self.device}"

    def barriers(self) -> list[str]:
        """What keeps somebody out, as the accessibility checker sees it."""
        self.page.evaluate(AXE.read_text())
        found: dict[str, Any] = self.page.evaluate("axe.run({resultTypes: ['violations']})")
        return [
            f"{rule['id']}: {node['html'][:120]}: {node['failureSummary']}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]


@contextmanager
def visit(browser: Browser, url: str, *, device: str = "desktop", language: str = "en-GB") -> Iterator[Visit]:
    """A tab of its own; nothing of it is left behind. Nothing moves in it, so that pictures show what stays."""
    width, height = DEVICES[device]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        locale=language,
        timezone_id="Europe/Zurich",
        accept_downloads=True,
    )
    context.set_default_timeout(PATIENCE_MS)
    visitor = Visit(context.new_page(), url, device)
    context.on("request", lambda request: visitor.asked.append(request.url))
    context.on("console", lambda message: visitor.said.append(f"{message.type}: {message.text}"))
    context.on("weberror", lambda error: visitor.said.append(f"error: {error.error}"))
    try:
        yield visitor
    finally:
        context.close()
