"""A process can die at any request to AWS, before it leaves or once it is done, and an answer can be lost on its way.

Whatever the request: the right profile afterwards, once, and nothing lost or left over.
Requests for flags and for the early key of hashes are not among those counted here; tests/support/mishaps.py says why.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from threading import Event
from types import NoneType
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import Unavailable
from tests.support.deployed import PATIENCE
from tests.support.house import body
from tests.support.mishaps import Killed, Mishaps, ServiceProcess, receive, silence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed

BASEL, BERN = body(identity=["Lives in Basel."]), body(identity=["Lives in Bern."])
SAID = {"first": "I live in Basel.", "second": "I moved: I live in Bern now."}
LEARNED = {"first": BASEL, "second": BERN}
STORED_CHANGES = {"first": 1, "second": 2}
OCCURRED_AT = "2026-06-17T11:42:00Z"
CLIENT_TRIES = 3  # what a client makes of one request before it gives up
RING_TRIES = 2  # of a ring fewer, for others make up for it

_UP_TO_THE_STATE = (
    "dynamodb.GetItem",  # what has the company set?
    "dynamodb.GetItem",  # and what of the space?
    "sts.AssumeRole",
    "dynamodb.GetItem",  # is the turn known?
    "dynamodb.Query",  # is memory on, how many turns wait?
)
_FROM_THE_PAYLOAD_ON = (
    "s3.PutObject",  # the payload
    "dynamodb.TransactWriteItems",  # turn and open item
    "sqs.SendMessage",
)
ACCEPTANCE = {
    "first": (*_UP_TO_THE_STATE, "s3.PutObject", *_FROM_THE_PAYLOAD_ON),  # of a user unknown so far: into the roster
    "second": (*_UP_TO_THE_STATE, *_FROM_THE_PAYLOAD_ON),
}
_UP_TO_THE_BASE = (
    "sts.AssumeRole",
    "dynamodb.Query",  # what waits?
    "dynamodb.GetItem",  # what has the company set?
    "dynamodb.GetItem",  # the turn
    "s3.GetObject",  # its payload
    "dynamodb.GetItem",  # what is set of its space?
    "dynamodb.Query",  # what has the company spent today?
    "dynamodb.UpdateItem",  # an attempt begins
    "dynamodb.Query",  # the base
)
_FROM_THE_BASE_ON = (
    "secrets-manager.GetSecretValue",  # the model's key
    *2 * ("dynamodb.TransactWriteItems",),  # a call counted: gate, consolidation
    *2 * ("dynamodb.Query",),  # what was forgotten since, and what edited away?
    "dynamodb.TransactWriteItems",  # another: scrub
    *2 * ("dynamodb.Query",),  # and what meanwhile?
    "dynamodb.PutItem",  # the company has an agenda
    "dynamodb.PutItem",  # and on it stands when history is trimmed
    "dynamodb.Query",  # the epoch again
    "s3.PutObject",  # the new version
    "dynamodb.TransactWriteItems",  # the commit
    "secrets-manager.GetSecretValue",  # the key of hashes
    "dynamodb.Query",  # was what is stored now forgotten before?
    "dynamodb.UpdateItem",  # what the chain cost
    "sqs.SendMessage",  # somebody should extract the turn's facts
    "dynamodb.Query",  # does anything wait, or has to be told?
    "dynamodb.GetItem",  # how did the turn end?
    "dynamodb.GetItem",  # and what did it change?
    "eventbridge.PutEvents",
    "dynamodb.TransactWriteItems",  # it is told
)
CONSOLIDATION = {
    "first": (*_UP_TO_THE_BASE, *_FROM_THE_BASE_ON),
    "second": (*_UP_TO_THE_BASE, "s3.GetObject", *_FROM_THE_BASE_ON),
}
_WRITES = ("PutObject", "PutItem", "TransactWriteItems", "SendMessage", "UpdateItem", "PutEvents")
_NOTHING_STORED_YET = len(_UP_TO_THE_BASE)


def moments(requests: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Every request before it leaves, and every one that changes the world once it is done.

    A death behind a read leaves the world as one before the next request does.
    """
    for number, name in enumerate(requests):
        yield number, name, "before"
        if name.endswith(_WRITES):
            yield number, name, "after"


