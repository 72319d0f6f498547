"""Users at work on the history of their memory, over HTTP, and what becomes of history with time."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.adapters.dynamodb.attributes import stamp
from tests.support.end_users import Owner
from tests.support.house import body

if TYPE_CHECKING:
    import httpx

    from tests.support.deployed import Deployed, Somebody
    from tests.support.scripted_model import Asked

pytestmark = pytest.mark.deployed
FACTS = ["Lives in Basel.", "Sails.", "Plays the cello.", "Works as a nurse.", "Has a dog."]


@pytest.fixture
def owner(deployed: Deployed, lena: Somebody) -> Owner:
    """Lena herself."""
    return Owner(deployed, lena.key.user_id)


def identity(owner: Owner) -> list[str]:
    shown = owner.get("memory")
    return [bullet["text"] for bullet in shown["sections"][0]["bullets"]]


def kind(answer: httpx.Response) -> str:
    return str(answer.json()["type"].rpartition(":")[2])


def forgets(deployed: Deployed, lena: Somebody, turn_id: str, *left: str) -> None:
    """A turn asks to forget, and the model leaves these bullets."""
    deployed.model.script("gate", lambda _: "FORGET")
    deployed.model.script("consolidation", lambda _: f"FORGET\n{body(identity=list(left))}")
    deployed.model.script("scrub", lambda _: "CLEAN")
    said = "Please forget that I have a dog." if left else "Please forget everything."
    lena.post(turn_id, said)
    assert lena.done(turn_id)["outcome"] == "forgotten"


def backdate(deployed: Deployed, lena: Somebody, beginning: str, attribute: str, days: int) -> None:
    """Let items of Lena's be as old as if days had gone by."""
    at = stamp(datetime.now(UTC) - timedelta(days=days))
    for item in lena.items(beginning):
        deployed.dynamodb.update_item(
            TableName=deployed.environment("consolidate")["USER_TABLE"],
            Key={"pk": item["pk"], "sk": item["sk"]},
            UpdateExpression="SET #attribute = :at",
            ExpressionAttributeNames={"#attribute": attribute},
            ExpressionAttributeValues={":at": {"S": at}},
        )


def does(deployed: Deployed, lena: Somebody, job: str) -> None:
    deployed.invoke("maintain", {"job": job, "company_id": lena.key.company_id, "user_id": lena.key.user_id})


def test_a_memory_that_a_model_wiped_is_brought_back(deployed: Deployed, owner: Owner, lena: Somebody) -> None:
    owner.edits(Identity=FACTS)
    forgets(deployed, lena, "t1")
    assert identity(owner) == []
    wiped, before = owner.get("memory/revisions")["revisions"]
    assert (wiped["writer"], len(wiped["operations"]), before["restorable"]) == ("turn", len(FACTS), True)
    answer = owner.call("POST", f"memory/revisions/{before['n']}/restore")
    assert answer.status_code == 200, answer.text
    assert identity(owner) == FACTS
    assert "- Plays the cello." in lena.memory()
    assert owner.get("memory/revisions?limit=1")["revisions"][0]["restored"] == before["n"]
    assert lena.items("FORGOTTEN#") == []


def test_a_bullet_tells_its_origin_and_is_unlearned_by_its_chat(
    deployed: Deployed, owner: Owner, lena: Somebody
) -> None:
    owner.edits(Identity=FACTS[:1])

    def learns(asked: Asked) -> str:
        return body(identity=[FACTS[0], *(["Sails."] if "sail" in asked.said_by("user") else [])])

    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", learns)
    deployed.model.script("scrub", lambda _: "CLEAN")
    lena.post("t1", "I sail a lot: sails, sailing.", chat_id="chat-1")
    lena.done("t1")
    chains = {one["text"]: one["chain"] for one in owner.get("memory/origins")["bullets"]}
    assert [(step["writer"], step["turn_id"]) for step in chains["Sails."]] == [("turn", "t1")]
    assert [(step["writer"], step["turn_id"]) for step in chains[FACTS[0]]] == [("user", None)]
    source = {"chat_ids": ["chat-1"]}
    preview = owner.call("POST", "unlearn?preview=true", source).json()
    assert ([one["before"] for one in preview["operations"]], preview["revisions"]) == (["Sails."], [2])
    assert identity(owner) == [FACTS[0], "Sails."]
    answer = owner.call("POST", "unlearn", source, **{"if-match": preview["etag"]})
    assert (answer.status_code, identity(owner)) == (200, [FACTS[0]])
    again = owner.call("POST", "unlearn", source, **{"if-match": preview["etag"]})
    assert (again.status_code, again.json()["changes"]["operations"]) == (200, [])


def test_what_was_forgotten_is_nowhere_after_seven_days(deployed: Deployed, owner: Owner, lena: Somebody) -> None:
    owner.edits(Identity=FACTS)
    forgets(deployed, lena, "t1", *FACTS[:-1])
    assert "dog" in owner.get("memory/revisions/1")["memory"]
    backdate(deployed, lena, "FORGOTTEN#", "noted_at", days=8)
    does(deployed, lena, "redact")
    assert "dog" not in json.dumps(lena.items())
    assert len(lena.versions()) == 1
    assert identity(owner) == FACTS[:-1]
    first = owner.get("memory/revisions/1")
    assert (first["memory"], first["restorable"], first["redacted"]) == (None, False, True)
    assert kind(owner.call("POST", "memory/revisions/1/restore")) == "revision_gone"


def test_history_ends_and_what_counts_stays(deployed: Deployed, owner: Owner, lena: Somebody) -> None:
    for number in range(1, 4):
        owner.edits(Identity=FACTS[:number])
    backdate(deployed, lena, "REVISION#", "written_at", days=91)
    does(deployed, lena, "tidy")
    assert [one["n"] for one in owner.get("memory/revisions")["revisions"]] == [3]
    assert len(lena.versions()) == 1
    assert identity(owner) == FACTS[:3]
    assert kind(owner.call("POST", "memory/revisions/1/restore")) == "unknown_revision"


@pytest.mark.parametrize("path", ["memory/revisions/1/restore", "unlearn"])
def test_a_token_that_may_only_read_undoes_nothing(owner: Owner, path: str) -> None:
    owner.edits(Identity=FACTS)
    reader = replace(owner, scope="memory")
    assert reader.call("POST", path, {"turn_ids": ["t1"]}).status_code == 403
    assert [one["n"] for one in reader.get("memory/revisions")["revisions"]] == [1]


def test_another_users_token_reaches_no_history(owner: Owner, lena: Somebody) -> None:
    owner.edits(Identity=FACTS)
    other: Any = replace(owner, user_id=f"{owner.user_id}2")
    before = lena.items()
    assert other.get("memory/revisions") == {"revisions": [], "next": None}
    assert other.get("memory/origins") == {"bullets": []}
    assert other.call("GET", "memory/revisions/1").status_code == 404
    assert other.call("POST", "memory/revisions/1/restore").status_code == 404
    assert lena.items() == before
