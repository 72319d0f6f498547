"""A warm load in this process against the deployed emulator, beside its two store calls alone.

All keys are the function's own, credentials of the user are warm, and samples are taken in turns. The emulator is one
process, and so is this: two calls at once take twice the time of one, which they would not on AWS. Hence the second
baseline, both raw calls at once; and own code is the time of a load in which none of its calls is under way.
"""

from __future__ import annotations

import importlib
import io
import json
import statistics
import sys
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.adapters.aws_clients import AwsClients
from context_memory.adapters.sts import Role, UserCredentials
from infra.local.environment import LocalEnvironment, ModelEndpoint
from tests.benchmarks import sample_turns as sample
from tests.benchmarks.underway import Underway
from tests.support.deployed import SPACE, Deployed, Somebody
from tests.support.house import TOKENIZERS, body
from tests.support.scripted_model import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from context_memory.domain.ids import UserKey
    from tests.support.scripted_model import Script

SAMPLES = 300
WARMING = 30
NEWCOMERS = 40
PROFILE_TOKENS = 828
OWN_SHARE = 0.25
"""Of a load's time, at most. AWS's stores take several times as long as those of the emulator, our code does not."""
EVENT = Path(__file__).parents[2] / "events" / "load" / "memory.json"

pytestmark = pytest.mark.deployed


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    with ScriptedModel() as model:
        endpoint = ModelEndpoint(base_url=model.base_url, api_key="key", model="scripted")
        with LocalEnvironment(outputs=tmp_path_factory.mktemp("deployed"), model=endpoint) as local:
            service = Deployed(local, model)
            yield service
            service.close()


@pytest.fixture(scope="module")
def variables(deployed: Deployed) -> Iterator[Mapping[str, str]]:
    """The environment of the function, in this process too."""
    keys = deployed.keys_of("load")
    given = deployed.environment("load") | {
        "AWS_ENDPOINT_URL": deployed.local.outputs.endpoint_url,
        "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
        "AWS_SESSION_TOKEN": keys["SessionToken"],
        "AWS_REGION": deployed.local.outputs.region,
        "AWS_DEFAULT_REGION": deployed.local.outputs.region,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    with pytest.MonkeyPatch.context() as process:
        process.delenv("AWS_PROFILE", raising=False)
        for name, value in given.items():
            process.setenv(name, value)
        yield given


@pytest.fixture(scope="module")
def lena(deployed: Deployed) -> Somebody:
    """A user with a profile of ordinary size."""
    somebody = deployed.newcomer()
    sections = sample.profile_sections(PROFILE_TOKENS, TOKENIZERS[1].count)
    for purpose, answer in {"gate": "UPDATE", "consolidation": body(**sections), "scrub": "CLEAN"}.items():
        deployed.model.script(purpose, always(answer))
    somebody.post("before", " ".join(bullet for bullets in sections.values() for bullet in bullets))
    assert somebody.done("before")["outcome"] == "updated"
    return somebody


def always(answer: str) -> Script:
    return lambda _: answer


class Stores:
    """The two calls that a load makes, with clients and credentials as the function has them."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._clients = AwsClients()
        roles = {Role.READ: variables["READ_ROLE_ARN"]}
        self.credentials = UserCredentials(sts=self._clients.sts, role_arns=roles, own_role=self._clients.own_role)
        self._pool = ThreadPoolExecutor(max_workers=1)

    def query(self, user: UserKey) -> None:
        with self.credentials.signing(user, Role.READ):
            found = self._clients.dynamodb.query(
                TableName=self._variables["USER_TABLE"],
                KeyConditionExpression="pk = :pk AND begins_with(sk, :sk)",
                ExpressionAttributeValues={":pk": {"S": user.partition}, ":sk": {"S": "A#"}},
                ConsistentRead=True,
            )
        assert found["Items"]

    def get_object(self, user: UserKey) -> None:
        key = f"{user.home}{self._variables['ROOT_FOLDER']}/memory.md"
        with self.credentials.signing(user, Role.READ):
            found = self._clients.s3.get_object(Bucket=self._variables["PROFILE_BUCKET"], Key=key)
            assert found["Body"].read()

    def fetch_credentials(self, user: UserKey) -> None:
        with self.credentials.signing(user, Role.READ):
            pass

    def both_at_once(self, user: UserKey) -> None:
        read = self._pool.submit(self.get_object, user)
        self.query(user)
        read.result()


def test_a_warm_load_adds_little_to_its_store_calls(lena: Somebody, variables: Mapping[str, str]) -> None:
    stores, function = Stores(variables), importlib.import_module("functions.load.handler")
    underway = Underway(function.load.table._table.client, function.load.objects._client)  # noqa: SLF001 - the function's very clients
    event = json.loads(EVENT.read_text())
    event["pathParameters"] = {"company_id": lena.key.company_id, "user_id": lena.key.encoded}
    event["queryStringParameters"] = {"space_id": SPACE}
    answers: list[dict[str, Any]] = []
    own: list[float] = []

    def load() -> None:
        answers.append(function.handler(event, None))

    with redirect_stdout(io.StringIO()):  # its metrics
        load()  # fetches the credentials
        underway.taken()
        took = in_turns(
            {
                "query": lambda: stores.query(lena.key),
                "get": lambda: stores.get_object(lena.key),
                "both at once": lambda: stores.both_at_once(lena.key),
                "load": load,
            },
            after={"load": lambda seconds: own.append(seconds - underway.taken())},
        )
        fetch = statistics.median(timed(partial(stores.fetch_credentials, user)) for user in newcomers(lena))

    assert all(answer["statusCode"] == 200 and json.loads(answer["body"])["memory"] for answer in answers)
    slower, own_code = max(took["query"], took["get"]), statistics.median(own)
    for name, seconds in {**took, "own code of load": own_code, "credentials of another user": fetch}.items():
        sys.stdout.write(f"\n{name:30}{1e3 * seconds:7.2f} ms{seconds / slower:8.2f} of the slower call")
    for name, seconds in {"load less the slower call": took["load"] - slower, "own code": own_code}.items():
        sys.stdout.write(f"\n{name:30}{seconds / took['load']:7.0%} of load")
    assert own_code < OWN_SHARE * took["load"]


def in_turns(calls: Mapping[str, Callable[[], None]], after: Mapping[str, Callable[[float], None]]) -> dict[str, float]:
    """Median seconds of each; every round begins with another one. `after` hears each sample's seconds."""
    order = deque(calls.items())
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(WARMING + SAMPLES):
        for name, call in order:
            took = timed(call)
            seconds[name].append(took)
            if name in after:
                after[name](took)
        order.rotate(1)
    return {name: statistics.median(taken[WARMING:]) for name, taken in seconds.items()}


def timed(call: Callable[[], None]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def newcomers(somebody: Somebody) -> list[UserKey]:
    return [somebody.deployed.newcomer().key for _ in range(NEWCOMERS)]