ACCEPTING = list(moments(ACCEPTANCE["first"]))
CONSOLIDATING = [(story, *moment) for story, requests in CONSOLIDATION.items() for moment in moments(requests)]
LOSING = [
    (story, number, name)
    for story, requests in CONSOLIDATION.items()
    for number, name in enumerate(requests)
    if story == "first" or number >= _NOTHING_STORED_YET  # up to there both stories are one
]


@pytest.fixture(scope="module")
def survivors(service: Deployed) -> Iterator[ServiceProcess]:
    """A process to which nothing ever happens."""
    with silence(service):
        yield ServiceProcess(service)


@pytest.fixture
def living(deployed: Deployed) -> Deployed:
    """The service with a model that stores where the user lives."""
    deployed.model.script("gate", lambda _: "UPDATE")
    deployed.model.script("consolidation", lambda asked: BERN if SAID["second"] in asked.said_by("user") else BASEL)
    deployed.model.script("scrub", lambda _: "CLEAN")
    return deployed


def begin(story: str, lena: Somebody, survivors: ServiceProcess) -> None:
    if story == "second":
        survivors.post(lena.key, "t0", SAID["first"])
        survivors.work(lena.key)


def post(process: ServiceProcess, lena: Somebody, story: str) -> None:
    process.post(lena.key, "t1", SAID[story], OCCURRED_AT)


def mishap(moment: str, number: int) -> Mishaps:
    return Mishaps(kill_before=number) if moment == "before" else Mishaps(kill_after=number)


def recover(lena: Somebody, survivors: ServiceProcess, story: str) -> None:
    """What the world does by itself: callers try again, maintain comes round, doorbells come back, and more come."""
    post(survivors, lena, story)
    lena.deployed.invoke("maintain", {"job": "heal"})
    survivors.work(lena.key)
    survivors.look(lena.key)


def assert_right(lena: Somebody, survivors: ServiceProcess, story: str, *, attempts: Sequence[int]) -> None:
    changes = STORED_CHANGES[story]
    loaded = lena.load().json()
    assert loaded["memory"].strip() == LEARNED[story].strip()
    assert loaded["version"]["turn_count"] == changes
    assert (loaded["freshness"]["pending"], loaded["freshness"]["failed"]) == (0, 0)
    lena.let_go()
    assert receive(lena.deployed, lena.key) is None
    items = {item["sk"]["S"]: item for item in lena.items()}
    turn = items["TURN#t1"]
    assert (turn["status"]["S"], turn["profile_outcome"]["S"]) == ("done", "updated")
    assert int(turn["attempts"]["N"]) in attempts
    assert [key for key in items if key.startswith("A#OPEN#")] == []
    revisions = [item for key, item in sorted(items.items()) if key.startswith("REVISION#")]
    assert [int(revision["turn_count"]["N"]) for revision in revisions] == list(range(1, changes + 1))
    assert items["A#PROFILE"]["version_id"] == revisions[-1]["version_id"]
    survivors.answer.work.run.commit.sweep(lena.key)
    assert sorted(lena.versions()) == sorted(revision["version_id"]["S"] for revision in revisions)


@pytest.mark.parametrize("story", CONSOLIDATION)
def test_these_are_all_requests_of_a_run_without_mishap(
    living: Deployed, lena: Somebody, survivors: ServiceProcess, story: str
) -> None:
    begin(story, lena, survivors)
    accepting, consolidating = ServiceProcess(living), ServiceProcess(living)
    post(accepting, lena, story)
    consolidating.work(lena.key)
    assert tuple(accepting.mishaps.seen) == ACCEPTANCE[story]
    assert tuple(consolidating.mishaps.seen) == CONSOLIDATION[story]
    assert_right(lena, survivors, story, attempts=[1])


@pytest.mark.parametrize(("number", "name", "moment"), ACCEPTING)
def test_a_kill_at_any_request_of_acceptance_loses_nothing_and_doubles_nothing(
    living: Deployed, lena: Somebody, survivors: ServiceProcess, *, number: int, name: str, moment: str
) -> None:
    victim = ServiceProcess(living, mishap(moment, number))
    with pytest.raises(Killed):
        post(victim, lena, "first")
    assert victim.mishaps.seen[number:] == [name]
    recover(lena, survivors, "first")
    assert_right(lena, survivors, "first", attempts=[1])


