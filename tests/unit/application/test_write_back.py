"""A turn's facts are extracted behind its consolidation: checked, confirmed, replaced, and told of in one line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.adapters.in_memory.embeddings import InMemoryEmbedder
from context_memory.domain.errors import ModelUnavailable, StoreUnavailable
from context_memory.domain.facts.fact import Source, Tier
from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.outcomes import Outcome
from context_memory.domain.spaces import Backend, RecallSettings, SpaceSettings
from tests.support import scripted_answers as answers
from tests.support.asked_by_users import ask
from tests.support.house import LENA, NO_FACTS, House

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.facts.fact import Fact
    from tests.support.scripted_model import Asked


def answer(*operations: dict[str, Any]) -> str:
    return json.dumps({"facts": list(operations)})


def add(text: str, quote: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    return {"op": "add", "id": None, "text": text, "tier": "contextual", "keywords": [], "quote": quote} | fields


def named(op: str, number: int, quote: str, text: str | None = None) -> dict[str, Any]:
    return {"op": op, "id": number, "text": text, "tier": None, "keywords": [], "quote": quote}


def facts(house: House) -> tuple[Fact, ...]:
    return house.world.facts.facts(LENA, UserScope(LENA)).facts


def texts(house: House) -> list[str]:
    return sorted(fact.text for fact in facts(house))


def tell(house: House, turn_id: str, said: str, *operations: dict[str, Any], **fields: Any) -> None:  # noqa: ANN401 - any JSON
    """A turn that changes no profile, and what the extraction model answers to it."""
    house.world.clock.advance(60)
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "NOOP")
    house.model.queue("extraction", answer(*operations))
    house.model.script("scrub", lambda _: "CLEAN")
    assert house.post(turn_id, said, **fields) is None
    house.work()


def number_of(text: str) -> Callable[[Asked], int]:
    """Under which number a fact is shown."""

    def find(asked: Asked) -> int:
        found = re.search(rf"^(\d+): {re.escape(text)}$", asked.said_by("user"), re.MULTILINE)
        assert found
        return int(found[1])

    return find


def test_a_fact_is_stored_once_the_profile_has_decided(house: House) -> None:
    tell(
        house, "t1", "I work at Acme as an analyst.", add("Works at Acme as an analyst.", "I work at Acme", tier="core")
    )
    (fact,) = facts(house)
    assert (fact.text, fact.tier, fact.source.turn_id) == ("Works at Acme as an analyst.", Tier.CORE, "t1")
    assert fact.tokens > 0
    record = house.record("t1")
    assert (record.outcome, record.facts_outcome) == (Outcome.NOOP, FactsOutcome.STORED)
    assert record.facts == FactsCounts(added=1)
    assert house.world.payloads.stored(LENA) == []


def test_a_fact_names_the_provider_through_which_it_was_learned(house: House) -> None:
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"), through="telegram:4711", chat_id="c1")
    tell(house, "t2", "I grow tulips.", add("Grows tulips.", "I grow tulips"), chat_id="c2")
    sources = {fact.text: fact.source for fact in facts(house)}
    assert sources == {
        "Owns a canoe.": Source("t1", "c1", "telegram:4711", "s1"),
        "Grows tulips.": Source("t2", "c2", space_id="s1"),
    }


def test_a_fact_that_was_replaced_stays_away_when_both_chats_are_unlearned(house: House) -> None:
    tell(house, "t1", "I work at Acme.", add("Works at Acme.", "I work at Acme"), chat_id="c1")
    moved = named("supersede", 1, "work at Globex", "Works at Globex.")
    tell(house, "t2", "I left Acme and work at Globex now.", moved, chat_id="c2")
    assert texts(house) == ["Works at Globex."]
    told = ask(house, "POST /v1/me/unlearn", {"chat_ids": ["c1", "c2"]}, if_match='"0-0"')
    assert (told.status, told.body["facts"], texts(house)) == (200, {"removed": 1, "restored": 0}, [])


@pytest.mark.parametrize(
    ("condemned", "learned"),
    [({"chat_ids": ["c1"]}, False), ({"turn_ids": ["t1"]}, False), ({"chat_ids": ["c2"]}, True)],
)
def test_a_turn_that_is_unlearned_before_its_facts_are_extracted_teaches_nothing(
    house: House, condemned: dict[str, list[str]], *, learned: bool
) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "NOOP")
    house.post("t1", "I own a canoe.", chat_id="c1")
    house.consolidate_all()
    assert ask(house, "POST /v1/me/unlearn", condemned, if_match='"0-0"').status == 200
    house.model.script("extraction", lambda _: answer(add("Owns a canoe.", "I own a canoe")))
    house.model.script("scrub", lambda _: "CLEAN")
    house.extract_all()
    assert texts(house) == (["Owns a canoe."] if learned else [])
    assert house.record("t1").facts_outcome is (FactsOutcome.STORED if learned else FactsOutcome.SKIPPED)


def test_an_extraction_that_runs_while_its_turn_is_unlearned_stores_nothing(house: House) -> None:
    def unlearned(_: Asked) -> str:
        assert ask(house, "POST /v1/me/unlearn", {"turn_ids": ["t1"]}, if_match='"0-0"').status == 200
        return answer(add("Owns a canoe.", "I own a canoe"))

    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "NOOP")
    house.model.script("extraction", unlearned)
    house.model.script("scrub", lambda _: "CLEAN")
    house.post("t1", "I own a canoe.")
    house.work()
    assert texts(house) == []


def test_a_wish_to_forget_that_is_unlearned_still_guards_against_older_turns(house: House) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "NOOP")
    house.post("t1", "I own a canoe.")
    house.consolidate_all()
    house.world.clock.advance(60)
    house.model.queue("gate", "FORGET")
    house.model.queue("consolidation", "NOOP")
    house.post("t2", "Forget that I own a canoe.")
    house.consolidate_all()
    assert ask(house, "POST /v1/me/unlearn", {"turn_ids": ["t2"]}, if_match='"0-0"').status == 200
    house.model.queue("extraction", answer(add("Owns a canoe.", "I own a canoe")), answer())
    house.model.script("scrub", lambda _: "CLEAN")
    house.extract_all()
    assert texts(house) == []


def test_what_replaces_a_fact_leaves_one_that_remembers_the_other(house: House) -> None:
    tell(house, "t1", "I work at Acme.", add("Works at Acme.", "I work at Acme"))
    tell(
        house, "t2", "I left Acme and work at Globex now.", named("supersede", 1, "work at Globex", "Works at Globex.")
    )
    (fact,) = facts(house)
    assert fact.text == "Works at Globex."
    assert [past.text for past in fact.supersedes] == ["Works at Acme."]
    assert house.record("t2").facts == FactsCounts(superseded=1)


def test_a_fact_that_is_told_again_is_confirmed_and_not_doubled(house: House) -> None:
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"))
    before = facts(house)[0]
    tell(house, "t2", "As I said, I own a canoe!", add("owns a  canoe", "I own a canoe"))
    (after,) = facts(house)
    assert (after.id, after.created_at) == (before.id, before.created_at)
    assert after.last_confirmed_at > before.last_confirmed_at
    assert house.record("t2").facts == FactsCounts(confirmed=1)


def test_one_malformed_fact_is_dropped_alone_and_told_by_its_shape(house: House) -> None:
    broken = {"op": "add", "text": "Secretly likes marzipan.", "quote": 7, "mood": "canary"}
    tell(house, "t1", "I own a canoe.", broken, add("Owns a canoe.", "I own a canoe"))
    assert texts(house) == ["Owns a canoe."]
    (warning,) = [line for line in house.world.telemetry.lines if line.phrase.startswith("memory write-back")]
    assert warning.level == "warning"
    assert warning.fields["reason"] == (
        "malformed fact 1 (op=add id=missing text=text tier=missing keywords=missing quote=int others=1)"
    )
    assert "marzipan" not in str(warning)
    assert "canary" not in str(warning)


def test_the_line_is_the_one_that_is_specified(house: House) -> None:
    tell(
        house,
        "t1",
        "I own a canoe and a kayak.",
        add("Owns a canoe.", "I own a canoe"),
        add("Owns a kayak.", "a kayak"),
        chat_id="chat-1",
    )
    (line,) = [line for line in house.world.telemetry.lines if line.phrase.startswith("memory write-back")]
    assert line.level == "info"
    assert re.fullmatch(
        r"memory write-back extracted 2 facts, kept 2, stored 2 \(session [0-9a-f]{16}, \d+ ms\)", line.phrase
    )
    assert "chat-1" not in line.phrase


def test_nothing_is_learned_from_the_assistant(house: House) -> None:
    tell(
        house,
        "t1",
        "How do I paint a boat?",
        add("Owns a yacht in Genoa.", "Your yacht in Genoa"),
        messages=[
            {"role": "user", "content": "How do I paint a boat?"},
            {"role": "assistant", "content": "Your yacht in Genoa needs two coats."},
        ],
    )
    assert texts(house) == []
    assert house.record("t1").facts == FactsCounts(refused=1)


def test_a_gate_s_noop_ends_the_facts_as_well(house: House) -> None:
    house.model.queue("gate", "NOOP")
    house.post("t1", "Thanks!")
    house.work()
    assert house.model.asked("extraction") == ()
    assert house.record("t1").facts_outcome is FactsOutcome.SKIPPED
    assert house.world.payloads.stored(LENA) == []


@pytest.mark.parametrize(
    "recall",
    [RecallSettings(enabled=False), RecallSettings(write_back=False), RecallSettings(backend=Backend.MARKDOWN_FTS)],
)
def test_where_no_facts_are_wanted_none_are_asked_for(house: House, recall: RecallSettings) -> None:
    house.world.switches.spaces["acme", "s1"] = SpaceSettings(recall=recall)
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "NOOP")
    house.post("t1", "I own a canoe.")
    house.work()
    assert house.model.asked("extraction") == ()
    assert house.record("t1").facts_outcome is None
    assert house.world.payloads.stored(LENA) == []


def test_a_space_that_wants_none_any_more_drops_what_was_pending(house: House) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "NOOP")
    house.post("t1", "I own a canoe.")
    house.consolidate_all()
    house.world.switches.spaces["acme", "s1"] = SpaceSettings(recall=RecallSettings(write_back=False))
    house.extract_all()
    assert house.record("t1").facts_outcome is FactsOutcome.DROPPED_DISABLED
    assert house.world.payloads.stored(LENA) == []


def test_several_turns_are_one_call_and_each_counts_its_own_facts(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    house.model.script("scrub", lambda _: "CLEAN")
    house.model.queue("extraction", answer(add("Owns a canoe.", "a canoe"), add("Owns a kayak.", "a kayak")))
    house.post("t1", "I own a canoe.")
    house.post("t2", "And a kayak.")
    house.work()
    assert len(house.model.asked("extraction")) == 1
    assert [house.record(turn).facts for turn in ("t1", "t2")] == [FactsCounts(added=1), FactsCounts(added=1)]


def test_the_policy_s_reader_strikes_facts_and_shortens_them(house: House) -> None:
    house.model.queue("scrub", "1 DROP\n2: Runs portfolio reviews.")
    tell(
        house,
        "t1",
        "My client Bob Miller is rich. I run portfolio reviews for Bob Miller.",
        add("Has a rich client Bob Miller.", "My client Bob Miller is rich"),
        add("Runs portfolio reviews for Bob Miller.", "I run portfolio reviews for Bob Miller"),
    )
    assert texts(house) == ["Runs portfolio reviews."]
    assert house.record("t1").facts == FactsCounts(added=1, refused=1)


def test_a_veto_keeps_new_facts_out_and_lets_the_rest_happen(house: House) -> None:
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"))
    house.model.queue("scrub", "What a nice line!", "What a nice line!")
    tell(
        house,
        "t2",
        "I still own a canoe, and a kayak.",
        named("confirm", 1, "I still own a canoe"),
        add("Owns a kayak.", "a kayak"),
    )
    assert texts(house) == ["Owns a canoe."]
    assert house.record("t2").facts == FactsCounts(confirmed=1, refused=1)


def test_a_planted_secret_is_never_stored(house: House) -> None:
    said = "My card is 4111 1111 1111 1111."
    tell(house, "t1", said, add(said, said))
    assert texts(house) == []
    assert house.world.telemetry.total("redactions_total", kind="card") == 1


def test_answers_that_cannot_be_read_are_asked_for_once_more(house: House) -> None:
    house.model.queue("extraction", answers.cut('{"facts": [{"op": "add", "te'))
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"))
    assert texts(house) == ["Owns a canoe."]
    assert "cut off before its end" in house.model.asked("extraction")[1].said_by("user")


def test_two_such_answers_end_the_turn_without_facts(house: House) -> None:
    house.model.queue("extraction", "I would rather not.")
    tell(house, "t1", "I own a canoe.")
    house.model.queue("extraction", "I would rather not.", "I would rather not.")
    tell(house, "t2", "I own a kayak.")
    assert house.record("t1").facts_outcome is FactsOutcome.NOTHING
    assert house.record("t2").facts_outcome is FactsOutcome.MALFORMED
    assert house.world.payloads.stored(LENA) == []


def test_a_schema_is_asked_for_and_done_without_where_the_endpoint_knows_none(house: House) -> None:
    house.model.queue("extraction", answers.unsupported("response_format"))
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"))
    first, second = house.model.asked("extraction")
    assert first.body["response_format"]["json_schema"]["strict"] is True
    assert "response_format" not in second.body
    assert texts(house) == ["Owns a canoe."]


def test_the_model_sees_the_twelve_nearest_facts(house: House) -> None:
    for number in range(20):
        said = f"My boat number {number + 100} is called Nanny{number}."
        tell(house, f"t{number}", said, add(f"Has a boat {number + 100} called Nanny{number}.", said))
    tell(house, "again", "Nanny17 is for sale.", named("confirm", 1, "Nanny17 is for sale"))
    shown = house.model.asked("extraction")[-1].said_by("user")
    assert "1: Has a boat 117 called Nanny17." in shown
    assert len(re.findall(r"^\d+: Has a boat", shown, re.MULTILINE)) == 12


def test_facts_get_vectors_and_are_stored_without_while_the_endpoint_is_down(house: House) -> None:
    house.embedder = InMemoryEmbedder(steps=house.world.steps)
    house.restart()
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"))

    def down(step: str) -> None:
        if step == "before:embedder.passages":
            raise ModelUnavailable("It is down.")

    house.world.whenever(down)
    tell(house, "t2", "I own a kayak.", add("Owns a kayak.", "I own a kayak"))
    vectors = {fact.text: fact.vector for fact in facts(house)}
    assert vectors["Owns a canoe."] is not None
    assert vectors["Owns a kayak."] is None
    assert "without vectors" in str(house.world.telemetry.lines[-1].fields["reason"])
    house.world.whenever(lambda _: None)
    house.tend()
    assert all(fact.vector for fact in facts(house))


def test_a_space_that_chose_tables_has_its_users_facts_in_theirs_and_others_have_none(house: House) -> None:
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"))
    assert house.world.published.published == {}
    house.world.switches.spaces["acme", "s1"] = SpaceSettings(recall=RecallSettings(backend=Backend.LANCE))
    tell(house, "t2", "I own a kayak.", add("Owns a kayak.", "I own a kayak"))
    (_, version), table = house.world.published.published[UserScope(LENA)]
    assert version == house.world.facts.head(LENA, UserScope(LENA)).version
    assert {fact.text for fact in table.values()} == {"Owns a canoe.", "Owns a kayak."}


def test_a_table_that_is_out_of_reach_leaves_the_facts_and_is_made_by_the_job(house: House) -> None:
    house.world.switches.spaces["acme", "s1"] = SpaceSettings(recall=RecallSettings(backend=Backend.LANCE))

    def down(step: str) -> None:
        if step.startswith("before:published"):
            raise StoreUnavailable("as the test wants it")

    house.world.whenever(down)
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"))
    assert texts(house) == ["Owns a canoe."]
    house.world.whenever(lambda _: None)
    house.tend()
    (_, version), _ = house.world.published.published[UserScope(LENA)]
    assert version == house.world.facts.head(LENA, UserScope(LENA)).version


def test_ten_recall_and_turn_loops_add_no_fact(house: House) -> None:
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"))
    for number in range(10):
        house.world.clock.advance(60)
        house.model.queue("gate", "UPDATE")
        house.model.queue("consolidation", "NOOP")
        house.model.queue("extraction", answer(add(f"Likes marzipan no. {number}.", "Owns a canoe.")))
        house.post(
            f"loop-{number}",
            "What was it that I own?",
            messages=[
                {"role": "system", "content": "[MEMORY] Owns a canoe. Likes marzipan no. 5."},
                {"role": "user", "content": "What was it that I own?"},
                {"role": "assistant", "content": "You own a canoe."},
            ],
        )
        house.work()
    assert texts(house) == ["Owns a canoe."]


def test_the_day_s_budget_stops_extraction_until_there_is_one_again(house: House) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "NOOP")
    house.post("t1", "I own a canoe.")
    house.consolidate_all()
    house.world.budgets.spend("acme", 50_000_000, house.world.clock.now().date())
    house.restart()
    house.extract_all()
    assert house.model.asked("extraction") == ()
    assert len(house.world.facts.pending(LENA)) == 1


def test_what_is_asked_is_charged_to_the_company(house: House) -> None:
    tell(house, "t1", "I own a canoe.", add("Owns a canoe.", "I own a canoe"))
    calls = house.record("t1").usage
    assert [call.purpose for call in calls] == ["gate", "consolidation", "extraction", "scrub"]
    spent = house.world.budgets.used("acme", house.world.clock.now().date())
    assert spent == sum(call.input_tokens + call.output_tokens for call in calls)


def test_a_turn_without_facts_asks_no_policy_s_reader(house: House) -> None:
    tell(house, "t1", "What a day!")
    assert house.model.asked("scrub") == ()
    assert house.record("t1").facts_outcome is FactsOutcome.NOTHING
    assert NO_FACTS
