"""An operator deals with dead letters: nothing is lost, whoever interrupts or does the same at the same time."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from botocore.exceptions import ClientError

from infra.operate.__main__ import main
from infra.operate.dead_letters.letter import DeadLetter, Kind
from infra.operate.dead_letters.queue import DeadLetterQueue
from infra.operate.dead_letters.redriving import Redriver
from infra.operate.target import Target, target
from tests.support.deployed import Somebody, eventually
from tests.support.mishaps import ServiceProcess, receive, silence
from tests.support.vocabulary import vocabulary_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

MOST_ATTEMPTS = 5
SAID = "I know Zanzibarish."


@pytest.fixture(autouse=True)
def empty(deployed: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    """No dead letters of other tests; and a process of the service in this one finds the vocabulary."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(vocabulary_folder()))
    deployed.local.emulated.sqs.purge_queue(QueueUrl=deployed.local.outputs.dead_letter_queue_url)


@pytest.fixture
def here(deployed: Deployed) -> Target:
    return target("local", folder(deployed))


def folder(deployed: Deployed) -> Path:
    return Path(deployed.local.outputs.log_file).parent


def operate(deployed: Deployed, *arguments: str, command: str = "dead-letters") -> int:
    return main(["--env", "local", "--outputs", str(folder(deployed)), command, *arguments])


def give_up(somebody: Somebody, turn_id: str) -> None:
    """A turn whose processes all died: the next look at it gives it up."""
    deployed = somebody.deployed
    with silence(deployed):
        assert somebody.post(turn_id, SAID).status_code == 202
        (item,) = somebody.items(f"TURN#{turn_id}")
        deployed.dynamodb.update_item(
            TableName=deployed.local.outputs.user_table,
            Key={"pk": item["pk"], "sk": item["sk"]},
            UpdateExpression="SET attempts = :most",
            ExpressionAttributeValues={":most": {"N": str(MOST_ATTEMPTS)}},
        )
        ServiceProcess(deployed).look(somebody.key)
    assert somebody.turn(turn_id)["status"] == "dead"


def put(deployed: Deployed, group: str, body: dict[str, Any]) -> None:
    deployed.local.emulated.sqs.send_message(
        QueueUrl=deployed.local.outputs.dead_letter_queue_url,
        MessageBody=json.dumps(body),
        MessageGroupId=group,
        MessageDeduplicationId=uuid4().hex,
    )


def doorbell(somebody: Somebody) -> dict[str, str]:
    return {"company_id": somebody.key.company_id, "user_id": somebody.key.user_id, "kind": "turns"}


@contextmanager
def impatient_queue(deployed: Deployed) -> Iterator[None]:
    """Whoever receives a doorbell has it for an instant, and once is enough for SQS to give it up."""
    sqs, queue = deployed.local.emulated.sqs, deployed.local.outputs.queue_url
    names: list[Any] = ["RedrivePolicy", "VisibilityTimeout"]
    before = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=names)["Attributes"]
    policy = json.loads(before["RedrivePolicy"]) | {"maxReceiveCount": 1}
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"RedrivePolicy": json.dumps(policy), "VisibilityTimeout": "0"})
    try:
        yield
    finally:
        sqs.set_queue_attributes(QueueUrl=queue, Attributes=before)


def letters(here: Target) -> list[DeadLetter]:
    with DeadLetterQueue(here).walk() as found:
        return list(found)


def told_of(here: Target) -> list[tuple[Kind, str | None, str | None]]:
    return [(letter.kind, letter.user_id, letter.turn_id) for letter in letters(here)]


def make_unreadable(somebody: Somebody) -> bytes:
    """Replace what was said by something that no release reads; returns what was said."""
    s3, bucket = somebody.deployed.local.emulated.s3, somebody.deployed.local.outputs.work_bucket
    (key,) = somebody.payloads()
    before = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    s3.put_object(Bucket=bucket, Key=key, Body=b"{}")
    return before


