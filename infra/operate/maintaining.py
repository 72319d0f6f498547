"""Jobs of `maintain`: what only a function may do, for it takes credentials for one user."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from infra.operate.target import Target


class JobFailed(Exception):
    """The function failed. The message is the error's class alone: its own words are the function's business."""


class Maintain:
    """The function `maintain` of an environment."""

    def __init__(self, target: Target) -> None:
        self._functions, self._name = target.client("lambda"), target.names.function("maintain")

    def __call__(self, job: str, **ids: str | None) -> dict[str, Any]:
        """Run a job and return its answer.

        Raises:
            JobFailed: see there.
        """
        event = json.dumps({"job": job, **ids}).encode()
        answer = self._functions.invoke(FunctionName=self._name, Payload=event)
        done: dict[str, Any] = json.loads(answer["Payload"].read())
        if answer.get("FunctionError"):
            raise JobFailed(str(done.get("errorType")))
        return done
