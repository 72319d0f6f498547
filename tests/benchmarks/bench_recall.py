"""Recall of a user with 200 facts: the index built and asked, beside the store's own reads of head and facts.

Reads go to the deployed emulator with the keys of `load` and warm credentials of the user, as recall's do; the index is
the product's. Samples are taken in turns, so only ratios count.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.aws_clients import AwsClients
from context_memory.adapters.dynamodb.attributes import spelled_all
from context_memory.adapters.dynamodb.fact_items import fact_item, head_item
from context_memory.adapters.dynamodb.fact_reads import DynamoFactReads
from context_memory.adapters.dynamodb.table import Table
from context_memory.adapters.indexes.warm_indexes import WarmIndexes
from context_memory.adapters.sts import Role, UserCredentials
from context_memory.domain.facts.fact import Source
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.vectors import quantised
from context_memory.domain.recall.match import Query
from context_memory.ports.facts import FactsHead
from context_memory.ports.recall import IndexedScope
from infra.environments import LOCAL
from infra.local.environment import LocalEnvironment, ModelEndpoint
from tests.support.deployed import Deployed
from tests.support.facts import NOON, a_fact
from tests.support.scripted_model import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from context_memory.domain.facts.fact import Fact

FACTS, DIMENSIONS, SAMPLES = 200, 384, 60
COLD, WARM = 1.0, 0.5
"""Of the time in which the store reads 200 facts: the index may take as much cold, and half of the head's read warm."""
WORDS = """
    Berlin Basel invoice audit quarterly report manager violin climbing marathon daughter school tax risk model Python
    customer pricing contract vendor kitchen garden allergy peanuts train weekend meeting slides summary French lesson
""".split()  # noqa: SIM905 - a list of words is read as a text

pytestmark = pytest.mark.deployed


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    with ScriptedModel() as model:
        endpoint = ModelEndpoint(base_url=model.base_url, api_key="key", model="scripted")
        with LocalEnvironment(outputs=tmp_path_factory.mktemp("deployed"), model=endpoint) as local:
            service = Deployed(local, model)
            yield service
            service.close()


def facts_of(scope: UserScope) -> list[Fact]:
    """Facts of some fifteen words, four of a chat, each with a vector."""
    dice = random.Random(200)
    return [
        a_fact(
            f"Said on occasion {at} that the {' and the '.join(dice.sample(WORDS, 6))} matter.",
            scope,
            created_at=NOON + timedelta(hours=at),
            source=Source(f"turn-{at}", f"chat-{at // 4}"),
            vector=quantised("e5", [dice.gauss(0, 1) for _ in range(DIMENSIONS)]),
        )
        for at in range(FACTS)
    ]


@pytest.fixture
def reads(deployed: Deployed, monkeypatch: pytest.MonkeyPatch) -> DynamoFactReads:
    """The store with clients and credentials as a function has them."""
    keys, outputs = deployed.keys_of("load"), deployed.local.outputs
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    for name, value in {
        "AWS_ENDPOINT_URL": outputs.endpoint_url,
        "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
        "AWS_SESSION_TOKEN": keys["SessionToken"],
        "AWS_DEFAULT_REGION": outputs.region,
    }.items():
        monkeypatch.setenv(name, value)
    clients = AwsClients()
    arns = {Role.READ: deployed.environment("load")["READ_ROLE_ARN"]}
    credentials = UserCredentials(sts=clients.sts, role_arns=arns, own_role=clients.own_role)
    table = Table(client=clients.dynamodb, name=outputs.user_table, credentials=credentials)
    return DynamoFactReads(table, LOCAL.name)  # no shared scope is read


def test_an_index_costs_little_beside_the_reads_that_it_is_made_of(deployed: Deployed, reads: DynamoFactReads) -> None:
    user = deployed.newcomer().key
    scope = UserScope(user)
    stored = facts_of(scope)
    items = [head_item(user.partition, 0, FactsHead(1, FACTS), "w"), *(fact_item(user.partition, 0, f) for f in stored)]
    for item in items:
        deployed.dynamodb.put_item(TableName=deployed.local.outputs.user_table, Item=spelled_all(item))
    found = reads.facts(user, scope)
    assert found.head.count == len(found.facts) == FACTS
    indexed = [IndexedScope(scope, found.head.version, found.facts)]
    query = Query(text="What did she say about the violin lesson in Basel?", vector=stored[7].vector)
    warm = WarmIndexes()
    assert warm.over(indexed).search(query)[0].fact == stored[7]

    took = in_turns(
        {
            "store: head": lambda: reads.head(user, scope),
            "store: 200 facts": lambda: reads.facts(user, scope),
            "index: built": lambda: WarmIndexes().over(indexed),
            "index: built and asked": lambda: WarmIndexes().over(indexed).search(query),
            "index: warm, asked": lambda: warm.over(indexed).search(query),
        }
    )
    whole = took["store: 200 facts"]
    for name, seconds in took.items():
        sys.stdout.write(f"\n{name:24}{1e3 * seconds:8.2f} ms{seconds / whole:8.2f}")
    assert took["index: built and asked"] <= COLD * whole
    assert took["index: warm, asked"] <= WARM * took["store: head"]


def in_turns(compared: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Median seconds of each, all of them once in every round."""
    taken: dict[str, list[float]] = {name: [] for name in compared}
    for _ in range(SAMPLES):
        for name, call in compared.items():
            began = time.perf_counter()
            call()
            taken[name].append(time.perf_counter() - began)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}
