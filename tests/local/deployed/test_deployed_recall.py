"""Recall from end to end: real HTTP, IAM enforced, each user's facts read with that user's credentials."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from context_memory.domain.facts.fact import Tier
from context_memory.domain.ids import UserKey
from infra.operate.switchboard import Switchboard
from tests.support import scripted_answers
from tests.support.administrators import Administrator, caller_of, new_company, switch
from tests.support.deployed import SPACE, Deployed, Somebody, eventually
from tests.support.deployed_facts import FactsOf

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.deployed

INVENTED = "[[cite:mem:0123456789abcdef0123]]"


@pytest.fixture
def facts(lena: Somebody) -> FactsOf:
    """A user of whom one thing is known."""
    facts = FactsOf(lena)
    facts.learn("Lives in Basel.", "Has a dog called Momo.")
    return facts


@pytest.fixture
def administrator(deployed: Deployed) -> Administrator:
    """Administers a company of this test alone, whose memory is on."""
    company_id = new_company()
    emulated = deployed.local.emulated
    switch(Switchboard(emulated.appconfig, emulated.names), company_id, on=True)
    return Administrator(deployed, company_id, caller_of(deployed, company_id))


@pytest.fixture
def mia(deployed: Deployed, administrator: Administrator) -> FactsOf:
    """A user of that company, of whom one thing is always recalled."""
    facts = FactsOf(Somebody(deployed, UserKey(administrator.company_id, "mia"), administrator.keys))
    facts.learn("Lives in Basel.", tier=Tier.CORE)
    eventually(lambda: facts.ask("Basel")["reason"], lambda reason: reason is None)
    return facts


def test_a_fact_is_recalled_cited_and_an_invented_citation_is_dropped(facts: FactsOf) -> None:
    told = facts.ask("Where in Basel does she live?", prompt_id="p1")
    (hit,) = told["hits"]
    assert (hit["text"], hit["scope"], told["backend"]) == ("Lives in Basel.", "user", "sqlite_fts")
    assert f"- Lives in Basel. {hit['marker']}\n" in told["block"]
    # The job that gives it a vector, asked for by the recall, writes the fact whole: a use between its look and that
    # would not be counted.
    eventually(lambda: facts.somebody.items(f"FACT#{hit['id']}"), lambda items: "vector" in items[0])
    cited = facts.cite(f"You live in Basel {hit['marker']}, near Bern {INVENTED}.", "p1")
    assert cited == {
        "answer": f"You live in Basel {hit['marker']}, near Bern.",
        "citations": [{"id": hit["id"], "text": "Lives in Basel.", "scope": "user"}],
        "invented": 1,
        "withdrawn": 0,
        "notes": [],
    }
    (item,) = facts.somebody.items(f"FACT#{hit['id']}")
    assert item["uses"] == {"N": "1"}


def test_a_later_call_of_the_prompt_gets_the_same_without_what_was_deleted_meanwhile(facts: FactsOf) -> None:
    (office,) = facts.learn("Works in Basel.")
    first = facts.ask("Basel", prompt_id="p1")
    facts.learn("Was born in Basel.", drops=(office.id,))
    again = facts.ask("Basel", prompt_id="p1")
    assert (first["cached"], again["cached"]) == (False, True)
    assert {"Works in Basel.", "Lives in Basel."} <= {hit["text"] for hit in first["hits"]}
    assert again["hits"] == [hit for hit in first["hits"] if hit["id"] != office.id]
    # Vectors come behind the first question, and with them whatever is near in meaning.
    another = set(facts.texts("Basel", prompt_id="p2"))
    assert {"Lives in Basel.", "Was born in Basel."} <= another
    assert "Works in Basel." not in another
    assert facts.cite(f"[[cite:mem:{office.id}]]", "p1")["withdrawn"] == 1


@pytest.mark.parametrize(
    ("query", "text"), [("她现在住在巴塞尔吗", "她住在巴塞尔。"), ("東京で働いていますか", "東京の病院で働いている。")]
)
def test_chinese_and_japanese_are_found_by_keyword_alone(facts: FactsOf, query: str, text: str) -> None:
    facts.learn(text)
    (hit,) = facts.ask(query)["hits"]
    assert (hit["text"], hit["why"]) == (text, ["keywords"])


def test_no_user_is_given_what_a_look_alike_or_a_space_of_the_same_name_elsewhere_has(
    facts: FactsOf, mia: FactsOf
) -> None:
    key = facts.somebody.key
    others = [f"{key.user_id}x", key.user_id[:-1], f"{key.user_id}#x", f"{key.user_id}/..", f"{key.user_id}%", "mia"]
    for number, other in enumerate(others):
        FactsOf(Somebody.named(facts.deployed, other)).learn(f"Parks at gate {number}.", tier=Tier.CORE)
    mia.learn("Parks at the gate of another company.")
    space = f"space-{uuid4().hex[:8]}"  # what is shared there stays, and other tests ask in the usual one
    mia.share("Visitors park at the gate of another company.", space_id=space)
    mia.share("Lorries park at the gate of another company.")
    facts.share("Visitors park at the gate of another space.", space_id=f"{space}#x")
    facts.share("Visitors park at gate nine.", space_id=space)
    found = facts.texts("gate park parks visitors lorries", space_id=space, max_hits=50)
    assert found == ["Visitors park at gate nine."]
    for number, other in enumerate(others):
        assert f"Parks at gate {number}." in FactsOf(Somebody.named(facts.deployed, other)).texts("")


def test_what_a_caller_of_another_company_asks_is_refused_by_iam(facts: FactsOf, mia: FactsOf) -> None:
    asked = {"query": "Basel", "space_id": SPACE}
    assert facts.post("recall", asked, keys=mia.somebody.keys).status_code == 403
    assert facts.post("citations", {"answer": INVENTED, "prompt_id": "p1"}, keys=mia.somebody.keys).status_code == 403


def test_the_prompt_of_another_user_gives_nothing_to_cite(facts: FactsOf, deployed: Deployed) -> None:
    (hit,) = facts.ask("Basel", prompt_id="p1")["hits"]
    other = FactsOf(deployed.newcomer())
    told = {"answer": "", "citations": [], "invented": 0, "withdrawn": 0, "notes": ["prompt_unknown"]}
    assert other.cite(hit["marker"], "p1") == told


def opted_out(facts: FactsOf) -> None:
    become(facts, context_memory={"BOOL": False})


def erasing(facts: FactsOf) -> None:
    become(facts, erase_state={"S": "running"})


def become(facts: FactsOf, **attributes: Any) -> None:  # noqa: ANN401 - as items spell them
    facts.deployed.dynamodb.put_item(
        TableName=facts.deployed.local.outputs.user_table,
        Item={
            "pk": {"S": facts.somebody.key.partition},
            "sk": {"S": "A#SETTINGS"},
            "epoch": {"N": "0"},
            "context_memory": {"BOOL": True},
            **attributes,
        },
    )


@pytest.mark.parametrize(
    ("switch_off", "reason"), [(opted_out, "user_off"), (erasing, "erase_running")], ids=["opt-out", "erase"]
)
def test_a_cached_answer_survives_neither_opt_out_nor_erase(
    facts: FactsOf, switch_off: Callable[[FactsOf], None], reason: str
) -> None:
    assert facts.texts("Basel", prompt_id="p1") == ["Lives in Basel."]
    switch_off(facts)
    told = facts.ask("Basel", prompt_id="p1")
    assert (told["enabled"], told["reason"], told["block"], told["hits"]) == (False, reason, "", [])


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"disable_recall": True}, "disabled"),
        ({"use_memory": {"read": False}}, "use_memory"),
        ({"as_subagent": {}}, "subagent"),
        ({"parent_turn_id": "t1"}, "subagent"),
        ({"as_subagent": {"inherit_memory": True}}, None),
    ],
)
def test_a_request_switches_recall_off_for_itself(facts: FactsOf, said: dict[str, Any], reason: str | None) -> None:
    told = facts.ask("Basel", **said)
    assert (told["reason"], bool(told["hits"])) == (reason, reason is None)


def test_administrators_switch_recall_and_say_what_is_done_by_default(
    mia: FactsOf, administrator: Administrator
) -> None:
    assert administrator.register(SPACE, {"recall": {"enabled": False}}).status_code == 200
    eventually(lambda: mia.ask("Basel")["reason"], lambda reason: reason == "recall_off")
    assert mia.ask("Basel", space_id="elsewhere")["reason"] is None
    assert administrator.put({"use_memory": {"read": False}}).status_code == 200
    eventually(lambda: mia.ask("Basel", space_id="elsewhere")["reason"], lambda reason: reason == "use_memory")
    assert mia.texts("Basel", space_id="elsewhere", use_memory={"read": True}) == ["Lives in Basel."]
    emulated = mia.deployed.local.emulated
    switch(Switchboard(emulated.appconfig, emulated.names), administrator.company_id, on=False)
    eventually(lambda: mia.ask("Basel")["reason"], lambda reason: reason == "company_off")


def test_workers_of_a_prompt_that_wants_no_facts_get_none_and_load_nothing(facts: FactsOf) -> None:
    inheriting = {"as_subagent": {"inherit_memory": True}, "parent_turn_id": "t1"}
    assert facts.ask("Basel", **inheriting)["reason"] is None
    assert facts.ask("Basel", prompt_id="t1", disable_recall=True)["reason"] == "disabled"
    assert facts.ask("Basel", **inheriting)["reason"] == "subagent"
    worker = {"parent_turn_id": "t1", "inherit_memory": "true"}
    assert facts.somebody.load(**worker).json()["reason"] == "subagent"
    assert facts.somebody.load(**(worker | {"parent_turn_id": "t2"})).json()["reason"] is None
    posted = facts.somebody.post("w1", "I know Rust.", parent_turn_id="t1", inherit_memory=True)
    assert posted.json() == {"turn_id": "w1", "status": "skipped", "reason": "subagent"}


def test_without_the_endpoint_of_embeddings_words_find_facts_and_the_answer_says_so(facts: FactsOf) -> None:
    model = facts.deployed.model
    model.script("embedding", lambda _: scripted_answers.error(503, {"message": "busy"}))
    told = facts.ask("Basel")
    assert ([hit["text"] for hit in told["hits"]], told["notes"]) == (["Lives in Basel."], ["embedding_unavailable"])


def test_what_the_profile_shows_is_not_repeated(learning: Deployed, facts: FactsOf) -> None:
    facts.somebody.post("t1", "I know Rust.")
    facts.somebody.done("t1")
    facts.learn("Knows Rust.", "Knows Rust macros.")
    assert facts.texts("Rust") == ["Knows Rust macros."]
    assert facts.ask("Rust", backend="markdown_fts")["hits"][0]["text"] == "Knows Rust."
    del learning


def test_ten_loops_of_recall_and_turn_add_nothing(learning: Deployed, facts: FactsOf) -> None:
    before = sorted(item["sk"]["S"] for item in facts.somebody.items("FACT"))
    for number in range(10):
        block = facts.ask("Basel, Momo", prompt_id=f"p{number}")["block"]
        assert "Momo" in block
        assert facts.somebody.post(f"t{number}", block).json()["reason"] == "blank"
    assert sorted(item["sk"]["S"] for item in facts.somebody.items("FACT")) == before
    assert facts.somebody.memory() == ""
    del learning


def quoted(block: str) -> str:
    """As mail programs and chats quote."""
    return "\n".join(f"> {line}" for line in block.splitlines())


def fenced(block: str) -> str:
    """As code is pasted."""
    return f"```\n{block}\n```"


@pytest.mark.parametrize("pasted", [str, quoted, fenced], ids=["as it was", "quoted", "fenced"])
def test_ten_loops_in_which_the_user_pastes_the_block_teach_only_what_else_they_say(
    learning: Deployed, facts: FactsOf, pasted: Callable[[str], str]
) -> None:
    """The model takes all of the block for the user's words, as a careless one would."""
    rest: dict[str, object] = {"tier": None, "keywords": []}
    proposed = [
        rest | {"op": "add", "id": None, "text": "Has a dog.", "quote": "Has a dog called Momo."},
        rest | {"op": "confirm", "id": 1, "text": None, "quote": "Lives in Basel."},
        rest | {"op": "confirm", "id": 2, "text": None, "quote": "Has a dog called Momo."},
        rest | {"op": "supersede", "id": 1, "text": "Lives in Basel with Momo.", "quote": "Lives in Basel."},
        rest | {"op": "add", "id": None, "text": "Knows Rust.", "quote": "I know Rust."},
    ]
    learning.model.script("extraction", lambda _: json.dumps({"facts": proposed}))
    before = {item["text"]["S"]: item for item in facts.somebody.items("FACT#")}
    for number in range(10):
        block = facts.ask("Basel, Momo", prompt_id=f"p{number}")["block"]
        assert "Momo" in block
        said = f"This is what you were shown:\n\n{pasted(block)}\n\nI know Rust."
        answer = facts.somebody.post(f"t{number}", said, occurred_at=f"2026-06-17T11:4{number}:00Z")
        assert answer.json()["status"] == "queued"
        eventually(partial(facts.somebody.turn, f"t{number}"), lambda turn: turn["facts"]["status"] == "done")
    after = {item["text"]["S"]: item for item in facts.somebody.items("FACT#")}
    assert set(after) == {*before, "Knows Rust."}
    statement = ("created_at", "last_confirmed_at", "source", "supersedes")
    for text, item in before.items():
        assert {name: after[text].get(name) for name in statement} == {name: item.get(name) for name in statement}
    assert "Basel" not in facts.somebody.memory()
    assert "Momo" not in facts.somebody.memory()


def test_no_item_of_a_prompt_holds_a_text(facts: FactsOf) -> None:
    facts.ask("Canary in Basel", prompt_id="p1", ephemeral=["Canary in Basel."])
    items = facts.somebody.items("PROMPT#p1")
    assert items
    assert all("expires_at" in item for item in items)
    assert "Basel" not in repr(items)
    assert "Canary" not in repr(items)


@pytest.mark.parametrize(
    ("route", "body", "field"),
    [
        ("recall", {"query": "x"}, "space_id"),
        ("recall", {"query": "x", "space_id": SPACE, "max_hits": 51}, "max_hits"),
        ("recall", {"query": "x", "space_id": SPACE, "colour": "blue"}, "colour"),
        ("recall", {"query": "x", "space_id": SPACE, "backend": "elastic"}, "backend"),
        ("citations", {"answer": "x"}, "prompt_id"),
    ],
)
def test_a_wrong_field_is_refused_and_named(lena: Somebody, route: str, body: object, field: str) -> None:
    refused = FactsOf(lena).post(route, body)
    assert (refused.status_code, refused.json()["field"]) == (422, field)
