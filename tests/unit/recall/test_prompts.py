"""One prompt, several calls: the same answer again, and nothing that is gone meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from context_memory.domain.company_settings import MemoryUse
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.spaces import Cadence, RecallSettings, SpaceSettings
from tests.support.recalling import LENA, Recalls

INHERITING: dict[str, Any] = {"as_subagent": {"inherit_memory": True}}


def every_call(recalls: Recalls) -> None:
    settings = SpaceSettings(recall=RecallSettings(cadence=Cadence.EVERY_CALL))
    recalls.world.switches.spaces["acme", "s1"] = settings


def test_later_calls_of_a_prompt_get_the_same_answer_although_more_is_known_by_then(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    first = recalls.ask("Basel", prompt_id="p1")
    recalls.learn("Works in Basel.")
    again = recalls.ask("Basel", prompt_id="p1")
    assert (first["cached"], again["cached"]) == (False, True)
    assert again | {"cached": False} == first
    assert len(recalls.texts("Basel", prompt_id="p2")) == 2
    assert recalls.world.telemetry.total("recall_total", outcome="cached") == 1


def test_that_nothing_was_found_is_an_answer_too(recalls: Recalls) -> None:
    assert recalls.texts("Basel", prompt_id="p1") == []
    recalls.learn("Lives in Basel.")
    assert recalls.texts("Basel", prompt_id="p1") == []


@pytest.mark.parametrize(
    "changed",
    [
        {"query": "Where in Basel?"},
        {"space_id": "s2"},
        {"chat_id": "c2"},
        {"max_hits": 3},
        {"max_injected_tokens_est": 900},
        {"ephemeral": ["Basel is wet today."]},
        {"prompt_id": "p2"},
        {"backend": "markdown_fts"},
    ],
)
def test_another_question_of_the_prompt_is_computed(recalls: Recalls, changed: dict[str, Any]) -> None:
    recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    assert not recalls.ask(**{"query": "Basel", "prompt_id": "p1"} | changed)["cached"]


def test_another_user_s_prompt_of_the_same_name_is_another(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    for other in (replace(LENA, user_id="Lena"), replace(LENA, company_id="bank")):
        told = recalls.ask("Basel", other, prompt_id="p1")
        assert (told["cached"], told["hits"]) == (False, [])


def test_where_the_space_wants_it_every_call_is_computed(recalls: Recalls) -> None:
    every_call(recalls)
    recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    recalls.learn("Works in Basel.")
    told = recalls.ask("Basel", prompt_id="p1")
    assert (told["cached"], len(told["hits"])) == (False, 2)


def test_a_fact_that_was_deleted_or_superseded_meanwhile_is_not_given_again(recalls: Recalls) -> None:
    facts = recalls.learn("Works in Basel.", "Basel is home.", "Likes Basel.")
    recalls.ask("Basel", prompt_id="p1")
    deleted, superseded, _ = facts
    recalls.learn("Basel was home until May.", drops=(deleted.id, superseded.id))
    told = recalls.ask("Basel", prompt_id="p1")
    assert told["cached"]
    assert [hit["text"] for hit in told["hits"]] == ["Likes Basel."]


def test_no_answer_survives_an_erase_or_that_memory_is_switched_off(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    settings = recalls.world.table.state(LENA).settings
    recalls.world.table.write_settings(LENA, replace(settings, context_memory=False))
    assert recalls.ask("Basel", prompt_id="p1")["reason"] == "user_off"
    recalls.world.table.write_settings(LENA, replace(settings, epoch=1))
    told = recalls.ask("Basel", prompt_id="p1")
    assert (told["cached"], told["hits"]) == (False, [])


def test_calls_of_a_prompt_at_the_same_time_lose_nothing_that_either_was_given(recalls: Recalls) -> None:
    facts = recalls.learn(*(f"Fact number {number} about Basel." for number in range(8)))
    with ThreadPoolExecutor() as callers:
        told = list(callers.map(lambda number: recalls.ask(f"number {number}", prompt_id="p1"), range(8)))
    given = {hit["id"] for each in told for hit in each["hits"]}
    memory = recalls.world.prompts.recalled(LENA, "p1")
    assert memory is not None
    assert memory.given == given == {fact.id for fact in facts}


def test_what_is_remembered_of_a_prompt_holds_no_text(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    recalls.ask("Canary 4711 in Basel", prompt_id="p1", ephemeral=["Canary 4712 of Basel."])
    assert "4711" not in repr(recalls.world.prompts.recalled(LENA, "p1"))
    assert "4712" not in repr(recalls.world.prompts.recalled(LENA, "p1"))
    assert "Basel" not in repr(recalls.world.prompts.recalled(LENA, "p1"))


def test_facts_are_given_although_nobody_can_remember_that(recalls: Recalls) -> None:
    (basel,) = recalls.learn("Lives in Basel.")

    def down(step: str) -> None:
        if step == "before:table.remember":
            raise StoreUnavailable("The store is down.")

    recalls.world.whenever(down)
    told = recalls.ask("Basel", prompt_id="p1")
    assert ([hit["id"] for hit in told["hits"]], told["notes"]) == ([basel.id], ["citations_unavailable"])
    telemetry = recalls.world.telemetry
    assert telemetry.total("errors_total", stage="prompt_write", error_type="StoreUnavailable") == 1
    assert telemetry.total("recall_total", outcome="hit") == 1
    recalls.world.whenever(lambda _: None)
    assert recalls.citations(told["hits"][0]["marker"], "p1")["notes"] == ["prompt_unknown"]
    again = recalls.ask("Basel", prompt_id="p1")
    assert (again["cached"], again["notes"]) == (False, [])


def test_without_a_prompt_nothing_is_remembered(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    steps: list[str] = []
    recalls.world.whenever(steps.append)
    recalls.ask("Basel")
    assert not [step for step in steps if "remember" in step or "recalled" in step]


def test_the_workers_of_a_prompt_that_wants_no_facts_get_none_either(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    assert recalls.ask("Basel", prompt_id="p1", disable_recall=True)["reason"] == "disabled"
    assert recalls.ask("Basel", prompt_id="p1", **INHERITING)["reason"] == "subagent"
    assert recalls.ask("Basel", parent_turn_id="p1", **INHERITING)["reason"] == "subagent"
    assert recalls.ask("Basel", parent_turn_id="p2", **INHERITING)["reason"] is None
    assert recalls.ask("Basel", prompt_id="p1")["reason"] is None  # the user's own next call says for itself


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (False, {"disable_recall": True}),
        (False, {"disable_recall": True, "use_memory": {"read": False}}),
        (True, {"use_memory": {"read": False}}),
    ],
)
def test_they_get_none_whatever_else_kept_the_prompt_from_facts(
    recalls: Recalls,
    read: bool,  # noqa: FBT001 - what is tested
    said: dict[str, Any],
) -> None:
    recalls.world.switches.companies["acme"] = CompanyFlags(
        context_memory=True, context_memory_with_web_search=True, use_memory=MemoryUse(read=read)
    )
    recalls.learn("Lives in Basel.")
    assert recalls.ask("Basel", prompt_id="p1", **said)["reason"] == "use_memory"
    asked = INHERITING | {"use_memory": {"read": True}}
    assert recalls.ask("Basel", prompt_id="p1", **asked)["reason"] == "subagent"
    assert recalls.ask("Basel", prompt_id="p2", **asked)["reason"] is None


def test_what_one_worker_does_not_read_the_others_still_may(recalls: Recalls) -> None:
    recalls.learn("Lives in Basel.")
    told = recalls.ask("Basel", prompt_id="p1", use_memory={"read": False}, **INHERITING)
    assert told["reason"] == "use_memory"
    assert recalls.ask("Basel", prompt_id="p1", **INHERITING)["reason"] is None


@pytest.mark.parametrize(
    ("company", "said", "reason"),
    [
        (False, {"as_subagent": {}}, "subagent"),
        (False, {"parent_turn_id": "t1"}, "subagent"),
        (False, INHERITING, None),
        (True, {"as_subagent": {}}, None),
        (True, {"as_subagent": {"inherit_memory": False}}, "subagent"),
    ],
)
def test_a_worker_recalls_where_company_or_request_say_so(
    recalls: Recalls,
    company: bool,  # noqa: FBT001 - what is tested
    said: dict[str, Any],
    reason: str | None,
) -> None:
    recalls.world.switches.companies["acme"] = CompanyFlags(
        context_memory=True, context_memory_with_web_search=True, inherit_memory=company
    )
    recalls.learn("Lives in Basel.")
    told = recalls.ask("Basel", **said)
    assert (told["reason"], bool(told["hits"])) == (reason, reason is None)
