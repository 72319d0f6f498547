"""Citations: only what was given in the prompt, and still is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.contracts.metrics.values import CITED
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.recall.markers import marker
from context_memory.domain.spaces import Cadence, RecallSettings, SpaceSettings
from context_memory.ports.recall import KEPT
from tests.support.recalling import LENA, Recalls

INVENTED = "0123456789abcdef0123"


def uses(recalls: Recalls) -> dict[str, int]:
    return {fact.text: fact.uses for fact in recalls.world.facts.facts(LENA, UserScope(LENA)).facts}


def test_a_citation_of_a_given_fact_is_resolved_and_an_invented_one_dropped(recalls: Recalls) -> None:
    (basel,) = recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    told = recalls.citations(f"In Basel {marker(basel.id)}, near Bern {marker(INVENTED)}.", "p1")
    assert told == {
        "answer": f"In Basel {marker(basel.id)}, near Bern.",
        "citations": [{"id": basel.id, "text": "Lives in Basel.", "scope": "user"}],
        "invented": 1,
        "withdrawn": 0,
        "notes": [],
    }
    assert uses(recalls) == {"Lives in Basel.": 1}


def test_facts_of_every_scope_are_resolved_in_the_order_of_their_markers(recalls: Recalls) -> None:
    (own,) = recalls.learn("Lena parks at gate one.")
    (space,) = recalls.share("Visitors park at gate two.", space_id="s1")
    (company,) = recalls.share("Lorries park at gate three.")
    told = recalls.ask("gate", prompt_id="p1", ephemeral=["Is at gate four."])
    chat = next(hit["id"] for hit in told["hits"] if hit["tier"] == "ephemeral")
    order = [company.id, own.id, chat, space.id, own.id]
    cited = recalls.citations(" ".join(map(marker, order)), "p1")["citations"]
    assert [(one["id"], one["text"], one["scope"]) for one in cited] == [
        (company.id, "Lorries park at gate three.", "global"),
        (own.id, "Lena parks at gate one.", "user"),
        (chat, None, None),
        (space.id, "Visitors park at gate two.", "workspace"),
    ]


def test_a_fact_that_was_not_given_in_this_prompt_is_invented_although_it_exists(recalls: Recalls) -> None:
    basel, momo = recalls.learn("Lives in Basel.", "Has a dog called Momo.")
    recalls.ask("Basel", prompt_id="p1")
    recalls.ask("Momo", prompt_id="p2")
    told = recalls.citations(f"{marker(momo.id)}{marker(basel.id)}", "p1")
    assert (told["answer"], told["invented"]) == (marker(basel.id), 1)


def test_what_any_call_of_the_prompt_was_given_may_be_cited(recalls: Recalls) -> None:
    recalls.world.switches.spaces["acme", "s1"] = SpaceSettings(recall=RecallSettings(cadence=Cadence.EVERY_CALL))
    (basel,) = recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1", max_hits=1)
    (bern,) = recalls.learn("Left Basel for Bern.", drops=())
    recalls.ask("Bern Basel", prompt_id="p1", max_hits=1)
    recalls.ask("Basel", prompt_id="p1", max_hits=1)
    told = recalls.citations(f"{marker(basel.id)}{marker(bern.id)}", "p1")
    assert (len(told["citations"]), told["invented"]) == (2, 0)


def test_a_fact_that_was_deleted_since_is_withdrawn(recalls: Recalls) -> None:
    (basel,) = recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    recalls.learn("Lives in Bern.", drops=(basel.id,))
    told = recalls.citations(f"In Basel {marker(basel.id)}.", "p1")
    assert told == {"answer": "In Basel.", "citations": [], "invented": 0, "withdrawn": 1, "notes": []}


@pytest.mark.parametrize("off", ["company", "user"])
def test_where_memory_was_switched_off_since_everything_is_withdrawn(recalls: Recalls, off: str) -> None:
    (basel,) = recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    if off == "company":
        recalls.world.switches.companies["acme"] = CompanyFlags()
    else:
        settings = recalls.world.table.state(LENA).settings
        recalls.world.table.write_settings(LENA, replace(settings, context_memory=False))
    told = recalls.citations(f"In Basel {marker(basel.id)}.", "p1")
    assert (told["citations"], told["withdrawn"]) == ([], 1)


def test_after_an_erase_nothing_was_ever_given(recalls: Recalls) -> None:
    (basel,) = recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    settings = recalls.world.table.state(LENA).settings
    recalls.world.table.write_settings(LENA, replace(settings, epoch=1))
    assert recalls.citations(marker(basel.id), "p1") == {
        "answer": "", "citations": [], "invented": 0, "withdrawn": 0, "notes": ["prompt_unknown"],
    }  # fmt: skip


@pytest.mark.parametrize("forgotten", ["never asked", "expired"])
def test_where_nobody_remembers_the_prompt_nothing_is_called_invented(recalls: Recalls, forgotten: str) -> None:
    (basel,) = recalls.learn("Lives in Basel.")
    if forgotten == "expired":
        recalls.ask("Basel", prompt_id="p1")
        recalls.world.clock.advance(KEPT.total_seconds() + 1)
    told = recalls.citations(f"In Basel {marker(basel.id)}, near Bern {marker(INVENTED)}.", "p1")
    assert told == {
        "answer": "In Basel, near Bern.",
        "citations": [],
        "invented": 0,
        "withdrawn": 0,
        "notes": ["prompt_unknown"],
    }
    total = recalls.world.telemetry.total
    assert (total("citations_total", result="unknown"), total("citations_total", result="invented")) == (2, 0)


def test_a_prompt_that_was_given_nothing_is_known(recalls: Recalls) -> None:
    recalls.ask("Basel", prompt_id="p1")
    told = recalls.citations(marker(INVENTED), "p1")
    assert (told["invented"], told["notes"]) == (1, [])


def test_another_user_s_prompt_gives_nothing_to_cite(recalls: Recalls) -> None:
    (basel,) = recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    for other in (replace(LENA, user_id="Lena"), replace(LENA, company_id="bank")):
        assert recalls.citations(marker(basel.id), "p1", other)["citations"] == []


def test_an_answer_without_markers_asks_nobody(recalls: Recalls) -> None:
    steps: list[str] = []
    recalls.world.whenever(steps.append)
    assert recalls.citations("Nothing is cited [[here]].", "p1")["answer"] == "Nothing is cited [[here]]."
    assert steps == []


def test_a_store_that_is_out_of_reach_makes_no_citation_invented(recalls: Recalls) -> None:
    def down(step: str) -> None:
        if step == "before:table.recalled":
            raise StoreUnavailable("The store is down.")

    recalls.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        recalls.citations(marker(INVENTED), "p1")


def test_a_use_that_cannot_be_counted_costs_nobody_the_citation(recalls: Recalls) -> None:
    (basel,) = recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")

    def down(step: str) -> None:
        if step == "before:table.cite":
            raise StoreUnavailable("The store is down.")

    recalls.world.whenever(down)
    assert len(recalls.citations(marker(basel.id), "p1")["citations"]) == 1
    recalls.world.whenever(lambda _: None)
    assert uses(recalls) == {"Lives in Basel.": 0}


def test_citations_are_counted_by_what_became_of_them(recalls: Recalls) -> None:
    (basel,) = recalls.learn("Lives in Basel.")
    recalls.ask("Basel", prompt_id="p1")
    recalls.citations(f"{marker(basel.id)} {marker(basel.id)} {marker(INVENTED)}", "p1")
    telemetry = recalls.world.telemetry
    counted = {one: telemetry.total("citations_total", result=one) for one in CITED}
    assert counted == {"resolved": 2, "invented": 1, "withdrawn": 0, "unknown": 0}
    assert uses(recalls) == {"Lives in Basel.": 1}


@given(pieces=st.lists(st.text(st.characters(exclude_characters="[]\\", exclude_categories=["Cs"])), max_size=5))
def test_an_answer_loses_its_invented_markers_and_nothing_else(pieces: list[str]) -> None:
    with Recalls() as recalls:
        recalls.ask("Basel", prompt_id="p1")
        told = recalls.citations(marker(INVENTED).join(pieces), "p1")
    assert told["answer"] == "".join(pieces)
    assert told["invented"] == max(len(pieces) - 1, 0)
