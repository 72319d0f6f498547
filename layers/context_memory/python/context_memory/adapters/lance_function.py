"""What is asked of the function `lance`, by those who wait for a recall and by those who write facts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from botocore.credentials import ReadOnlyCredentials
    from mypy_boto3_lambda import LambdaClient

    from context_memory.contracts.lance import Answer, Asked, Credentials


class LanceFunction:
    """Calls the function and waits for its answer.

    Args:
        client: Lambda, with credentials per request.
        function: its name.
        own_role: signs with the function's own role, which may invoke it (`AwsClients.own_role`).
    """

    def __init__(
        self, *, client: LambdaClient, function: str, own_role: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._client = client
        self._function = function
        self._own_role = own_role

    def ask(self, asked: Asked) -> Answer:
        """Ask, and hand the answer out.

        Raises:
            StoreUnavailable: the function or its tables are out of reach.
        """
        with told_as_ours("Lambda"), self._own_role():
            answer = self._client.invoke(FunctionName=self._function, Payload=json.dumps(asked).encode())
            body = answer["Payload"].read()
        if answer.get("FunctionError"):
            raise StoreUnavailable("The function lance failed.")
        told = cast("Answer", json.loads(body))
        if failed := told.get("failed"):
            raise StoreUnavailable(f"The function lance failed ({failed}).")
        return told


def lent(credentials: ReadOnlyCredentials) -> Credentials:
    """A session's credentials as they travel with a request."""
    return {
        "access_key": credentials.access_key or "",
        "secret_key": credentials.secret_key or "",
        "token": credentials.token or "",
    }
