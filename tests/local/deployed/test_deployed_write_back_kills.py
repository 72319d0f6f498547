"""An extraction can die at any request to AWS, before it leaves or once it is done, and an answer can be lost.

Whatever the request: the right facts afterwards, once, and nothing of what was said left over.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from tests.support.mishaps import Killed, Mishaps, ServiceProcess, silence
from tests.support.vocabulary import vocabulary_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployed import Deployed, Somebody
    from tests.support.scripted_model import Asked

pytestmark = pytest.mark.deployed

SAID = {"t0": "I work at Acme.", "t1": "I left Acme and work at Globex now."}
ACME: dict[str, object] = {
    "op": "add", "id": None, "text": "Works at Acme.", "tier": "core", "keywords": [], "quote": "I work at Acme"
}  # fmt: skip
GLOBEX = ACME | {"op": "supersede", "id": 1, "text": "Works at Globex.", "quote": "work at Globex now"}
CLIENT_TRIES = 3  # what a client makes of one request before it gives up
EXTRACTION = (
    "sts.AssumeRole",
    "dynamodb.Query",  # which facts are still to be extracted?
    "dynamodb.Query",  # is memory on?
    "dynamodb.GetItem",  # what has the company set?
    "s3.GetObject",  # what was said
    "dynamodb.GetItem",  # what is set of its space?
    "dynamodb.Query",  # what has the company spent today?
    "dynamodb.UpdateItem",  # an attempt begins
    "dynamodb.Query",  # the facts
    "secrets-manager.GetSecretValue",  # the model's key
    "dynamodb.TransactWriteItems",  # a call counted: extraction
    *2 * ("dynamodb.Query",),  # what was forgotten since, and what edited away?
    "dynamodb.TransactWriteItems",  # another: scrub
    "dynamodb.Query",  # the facts, as they stand now
    "dynamodb.Query",  # what do later turns want forgotten?
    *2 * ("dynamodb.Query",),  # and what was forgotten, and edited away, meanwhile?
    "secrets-manager.GetSecretValue",  # the key of the endpoint of embeddings
    "dynamodb.TransactWriteItems",  # facts and the end of the extraction
    "dynamodb.UpdateItem",  # what the run cost
    "secrets-manager.GetSecretValue",  # the key of hashes, for the line in the log
    "dynamodb.GetItem",  # is the turn kept?
    "s3.DeleteObject",  # what was said
    "dynamodb.Query",  # is anything left?
)
_WRITES = ("PutObject", "DeleteObject", "PutItem", "TransactWriteItems", "SendMessage", "UpdateItem")
MOMENTS = [
    (number, name, moment)
    for number, name in enumerate(EXTRACTION)
    for moment in ("before", "after")
    if moment == "before" or name.endswith(_WRITES)
]


def extracted(asked: Asked) -> str:
    """As a model would: Globex takes Acme's place where Acme is shown."""
    if SAID["t1"] not in asked.said_by("user"):
        return json.dumps({"facts": [ACME]})
    known = "1: Works at Acme." in asked.said_by("user")
    return json.dumps({"facts": [GLOBEX if known else GLOBEX | {"op": "add", "id": None}]})


@pytest.fixture(scope="module")
def survivors(service: Deployed) -> Iterator[ServiceProcess]:
    """A process to which nothing ever happens."""
    vocabulary = {"TIKTOKEN_CACHE_DIR": str(vocabulary_folder())}
    with patch.dict(os.environ, vocabulary), silence(service), silence(service, "extract", "FACTS_QUEUE_URL"):
        yield ServiceProcess(service)


@pytest.fixture
def told(deployed: Deployed, lena: Somebody, survivors: ServiceProcess) -> Somebody:
    """One fact is stored; another turn has ended for the profile, and nobody has looked for its facts yet."""
    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", lambda _: "NOOP")
    deployed.model.script("scrub", lambda _: "CLEAN")
    deployed.model.script("extraction", extracted)
    survivors.post(lena.key, "t0", SAID["t0"], "2026-06-17T11:42:00Z")
    survivors.look(lena.key)
    survivors.look_for_facts(lena.key)
    survivors.post(lena.key, "t1", SAID["t1"], "2026-06-17T11:43:00Z")
    survivors.look(lena.key)
    return lena


def assert_right(lena: Somebody, survivors: ServiceProcess) -> None:
    """Once somebody else has looked, as they do for the next ring."""
    survivors.look_for_facts(lena.key)
    (fact,) = lena.items("FACT#")
    assert fact["text"] == {"S": "Works at Globex."}
    assert [past["M"]["text"]["S"] for past in fact["supersedes"]["L"]] == ["Works at Acme."]
    (head,) = [item for item in lena.items("FACT") if item["sk"]["S"] == "FACT"]
    assert head["count"] == {"N": "1"}
    (turn,) = lena.items("TURN#t1")
    assert turn["facts_outcome"] == {"S": "stored"}
    assert lena.items("EXTRACT#") == []
    lena.deployed.invoke("maintain", {"job": "heal"})
    lena.let_go()


def test_these_are_all_requests_of_an_extraction_without_mishap(
    deployed: Deployed, told: Somebody, survivors: ServiceProcess
) -> None:
    process = ServiceProcess(deployed)
    process.look_for_facts(told.key)
    assert tuple(process.mishaps.seen) == EXTRACTION
    assert_right(told, survivors)


@pytest.mark.parametrize(("number", "name", "moment"), MOMENTS)
def test_a_kill_at_any_request_of_extraction_loses_nothing_and_doubles_nothing(
    deployed: Deployed, told: Somebody, survivors: ServiceProcess, *, number: int, name: str, moment: str
) -> None:
    mishap = Mishaps(kill_before=number) if moment == "before" else Mishaps(kill_after=number)
    victim = ServiceProcess(deployed, mishap)
    with pytest.raises(Killed):
        victim.look_for_facts(told.key)
    assert victim.mishaps.seen[number:] == [name]
    assert_right(told, survivors)


@pytest.mark.parametrize(("number", "name"), list(enumerate(EXTRACTION)))
def test_lost_answers_at_any_request_of_extraction_lose_nothing_and_cost_no_attempt(
    deployed: Deployed, told: Somebody, survivors: ServiceProcess, number: int, name: str
) -> None:
    """The request is done, the client tries it again and again, and never learns."""
    process = ServiceProcess(deployed, Mishaps(lost=range(number, number + CLIENT_TRIES)))
    process.look_for_facts(told.key)
    assert process.mishaps.seen[number : number + CLIENT_TRIES] == [name] * CLIENT_TRIES
    assert [item["attempts"]["N"] for item in told.items("EXTRACT#")] in ([], ["0"])
    assert_right(told, survivors)


def test_an_extraction_in_which_every_answer_is_lost_once_counts_nothing_twice(
    deployed: Deployed, told: Somebody, survivors: ServiceProcess
) -> None:
    """The client sends each request again by itself, and learns then."""
    process = ServiceProcess(deployed, Mishaps(lost=range(0, 3 * len(EXTRACTION), 2)))
    process.look_for_facts(told.key)
    assert process.mishaps.seen[::2] == process.mishaps.seen[1::2]
    assert [call["purpose"] for call in told.turn("t1")["usage"]].count("extraction") == 1
    assert_right(told, survivors)
