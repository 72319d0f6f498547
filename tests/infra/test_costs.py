"""The costs in the documentation are those that the formulas give, and the formulas rest on what was measured."""

from __future__ import annotations

import re
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast
from unittest.mock import Mock

import pytest

from context_memory.adapters.dynamodb.prompt_memories import DynamoPromptMemories
from context_memory.adapters.dynamodb.settlement import clauses_of
from context_memory.adapters.dynamodb.table import Table
from context_memory.adapters.dynamodb.writes import Writes
from context_memory.adapters.sts import Role
from context_memory.domain.facts.scopes import Scope
from context_memory.domain.ids import UserKey
from context_memory.ports.recall import Given, PromptMemory
from infra.cells import USERS_PER_CELL, WRITES_OF_A_RECALL
from infra.costs import facts, usage
from infra.costs.table import SIZES, standing, table
from infra.layers.places import ROOT
from tests.support.records import stored, turn_record, unchanged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.ports.users import Settlement
    from tests.infra.templates import Templates

TABLE = Table(client=cast("Any", None), name="users", credentials=cast("Any", None))
NOW = datetime(2026, 11, 30, tzinfo=UTC)
DEPLOYING = (ROOT / "docs" / "deploying.md").read_text()
CELLS = (ROOT / "docs" / "cells.md").read_text()
BENCHMARKS = (ROOT / "docs" / "benchmarks.md").read_text()


def test_the_page_shows_the_table_as_it_is_worked_out() -> None:
    shown = re.search(r"<!-- costs -->\n(.*?)<!-- /costs -->", DEPLOYING, re.DOTALL)

    assert shown is not None
    assert shown[1] == table(), "run `python -m infra.costs` and put its output between the marks"


@pytest.mark.parametrize(
    ("chain", "row"),
    [(usage.NOOP, "NOOP, 231-token profile"), (usage.UPDATE, "update, 828-token profile")],
)
def test_tokens_are_those_that_were_measured(chain: usage.Chain, row: str) -> None:
    line = next(line for line in BENCHMARKS.splitlines() if line.startswith(f"| {row}"))
    _, _, _, given, written, *_ = (cell.strip() for cell in line.split("|"))

    assert (f"{chain.input_tokens:,}", f"{chain.output_tokens:,}") == (given, written)


@pytest.mark.parametrize(
    ("chain", "settlement"), [(usage.NOOP, unchanged(turn_record())), (usage.UPDATE, stored(turn_record()))]
)
def test_as_many_writes_are_paid_as_the_end_of_a_chain_makes(chain: usage.Chain, settlement: Settlement) -> None:
    assert len(list(clauses_of(TABLE, settlement, "token"))) == chain.clauses


def test_as_many_writes_are_paid_as_a_recall_of_a_dozen_facts_and_three_core_ones_makes() -> None:
    client = Mock()
    client.update_item.return_value = {"Attributes": {}}
    credentials = Mock(signing=lambda *_: nullcontext())
    writes = Writes(table=Table(client=client, name="users", credentials=credentials), role=Role.RECALL)
    given = tuple(Given(f"{n:020x}", Scope.USER, 1 / 3, ("keywords", "meaning")) for n in range(15))
    noted = PromptMemory(prompt_id="p" * 36, epoch=1, answers={"0" * 64 + ".0123456789abcdef": given})

    DynamoPromptMemories(writes, lambda: NOW).remember(UserKey("acme", "lena"), noted, NOW)

    assert [name for name, _, _ in client.method_calls] == ["update_item"]
    assert usage.RECALL_WRITES == WRITES_OF_A_RECALL == -(-_bytes(client.update_item.call_args.kwargs) // 1024)


def _bytes(update: Mapping[str, Any]) -> int:
    """What an item takes that is as this update says: texts, three bytes for each list, one for each thing in it."""
    return sum(map(_size, (update["Key"] | update["ExpressionAttributeValues"]).values()))


def _size(value: Mapping[str, Any]) -> int:
    ((kind, held),) = value.items()
    if kind == "L":
        return 3 + sum(1 + _size(one) for one in held)
    return len(held) if kind in {"S", "N"} else 1


def test_each_part_costs_something_and_the_model_most() -> None:
    parts = [
        usage.load(),
        usage.ingest(),
        usage.consolidate(),
        usage.extract(),
        usage.recall(),
        facts.citations(),
        facts.compaction(),
        facts.indexes(),
        facts.compaction_model(),
        usage.upkeep(),
        usage.keys(),
        usage.logs(),
        usage.storage(),
    ]

    assert min(parts) > 0
    assert usage.model() > sum(parts)


def test_what_is_assumed_of_facts_stands_on_the_page() -> None:
    assert f"{facts.GROUP_INPUT_TOKENS} in and {facts.GROUP_OUTPUT_TOKENS} out" in DEPLOYING
    assert f"after {facts.UNEMBEDDED_SHARE:.0%} of the turns that leave facts" in DEPLOYING
    assert f"{facts.CHANGES_A_DAY} changes a day of the {facts.SHARED_FACTS:,} facts" in DEPLOYING


def test_every_cell_has_its_standing_costs() -> None:
    assert standing(1) == standing(USERS_PER_CELL) == usage.standing()
    assert standing(USERS_PER_CELL + 1) == 2 * usage.standing()


def test_both_pages_speak_of_the_same_cell_and_the_same_day() -> None:
    assert f"a cell of {USERS_PER_CELL:,} users" in DEPLOYING
    assert f"One cell carries some {USERS_PER_CELL:,} active users a day" in CELLS
    assert f"{usage.DAY.turns} turns and {usage.DAY.chats} loads a day" in DEPLOYING
    assert f"recalls facts {usage.DAY.recalls:g} time a turn" in DEPLOYING
    tokens = [chain.input_tokens + chain.output_tokens for chain in (usage.UPDATE, usage.NOOP)]
    a_turn = usage.UPDATE_SHARE * tokens[0] + (1 - usage.UPDATE_SHARE) * tokens[1]
    assert f"{round(a_turn, -2):,.0f} tokens a turn" in CELLS
    for_facts = usage.UPDATE_SHARE * (usage.EXTRACTION.input_tokens + usage.EXTRACTION.output_tokens)
    assert f"{round(for_facts, -2):,.0f} more for its facts" in CELLS


def test_as_many_alarms_are_paid_as_there_are(dev: Templates) -> None:
    assert len(dev.resources("AWS::CloudWatch::Alarm")) == usage.ALARMS
    assert f"{usage.ALARMS} alarms" in DEPLOYING


def test_the_rarer_turns_are_the_more_of_them_are_traced() -> None:
    assert usage.traces(1_000) == pytest.approx(20 * usage.traces(10**12), rel=0.01)


def test_the_table_has_a_column_for_each_size() -> None:
    lines = table().splitlines()

    assert {line.count("|") for line in lines} == {len(SIZES) + 2}