@pytest.mark.parametrize(("story", "number", "name", "moment"), CONSOLIDATING)
def test_a_kill_at_any_request_of_consolidation_loses_nothing_and_doubles_nothing(
    living: Deployed, lena: Somebody, survivors: ServiceProcess, *, story: str, number: int, name: str, moment: str
) -> None:
    begin(story, lena, survivors)
    post(survivors, lena, story)
    victim = ServiceProcess(living, mishap(moment, number))
    with pytest.raises(Killed):
        victim.work(lena.key)
    assert victim.mishaps.seen[number:] == [name]
    recover(lena, survivors, story)
    assert_right(lena, survivors, story, attempts=[1, 2])


@pytest.mark.parametrize(("number", "name"), list(enumerate(ACCEPTANCE["first"])))
def test_lost_answers_at_any_request_of_acceptance_lose_nothing_and_double_nothing(
    living: Deployed, lena: Somebody, survivors: ServiceProcess, number: int, name: str
) -> None:
    tries = RING_TRIES if name == "sqs.SendMessage" else CLIENT_TRIES
    process = ServiceProcess(living, Mishaps(lost=range(number, number + tries)))
    with suppress(Unavailable):
        post(process, lena, "first")
    assert process.mishaps.seen[number : number + CLIENT_TRIES] == [name] * tries
    recover(lena, survivors, "first")
    assert_right(lena, survivors, "first", attempts=[1])


@pytest.mark.parametrize(("story", "number", "name"), LOSING)
def test_lost_answers_at_any_request_of_consolidation_lose_nothing_and_cost_no_attempt(
    living: Deployed, lena: Somebody, survivors: ServiceProcess, *, story: str, number: int, name: str
) -> None:
    """The request is done, the client tries it again and again, and never learns."""
    begin(story, lena, survivors)
    post(survivors, lena, story)
    process = ServiceProcess(living, Mishaps(lost=range(number, number + CLIENT_TRIES)))
    process.work(lena.key)
    assert process.mishaps.seen[number : number + CLIENT_TRIES] == [name] * CLIENT_TRIES
    recover(lena, survivors, story)
    assert_right(lena, survivors, story, attempts=[1])


@pytest.mark.parametrize("story", CONSOLIDATION)
def test_a_run_in_which_every_answer_is_lost_once_counts_nothing_twice(
    living: Deployed, lena: Somebody, survivors: ServiceProcess, story: str
) -> None:
    """The client sends each request again by itself, and learns then."""
    begin(story, lena, survivors)
    accepting = ServiceProcess(living, Mishaps(lost=range(0, 2 * len(ACCEPTANCE[story]), 2)))
    post(accepting, lena, story)
    consolidating = ServiceProcess(living, Mishaps(lost=range(0, 2 * len(CONSOLIDATION[story]), 2)))
    consolidating.work(lena.key)
    assert accepting.mishaps.seen == [name for name in ACCEPTANCE[story] for _ in range(2)]
    recover(lena, survivors, story)
    assert_right(lena, survivors, story, attempts=[1])
    purposes = [call["purpose"] for call in lena.turn("t1")["usage"]]
    assert purposes[:3] == ["gate", "consolidation", "scrub"]
    assert purposes[3:] in ([], ["extraction"])  # the deployed function looks for facts meanwhile


@pytest.mark.parametrize("killed", [False, True], ids=["slow", "killed"])
@pytest.mark.parametrize("story", CONSOLIDATION)
def test_a_put_that_lands_after_anothers_commit_is_refused(
    living: Deployed, lena: Somebody, survivors: ServiceProcess, story: str, *, killed: bool
) -> None:
    """Two workers have the same turn; the put of one is on its way while the other commits."""
    put = CONSOLIDATION[story].index("s3.PutObject")
    on_its_way, let_go = Event(), Event()

    def hold(name: str) -> None:
        if name == "s3.PutObject":
            on_its_way.set()
            assert let_go.wait(PATIENCE)

    begin(story, lena, survivors)
    post(survivors, lena, story)
    late = ServiceProcess(living, Mishaps(holding=hold, kill_after=put if killed else None))
    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(late.look, lena.key)
        assert on_its_way.wait(PATIENCE)
        survivors.look(lena.key)
        (committed,) = lena.items("A#PROFILE")
        versions = lena.versions()
        let_go.set()
        assert isinstance(working.exception(PATIENCE), Killed if killed else NoneType)
    assert late.mishaps.statuses[put] == ("s3.PutObject", HTTPStatus.PRECONDITION_FAILED)
    assert lena.items("A#PROFILE") == [committed]
    assert lena.versions() == versions
    recover(lena, survivors, story)
    assert_right(lena, survivors, story, attempts=[1, 2])
