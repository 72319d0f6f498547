"""One botocore session, one client and one connection pool a service, built late and kept.

Who signs is decided per request (request_credentials.py); patience is decided here.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

import botocore.session
from botocore.config import Config
from botocore.credentials import create_credential_resolver

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.request_credentials import install, signed_by
from context_memory.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from botocore.credentials import Credentials, ReadOnlyCredentials
    from botocore.session import Session
    from mypy_boto3_appconfigdata import AppConfigDataClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sts import STSClient

    from context_memory.adapters.measured_stores import MeasuredStores


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one try of a request may take, in seconds, and how many tries there are."""

    connect_seconds: float = 1.0
    read_seconds: float = 5.0
    tries: int = 3


WHERE_SOMEBODY_WAITS = Patience(read_seconds=2.0, tries=2)
"""A store that hangs is told of as out of reach before the function's time runs out, which would tell nobody."""
_FLAGS_PATIENCE = Patience(read_seconds=2.0, tries=2)
"""What is known of the flags serves meanwhile: nobody should wait long for news of them."""
_FUNCTIONS_PATIENCE = Patience(read_seconds=20.0, tries=1)
"""A function that starts takes seconds, and one that writes may take more; doing it twice would help nobody."""
_FUNCTIONS_WHERE_SOMEBODY_WAITS = Patience(read_seconds=6.0, tries=1)
"""Who waits has ten seconds for all of it, and can do without the function: what takes longer is done without it."""
_BELLS_PATIENCE = Patience(connect_seconds=0.5, read_seconds=1.0, tries=2)
"""A ring that is not heard is made up for by others: nobody should be kept from their memory by it."""


class AwsClients:
    """The clients of one execution environment.

    Args:
        patience: time-outs and tries of every client.
        region: AWS region; None leaves it to botocore's own configuration.
        s3_path_style: name buckets in the path instead of the host, for endpoints without wildcard names.
        session: for tests; by default a new one.
    """

    def __init__(
        self,
        *,
        patience: Patience = Patience(),
        region: str | None = None,
        s3_path_style: bool = False,
        session: Session | None = None,
    ) -> None:
        self._patience = patience
        self._region = region
        self._s3_path_style = s3_path_style
        self._session = session
        self._clients: dict[tuple[str, Patience], Any] = {}
        self._own: Credentials | None = None
        self._stores: MeasuredStores | None = None
        self._lock = RLock()  # a session must not build two clients at once

    @property
    def flags(self) -> AppConfigDataClient:
        """The operator's switches."""
        return cast("AppConfigDataClient", self._client("appconfigdata", _FLAGS_PATIENCE))

    @property
    def s3(self) -> S3Client:
        """Profiles and payloads."""
        return cast("S3Client", self._client("s3"))

    @property
    def dynamodb(self) -> DynamoDBClient:
        """The user table and the company table."""
        return cast("DynamoDBClient", self._client("dynamodb"))

    @property
    def sqs(self) -> SQSClient:
        """Doorbells that were received, and dead letters."""
        return cast("SQSClient", self._client("sqs"))

    @property
    def bells(self) -> SQSClient:
        """SQS for those who ring, while a caller or other users wait."""
        return cast("SQSClient", self._client("sqs", _BELLS_PATIENCE))

    @property
    def events(self) -> EventBridgeClient:
        """News of memories."""
        return cast("EventBridgeClient", self._client("events"))

    @property
    def kms(self) -> KMSClient:
        """The key that signs receipts."""
        return cast("KMSClient", self._client("kms"))

    @property
    def functions(self) -> LambdaClient:
        """Functions that ours ask."""
        waits = self._patience == WHERE_SOMEBODY_WAITS
        return cast(
            "LambdaClient", self._client("lambda", _FUNCTIONS_WHERE_SOMEBODY_WAITS if waits else _FUNCTIONS_PATIENCE)
        )

    @property
    def sts(self) -> STSClient:
        """Credentials of users."""
        return cast("STSClient", self._client("sts"))

    @property
    def secrets(self) -> SecretsManagerClient:
        """Keys."""
        return cast("SecretsManagerClient", self._client("secretsmanager"))

    @contextmanager
    def own_role(self) -> Iterator[None]:
        """Sign with the function's own role, which has no right to any user's data.

        Raises:
            StoreUnavailable: the function has no credentials.
        """
        with signed_by(self.own_credentials()):
            yield

    def own_credentials(self) -> ReadOnlyCredentials:
        """Credentials of the function's own role.

        Raises:
            StoreUnavailable: the function has none.
        """
        with told_as_ours("Credentials"):
            with self._lock:
                self._prepared()
            if self._own is None:
                raise StoreUnavailable("The function has no credentials of its own.")
            return self._own.get_frozen_credentials()

    def measure(self, stores: MeasuredStores) -> None:
        """Measure the requests of all clients, those that are there and those to come."""
        with self._lock:
            self._stores = stores
            for client in self._clients.values():
                stores.watch(client)

    def _client(self, service: str, patience: Patience | None = None) -> Any:  # noqa: ANN401 - botocore makes its clients at run time
        kind = service, patience or self._patience
        with self._lock:
            if kind not in self._clients:
                self._clients[kind] = self._prepared().create_client(
                    service, region_name=self._region, config=self._config(kind[1])
                )
                if self._stores:
                    self._stores.watch(self._clients[kind])
            return self._clients[kind]

    def _prepared(self) -> Session:
        """The session, once its default chain has given up the function's own credentials and been replaced."""
        if self._own is None:
            self._session = self._session or botocore.session.Session()
            self._session.set_config_variable("sts_regional_endpoints", "regional")
            self._own = create_credential_resolver(self._session).load_credentials()
            install(self._session)
        return cast("Session", self._session)

    def _config(self, patience: Patience) -> Config:
        return Config(
            connect_timeout=patience.connect_seconds,
            read_timeout=patience.read_seconds,
            retries={"mode": "standard", "total_max_attempts": patience.tries},
            tcp_keepalive=True,
            # Otherwise the endpoint would hang on whose credentials happened to sign first.
            account_id_endpoint_mode="disabled",
            s3={"addressing_style": "path"} if self._s3_path_style else None,
        )
