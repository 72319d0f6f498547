"""The store of facts over the deployed tables, in the roles that reach it: what they may, and what they may not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import cached_property
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.dynamodb.company_table import CompanyTable
from context_memory.adapters.dynamodb.facts import DynamoFacts
from context_memory.adapters.dynamodb.prompt_memories import DynamoPromptMemories
from context_memory.adapters.dynamodb.shared_facts import DynamoSharedFacts
from context_memory.adapters.dynamodb.table import Table
from context_memory.adapters.dynamodb.writes import Writes
from context_memory.adapters.sts import Role
from context_memory.adapters.system import SystemClock
from context_memory.bootstrap import shared
from context_memory.domain.errors import CommitRefused, ContextMemoryError
from context_memory.domain.facts.scopes import Scope, SharedScope, UserScope
from context_memory.ports.facts import Facts, FactsChange
from context_memory.ports.recall import Given, PromptMemory
from tests.support.erasing_process import EraserProcess, no_jobs
from tests.support.facts import NOON, a_fact
from tests.support.mishaps import Mishaps, as_function

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed


class FactsProcess:
    """A process of a function that reaches facts in one role."""

    def __init__(self, deployed: Deployed, function: str, role: Role, mishaps: Mishaps | None = None) -> None:
        self.mishaps = mishaps or Mishaps()
        with as_function(deployed, function) as variables:
            clients = self.mishaps.clients()
            arn = variables[f"{role.value.upper()}_ROLE_ARN"]
            table = Table(
                client=clients.dynamodb,
                name=deployed.local.outputs.user_table,
                credentials=shared.credentials(clients, {role: arn}),
                reading_as=role,
            )
            self._writes = Writes(table=table, role=role)
            self.facts = DynamoFacts(self._writes, deployed.local.outputs.company_table)

    @cached_property
    def prompts(self) -> DynamoPromptMemories:
        """What was given."""
        return DynamoPromptMemories(self._writes, SystemClock().now)

    def add(self, user: UserKey, *texts: str, epoch: int = 0) -> None:
        """Put facts on top of what stands."""
        scope = UserScope(user)
        known = self.facts.facts(user, scope)
        self.facts.change(change(user, known, *(a_fact(text, scope) for text in texts), epoch=epoch))


def change(user: UserKey, known: Facts, *puts: Fact, epoch: int = 0) -> FactsChange:
    return FactsChange(user=user, base=known.head, epoch=epoch, at=NOON, puts=puts, count=known.count_after(puts))


def texts(process: FactsProcess, user: UserKey) -> list[str]:
    return sorted(one.text for one in process.facts.facts(user, UserScope(user)).facts)


@pytest.fixture
def quiet(deployed: Deployed) -> Iterator[Deployed]:
    with no_jobs(deployed):
        yield deployed


def test_extract_writes_what_recall_finds_and_recall_notes_what_it_gave(deployed: Deployed, lena: Somebody) -> None:
    extract, recall = FactsProcess(deployed, "extract", Role.WRITE), FactsProcess(deployed, "recall", Role.RECALL)
    extract.add(lena.key, "Lives in Basel", "Writes Rust")
    (basel, rust) = recall.facts.facts(lena.key, UserScope(lena.key)).facts
    assert sorted((basel.text, rust.text)) == ["Lives in Basel", "Writes Rust"]
    assert recall.facts.head(lena.key, UserScope(lena.key)).count == 2
    given = PromptMemory(
        prompt_id="p", epoch=0, answers={"asked": (Given(basel.id, Scope.USER, 0.1 + 0.2, ("words",)),)}, disabled=True
    )
    recall.prompts.remember(lena.key, given, SystemClock().now())
    assert recall.prompts.recalled(lena.key, "p") == given
    recall.facts.cite(lena.key, [basel.id, "f" * 20])
    uses = {one.id: one.uses for one in recall.facts.facts(lena.key, UserScope(lena.key)).facts}
    assert uses == {basel.id: 1, rust.id: 0}
    assert "FACT#" + "f" * 20 not in {item["sk"]["S"] for item in lena.items()}


def test_recall_reads_what_the_company_shares_and_writes_none_of_it(deployed: Deployed, lena: Somebody) -> None:
    table = CompanyTable(client=deployed.dynamodb, name=deployed.local.outputs.company_table, own_role=nullcontext)
    ours = SharedScope(lena.key.company_id, f"space of {lena.key.user_id}")
    head = DynamoSharedFacts(table, SystemClock().now).change(
        ours, Facts().head, [a_fact("Closed on Fridays", ours)], [], count=1
    )
    recall = FactsProcess(deployed, "recall", Role.RECALL)
    read = recall.facts.facts(lena.key, ours)
    assert (read.head, [one.text for one in read.facts]) == (head, ["Closed on Fridays"])
    assert recall.facts.head(lena.key, ours) == head


def test_recall_drops_no_fact(deployed: Deployed, lena: Somebody) -> None:
    FactsProcess(deployed, "extract", Role.WRITE).add(lena.key, "Lives in Basel")
    recall = FactsProcess(deployed, "recall", Role.RECALL)
    (known,) = recall.facts.facts(lena.key, UserScope(lena.key)).facts
    stands = recall.facts.facts(lena.key, UserScope(lena.key))
    dropped = FactsChange(
        user=lena.key, base=stands.head, epoch=0, at=NOON, drops=frozenset({known.id}), check_settings=False
    )
    with pytest.raises(ContextMemoryError):
        recall.facts.change(dropped)
    assert texts(recall, lena.key) == ["Lives in Basel"]


def test_a_write_whose_answer_was_lost_is_done_once(deployed: Deployed) -> None:
    whole = FactsProcess(deployed, "extract", Role.WRITE)
    user = deployed.newcomer().key
    whole.add(user, "Lives in Basel")
    for number in range(len(whole.mishaps.seen)):
        user = deployed.newcomer().key
        hit = FactsProcess(deployed, "extract", Role.WRITE, Mishaps(lost=range(number, number + 1)))
        hit.add(user, "Lives in Basel")
        read = whole.facts.facts(user, UserScope(user))
        assert (read.head.count, [one.text for one in read.facts]) == (1, ["Lives in Basel"])


def test_of_writers_at_once_each_stands_on_what_the_one_before_has_stored(deployed: Deployed) -> None:
    process, user = FactsProcess(deployed, "extract", Role.WRITE), deployed.newcomer().key

    def write(number: int) -> None:
        while True:
            try:
                process.add(user, f"Fact {number}")
            except CommitRefused:
                continue
            return

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(8)))
    assert len(texts(process, user)) == 8
    assert process.facts.head(user, UserScope(user)).count == 8


def test_an_erase_at_any_request_of_a_write_of_facts_wins(quiet: Deployed) -> None:
    eraser, whole = EraserProcess(quiet), FactsProcess(quiet, "extract", Role.WRITE)
    whole.add(quiet.newcomer().key, "Lives in Reykjavik")
    for number in range(len(whole.mishaps.seen)):
        user, striking = quiet.newcomer().key, Mishaps()
        whole.add(user, "Lives in Oslo")

        def strike(_: str, user: UserKey = user, number: int = number, striking: Mishaps = striking) -> None:
            if len(striking.seen) == number + 1:
                eraser.erase(user)

        struck = FactsProcess(quiet, "extract", Role.WRITE, striking)
        striking.holding = strike
        with pytest.raises(CommitRefused):
            struck.add(user, "Lives in Reykjavik")
        assert whole.facts.facts(user, UserScope(user)) == Facts()
        assert eraser.finish(user)["counts"]["items"]["facts"] == 1
        assert (
            quiet.dynamodb.query(
                TableName=quiet.local.outputs.user_table,
                KeyConditionExpression="pk = :pk AND begins_with(sk, :facts)",
                ExpressionAttributeValues={":pk": {"S": user.partition}, ":facts": {"S": "FACT"}},
            )["Items"]
            == []
        )
        whole.add(user, "Lives in Bergen", epoch=1)
        assert texts(whole, user) == ["Lives in Bergen"]
