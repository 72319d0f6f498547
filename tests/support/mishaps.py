"""Our use cases in this process over the deployed stores, with mishaps on the way between both.

    with silence(deployed):                                           # nobody answers doorbells but the test
        process = ServiceProcess(deployed, Mishaps(kill_before=3))       # dies before its fourth request leaves
        process.post(lena, "t1", "I know Rust.")                      # raises Killed

Requests are told apart by name (`dynamodb.GetItem`) and counted from 0 in the order in which they leave; the client's
own tries count each.

Two requests are neither counted nor hit, because when they leave hangs on the clock: for the flags, which adapters keep
for many users, and for the key of hashes, which a thread fetches early. Both only read, so that a death at one of them
is the death at its neighbour. Their lost answers have tests of their own: tests/contract/test_operator_flags.py and
tests/local/deployed/test_deployed_switches.py, tests/unit/adapters/test_secret_ahead.py.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from threading import current_thread
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import botocore.session
from botocore.exceptions import ConnectionClosedError
from botocore.httpsession import URLLib3Session
from botocore.loaders import create_loader

from context_memory.adapters.aws_clients import AwsClients
from context_memory.adapters.secrets import EARLY
from context_memory.application.asking.deadline import Deadline
from context_memory.bootstrap.consolidate import consolidate
from context_memory.bootstrap.extract import extract
from context_memory.bootstrap.ingest import ingest
from context_memory.contracts.turns import TurnBody, sha256
from tests.support.deployed import NOW, SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mypy_boto3_sqs.type_defs import MessageTypeDef

    from context_memory.application.consolidate.worker import Consolidate
    from context_memory.application.doorbell import AnswerDoorbell
    from context_memory.application.extract.worker import Extract
    from context_memory.application.ingest import Ingest
    from context_memory.domain.ids import UserKey
    from tests.support.deployed import Deployed

FUNCTION_SECONDS = 300.0
_ASKED_ONCE = {"FLAGS_SECONDS": "600", "FLAGS_STALE_SECONDS": "600"}
"""So that a process asks for its company's flags once, however slow the machine: requests are counted here."""
_DELIVERIES = 20
_LOADER = create_loader()  # service models, read once: each process of a test has a session of its own


class Killed(BaseException):
    """The process is gone; no code of ours may stop it on its way out."""


def _at_once(_name: str) -> None:
    """Let a request leave."""


@dataclass
class Mishaps:
    """What befalls the requests of one process; by default nothing.

    Attributes:
        kill_before: this request never leaves.
        kill_after: this request is answered, and nobody learns the answer.
        lost: the connections of these requests break instead of answering.
        arriving: whether the requests that are `lost` arrive, and are done.
        holding: called with each request's name before it leaves.
        seen: names of the requests so far, but for the two that are let through.
        statuses: name and HTTP status of each answer to those.
    """

    kill_before: int | None = None
    kill_after: int | None = None
    lost: range = range(0)
    arriving: bool = True
    holding: Callable[[str], None] = _at_once
    seen: list[str] = field(default_factory=list)
    statuses: list[tuple[str, int]] = field(default_factory=list)

    def clients(self) -> AwsClients:
        """Clients whose requests pass here."""
        session = botocore.session.Session()
        session.register_component("data_loader", _LOADER)
        session.register("before-send", self._leaving)
        session.register("response-received", self._answered)
        clients = AwsClients(session=session)
        # Those that are built when first used are built now, while the environment says where the emulator is.
        _ = clients.flags, clients.secrets
        return clients

    @cached_property
    def _http(self) -> URLLib3Session:
        return URLLib3Session(timeout=5)

    def _leaving(self, **event: Any) -> None:  # noqa: ANN401 - botocore's event arguments
        name = event["event_name"].removeprefix("before-send.")
        if _is_kept(name):
            return
        number = len(self.seen)
        self.seen.append(name)
        self.holding(name)
        if number == self.kill_before:
            raise Killed
        if number in self.lost:
            if self.arriving:
                self._http.send(event["request"])
            raise ConnectionClosedError(endpoint_url="https://aws.invalid")  # botocore tries again by itself

    def _answered(self, **event: Any) -> None:  # noqa: ANN401 - likewise
        parsed_response = event["parsed_response"]
        name = event["event_name"].removeprefix("response-received.")
        if parsed_response is None or _is_kept(name):
            return
        self.statuses.append((name, parsed_response["ResponseMetadata"]["HTTPStatusCode"]))
        if len(self.seen) - 1 == self.kill_after:
            if "Body" in parsed_response:
                parsed_response["Body"].close()  # a dead process keeps no connection
            raise Killed


def _is_kept(name: str) -> bool:
    return name.startswith("appconfigdata.") or current_thread().name == EARLY


