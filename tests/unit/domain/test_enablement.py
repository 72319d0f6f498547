from __future__ import annotations

from itertools import product

import pytest

from context_memory.domain.enablement import Asked, CompanyFlags, SpaceSettings, disabled_reason
from context_memory.domain.state import UserSettings

ALL_ON = CompanyFlags(context_memory=True, context_memory_with_web_search=True)
NO_WEB = CompanyFlags(context_memory=True, context_memory_with_web_search=False)


@pytest.mark.parametrize(
    ("flags", "space", "settings", "asked", "reason"),
    [
        (ALL_ON, None, UserSettings(), Asked(), None),
        (CompanyFlags(), None, UserSettings(), Asked(), "company_off"),
        (ALL_ON, SpaceSettings(context_memory=False), UserSettings(), Asked(), "space_off"),
        (ALL_ON, SpaceSettings(web_search=True), UserSettings(), Asked(), None),
        (ALL_ON, None, UserSettings(), Asked(web_search=True), None),
        (NO_WEB, None, UserSettings(), Asked(), "space_unknown"),
        (NO_WEB, None, UserSettings(), Asked(web_search=False), None),
        (NO_WEB, None, UserSettings(), Asked(web_search=True), "web_search"),
        (NO_WEB, SpaceSettings(), UserSettings(), Asked(), None),
        (NO_WEB, SpaceSettings(), UserSettings(), Asked(web_search=True), "web_search"),
        (NO_WEB, SpaceSettings(web_search=True), UserSettings(), Asked(web_search=False), "web_search"),
        (ALL_ON, None, UserSettings(context_memory=False), Asked(), "user_off"),
        (ALL_ON, None, UserSettings(erase_running=True), Asked(), "erase_running"),
        (ALL_ON, None, UserSettings(), Asked(wanted=False), "use_memory"),
    ],
)
def test_the_first_condition_that_fails_is_named(
    flags: CompanyFlags, space: SpaceSettings | None, settings: UserSettings, asked: Asked, reason: str | None
) -> None:
    assert disabled_reason(flags, space, settings, asked) == reason


def test_memory_works_only_if_every_condition_holds() -> None:
    truths = [False, True]
    for company, web, space_on, user_on, erasing, wanted, searching in product(truths, repeat=7):
        reason = disabled_reason(
            CompanyFlags(context_memory=company, context_memory_with_web_search=web),
            SpaceSettings(context_memory=space_on),
            UserSettings(context_memory=user_on, erase_running=erasing),
            Asked(wanted=wanted, web_search=searching),
        )
        works = company and space_on and user_on and not erasing and wanted and (web or not searching)
        assert (reason is None) == works
