"""LanceDB's tables in the deployed bucket, opened with credentials of the deployed roles: to each user their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from botocore.credentials import ReadOnlyCredentials

from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.lance.service import LanceService
from context_memory.adapters.lance_backend import LanceBackend, LanceTables
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.domain.ids import UserKey
from context_memory.domain.recall.match import Query
from context_memory.ports.indexes import LargeScope
from context_memory.ports.recall import IndexedScope
from tests.support.facts import a_fact
from tests.support.lance_tables import Ask, asking, unasked

if TYPE_CHECKING:
    from context_memory.domain.facts.scopes import FactScope
    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed


def session(deployed: Deployed, function: str, role: str, user: UserKey) -> ReadOnlyCredentials:
    """A user-data role, as the function assumes it for a user."""
    names = deployed.local.emulated.names
    arn = f"arn:aws:iam::{deployed.local.outputs.account}:role/"
    own = deployed.sts.assume_role(RoleArn=f"{arn}{names.function_role(function)}", RoleSessionName="test")
    keys = own["Credentials"]
    sts: Any = deployed.local.emulated.session.client(
        "sts",
        endpoint_url=deployed.local.outputs.endpoint_url,
        aws_access_key_id=keys["AccessKeyId"],
        aws_secret_access_key=keys["SecretAccessKey"],
        aws_session_token=keys["SessionToken"],
    )
    tags = [{"Key": "company_id", "Value": user.company_id}, {"Key": "user_id", "Value": user.encoded}]
    lent = sts.assume_role(RoleArn=f"{arn}{names.user_data_role(role)}", RoleSessionName="test", Tags=tags)
    found = lent["Credentials"]
    return ReadOnlyCredentials(found["AccessKeyId"], found["SecretAccessKey"], found["SessionToken"], None)


@pytest.fixture
def ask(deployed: Deployed) -> Ask:
    outputs = deployed.local.outputs
    options = {"region": outputs.region, "endpoint": outputs.endpoint_url, "allow_http": "true"}
    return asking(LanceService(root=f"s3://{outputs.work_bucket}", options=options))


def write(deployed: Deployed, ask: Ask, writer: UserKey, scope: FactScope, text: str) -> None:
    def lender(_: FactScope) -> ReadOnlyCredentials:
        return session(deployed, "extract", "write", writer)

    facts = [a_fact(text, scope)]
    LanceTables(ask=ask, lender=lender, model=None).replace(IndexedScope(scope, 1, facts))


def found(deployed: Deployed, ask: Ask, reader: UserKey, *scopes: FactScope) -> list[str]:
    """Texts that are in the tables: the facts themselves are kept from whoever looks."""

    def lender(user: UserKey) -> ReadOnlyCredentials:
        return session(deployed, "recall", "recall", user)

    backend = LanceBackend(ask=ask, lender=lender, named=unasked, among=InMemoryIndex)
    index = backend.over(reader, [IndexedScope(scope, 1, ()) for scope in scopes], [])
    return [match.fact.text for match in index.search(Query(text="tea"))]


def look_alikes(user: UserKey) -> list[UserKey]:
    return [
        UserKey(user.company_id, user.user_id[:-1]),
        UserKey(user.company_id, f"{user.user_id}1"),
        UserKey(user.company_id, f"home-{user.user_id}"),
        UserKey(f"{user.company_id}2", user.user_id),
    ]


def test_users_find_what_was_written_for_them_and_nobody_else_does(
    deployed: Deployed, lena: Somebody, ask: Ask
) -> None:
    write(deployed, ask, lena.key, UserScope(lena.key), "Drinks tea at noon")
    assert found(deployed, ask, lena.key, UserScope(lena.key)) == ["Drinks tea at noon"]
    for other in look_alikes(lena.key):
        assert found(deployed, ask, other, UserScope(lena.key)) == []


def test_nobody_writes_into_another_users_table_nor_into_what_is_shared(
    deployed: Deployed, lena: Somebody, ask: Ask
) -> None:
    places: list[FactScope] = [*map(UserScope, look_alikes(lena.key)), SharedScope(lena.key.company_id)]
    for place in places:
        with pytest.raises(StoreUnavailable):
            write(deployed, ask, lena.key, place, "Drinks tea at noon")


def test_a_company_s_table_is_read_by_its_users_alone(deployed: Deployed, lena: Somebody, ask: Ask) -> None:
    scope = SharedScope(lena.key.company_id, "sales")
    names = deployed.local.emulated.names
    role = f"arn:aws:iam::{deployed.local.outputs.account}:role/{names.function_role('maintain')}"
    own = deployed.sts.assume_role(RoleArn=role, RoleSessionName="test")["Credentials"]
    lent = ReadOnlyCredentials(own["AccessKeyId"], own["SecretAccessKey"], own["SessionToken"], None)
    tables = LanceTables(ask=ask, lender=lambda _: lent, model=None)
    tables.replace(IndexedScope(scope, 1, [a_fact("Tea is served at four", scope)]))
    assert found(deployed, ask, lena.key, scope) == ["Tea is served at four"]
    backend = LanceBackend(
        ask=ask,
        lender=lambda user: session(deployed, "recall", "recall", user),
        named=unasked,
        among=InMemoryIndex,
    )
    stranger = UserKey(f"{lena.key.company_id}2", lena.key.user_id)
    with pytest.raises(StoreUnavailable):
        backend.over(stranger, [], [LargeScope(scope, 1)]).search(Query(text="tea"))
    with pytest.raises(StoreUnavailable):
        tables.replace(IndexedScope(UserScope(lena.key), 1, [a_fact("Drinks tea")]))
