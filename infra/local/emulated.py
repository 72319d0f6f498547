"""Clients of the emulator with root-like keys, for whoever sets it up. Never of AWS: the endpoint is this machine's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

from infra.environments import LOCAL
from infra.names import Names

if TYPE_CHECKING:
    from mypy_boto3_appconfig.client import AppConfigClient
    from mypy_boto3_cloudformation.client import CloudFormationClient
    from mypy_boto3_iam.client import IAMClient
    from mypy_boto3_s3.client import S3Client
    from mypy_boto3_secretsmanager.client import SecretsManagerClient
    from mypy_boto3_sqs.client import SQSClient
    from mypy_boto3_ssm.client import SSMClient


@dataclass(frozen=True)
class Emulated:
    """One emulator; clients are built when first used."""

    endpoint_url: str
    account: str
    region: str

    @cached_property
    def session(self) -> boto3.Session:
        """A session with keys that the emulator takes for root."""
        return boto3.Session(aws_access_key_id="test", aws_secret_access_key="test", region_name=self.region)  # noqa: S106 - the emulator's own word for root

    @property
    def names(self) -> Names:
        """What the environment in it calls everything."""
        return Names(environment=LOCAL.name, account=self.account, region=self.region)

    @cached_property
    def appconfig(self) -> AppConfigClient:
        """The operator's switches."""
        return self.session.client("appconfig", endpoint_url=self.endpoint_url, config=_QUICK)

    @cached_property
    def cloudformation(self) -> CloudFormationClient:
        """Stacks."""
        return self.session.client("cloudformation", endpoint_url=self.endpoint_url, config=_QUICK)

    @cached_property
    def iam(self) -> IAMClient:
        """Users and keys."""
        return self.session.client("iam", endpoint_url=self.endpoint_url, config=_QUICK)

    @cached_property
    def s3(self) -> S3Client:
        """Objects."""
        return self.session.client("s3", endpoint_url=self.endpoint_url, config=_QUICK)

    @cached_property
    def secrets(self) -> SecretsManagerClient:
        """Secrets."""
        return self.session.client("secretsmanager", endpoint_url=self.endpoint_url, config=_QUICK)

    @cached_property
    def sqs(self) -> SQSClient:
        """Queues."""
        return self.session.client("sqs", endpoint_url=self.endpoint_url, config=_QUICK)

    @cached_property
    def ssm(self) -> SSMClient:
        """Parameters."""
        return self.session.client("ssm", endpoint_url=self.endpoint_url, config=_QUICK)


_QUICK = Config(connect_timeout=5, read_timeout=60, retries={"total_max_attempts": 2})
