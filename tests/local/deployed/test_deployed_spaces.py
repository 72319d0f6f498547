"""Spaces from end to end: who registers them, what they switch, and every reason for which memory is off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.ids import UserKey
from infra.operate.switchboard import Switchboard
from tests.support.administrators import Administrator, caller_of, new_company, switch
from tests.support.deployed import Somebody, eventually

if TYPE_CHECKING:
    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

SETTINGS: dict[str, Any] = {
    "context_memory": True,
    "web_search": False,
    "use_orchestrator_language_model": False,
    "language_model": None,
    "max_tokens": None,
    "consolidation_gate_enabled": True,
    "recall": {
        "enabled": True,
        "write_back": True,
        "pruning": True,
        "compaction": True,
        "backend": "sqlite_fts",
        "cadence": "per_prompt",
    },
}


@pytest.fixture
def administrator(deployed: Deployed) -> Administrator:
    """Administers a company of this test alone, whose memory is on, but for chats that search the web."""
    company_id = new_company()
    emulated = deployed.local.emulated
    switch(Switchboard(emulated.appconfig, emulated.names), company_id, on=True, with_web_search=False)
    return Administrator(deployed, company_id, caller_of(deployed, company_id))


@pytest.fixture
def mia(deployed: Deployed, administrator: Administrator) -> Somebody:
    """A user of that company, known in the space `s1`."""
    assert administrator.register("s1", {}).status_code == 200
    somebody = Somebody(deployed, UserKey(administrator.company_id, "mia"), administrator.keys)
    eventually(lambda: reason_of_load(somebody), lambda reason: reason is None)
    eventually(lambda: reason_of_post(somebody), lambda reason: reason == "blank")
    return somebody


def reason_of_load(somebody: Somebody, **query: str) -> str | None:
    answer = somebody.load(**query)
    assert answer.status_code == 200, answer.text
    reason: str | None = answer.json()["reason"]
    assert answer.json()["enabled"] == (reason is None)
    return reason


def reason_of_post(somebody: Somebody, **fields: Any) -> str | None:  # noqa: ANN401 - any JSON
    """Why nothing is kept of a turn without words of the user's, which is kept in no case."""
    reason: str | None = somebody.post("probe", " ", **fields).json()["reason"]
    return reason


def become(somebody: Somebody, **attributes: Any) -> None:  # noqa: ANN401 - as items spell them
    """Write the user's settings as an opt-out or an erase leaves them."""
    somebody.deployed.dynamodb.put_item(
        TableName=somebody.deployed.local.outputs.user_table,
        Item={
            "pk": {"S": somebody.key.partition},
            "sk": {"S": "A#SETTINGS"},
            "epoch": {"N": "1"},
            "context_memory": {"BOOL": True},
            **attributes,
        },
    )


def test_every_reason_is_the_first_once(mia: Somebody, administrator: Administrator) -> None:
    assert (reason_of_load(mia), reason_of_post(mia)) == (None, "blank")
    assert reason_of_post(mia, use_memory={"write": False}) == "use_memory"
    become(mia, erase_state={"S": "running"})
    assert reason_of_load(mia) == "erase_running"
    assert mia.post("probe", " ", use_memory={"write": False}).status_code == 503
    become(mia, context_memory={"BOOL": False}, erase_state={"S": "running"})
    assert (reason_of_load(mia), reason_of_post(mia, use_memory={"write": False})) == ("user_off", "user_off")
    assert (reason_of_load(mia, web_search="true"), reason_of_post(mia, web_search=True)) == ("web_search",) * 2
    elsewhere = {"space_id": "s2"}
    assert (reason_of_load(mia, **elsewhere), reason_of_post(mia, **elsewhere)) == ("space_unknown",) * 2
    assert reason_of_load(mia, web_search="false", **elsewhere) == "user_off"
    administrator.register("s1", {"context_memory": False, "web_search": True})
    eventually(lambda: reason_of_load(mia, web_search="true"), lambda reason: reason == "space_off")
    eventually(lambda: reason_of_post(mia, web_search=True), lambda reason: reason == "space_off")
    emulated = mia.deployed.local.emulated
    switch(Switchboard(emulated.appconfig, emulated.names), administrator.company_id, on=False)
    eventually(lambda: reason_of_load(mia), lambda reason: reason == "company_off")
    eventually(lambda: reason_of_post(mia), lambda reason: reason == "company_off")