class ServiceProcess:
    """One process in which the functions live, each with its own keys; built when first needed, so that it may die."""

    def __init__(self, deployed: Deployed, mishaps: Mishaps | None = None) -> None:
        self.deployed = deployed
        self.mishaps = mishaps or Mishaps()

    @cached_property
    def ingest(self) -> Ingest:
        """The use case behind `POST …/turns`."""
        with as_function(self.deployed, "ingest") as variables:
            return ingest(variables, self.mishaps.clients())[0]

    @cached_property
    def answer(self) -> AnswerDoorbell[Consolidate]:
        """The use case behind a doorbell."""
        with as_function(self.deployed, "consolidate") as variables:
            return consolidate(variables, self.mishaps.clients())

    @cached_property
    def answer_facts(self) -> AnswerDoorbell[Extract]:
        """The use case behind a doorbell of facts."""
        with as_function(self.deployed, "extract") as variables:
            return extract(variables, self.mishaps.clients())

    def post(self, user: UserKey, turn_id: str, said: str, occurred_at: str = NOW) -> None:
        """Accept a turn in which the user said `said`."""
        messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "All right."}]
        turn = {"turn_id": turn_id, "space_id": SPACE, "occurred_at": occurred_at, "messages": messages}
        body = TurnBody.model_validate(turn)
        canonical = body.canonical()
        assert self.ingest(user, body.turn(), canonical, sha256(canonical)) is None

    def look(self, user: UserKey) -> None:
        """What one doorbell sets off, without a queue."""
        self.answer.work(user, Deadline.within(self.answer.clock, FUNCTION_SECONDS))

    def look_for_facts(self, user: UserKey) -> None:
        """What one doorbell of facts sets off, without a queue."""
        self.answer_facts.work(user, Deadline.within(self.answer_facts.clock, FUNCTION_SECONDS))

    def work(self, user: UserKey) -> None:
        """Answer the user's doorbells as the queue hands them out, until none is left; waits are cut short."""
        for _ in range(_DELIVERIES):
            delivery = receive(self.deployed, user)
            if delivery is None:
                return
            done = False
            try:
                done = self.answer(
                    user,
                    receipt=delivery["ReceiptHandle"],
                    received=int(delivery["Attributes"]["ApproximateReceiveCount"]),
                    seconds=FUNCTION_SECONDS,
                )
            finally:
                finish(self.deployed, delivery, done=done)
        raise AssertionError("The doorbells never fall silent.")


def receive(deployed: Deployed, user: UserKey) -> MessageTypeDef | None:
    """The user's next doorbell; those of other tests' users are let go of."""
    sqs, queue = deployed.local.emulated.sqs, deployed.local.outputs.queue_url
    while True:
        found = sqs.receive_message(QueueUrl=queue, AttributeNames=["All"]).get("Messages", [])
        if not found:
            return None
        if json.loads(found[0]["Body"])["user_id"] == user.user_id:
            return found[0]
        finish(deployed, found[0], done=True)


def finish(deployed: Deployed, delivery: MessageTypeDef, *, done: bool) -> None:
    """Delete an answered doorbell; show any other again at once, as if its visibility had run out."""
    sqs, queue, receipt = deployed.local.emulated.sqs, deployed.local.outputs.queue_url, delivery["ReceiptHandle"]
    if done:
        sqs.delete_message(QueueUrl=queue, ReceiptHandle=receipt)
    else:
        sqs.change_message_visibility(QueueUrl=queue, ReceiptHandle=receipt, VisibilityTimeout=0)


@contextmanager
def as_function(deployed: Deployed, function: str) -> Iterator[dict[str, str]]:
    """Its environment, for clients built inside: they find the emulator and sign with the function's own keys."""
    keys, region = deployed.keys_of(function), deployed.local.outputs.region
    variables = deployed.environment(function) | _ASKED_ONCE
    aws = {
        "AWS_ENDPOINT_URL": deployed.local.outputs.endpoint_url,
        "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
        "AWS_SESSION_TOKEN": keys["SessionToken"],
        "AWS_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    with patch.dict(os.environ, aws | {"TIKTOKEN_CACHE_DIR": variables["TIKTOKEN_CACHE_DIR"]}):
        os.environ.pop("AWS_PROFILE", None)
        yield variables


@contextmanager
def silence(deployed: Deployed, function: str = "consolidate", queue: str = "TURNS_QUEUE_URL") -> Iterator[None]:
    """Nobody answers a function's doorbells but the test itself; `queue` is the variable that names where they come."""
    functions, url = deployed.functions, deployed.environment(function)[queue]
    (mapping,) = functions.list_event_source_mappings(FunctionName=deployed.local.outputs.functions[function])[
        "EventSourceMappings"
    ]
    functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=False)
    try:
        yield
    finally:
        deployed.local.emulated.sqs.purge_queue(QueueUrl=url)
        functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=True)


@contextmanager
def configured(deployed: Deployed, function: str, **variables: str) -> Iterator[None]:
    """Other values for environment variables of a deployed function, for as long as it takes."""
    functions, name, before = (
        deployed.functions,
        deployed.local.outputs.functions[function],
        deployed.environment(function),
    )
    functions.update_function_configuration(FunctionName=name, Environment={"Variables": before | variables})
    try:
        yield
    finally:
        functions.update_function_configuration(FunctionName=name, Environment={"Variables": before})
