"""A path that names a provider is one that names its user, before anything else sees it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from context_memory import edge
from context_memory.adapters.in_memory.audit import RecordingAudit
from context_memory.adapters.in_memory.user_tokens import InMemoryUserTokens
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.links.naming import NameLinkedUser
from context_memory.application.locks import Locks, TokenReader
from context_memory.contracts.http import answer
from context_memory.domain.callers import CompanyLock, Principal
from context_memory.domain.claims import Trust
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.links import LinkWish, Provider
from tests.support.links import links_of

if TYPE_CHECKING:
    from context_memory.contracts.http import Answer, Request
    from context_memory.ports.telemetry import Access

ROUTE = "GET /v1/companies/{company_id}/users/{user_id}/memory"
ACCOUNT = "123456789012"
TRUST = Trust(
    issuer="https://issuer.example",
    audiences={"app": ("acme", "clinic")},
    scope="memory",
    change_scope="memory:change",
    export_scope="memory:export",
    user_claim="sub",
    company_claim="company_id",
)
LOCKED = {
    "bank": CompanyLock(callers=frozenset({Principal(ACCOUNT, "orchestrator")})),
    "clinic": CompanyLock(require_user_token=True),
}


@dataclass
class Door:
    """The edge over one world; `asked` has the requests that a route has got."""

    world: InMemoryWorld = field(default_factory=InMemoryWorld)
    audit: RecordingAudit = field(default_factory=RecordingAudit)
    asked: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tokens = InMemoryUserTokens(clock=self.world.clock)
        locks = Locks(LOCKED, TokenReader(self.tokens, TRUST))
        self._handle = edge.http(
            {ROUTE: self._answer},
            self.world.telemetry,
            locks=locks,
            linked=NameLinkedUser(self.world.links, locks),
            audit=self.audit,
        )

    def _answer(self, request: Request) -> Answer:
        self.asked.append(request)
        self.world.telemetry.event("asked")
        return answer(200, {"user_id": request.user.user_id})

    def link(self, provider: str, user_id: str, company_id: str = "acme") -> None:
        links_of(self.world).link(company_id, Provider.read(provider), LinkWish(user_id=user_id))

    def call(self, segment: str, company_id: str = "acme", *, role: str = "orchestrator", token: str = "") -> Answer:
        iam = {"accountId": ACCOUNT, "userArn": f"arn:aws:sts::{ACCOUNT}:assumed-role/{role}/session"}
        return self._handle(
            {
                "routeKey": ROUTE,
                "requestContext": {"requestId": "r-1", "authorizer": {"iam": iam}},
                "pathParameters": {"company_id": company_id, "user_id": segment},
                "headers": {"x-user-token": token} if token else {},
            },
            None,
        )

    def token(self, subject: str, company_id: str) -> str:
        return self.tokens.sign(
            {
                "iss": TRUST.issuer,
                "aud": "app",
                "client_id": "app",
                "token_use": "access",
                "scope": "memory",
                "sub": subject,
                "company_id": company_id,
                "exp": int(self.world.clock.now().timestamp()) + 60,
            }
        )

    @property
    def recorded(self) -> Access:
        return self.audit.records[-1]


def kind(told: Answer) -> tuple[int, str]:
    return told["statusCode"], json.loads(told["body"]).get("type", "").rpartition(":")[2]


@pytest.mark.parametrize("segment", ["telegram:123", "Telegram:123", "telegram=20:=20123"])
def test_a_linked_provider_stands_for_its_user_in_route_lines_and_audit(segment: str) -> None:
    door = Door()
    door.link("telegram:123", "Lena Müller")
    told = door.call(segment)
    assert json.loads(told["body"]) == {"user_id": "Lena Müller"}
    assert door.asked[0].provider == "telegram:123"
    lena = UserKey("acme", "Lena Müller")
    assert (door.recorded.user, door.recorded.status) == (lena, 200)
    door.call(lena.encoded)
    through_link, by_name = (line for line in door.world.telemetry.lines if line.phrase == "asked")
    assert through_link == by_name


def test_a_user_who_is_named_came_through_no_provider_and_no_link_is_asked() -> None:
    door = Door()
    steps: list[str] = []
    door.world.whenever(steps.append)
    assert door.call("telegram=3A123")["statusCode"] == 200
    assert (door.asked[0].user.user_id, door.asked[0].provider) == ("telegram:123", None)
    assert steps == []


def test_a_user_id_with_a_colon_and_the_provider_that_looks_like_it_are_two() -> None:
    door = Door()
    door.link("telegram:123", "lena")
    assert json.loads(door.call("telegram=3A123")["body"]) == {"user_id": "telegram:123"}
    assert json.loads(door.call("telegram:123")["body"]) == {"user_id": "lena"}


@pytest.mark.parametrize(
    "segment", ["telegram:12", "telegram:1234", "telegra:m123", "telegram2:123", "telegram:=3D123", "slack:123"]
)
def test_a_look_alike_of_a_linked_provider_is_unknown(segment: str) -> None:
    door = Door()
    door.link("telegram:123", "lena")
    assert kind(door.call(segment)) == (404, "link_unknown")
    assert (door.asked, door.recorded.user, door.recorded.status) == ([], None, 404)


def test_another_companys_provider_is_unknown() -> None:
    door = Door()
    door.link("telegram:123", "lena", "acme2")
    assert kind(door.call("telegram:123")) == (404, "link_unknown")


@pytest.mark.parametrize("segment", ["telegram:", ":123", "telegram:1:2", "tele=3Agram:1", "telegram:=e4", ":"])
def test_a_segment_that_is_no_provider_is_refused(segment: str) -> None:
    door = Door()
    assert kind(door.call(segment)) == (422, "invalid_input")
    assert door.asked == []


def test_unlinking_takes_effect_with_the_very_next_request() -> None:
    door = Door()
    door.link("telegram:123", "lena")
    assert door.call("telegram:123")["statusCode"] == 200
    links_of(door.world).unlink("acme", Provider.read("telegram:123"))
    assert kind(door.call("telegram:123")) == (404, "link_unknown")


def test_linking_elsewhere_takes_effect_with_the_very_next_request() -> None:
    door = Door()
    for user_id in ("lena", "mia"):
        door.link("telegram:123", user_id)
        assert json.loads(door.call("telegram:123")["body"]) == {"user_id": user_id}


def test_where_links_cannot_be_read_nobody_is_taken_for_anybody() -> None:
    door = Door()
    door.link("telegram:123", "lena")

    def fail(step: str) -> None:
        if step == "before:links.link":
            raise StoreUnavailable("as wanted")

    door.world.whenever(fail)
    assert kind(door.call("telegram:123")) == (503, "store_unavailable")
    assert door.asked == []


@pytest.mark.parametrize("provider", ["telegram:123", "telegram:999"])
def test_a_caller_who_is_kept_out_does_not_learn_who_is_linked(provider: str) -> None:
    door = Door()
    door.link("telegram:123", "lena", "bank")
    assert kind(door.call(provider, "bank", role="stranger")) == (403, "caller_not_pinned")
    assert door.call("telegram:123", "bank")["statusCode"] == 200


def test_the_token_must_be_that_of_the_linked_user() -> None:
    door = Door()
    door.link("telegram:123", "lena", "clinic")
    assert kind(door.call("telegram:123", "clinic")) == (401, "user_token_required")
    other = door.token("telegram:123", "clinic")
    assert kind(door.call("telegram:123", "clinic", token=other)) == (403, "user_token_of_another")
    own = door.token("lena", "clinic")
    assert json.loads(door.call("telegram:123", "clinic", token=own)["body"]) == {"user_id": "lena"}