def test_a_space_that_searches_has_no_memory_where_the_operator_keeps_both_apart(
    mia: Somebody, administrator: Administrator
) -> None:
    administrator.register("s1", {"web_search": True})
    eventually(lambda: reason_of_load(mia), lambda reason: reason == "web_search")
    assert reason_of_load(mia, web_search="false") == "web_search"  # whichever is true


def test_an_administrator_registers_sees_and_removes_spaces(administrator: Administrator) -> None:
    assert administrator.call("GET", "/spaces").json() == {"spaces": [], "next": None}
    missing = administrator.call("GET", "/spaces/s=2F1")
    assert (missing.status_code, missing.json()["type"]) == (404, "urn:context-memory:problem:unknown_space")
    first = administrator.register("s/1", {"max_tokens": 700}, if_match='"0"')
    shown = {"space_id": "s/1", "settings": SETTINGS | {"max_tokens": 700}}
    assert (first.status_code, first.json()) == (200, shown)
    again = administrator.register("s/1", {}, if_match='"0"')
    assert (again.status_code, again.headers["etag"]) == (412, first.headers["etag"])
    administrator.register("s2", {"recall": {"enabled": False}})
    seen = administrator.call("GET", "/spaces/s=2F1")
    assert (seen.json(), seen.headers["etag"]) == (shown, first.headers["etag"])
    page = administrator.call("GET", "/spaces?limit=1").json()
    rest = administrator.call("GET", f"/spaces?limit=1&after={page['next']}").json()
    assert ([space["space_id"] for space in page["spaces"]], page["next"]) == (["s2"], "s2")
    assert (rest["spaces"], rest["next"]) == ([shown], None)
    refused = administrator.call("DELETE", "/spaces/s=2F1", if_match='"7"')
    assert (refused.status_code, refused.headers["etag"]) == (412, first.headers["etag"])
    gone = administrator.call("DELETE", "/spaces/s=2F1", if_match=first.headers["etag"])
    assert (gone.status_code, gone.content) == (204, b"")
    assert administrator.call("DELETE", "/spaces/s=2F1").status_code == 204
    assert administrator.call("GET", "/spaces/s=2F1").status_code == 404


