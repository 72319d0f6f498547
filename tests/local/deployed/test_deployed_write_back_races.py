"""Extractions while others write, or erase, on the deployed stacks: one fact for one truth, and the cap held."""

from __future__ import annotations

import json
import os
from http import HTTPStatus
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from context_memory.domain.facts.scopes import UserScope
from context_memory.ports.facts import MOST_CHANGES, FactsChange
from tests.support.erasing_process import EraserProcess, no_jobs
from tests.support.facts import NOON, a_fact
from tests.support.mishaps import Mishaps, ServiceProcess, silence
from tests.support.vocabulary import vocabulary_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed

GLOBEX: dict[str, object] = {
    "op": "add",
    "id": None,
    "text": "Works at Globex.",
    "tier": "core",
    "keywords": [],
    "quote": "work at Globex",
}
CAP = 200  # facts that a user may have where the company says nothing else
REQUESTS = range(25)  # tests/local/deployed/test_deployed_write_back_kills.py lists them
FIRST_CALL, COMMIT = 9, 19
ERASES = [(number, off) for number in REQUESTS for off in (False, True) if not off or number in {FIRST_CALL, COMMIT}]
"""To opt out is to erase, and to stay erased."""


@pytest.fixture(scope="module")
def survivors(service: Deployed) -> Iterator[ServiceProcess]:
    """A process to which nothing ever happens."""
    vocabulary = {"TIKTOKEN_CACHE_DIR": str(vocabulary_folder())}
    quiet = silence(service), silence(service, "extract", "FACTS_QUEUE_URL"), no_jobs(service)
    with patch.dict(os.environ, vocabulary), quiet[0], quiet[1], quiet[2]:
        yield ServiceProcess(service)


@pytest.fixture
def told(deployed: Deployed, lena: Somebody, survivors: ServiceProcess) -> Somebody:
    """A turn that has ended for the profile, and nobody has looked for its facts yet."""
    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", lambda _: "NOOP")
    deployed.model.script("extraction", lambda _: json.dumps({"facts": [GLOBEX]}))
    survivors.post(lena.key, "t1", "I work at Globex.")
    survivors.look(lena.key)
    return lena


def extract_until(told: Somebody, number: int, meanwhile: Callable[[], object]) -> ServiceProcess:
    """A process that extracts, and before whose request of that number something else happens."""

    def hold(_name: str) -> None:
        if len(process.mishaps.seen) == number + 1:
            meanwhile()

    process = ServiceProcess(told.deployed, Mishaps(holding=hold))
    process.look_for_facts(told.key)
    assert len(process.mishaps.seen) > number
    return process


def add(survivors: ServiceProcess, told: Somebody, *texts: str) -> None:
    """What another writer of the user's facts does."""
    store, own = survivors.answer_facts.work.store, UserScope(told.key)
    known, puts = store.facts(told.key, own), tuple(a_fact(text, own) for text in texts)
    count = known.count_after(puts)
    store.change(FactsChange(user=told.key, base=known.head, epoch=0, at=NOON, puts=puts, count=count))


def test_of_two_identical_write_backs_at_once_one_is_stored(told: Somebody, survivors: ServiceProcess) -> None:
    """Both have decided on the same; the one that comes second finds its turn ended."""
    late = extract_until(told, COMMIT, lambda: survivors.look_for_facts(told.key))
    assert late.mishaps.statuses[COMMIT] == ("dynamodb.TransactWriteItems", HTTPStatus.BAD_REQUEST)
    assert [item["text"]["S"] for item in told.items("FACT#")] == ["Works at Globex."]
    assert told.turn("t1")["facts"]["added"] == 1
    assert (told.items("EXTRACT#"), told.payloads()) == ([], [])


def test_what_another_wrote_meanwhile_is_confirmed_and_not_doubled(told: Somebody, survivors: ServiceProcess) -> None:
    extract_until(told, COMMIT, lambda: add(survivors, told, "works at  GLOBEX"))
    assert len(told.items("FACT#")) == 1
    facts = told.turn("t1")["facts"]
    assert (facts["added"], facts["confirmed"]) == (0, 1)


def test_writers_at_once_hold_the_cap(told: Somebody, survivors: ServiceProcess) -> None:
    """The last places are taken while an extraction decides on a fact of its own: the least valuable one goes."""
    boats = [f"Owns boat no. {number}." for number in range(CAP)]
    for start in range(0, CAP - 2, MOST_CHANGES):
        add(survivors, told, *boats[start : min(start + MOST_CHANGES, CAP - 2)])
    extract_until(told, COMMIT, lambda: add(survivors, told, *boats[-2:]))
    facts = survivors.answer_facts.work.store.facts(told.key, UserScope(told.key))
    assert (len(facts.facts), facts.head.count) == (CAP, CAP)
    assert "Works at Globex." in {fact.text for fact in facts.facts}


@pytest.mark.parametrize(("number", "off"), ERASES)
def test_an_erase_at_any_request_of_an_extraction_leaves_no_fact(
    told: Somebody, survivors: ServiceProcess, *, number: int, off: bool
) -> None:
    eraser = EraserProcess(told.deployed)
    extract_until(told, number, lambda: eraser.erase(told.key, off=off))
    eraser.finish(told.key, off=off)
    survivors.look_for_facts(told.key)
    assert [item["sk"]["S"] for beginning in ("FACT", "EXTRACT#", "TURN#") for item in told.items(beginning)] == []
    assert told.payloads() == []
