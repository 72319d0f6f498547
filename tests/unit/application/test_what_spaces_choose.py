"""What a space's settings do to its turns: whether they are kept, who judges them, and which model rewrites them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.company_settings import Special
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import EraseRunning, InvalidInput
from context_memory.domain.outcomes import Outcome
from context_memory.domain.spaces import RecallSettings, SpaceSettings
from context_memory.domain.state import UserSettings
from tests.support.house import LENA, MODEL, body

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.scripted_model import Asked

TURNS = SpaceSettings(use_orchestrator_language_model=True)
NO_WEB = CompanyFlags(context_memory=True)
BASEL = body(identity=["Lives in Basel."])


def register(house: House, settings: SpaceSettings, space_id: str = "s1") -> None:
    house.world.switches.spaces["acme", space_id] = settings


def models_asked(house: House) -> dict[str, set[str]]:
    """Models by the call that they were asked for."""
    asked: dict[str, set[str]] = {}
    for one in house.model.asked():
        asked.setdefault(one.purpose, set()).add(one.body["model"])
    return asked


@pytest.mark.parametrize(
    ("flags", "space", "user", "fields", "reason"),
    [
        (CompanyFlags(), None, UserSettings(context_memory=False), {}, "company_off"),
        (replace(NO_WEB, closed=True), SpaceSettings(context_memory=False), UserSettings(), {}, "company_off"),
        (NO_WEB, SpaceSettings(context_memory=False, web_search=True), UserSettings(), {}, "space_off"),
        (NO_WEB, None, UserSettings(context_memory=False), {}, "space_unknown"),
        (NO_WEB, SpaceSettings(web_search=True), UserSettings(context_memory=False), {}, "web_search"),
        (NO_WEB, SpaceSettings(), UserSettings(context_memory=False), {"use_memory": {"write": False}}, "user_off"),
        (NO_WEB, SpaceSettings(), UserSettings(), {"use_memory": {"write": False}, "said": " "}, "use_memory"),
        (NO_WEB, SpaceSettings(), UserSettings(), {"said": " "}, "blank"),
    ],
)
def test_of_all_that_forbids_a_turn_the_first_is_named(
    house: House,
    flags: CompanyFlags,
    space: SpaceSettings | None,
    user: UserSettings,
    *,
    fields: dict[str, Any],
    reason: str,
) -> None:
    house.world.switches.companies["acme"] = flags
    if space is not None:
        register(house, space)
    house.world.table.write_settings(LENA, user)
    said = str(fields.get("said", "I live in Basel."))
    assert house.post("t1", said, **{name: value for name, value in fields.items() if name != "said"}) == reason
    assert house.world.table.turn(LENA, "t1") is None


def test_an_erase_under_way_is_told_before_what_the_turn_itself_says(house: House) -> None:
    house.world.table.write_settings(LENA, UserSettings(erase_running=True))
    with pytest.raises(EraseRunning):
        house.post("t1", " ", use_memory={"write": False})


def test_what_was_accepted_is_dropped_where_its_space_was_switched_off_since(house: House) -> None:
    assert house.post("t1", "I live in Basel.") is None
    register(house, SpaceSettings(context_memory=False))
    house.work()
    assert house.record("t1").outcome is Outcome.DROPPED_DISABLED
    assert house.model.asked() == ()


@pytest.mark.parametrize(
    ("settings", "said_by_the_turn", "model"),
    [
        (SpaceSettings(), "medium", MODEL),
        (TURNS, None, MODEL),
        (TURNS, "fast", "medium"),
        (TURNS, "medium", "medium"),
        (replace(TURNS, language_model="fast"), "no such model", "medium"),
    ],
)
def test_the_chosen_model_rewrites_and_condenses_and_the_environments_judge(
    house: House, settings: SpaceSettings, said_by_the_turn: str | None, model: str
) -> None:
    register(house, settings)
    house.world.switches.companies["acme"] = CompanyFlags(
        context_memory=True, context_memory_with_web_search=True, max_tokens=500
    )
    long = [f"Knows {name} {'very ' * 60}well." for name in ("Rust", "Go", "Perl", "Java", "Ruby", "Lua", "Scala")]
    house.learns(body(skills=long))
    house.model.script("condense", lambda _: body(skills=["Knows many languages."]))
    house.post("t1", " ".join(long).replace("Knows", "I know"), language_model=said_by_the_turn)
    house.work()
    asked = models_asked(house)
    assert (asked["gate"], asked["scrub"]) == ({"small"}, {MODEL})
    assert (asked["consolidation"], asked["condense"]) == ({model}, {model})
    record = house.record("t1")
    assert {usage.model for usage in record.usage if usage.purpose in {"consolidation", "condense"}} == {model}
    revision = house.world.table.revision(LENA, 0, 1)
    assert revision is not None
    assert revision.model == model


def test_a_turn_that_names_a_model_off_the_list_is_refused_where_turns_choose(house: House) -> None:
    register(house, TURNS)
    with pytest.raises(InvalidInput) as refused:
        house.post("t1", "I live in Basel.", language_model="no such model")
    assert refused.value.field == "language_model"
    assert house.world.table.turn(LENA, "t1") is None
    register(house, SpaceSettings())
    assert house.post("t1", "I live in Basel.", language_model="no such model") is None


def test_a_model_that_has_left_the_list_since_gives_way_to_the_environments(house: House) -> None:
    register(house, SpaceSettings())
    assert house.post("t1", "I live in Basel.", language_model="gone") is None
    register(house, TURNS)
    house.learns(BASEL)
    house.work()
    assert models_asked(house)["consolidation"] == {MODEL}


def test_a_space_without_a_gate_asks_none(house: House) -> None:
    register(house, SpaceSettings(consolidation_gate_enabled=False))
    house.model.queue("consolidation", BASEL)
    house.model.queue("scrub", "CLEAN")
    house.post("t1", "I live in Basel.")
    house.consolidate_all()
    assert house.record("t1").outcome is Outcome.UPDATED
    assert {one.purpose for one in house.model.asked()} == {"consolidation", "scrub"}


def chains(house: House, *spaces: SpaceSettings, models: tuple[str | None, str | None]) -> list[tuple[str, ...]]:
    """The turns of each chain, of two that wait in two spaces."""

    def learned(asked: Asked) -> str:
        known = [name for name in ("Rust", "Go") if f"I know {name}." in asked.said_by("user")]
        before = [name for name in ("Rust", "Go") if f"- Knows {name}." in asked.said_by("user")]
        return body(skills=[f"Knows {name}." for name in dict.fromkeys([*before, *known])])

    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", learned)
    house.model.script("scrub", lambda _: "CLEAN")
    for number, (space, model, skill) in enumerate(zip(spaces, models, ("Rust", "Go"), strict=True)):
        register(house, space, f"s{number}")
        house.post(f"t{number}", f"I know {skill}.", space_id=f"s{number}", language_model=model)
        house.world.clock.advance(1)
    house.work()
    assert house.memory() == body(skills=["Knows Rust.", "Knows Go."])
    return [one.turns for one in house.model.asked("consolidation")]


@pytest.mark.parametrize(
    ("first", "second", "models"),
    [
        (
            SpaceSettings(),
            SpaceSettings(max_tokens=500, web_search=True, recall=RecallSettings(enabled=False)),
            (None, None),
        ),
        (SpaceSettings(), SpaceSettings(), ("medium", "fast")),  # whom nobody lets choose
        (TURNS, TURNS, ("medium", "fast")),  # one model under two names
        (SpaceSettings(language_model="fast"), TURNS, (None, "medium")),
    ],
)
def test_turns_whose_settings_come_to_the_same_run_as_one_chain(
    house: House, first: SpaceSettings, second: SpaceSettings, models: tuple[str | None, str | None]
) -> None:
    assert chains(house, first, second, models=models) == [("t0", "t1")]


@pytest.mark.parametrize(
    ("first", "second", "models"),
    [
        (SpaceSettings(), SpaceSettings(language_model="fast"), (None, None)),
        (TURNS, TURNS, (None, "fast")),
        (SpaceSettings(), SpaceSettings(consolidation_gate_enabled=False), (None, None)),
    ],
)
def test_turns_whose_settings_differ_run_one_after_the_other(
    house: House, first: SpaceSettings, second: SpaceSettings, models: tuple[str | None, str | None]
) -> None:
    assert chains(house, first, second, models=models) == [("t0",), ("t1",)]


def test_a_kind_that_the_company_allows_reaches_every_prompt_and_names_the_policy(house: House) -> None:
    house.world.switches.companies["acme"] = replace(
        NO_WEB, context_memory_with_web_search=True, allowed_special=frozenset({Special.UNION, Special.POLITICS})
    )
    house.learns(BASEL)
    house.post("t1", "I live in Basel.")
    house.work()
    for purpose in ("consolidation", "scrub"):
        (asked,) = house.model.asked(purpose)
        assert "of the user alone also politics, union membership." in asked.said_by("system")
        assert "health records; belief, ethnicity, sexual orientation;" in asked.said_by("system")
    (gate,) = house.model.asked("gate")
    assert "health, belief; orders" in gate.said_by("system")
    pointer, revision = house.world.table.state(LENA).profile, house.world.table.revision(LENA, 0, 1)
    assert pointer is not None
    assert revision is not None
    assert pointer.policy_version == revision.policy_version == "1+politics+union"


def test_what_was_written_while_a_kind_was_allowed_is_scrubbed_whole_once_it_no_longer_is(house: House) -> None:
    house.world.switches.companies["acme"] = replace(
        NO_WEB, context_memory_with_web_search=True, allowed_special=frozenset({Special.UNION})
    )
    house.learns(body(identity=["Is in the metal workers' union."]))
    house.post("t1", "I am in the metal workers' union.")
    house.work()
    house.world.switches.companies.clear()
    house.world.clock.advance(60)
    house.learns(body(identity=["Is in the metal workers' union."], skills=["Writes Rust."]), scrub="1 DROP")
    house.post("t2", "I write Rust.")
    house.work()
    assert house.memory() == body(skills=["Writes Rust."])
