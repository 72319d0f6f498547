"""What is given for a question: whose facts, in which order, within which budgets, and why not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.company_settings import MemoryUse
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import FlagsUnavailable, InvalidInput, StoreUnavailable
from context_memory.domain.facts.fact import Tier
from context_memory.domain.ids import UserKey
from context_memory.domain.spaces import Backend, RecallSettings, SpaceSettings
from tests.support.recalling import LENA, Recalls

if TYPE_CHECKING:
    from collections.abc import Callable

MAX = UserKey("acme", "max")
ON = CompanyFlags(context_memory=True, context_memory_with_web_search=True)


def test_a_fact_is_given_with_its_marker_and_why_it_was_found(recalls: Recalls) -> None:
    (basel,) = recalls.learn("Lives in Basel.")
    recalls.learn("Has a dog called Momo.")
    told = recalls.ask("Where does she live, in Basel?")
    (hit,) = told["hits"]
    assert (hit["id"], hit["marker"]) == (basel.id, f"[[cite:mem:{basel.id}]]")
    assert (hit["text"], hit["tier"], hit["scope"]) == ("Lives in Basel.", "contextual", "user")
    assert 0 < hit["score"] <= 1
    assert hit["why"] == ["keywords"]
    assert f"- Lives in Basel. {hit['marker']}\n" in told["block"]
    assert {key: told[key] for key in ("enabled", "reason", "backend", "cached", "notes")} == {
        "enabled": True,
        "reason": None,
        "backend": "sqlite_fts",
        "cached": False,
        "notes": [],
    }


def test_where_nothing_is_found_the_block_is_empty_and_memory_is_on(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    told = recalls.ask("What is the capital of Peru?")
    assert (told["enabled"], told["block"], told["hits"], told["tokens"]) == (True, "", [], 0)


def test_facts_of_the_user_their_space_and_their_company_are_found_and_nobody_else_s(recalls: Recalls) -> None:
    recalls.learn("Lena parks at gate one.")
    recalls.share("Visitors park at gate two.", space_id="s1")
    recalls.share("Lorries park at gate three.")
    recalls.learn("Max parks at gate four.", user=MAX)
    recalls.share("Visitors park at gate five.", space_id="s2")
    recalls.share("Visitors park at gate six.", company_id="bank")
    recalls.learn("Another Lena parks at gate seven.", user=UserKey("bank", "lena"))
    told = recalls.ask("gate")
    assert {hit["text"]: hit["scope"] for hit in told["hits"]} == {
        "Lena parks at gate one.": "user",
        "Visitors park at gate two.": "workspace",
        "Lorries park at gate three.": "global",
    }


def test_identical_texts_of_several_scopes_are_given_once(recalls: Recalls) -> None:
    recalls.learn("The office closes at six.")
    recalls.share("The office closes at six.", space_id="s1")
    recalls.share("the office closes at six")
    assert len(recalls.texts("When does the office close?")) == 1


def test_core_facts_are_always_given_and_before_all_others(recalls: Recalls) -> None:
    recalls.learn("Is deaf in one ear.", tier=Tier.CORE)
    recalls.learn("Lives in Basel.")
    assert recalls.texts("Basel", max_hits=1) == ["Is deaf in one ear.", "Lives in Basel."]
    assert recalls.texts("") == ["Is deaf in one ear."]


def test_more_facts_than_asked_for_are_not_given(recalls: Recalls) -> None:
    recalls.learn(*(f"Has worked on project number {number}." for number in range(20)))
    assert len(recalls.texts("project")) == 12
    assert len(recalls.texts("project", max_hits=3)) == 3


def test_fifty_facts_are_given_to_whoever_asks_for_fifty(recalls: Recalls) -> None:
    recalls.learn(*(f"Has worked on project number {number}." for number in range(60)))
    assert len(recalls.texts("project", max_hits=50, max_injected_tokens_est=8000)) == 50


def test_the_block_stays_within_the_tokens_that_were_asked_for(recalls: Recalls) -> None:
    recalls.learn(*(f"Has worked on project number {number}." for number in range(20)), tokens=50)
    told = recalls.ask("project", max_injected_tokens_est=600)
    assert 0 < len(told["hits"]) < 12
    assert told["tokens"] <= 600


def test_texts_of_the_chat_are_ranked_with_the_rest_and_kept_nowhere(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    told = recalls.ask("Is she on a train to Basel?", ephemeral=["Is on a train to Basel."])
    assert [(hit["text"], hit["tier"], hit["scope"]) for hit in told["hits"]] == [
        ("Is on a train to Basel.", "ephemeral", None),
        ("Lives in Basel.", "contextual", "user"),
    ]
    assert recalls.texts("train") == []


def test_however_many_archival_and_core_facts_are_better_all_others_that_have_room_are_given(recalls: Recalls) -> None:
    for first in (0, 40, 80):
        recalls.learn(*(f"Tea, tea, tea {at}" for at in range(first, first + 40)), tier=Tier.ARCHIVAL)
    recalls.learn(*(f"Core tea {at}" for at in range(20)), tier=Tier.CORE)
    recalls.learn(*(f"Said once upon a time in passing that tea number {at} tastes of grass" for at in range(12)))
    hits = recalls.ask("tea", max_injected_tokens_est=8000)["hits"]
    assert [hit["tier"] for hit in hits] == ["core"] * 15 + ["contextual"] * 12


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("她住在哪里?巴塞尔?", "她住在巴塞尔。"),
        ("東京で働いていますか", "東京の病院で働いている。"),
        ('NEAR("Basel" AND) OR *:^', "Lives in Basel."),
    ],
)
def test_facts_are_found_by_words_of_any_script_and_operators_are_words(
    recalls: Recalls, query: str, text: str
) -> None:
    recalls.learn(text, "Something else entirely.")
    assert recalls.texts(query) == [text]


def test_a_long_query_is_looked_for_by_its_beginning_and_its_end(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.", "Has a dog called Momo.", "Collects stamps.")
    pasted = f"Basel {'lorem ' * 500} stamps {'ipsum ' * 500} Momo"
    assert set(recalls.texts(pasted)) == {"Lives in Basel.", "Has a dog called Momo."}


def switched(recalls: Recalls, **changes: Any) -> None:  # noqa: ANN401 - fields of flags
    recalls.world.switches.companies["acme"] = replace(ON, **changes)


def registered(recalls: Recalls, **settings: Any) -> None:  # noqa: ANN401 - fields of settings
    recalls.world.switches.spaces["acme", "s1"] = SpaceSettings(**settings)


def user_is(recalls: Recalls, **changes: Any) -> None:  # noqa: ANN401 - fields of settings
    settings = recalls.world.table.state(LENA).settings
    recalls.world.table.write_settings(LENA, replace(settings, **changes))


WAYS_OFF: dict[str, tuple[Callable[[Recalls], None], dict[str, Any]]] = {
    "company_off": (lambda house: switched(house, context_memory=False), {}),
    "space_off": (lambda house: registered(house, context_memory=False), {}),
    "space_unknown": (lambda house: switched(house, context_memory_with_web_search=False), {}),
    "web_search": (lambda house: switched(house, context_memory_with_web_search=False), {"web_search": True}),
    "user_off": (lambda house: user_is(house, context_memory=False), {}),
    "erase_running": (lambda house: user_is(house, erase_running=True), {}),
    "recall_off": (lambda house: registered(house, recall=RecallSettings(enabled=False)), {}),
    "use_memory": (lambda house: switched(house, use_memory=MemoryUse(read=False)), {}),
    "disabled": (lambda _: None, {"disable_recall": True}),
    "subagent": (lambda _: None, {"as_subagent": {}}),
}


@pytest.mark.parametrize("reason", WAYS_OFF)
def test_every_way_to_switch_recall_off_is_honoured_and_told(recalls: Recalls, reason: str) -> None:
    recalls.learn("Lives in Basel.", tier=Tier.CORE)
    switch, said = WAYS_OFF[reason]
    switch(recalls)
    told = recalls.ask("Basel", prompt_id="p1", **said)
    assert (told["enabled"], told["reason"], told["block"], told["hits"]) == (False, reason, "", [])


@pytest.mark.parametrize(
    ("said", "allowed"), [({"use_memory": {"read": True}}, True), ({"use_memory": {"write": True}}, False)]
)
def test_a_request_outweighs_what_its_company_does_by_default(
    recalls: Recalls,
    said: dict[str, Any],
    allowed: bool,  # noqa: FBT001 - what is tested
) -> None:
    switched(recalls, use_memory=MemoryUse(read=False))
    assert recalls.ask("Basel", **said)["enabled"] is allowed


STORES = [
    "table.state",
    "table.facts",
    "shared_facts.facts",
    "table.recalled",
    "switches.flags",
]


@pytest.mark.parametrize("store", STORES)
def test_a_store_that_is_out_of_reach_is_never_an_empty_answer(recalls: Recalls, store: str) -> None:
    recalls.learn("Lives in Basel.")
    met: list[str] = []

    def down(step: str) -> None:
        if step == f"before:{store}":
            met.append(step)
            error = FlagsUnavailable if store == "switches.flags" else StoreUnavailable
            raise error("The store is down.")

    recalls.world.whenever(down)
    with pytest.raises((StoreUnavailable, FlagsUnavailable)):
        recalls.ask("Basel", prompt_id="p1")
    assert met
    assert recalls.world.telemetry.total("recall_total", outcome="error") == 1


def test_a_backend_that_this_environment_has_not_is_refused_of_a_request_and_replaced_for_a_space(
    recalls: Recalls,
) -> None:
    recalls.learn("Lives in Basel.")
    with pytest.raises(InvalidInput) as refused:
        recalls.ask("Basel", backend="lance")
    assert refused.value.field == "backend"
    registered(recalls, recall=RecallSettings(backend=Backend.LANCE))
    assert recalls.ask("Basel")["backend"] == "sqlite_fts"


def test_what_was_recalled_is_counted(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    recalls.ask("Basel")
    recalls.ask("Peru")
    telemetry = recalls.world.telemetry
    assert (telemetry.total("recall_total", outcome="hit"), telemetry.total("recall_total", outcome="empty")) == (1, 1)
    assert telemetry.total("recall_hits") == 1
    assert telemetry.total("recall_failed") == 0


@pytest.mark.parametrize("who", [LENA, MAX])
def test_what_is_kept_warm_is_read_again_once_it_has_changed(recalls: Recalls, who: UserKey) -> None:
    recalls.share("The office closes at six.")
    assert recalls.texts("office", who) == ["The office closes at six."]
    recalls.share("The office opens at eight.")
    assert len(recalls.texts("office", who)) == 2


def test_nothing_kept_warm_outlives_an_erase_even_where_as_much_was_written_since(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.", tier=Tier.CORE)
    assert recalls.texts("Basel") == ["Lives in Basel."]
    items = recalls.world.table._users[LENA]  # noqa: SLF001 - an erase from beginning to end is not this test's
    items.facts.clear()
    items.facts_head = None
    user_is(recalls, epoch=1)
    assert recalls.ask("Basel")["hits"] == []
    recalls.learn("Lives in Bern.", tier=Tier.CORE)
    assert recalls.texts("Basel") == ["Lives in Bern."]
