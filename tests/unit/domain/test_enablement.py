"""The truth table of what switches memory off: every combination of all that can be, against a second reading."""

from __future__ import annotations

from datetime import timedelta
from itertools import product

import pytest

from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.enablement import Asked, CompanyFlags, OperatorFlags, Reason, disabled_reason, may_change
from context_memory.domain.spaces import RecallSettings, SpaceSettings
from context_memory.domain.state import UserSettings

ALL_ON = CompanyFlags(context_memory=True, context_memory_with_web_search=True)
NO_WEB = CompanyFlags(context_memory=True, context_memory_with_web_search=False)
NO_RECALL = SpaceSettings(recall=RecallSettings(enabled=False))
YES_NO = (False, True)
SPACES = (
    None,
    *(
        SpaceSettings(context_memory=on, web_search=web, recall=RecallSettings(enabled=recall))
        for on, web, recall in product(YES_NO, YES_NO, YES_NO)
    ),
)
USERS = (None, *(UserSettings(context_memory=on, erase_running=erase) for on, erase in product(YES_NO, YES_NO)))
COMPANIES = (
    None,
    *(
        CompanyFlags(context_memory=on, context_memory_with_web_search=web, closed=closed)
        for on, web, closed in product(YES_NO, YES_NO, YES_NO)
    ),
)
REQUESTS = tuple(
    Asked(wanted, web_search, blank, inherits, recalls, disabled)
    for wanted, web_search, blank, inherits, recalls, disabled in product(
        YES_NO, (None, False, True), YES_NO, YES_NO, YES_NO, YES_NO
    )
)


def second_reading(
    flags: CompanyFlags | None, space: SpaceSettings | None, settings: UserSettings | None, asked: Asked
) -> list[str]:
    """All that fails, in the order in which the design lists it, sentence by sentence."""
    if flags is None:
        return ["flags_unavailable"]
    no_search = not flags.context_memory_with_web_search
    registered_search = space.web_search if space else False
    conditions = [
        ("company_off", not flags.context_memory or flags.closed),
        ("space_off", space and not space.context_memory),
        ("space_unknown", no_search and space is None and asked.web_search is None),
        ("web_search", no_search and (asked.web_search or registered_search)),
    ]
    if settings:
        conditions += [
            ("user_off", not settings.context_memory),
            ("erase_running", settings.erase_running),
            ("recall_off", asked.recalls and space and not space.recall.enabled),
            ("use_memory", not asked.wanted),
            ("disabled", asked.disabled),
            ("subagent", not asked.inherits),
            ("blank", asked.blank),
        ]
    return [name for name, failing in conditions if failing]


def test_of_all_that_fails_the_first_is_named_in_every_combination() -> None:
    seen = set()
    for flags, space, settings, asked in product(COMPANIES, SPACES, USERS, REQUESTS):
        failing = second_reading(flags, space, settings, asked)
        reason = disabled_reason(flags, space, settings, asked)
        assert reason == (failing[0] if failing else None), (flags, space, settings, asked)
        seen.add(reason)
    assert seen == {None, *Reason}  # each of them is the first somewhere


@pytest.mark.parametrize(
    ("flags", "space", "settings", "asked", "reason"),
    [
        (ALL_ON, None, UserSettings(), Asked(), None),
        (None, SpaceSettings(context_memory=False), UserSettings(), Asked(), "flags_unavailable"),
        (CompanyFlags(), SpaceSettings(context_memory=False), UserSettings(), Asked(), "company_off"),
        (ALL_ON, SpaceSettings(context_memory=False), UserSettings(context_memory=False), Asked(), "space_off"),
        (ALL_ON, SpaceSettings(web_search=True), UserSettings(), Asked(), None),
        (ALL_ON, None, UserSettings(), Asked(web_search=True), None),
        (NO_WEB, None, UserSettings(context_memory=False), Asked(), "space_unknown"),
        (NO_WEB, None, UserSettings(), Asked(web_search=False), None),
        (NO_WEB, None, UserSettings(), Asked(web_search=True), "web_search"),
        (NO_WEB, SpaceSettings(), UserSettings(), Asked(), None),
        (NO_WEB, SpaceSettings(), UserSettings(), Asked(web_search=True), "web_search"),
        (NO_WEB, SpaceSettings(web_search=True), UserSettings(), Asked(web_search=False), "web_search"),
        (ALL_ON, None, UserSettings(context_memory=False, erase_running=True), Asked(wanted=False), "user_off"),
        (ALL_ON, None, UserSettings(erase_running=True), Asked(wanted=False, blank=True), "erase_running"),
        (ALL_ON, None, UserSettings(), Asked(wanted=False, blank=True), "use_memory"),
        (ALL_ON, None, UserSettings(), Asked(blank=True), "blank"),
        (ALL_ON, NO_RECALL, UserSettings(), Asked(recalls=True, disabled=True), "recall_off"),
        (ALL_ON, NO_RECALL, UserSettings(), Asked(), None),
        (ALL_ON, None, UserSettings(), Asked(recalls=True, disabled=True, inherits=False), "disabled"),
        (ALL_ON, None, UserSettings(), Asked(inherits=False, blank=True), "subagent"),
    ],
)
def test_rows_of_the_table_as_the_design_tells_them(
    flags: CompanyFlags | None, space: SpaceSettings | None, settings: UserSettings, asked: Asked, reason: str | None
) -> None:
    assert disabled_reason(flags, space, settings, asked) == reason


def test_a_company_that_is_being_erased_has_no_memory_whatever_is_switched() -> None:
    switched = OperatorFlags(context_memory=True, context_memory_with_web_search=True)
    flags = CompanyFlags.of(switched, CompanySettings(), closed=True)
    assert disabled_reason(flags, SpaceSettings(), UserSettings(), Asked()) is Reason.COMPANY_OFF


def test_as_long_as_the_user_is_not_known_nothing_of_the_user_or_the_turn_is_held_against_it() -> None:
    assert disabled_reason(ALL_ON, None, None, Asked(wanted=False, blank=True)) is None


@pytest.mark.parametrize("reason", [None, *Reason])
@pytest.mark.parametrize("user", [user for user in USERS if user])
@pytest.mark.parametrize(("seconds", "decided"), [*product((59, 60), YES_NO)])
def test_a_turn_waits_for_switches_that_may_not_have_come_yet_and_never_against_its_user(
    reason: Reason | None,
    user: UserSettings,
    seconds: int,
    decided: bool,  # noqa: FBT001 - what is tested
) -> None:
    flags = CompanyFlags(decided=decided)
    operators = reason in {Reason.COMPANY_OFF, Reason.SPACE_UNKNOWN, Reason.WEB_SEARCH}
    wanted = user.context_memory and not user.erase_running

    waits = may_change(reason, flags, user, age=timedelta(seconds=seconds), spread=timedelta(seconds=60))

    assert waits == (operators and wanted and (seconds < 60 or not decided))