def test_a_turn_that_crashes_us_is_given_up_listed_and_redriven_and_nobody_else_waits_for_it(
    learning: Deployed, lena: Somebody, here: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    other = learning.newcomer()
    with silence(learning):
        lena.post("poison", SAID)
        said = make_unreadable(lena)
        (key,) = lena.payloads()
    assert learning.invoke("maintain", {"job": "heal"})["failures"] == 0
    lena.post("t2", "I know Go.", occurred_at="2026-06-17T11:41:00Z")
    eventually(lambda: lena.turn("poison")["attempts"], lambda attempts: attempts >= 1)
    other.post("t1", "I know Rust.")
    assert other.done("t1")["outcome"] == "updated"
    assert lena.done("poison")["status"] == "dead"
    assert lena.done("t2")["outcome"] == "updated"

    assert operate(learning, "list") == 0
    listed = capsys.readouterr().out.splitlines()
    assert listed[0].split() == ["kind", "company", "user", "turn", "reason", "age"]
    assert listed[1].split()[:5] == ["notice", lena.key.company_id, lena.key.user_id, "poison", "crashed"]
    assert listed[2:] == ["1 shown, about 1 in the queue"]

    learning.local.emulated.s3.put_object(Bucket=learning.local.outputs.work_bucket, Key=key, Body=said)
    assert operate(learning, "redrive", "--user", lena.key.user_id) == 0
    assert "set waiting again" in capsys.readouterr().out
    assert letters(here) == []
    assert lena.done("poison")["outcome"] == "updated"
    assert {"- Knows Zanzibarish.", "- Knows Go."} <= set(lena.memory().splitlines())


def test_listing_removes_and_hides_nothing(
    learning: Deployed, lena: Somebody, capsys: pytest.CaptureFixture[str]
) -> None:
    give_up(lena, "t1")
    for _ in range(3):
        assert operate(learning, "list") == 0
        assert "1 shown, about 1 in the queue" in capsys.readouterr().out


def test_a_walk_meets_every_letter_once_though_one_user_has_many(deployed: Deployed, here: Target) -> None:
    expected = [f"t{number:02}" for number in range(25)]
    for turn_id in expected:
        body = {"company_id": "acme", "user_id": "lena", "turn_id": turn_id, "reason": "crashed"}
        put(deployed, f"lena-{turn_id}", body)
    assert sorted(str(letter.turn_id) for letter in letters(here)) == expected
    assert sorted(str(letter.turn_id) for letter in letters(here)) == expected


def test_letters_of_one_group_behind_the_first_ten_are_reached_as_those_go(
    deployed: Deployed, here: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(25):
        put(deployed, "one-group", {"company_id": "acme", "user_id": "lena", "turn_id": f"t{number}", "reason": "x"})
    operate(deployed, "list")
    assert "10 shown, about 25 in the queue" in capsys.readouterr().out
    assert operate(deployed, "drop", "--yes") == 0
    assert letters(here) == []


def test_only_what_was_selected_is_redriven_and_no_more_than_the_limit(
    learning: Deployed, here: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    people = [learning.newcomer() for _ in range(3)]
    for somebody in people:
        give_up(somebody, "t1")
    assert operate(learning, "redrive", "--company", "globex") == 0
    assert operate(learning, "redrive", "--user", people[0].key.user_id, "--turn", "t2") == 0
    assert len(letters(here)) == 3
    assert operate(learning, "redrive", "--user", people[1].key.user_id) == 0
    assert people[1].done("t1")["outcome"] == "updated"
    assert {user for _, user, _ in told_of(here)} == {people[0].key.user_id, people[2].key.user_id}
    assert operate(learning, "redrive", "--company", "acme", "--limit", "1") == 0
    assert capsys.readouterr().out.count("set waiting again") == 2
    assert len(letters(here)) == 1
    assert sum(somebody.turn("t1")["status"] == "dead" for somebody in people) == 1


def test_a_drop_needs_a_yes_and_leaves_the_turn_dead(
    learning: Deployed, lena: Somebody, here: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    give_up(lena, "t1")
    assert operate(learning, "drop") == 2
    assert len(letters(here)) == 1
    assert operate(learning, "drop", "--yes") == 0
    assert letters(here) == []
    assert lena.turn("t1")["status"] == "dead"
    assert "dropped" in capsys.readouterr().out


def test_a_notice_of_a_turn_that_has_gone_on_is_removed_and_says_so(
    learning: Deployed, lena: Somebody, here: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    give_up(lena, "t1")
    learning.invoke("maintain", {"job": "redrive", "turn_id": "t1", **ids(lena)})
    assert lena.done("t1")["outcome"] == "updated"
    put(learning, "unheard-of", {**ids(lena), "turn_id": "nobody-knows", "reason": "crashed"})
    assert operate(learning, "redrive") == 0
    printed = capsys.readouterr().out
    assert "not dead: done" in printed
    assert "not dead: no longer known" in printed
    assert letters(here) == []
    assert lena.turn("t1")["attempts"] == 1


def test_a_notice_that_came_before_the_turn_was_buried_is_kept(
    learning: Deployed, lena: Somebody, here: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    with silence(learning):
        lena.post("t1", SAID)
        answer = ServiceProcess(learning).answer
        table = answer.work.table
        record = table.turn(lena.key, "t1")
        assert record is not None
        started = table.start(lena.key, record, record.accepted_at)
        assert started is not None
        answer.doorbells.report_dead(lena.key, started, "crashed")
        assert operate(learning, "redrive") == 0
        assert "kept: the turn is running" in capsys.readouterr().out
        table.bury(lena.key, started, reason="crashed")
    assert operate(learning, "redrive") == 0
    assert lena.done("t1")["outcome"] == "updated"
    assert letters(here) == []


def test_a_doorbell_that_came_back_until_sqs_gave_it_up_is_rung_again(
    learning: Deployed, lena: Somebody, here: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    with impatient_queue(learning), silence(learning):
        lena.post("t1", SAID)
        assert receive(learning, lena.key) is not None
        eventually(lambda: receive(learning, lena.key), lambda delivery: delivery is None)
        assert told_of(here) == [(Kind.DOORBELL, lena.key.user_id, None)]
    assert operate(learning, "list") == 0
    assert f"doorbell  acme     {lena.key.user_id}  -     crash_loop" in capsys.readouterr().out
    assert operate(learning, "redrive") == 0
    assert lena.done("t1")["outcome"] == "updated"
    assert letters(here) == []


def test_what_the_service_never_wrote_is_kept_and_none_of_it_shown(
    deployed: Deployed, here: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    put(deployed, "strange", {"said": SAID})
    assert operate(deployed, "redrive") == 1
    assert operate(deployed, "list") == 0
    assert "Zanzibarish" not in capsys.readouterr().out
    assert len(letters(here)) == 1


def test_a_letter_that_maintain_cannot_read_stays_and_says_so(
    deployed: Deployed, here: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    put(deployed, "no-company", {"company_id": "No Company", "user_id": "lena", "turn_id": "t1", "reason": "crashed"})
    assert operate(deployed, "redrive") == 1
    assert "kept: maintain failed (" in capsys.readouterr().out
    assert len(letters(here)) == 1


def test_an_operator_sees_where_a_users_turns_are_and_nothing_of_what_was_said(
    learning: Deployed, lena: Somebody, capsys: pytest.CaptureFixture[str]
) -> None:
    lena.post("t1", SAID)
    lena.done("t1")
    give_up(lena, "t2")
    capsys.readouterr()  # what a process of the service in this one wrote
    who = ("--company", lena.key.company_id, "--user", lena.key.user_id)
    assert operate(learning, *who, command="turns") == 0
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert lines[0] == "memory: on"
    assert lines[1].startswith("changes: 1, the last one at ")
    facts = "facts: 0, turns waiting for theirs: 0, given up: 0"
    assert lines[3:6] == ["waiting: 0, given up: 1", facts, ""]
    assert lines[7].split()[:4] == ["t2", "dead", "crashed", str(MOST_ATTEMPTS)]
    assert "Zanzibarish" not in printed
    assert operate(learning, "--company", "No Company", "--user", "lena", command="turns") == 1
    assert "maintain failed (" in capsys.readouterr().err


def test_of_two_operators_at_once_none_redrives_twice_and_none_loses_a_turn(learning: Deployed, here: Target) -> None:
    people = [learning.newcomer() for _ in range(4)]
    for somebody in people:
        give_up(somebody, "t1")
    start = Barrier(2)

    def redrive(_: int) -> int:
        start.wait()
        return operate(learning, "redrive")

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(redrive, range(2))) == [0, 0]
    for somebody in people:
        assert somebody.done("t1")["outcome"] == "updated"
        assert somebody.memory().count("Knows Zanzibarish.") == 1
        (item,) = somebody.items("TURN#t1")
        assert item["ring"]["N"] == "1"
    assert letters(here) == []


def test_two_operators_with_the_same_letter_ring_once_and_one_of_them_is_told(
    learning: Deployed, lena: Somebody, here: Target
) -> None:
    """One operator was so slow that the letter became visible again, and another has it, too."""
    give_up(lena, "t1")
    slow, quick = DeadLetterQueue(here), DeadLetterQueue(here)
    with slow.walk() as found:
        late = next(found)
        assert here.client("sqs").change_message_visibility(
            QueueUrl=learning.local.outputs.dead_letter_queue_url, ReceiptHandle=late.receipt, VisibilityTimeout=0
        )
        with quick.walk() as others:
            early = next(others)
            assert Redriver(here)(early).finished
            assert quick.remove(early)
        again = Redriver(here)(late)
        assert not again.failed
        assert not slow.remove(late)
    assert lena.done("t1")["outcome"] == "updated"
    assert lena.items("TURN#t1")[0]["ring"]["N"] == "1"


@contextmanager
def refused(here: Target, operation: str) -> Iterator[None]:
    """AWS refuses an operation of this operator."""

    def refuse(**_: object) -> None:
        raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, operation)

    events, name = here.session.events, f"provide-client-params.*.{operation}"
    events.register_first(name, refuse)
    try:
        yield
    finally:
        events.unregister(name, refuse)


@pytest.mark.parametrize("operation", ["Invoke", "DeleteMessage"])
def test_whatever_is_refused_half_way_the_letter_stays_and_the_turn_is_redriven_once(
    learning: Deployed, lena: Somebody, here: Target, operation: str
) -> None:
    give_up(lena, "t1")
    queue = DeadLetterQueue(here)
    with refused(here, operation):
        broken, redrive = DeadLetterQueue(here), Redriver(here)
        with pytest.raises(ClientError, match="slow down"), broken.walk() as found:  # noqa: PT012 - all of it may be refused
            letter = next(found)
            redrive(letter)
            broken.remove(letter)
    with queue.walk() as found:
        assert [letter.turn_id for letter in found] == ["t1"]
    assert operate(learning, "redrive") == 0
    assert lena.done("t1")["outcome"] == "updated"
    assert lena.items("TURN#t1")[0]["ring"]["N"] == "1"


def test_an_operator_who_interrupts_leaves_every_letter_visible(deployed: Deployed, here: Target) -> None:
    for number in range(12):
        put(deployed, f"group-{number}", doorbell(deployed.newcomer()))

    def interrupted() -> None:
        with DeadLetterQueue(here).walk() as found:
            next(found)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(letters(here)) == 12


def ids(somebody: Somebody) -> dict[str, str]:
    return {"company_id": somebody.key.company_id, "user_id": somebody.key.user_id}