@pytest.mark.parametrize(
    ("below", "body", "field"),
    [
        ("/spaces/s1", {"max_tokens": 499}, "max_tokens"),
        ("/spaces/s1", {"language_model": "no such model"}, "language_model"),
        ("/spaces/s1", {"unknown": 1}, "unknown"),
        ("/spaces/s%201", {}, "space_id"),
        ("", {"allowed_special": ["health"]}, "allowed_special.0"),
        ("", {"retention": {"revisions": 0}}, "retention.revisions"),
        ("", {"expire_after_months": 61}, "expire_after_months"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_field(
    deployed: Deployed, below: str, body: dict[str, object], field: str
) -> None:
    refused = Administrator(deployed, "acme2").call("PUT", below, body)
    assert (refused.status_code, refused.json()["field"]) == (422, field)


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x"])
def test_a_page_of_no_size_is_refused(deployed: Deployed, query: str) -> None:
    refused = Administrator(deployed, "acme2").call("GET", f"/spaces?{query}")
    assert (refused.status_code, refused.json()["field"]) == (422, "limit")


@pytest.mark.parametrize(("method", "below"), [("GET", "/spaces"), ("GET", "/spaces/s1"), ("DELETE", "/spaces/s1")])
def test_neither_another_companys_administrator_nor_an_orchestrator_reaches_spaces(
    deployed: Deployed, method: str, below: str
) -> None:
    path = f"/v1/companies/acme{below}"
    assert deployed.call(method, path).status_code == 403
    assert deployed.call(method, path, keys=Administrator(deployed, "acme2").keys).status_code == 403
    assert deployed.call("PUT", "/v1/companies/acme/spaces/s1", content=b"{}").status_code == 403


def test_a_space_is_shown_less_and_stores_no_less(
    learning: Deployed, mia: Somebody, administrator: Administrator
) -> None:
    names = ("Rust", "Go", "Perl", "Java", "Ruby", "Lua", "Scala")
    for number, name in enumerate(names):
        mia.post(f"t{number}", f"I know {name} {'very ' * 60}well.", occurred_at=f"2026-06-17T12:{number:02}:00Z")
    assert {mia.done(f"t{number}")["outcome"] for number, _ in enumerate(names)} == {"updated"}
    administrator.register("narrow", {"max_tokens": 500})
    eventually(
        lambda: mia.load(space_id="narrow").json()["memory"], lambda memory: 0 < (memory or "").count("Knows ") < 7
    )
    assert mia.memory().count("Knows ") == len(names)
    mia.post("t9", "I know Ada.", space_id="narrow", occurred_at="2026-06-17T12:30:00Z")
    assert mia.done("t9")["outcome"] == "updated"
    assert mia.memory().count("Knows ") == len(names) + 1
    assert not learning.model.asked("condense")


def test_a_space_without_a_gate_consolidates_every_turn(
    learning: Deployed, mia: Somebody, administrator: Administrator
) -> None:
    administrator.register("ungated", {"consolidation_gate_enabled": False})
    mia.post("t1", "I know Rust.", space_id="ungated")
    assert mia.done("t1")["outcome"] == "updated"
    asked = [one.purpose for one in learning.model.asked() if one.purpose != "embedding"]  # of jobs of earlier tests
    assert (asked[:2], "gate" in asked) == (["consolidation", "scrub"], False)


def test_the_chosen_model_rewrites_and_is_named(
    learning: Deployed, mia: Somebody, administrator: Administrator
) -> None:
    administrator.register("choosing", {"use_orchestrator_language_model": True})
    administrator.register("fast", {"language_model": "fast"})
    mia.post("t1", "I know Rust.", space_id="choosing", language_model="fast")
    mia.done("t1")
    mia.post("t2", "I know Go.", space_id="fast", occurred_at="2026-06-17T12:30:00Z")
    mia.done("t2")
    mia.post("t3", "I know Ada.", language_model="fast", occurred_at="2026-06-17T12:40:00Z")  # nobody lets it choose
    used = {usage["purpose"]: usage["model"] for usage in mia.done("t3")["usage"]}
    assert used["consolidation"] == "scripted"
    asked = [(one.turns, one.purpose, one.body["model"]) for one in learning.model.asked()]
    assert {model for _, purpose, model in asked if purpose != "consolidation"} == {"scripted"}
    assert [model for _, purpose, model in asked if purpose == "consolidation"] == ["chosen", "chosen", "scripted"]
    assert [revision["model"]["S"] for revision in mia.items("REVISION#")] == ["chosen", "chosen", "scripted"]


def test_a_turn_that_chooses_a_model_off_the_list_is_refused_and_may_come_again(
    learning: Deployed, mia: Somebody, administrator: Administrator
) -> None:
    administrator.register("choosing", {"use_orchestrator_language_model": True})
    refused = mia.post("t1", "I know Go.", space_id="choosing", language_model="no such model")
    assert (refused.status_code, refused.json()["field"]) == (422, "language_model")
    assert mia.post("t1", "I know Go.", space_id="choosing", language_model="fast").status_code == 202
    assert mia.done("t1")["outcome"] == "updated"
    assert [one.body["model"] for one in learning.model.asked("consolidation")] == ["chosen"]
