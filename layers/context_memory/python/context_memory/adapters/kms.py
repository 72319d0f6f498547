"""Signing with a key that KMS keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from mypy_boto3_kms import KMSClient


@dataclass(frozen=True, slots=True, kw_only=True)
class KmsSigner:
    """`Signer` over KMS.

    Args:
        client: KMS, with credentials per request.
        key: alias or ARN of a key that signs, on P-256.
        own_role: signs requests with the function's own role (`AwsClients.own_role`).
    """

    client: KMSClient
    key: str
    own_role: Callable[[], AbstractContextManager[None]]

    def sign(self, message: bytes) -> bytes:
        """The signature over at most 4,096 bytes, of which KMS takes the digest itself."""
        with told_as_ours("KMS"), self.own_role():
            answer = self.client.sign(
                KeyId=self.key, Message=message, MessageType="RAW", SigningAlgorithm="ECDSA_SHA_256"
            )
        return answer["Signature"]
