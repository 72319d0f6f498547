"""The deployed stacks on the emulator, as tests see them: real HTTP, IAM enforced, real queues."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import httpx
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from context_memory.domain.ids import UserKey, encode
from tests.support.described import check
from tests.support.function_logs import FunctionLogs
from tests.support.scripted_jobs import answer_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_logs import CloudWatchLogsClient
    from mypy_boto3_sts import STSClient
    from mypy_boto3_sts.type_defs import CredentialsTypeDef

    from infra.local.environment import LocalEnvironment
    from tests.support.scripted_model import ScriptedModel

PATIENCE = 180.0
"""Seconds: ten workers that start at once on a busy machine need a minute."""
SPACE = "s1"
NOW = "2026-06-17T11:40:00Z"


def _rests(turn: dict[str, Any]) -> bool:
    status, facts = str(turn["status"]), str(turn["facts"]["status"])
    return status == "dead" or (status == "done" and facts != "queued")


def eventually[T](ask: Callable[[], T], holds: Callable[[T], bool], seconds: float = PATIENCE) -> T:
    """Ask until the answer is right.

    Raises:
        AssertionError: it never was; shows the last one.
    """
    deadline = time.monotonic() + seconds
    while not holds(answer := ask()):
        assert time.monotonic() < deadline, f"still {answer!r} after {seconds:.0f} s"
        time.sleep(0.05)
    return answer


@dataclass(frozen=True)
class Deployed:
    """One deployed service with its scripted model."""

    local: LocalEnvironment
    model: ScriptedModel

    def silence(self) -> None:
        """Let the model forget what it was told to say, but for what jobs of earlier tests may ask."""
        self.model.forget()
        answer_jobs(self.model)

    @cached_property
    def http(self) -> httpx.Client:
        """A pool; not the environment's proxies, for the API listens on loopback."""
        return httpx.Client(timeout=30, trust_env=False)

    @cached_property
    def dynamodb(self) -> DynamoDBClient:
        """The tables with root-like keys: to arrange and to look, never as the service would."""
        return self.local.emulated.session.client("dynamodb", endpoint_url=self.local.outputs.endpoint_url)

    @cached_property
    def functions(self) -> LambdaClient:
        """The functions with root-like keys."""
        return self.local.emulated.session.client("lambda", endpoint_url=self.local.outputs.endpoint_url)

    @cached_property
    def logs(self) -> CloudWatchLogsClient:
        """What the functions wrote."""
        return self.local.emulated.session.client("logs", endpoint_url=self.local.outputs.endpoint_url)

    @cached_property
    def function_logs(self) -> FunctionLogs:
        """The same, of which no line is fetched twice."""
        return FunctionLogs(self.logs)

    @cached_property
    def sts(self) -> STSClient:
        """Credentials of the functions' roles, for the emulator's root."""
        return self.local.emulated.session.client("sts", endpoint_url=self.local.outputs.endpoint_url)

    def call(
        self,
        method: str,
        path: str,
        *,
        content: bytes = b"",
        headers: Mapping[str, str] | None = None,
        signed: bool = True,
        keys: Credentials | None = None,
    ) -> httpx.Response:
        """One request to the API, signed with `keys` (the orchestrator's, unless said otherwise).

        Whatever is answered must be what the API's description says.
        """
        outputs = self.local.outputs
        url = f"{outputs.api_url}{path}"
        request = AWSRequest(method=method, url=url, data=content, headers=dict(headers or {}))
        if signed:
            own = Credentials(outputs.caller.access_key_id, outputs.caller.secret_access_key)
            SigV4Auth(keys or own, "execute-api", outputs.region).add_auth(request)
        answer = self.http.request(method, url, content=content, headers=dict(request.headers.items()))
        check(method, path, answer)
        return answer

    def newcomer(self) -> Somebody:
        """A user whom nobody knows yet."""
        return Somebody(self, UserKey(self.local.outputs.company_id, f"user-{uuid4().hex[:12]}"))

    def environment(self, function: str) -> dict[str, str]:
        """Environment variables of a deployed function."""
        name = self.local.outputs.functions[function]
        return self.functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]

    def lines_of(self, function: str) -> list[str]:
        """What a function has written to its log group so far."""
        return self.function_logs.lines(f"/aws/lambda/{self.local.outputs.functions[function]}")

    def keys_of(self, function: str) -> CredentialsTypeDef:
        """Keys of a function's own role, as Lambda hands them to it."""
        configuration = self.functions.get_function_configuration(FunctionName=self.local.outputs.functions[function])
        return self.sts.assume_role(RoleArn=configuration["Role"], RoleSessionName="test")["Credentials"]

    def close(self) -> None:
        """Close every connection."""
        self.http.close()
        for client in (self.dynamodb, self.functions, self.logs, self.sts):
            client.close()

    def invoke(self, function: str, event: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON
        """Run a function as an operator would."""
        name = self.local.outputs.functions[function]
        answer = self.functions.invoke(FunctionName=name, Payload=json.dumps(event).encode())
        result = json.loads(answer["Payload"].read())
        assert answer.get("FunctionError") is None, result
        return result


@dataclass(frozen=True)
class Somebody:
    """One user of the deployed service."""

    deployed: Deployed
    key: UserKey
    keys: Credentials | None = None
    """Who calls for the user; None is the orchestrator of the company that has a memory from the start."""

    @classmethod
    def named(cls, deployed: Deployed, user_id: str) -> Self:
        """The user of that id."""
        return cls(deployed, UserKey(deployed.local.outputs.company_id, user_id))

    @property
    def path(self) -> str:
        """Where this user's routes begin."""
        return f"/v1/companies/{self.key.company_id}/users/{self.key.encoded}"

    def post(self, turn_id: str, said: str, **fields: Any) -> httpx.Response:  # noqa: ANN401 - any JSON
        """Hand over a turn in which the user said `said`."""
        messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "All right."}]
        document = {"turn_id": turn_id, "space_id": SPACE, "occurred_at": NOW, "messages": messages} | fields
        return self.deployed.call("POST", f"{self.path}/turns", content=json.dumps(document).encode(), keys=self.keys)

    def turn(self, turn_id: str) -> dict[str, Any]:
        """What became of a turn."""
        answer = self.deployed.call("GET", f"{self.path}/turns/{encode(turn_id)}", keys=self.keys)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def done(self, turn_id: str) -> dict[str, Any]:
        """The turn, once nobody works on it any more: it is final, facts included, or dead."""
        return eventually(lambda: self.turn(turn_id), _rests)

    def load(self, **query: str) -> httpx.Response:
        """What a new chat loads."""
        asked = "&".join(f"{name}={value}" for name, value in ({"space_id": SPACE} | query).items())
        return self.deployed.call("GET", f"{self.path}/memory?{asked}", keys=self.keys)

    def memory(self) -> str:
        """The Markdown that a new chat loads, empty when there is none."""
        answer = self.load()
        assert answer.status_code == 200, answer.text
        return answer.json()["memory"] or ""

    def items(self, beginning: str = "") -> list[dict[str, Any]]:
        """This user's items whose sort keys begin so."""
        found = self.deployed.dynamodb.query(
            TableName=self.deployed.local.outputs.user_table,
            KeyConditionExpression="pk = :pk AND begins_with(sk, :sk)" if beginning else "pk = :pk",
            ExpressionAttributeValues={":pk": {"S": self.key.partition}}
            | ({":sk": {"S": beginning}} if beginning else {}),
            ConsistentRead=True,
        )
        return list(found["Items"])

    def versions(self) -> list[str]:
        """Version ids of this user's profile object."""
        outputs = self.deployed.local.outputs
        found = self.deployed.local.emulated.s3.list_object_versions(
            Bucket=outputs.profile_bucket, Prefix=self.key.home
        )
        return [version["VersionId"] for version in found.get("Versions", [])]

    def let_go(self) -> None:
        """Wait until nothing is kept any more of what was said: facts are extracted behind a turn's end."""
        eventually(self.payloads, lambda keys: keys == [])

    def payloads(self) -> list[str]:
        """Keys of what was said and is not yet consolidated, or whose facts are not yet extracted."""
        outputs = self.deployed.local.outputs
        found = self.deployed.local.emulated.s3.list_objects_v2(
            Bucket=outputs.work_bucket, Prefix=f"turns/{self.key.home}"
        )
        return [one["Key"] for one in found.get("Contents", [])]
