"""One person on several channels, from end to end: every route, unlinking at once, and past facts that move."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from context_memory.domain.facts.fact import Source
from context_memory.domain.links import Provider
from infra.components.routes import ROUTES
from tests.support.administrators import Administrator
from tests.support.deployed import Somebody, eventually
from tests.support.deployed_facts import FactsOf
from tests.support.end_users import Owner

if TYPE_CHECKING:
    import httpx

    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

OF_USERS = [route for route in ROUTES if "{user_id}" in route.path]


class Channel:
    """A provider that no test has used before, and its link."""

    def __init__(self, deployed: Deployed, administrator: Administrator | None = None) -> None:
        self.deployed = deployed
        self.provider = Provider.read(f"Telegram: {uuid4().hex[:12]}")
        self.administrator = administrator or Administrator(deployed, deployed.local.outputs.company_id)

    def link(self, user: Somebody, **wish: Any) -> httpx.Response:  # noqa: ANN401 - any JSON
        return self._call("PUT", "", {"user_id": user.key.user_id} | wish)

    def unlink(self) -> httpx.Response:
        return self._call("DELETE")

    def shown(self) -> httpx.Response:
        return self._call("GET")

    def merge(self, job_id: str) -> dict[str, Any]:
        return dict(self._call("GET", f"/merges/{job_id}").json())

    def unmerge(self, job_id: str) -> httpx.Response:
        return self._call("POST", "/unmerge", {"job_id": job_id})

    def at_rest(self, job_id: str, status: str) -> dict[str, Any]:
        return eventually(lambda: self.merge(job_id), lambda merge: merge["status"] == status)

    @property
    def user(self) -> Through:
        """Whoever the provider belongs to, named by it alone."""
        company_id = self.deployed.local.outputs.company_id
        return Through(self.administrator, f"/v1/companies/{company_id}/users/{self.provider.spelled}")

    def _call(self, method: str, below: str = "", body: dict[str, Any] | None = None) -> httpx.Response:
        return self.administrator.call(method, f"/links/{self.provider.spelled}{below}", body)


class Through:
    """A user as a channel names them."""

    def __init__(self, administrator: Administrator, path: str) -> None:
        self.administrator, self.path = administrator, path

    def call(self, method: str, below: str, body: dict[str, Any] | None = None) -> httpx.Response:
        content = b"" if body is None else json.dumps(body).encode()
        asked = self.administrator
        return asked.deployed.call(method, f"{self.path}{below}", content=content, keys=asked.keys)


@pytest.fixture
def channel(deployed: Deployed) -> Channel:
    return Channel(deployed)


def kind(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


def texts(facts: FactsOf) -> list[str]:
    return sorted(item["text"]["S"] for item in facts.somebody.items("FACT#"))


def test_a_linked_provider_loads_and_posts_as_its_user_and_an_unlinked_one_does_not(
    learning: Deployed, lena: Somebody
) -> None:
    channel = Channel(learning)
    assert kind(channel.user.call("GET", "/memory?space_id=s1")) == (404, "link_unknown")
    assert channel.link(lena).json()["left"] is None
    messages = [{"role": "user", "content": "I know Rust."}, {"role": "assistant", "content": "All right."}]
    turn = {"turn_id": "t1", "space_id": "s1", "occurred_at": "2026-06-17T11:40:00Z", "messages": messages}
    assert channel.user.call("POST", "/turns", turn).json()["status"] == "queued"
    assert lena.done("t1")["outcome"] == "updated"
    assert channel.user.call("GET", "/turns/t1").json()["outcome"] == "updated"
    assert channel.user.call("GET", "/memory?space_id=s1").json()["memory"] == lena.memory()
    (item,) = lena.items("TURN#")
    assert item["provider"]["S"] == channel.provider.spelled
    assert channel.unlink().json() == {"provider": str(channel.provider), "left": lena.key.user_id}
    for below in ("/memory?space_id=s1", "/turns/t1"):
        assert kind(channel.user.call("GET", below)) == (404, "link_unknown")
    assert "Rust" in lena.memory()


@pytest.mark.parametrize("route", OF_USERS, ids=lambda route: route.key)
def test_every_route_of_a_user_resolves_a_provider_before_it_looks_at_anything_else(
    route: Any,  # noqa: ANN401 - a route
    channel: Channel,
) -> None:
    below = route.path.partition("{user_id}")[2].format(turn_id="t1", fact_id="0" * 20)
    asked = channel.user.call(route.method, below)
    assert kind(asked) == (404, "link_unknown")


def test_linking_elsewhere_names_whom_it_left_and_counts_at_once(channel: Channel, deployed: Deployed) -> None:
    lena, mia = FactsOf(deployed.newcomer()), FactsOf(deployed.newcomer())
    lena.learn("Likes tea.")
    assert channel.link(lena.somebody).status_code == 200
    assert [fact["text"] for fact in channel.user.call("GET", "/facts").json()["facts"]] == ["Likes tea."]
    assert channel.link(mia.somebody).json()["left"] == lena.somebody.key.user_id
    assert channel.user.call("GET", "/facts").json()["facts"] == []
    assert channel.shown().json()["user_id"] == mia.somebody.key.user_id


def test_past_facts_move_with_a_link_and_back(channel: Channel, deployed: Deployed) -> None:
    mia, lena = FactsOf(deployed.newcomer()), FactsOf(deployed.newcomer())
    through = Source("t-1", "c-1", channel.provider.spelled)
    channel.link(mia.somebody)
    mia.learn("Likes tea.", "Has a cat.", source=through)
    mia.learn("Wrote this herself.")
    lena.learn("has a cat")
    linked = channel.link(lena.somebody, merge=True).json()
    assert linked["left"] == mia.somebody.key.user_id
    job_id = linked["merge"]["job_id"]
    assert channel.at_rest(job_id, "merged")["moved"] == 2
    assert (texts(mia), texts(lena)) == (["Wrote this herself."], ["Likes tea.", "has a cat"])
    assert lena.ask("What does she drink, tea?")["hits"][0]["text"] == "Likes tea."
    assert channel.unmerge(job_id).status_code == 202
    assert channel.at_rest(job_id, "undone")["returned"] == 2
    assert (texts(mia), texts(lena)) == (["Has a cat.", "Likes tea.", "Wrote this herself."], ["has a cat"])
    assert mia.somebody.items("MOVED#") == lena.somebody.items("MERGED#") == []


def test_a_turn_that_came_through_a_channel_teaches_what_moves_with_it(channel: Channel, deployed: Deployed) -> None:
    mia, lena = deployed.newcomer(), deployed.newcomer()
    said = "I work at Acme."
    fact: dict[str, Any] = {"op": "add", "id": None, "text": "Works at Acme.", "tier": "core", "keywords": []}
    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", lambda _: "NOOP")
    deployed.model.script("extraction", lambda _: json.dumps({"facts": [fact | {"quote": said}]}))
    channel.link(mia)
    messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "All right."}]
    turn = {"turn_id": "t1", "space_id": "s1", "occurred_at": "2026-06-17T11:40:00Z", "messages": messages}
    assert channel.user.call("POST", "/turns", turn).json()["status"] == "queued"
    eventually(lambda: mia.turn("t1"), lambda now: now["facts"]["outcome"] == "stored")
    FactsOf(mia).learn("Wrote this herself.")
    job_id = channel.link(lena, merge=True).json()["merge"]["job_id"]
    assert channel.at_rest(job_id, "merged")["moved"] == 1
    assert (texts(FactsOf(mia)), texts(FactsOf(lena))) == (["Wrote this herself."], ["Works at Acme."])


def test_the_erase_of_whom_facts_have_left_takes_what_is_kept_of_them(channel: Channel, deployed: Deployed) -> None:
    mia, lena = FactsOf(deployed.newcomer()), FactsOf(deployed.newcomer())
    channel.link(mia.somebody)
    mia.learn("Likes tea.", source=Source("t-1", None, channel.provider.spelled))
    job_id = channel.link(lena.somebody, merge=True).json()["merge"]["job_id"]
    channel.at_rest(job_id, "merged")
    assert len(mia.somebody.items("MOVED#")) == 1
    keys = channel.administrator.keys
    assert deployed.call("DELETE", f"{mia.somebody.path}/memory", keys=keys).status_code == 202
    assert mia.somebody.items("MOVED#") == []
    assert channel.unmerge(job_id).status_code == 202
    channel.at_rest(job_id, "kept")
    assert (texts(mia), texts(lena)) == ([], ["Likes tea."])


def test_an_erase_takes_the_users_links_along_and_says_how_many(channel: Channel, deployed: Deployed) -> None:
    lena, mia = deployed.newcomer(), deployed.newcomer()
    desk, theirs = (Channel(deployed, channel.administrator) for _ in range(2))
    for linked, user in ((channel, lena), (desk, lena), (theirs, mia)):
        assert linked.link(user).status_code == 200
    erased = channel.user.call("DELETE", "/memory")
    assert erased.status_code == 202, erased.text
    assert erased.json()["user_id"] == lena.key.user_id
    assert erased.json()["counts"]["items"] == {"links": 2}
    for gone in (channel, desk):
        assert kind(gone.shown()) == (404, "link_unknown")
        assert kind(gone.user.call("GET", "/erasure")) == (404, "link_unknown")
    assert theirs.shown().json()["user_id"] == mia.key.user_id


def test_a_declared_list_outranks_a_sign_in_and_asks_before_it_links_the_privileged(
    channel: Channel, deployed: Deployed
) -> None:
    mia, lena = deployed.newcomer(), deployed.newcomer()
    declare = channel.administrator.call
    channel.link(mia, by="sign_in")
    first = {"provider": f" Telegram: {channel.provider.user_id}", "user_id": mia.key.user_id}
    later = {"provider": str(channel.provider), "user_id": lena.key.user_id}
    wanted = {"links": [first, later], "privileged": [lena.key.user_id]}
    assert kind(declare("PUT", "/links", wanted)) == (409, "confirmation_required")
    told = declare("PUT", "/links", wanted | {"confirm": True}).json()
    assert told["twice"] == [str(channel.provider)]
    assert told["replaced"] == [
        {
            "provider": str(channel.provider),
            "left": mia.key.user_id,
            "origin": "sign_in",
            "user_id": lena.key.user_id,
        }
    ]
    assert kind(channel.link(mia, by="sign_in")) == (409, "link_declared")
    shown = declare("GET", "/links?limit=100").json()
    assert (str(channel.provider), "declared") in {(link["provider"], link["origin"]) for link in shown["links"]}
    assert shown["privileged"] == [lena.key.user_id]
    gone = declare("PUT", "/links", {"links": []}).json()
    assert [one["left"] for one in gone["removed"]] == [lena.key.user_id]
    assert kind(channel.shown()) == (404, "link_unknown")


def test_an_erase_takes_along_what_the_other_user_keeps_of_merged_facts(channel: Channel, deployed: Deployed) -> None:
    mia, lena = FactsOf(deployed.newcomer()), FactsOf(deployed.newcomer())
    channel.link(mia.somebody)
    mia.learn("Likes tea.", source=Source("t-1", "c-1", channel.provider.spelled))
    mia.learn("Wrote this herself.")
    merge = channel.link(lena.somebody, merge=True).json()["merge"]
    channel.at_rest(merge["job_id"], "merged")
    (kept,) = mia.somebody.items("MOVED#")
    assert kept["text"]["S"] == "Likes tea."

    owner = Owner(deployed, lena.somebody.key.user_id)
    erased = owner.call("DELETE", "memory")
    assert erased.status_code == 202, erased.text
    assert erased.json()["counts"]["items"]["merges"] == 1
    assert mia.somebody.items("MOVED#") == []
    assert (texts(mia), texts(lena)) == (["Wrote this herself."], [])
    final = eventually(lambda: owner.get("erasure"), lambda receipt: receipt["status"] == "final", seconds=90)
    assert final["counts"]["items"]["merges"] == 1
    channel.unmerge(merge["job_id"])
    assert channel.at_rest(merge["job_id"], "kept")["returned"] == 0
    assert texts(mia) == ["Wrote this herself."]
