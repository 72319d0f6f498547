"""What a check found, and how a check is run so that one failure does not hide the others."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import httpx
from botocore.exceptions import BotoCoreError, ClientError

from infra.operate.smoke.api import ApiError
from infra.operate.switchboard import SwitchError

if TYPE_CHECKING:
    from collections.abc import Callable

_FAULTS = (ApiError, BotoCoreError, ClientError, SwitchError, httpx.HTTPError)


class Verdict(StrEnum):
    """How a check ended; `OPEN` is what could not be seen from here, or what somebody should look at."""

    OK = "ok"
    FAILED = "FAILED"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict and a sentence that says what it rests on."""

    verdict: Verdict
    sentence: str


def ok(sentence: str) -> Finding:
    """It is as it should be."""
    return Finding(Verdict.OK, sentence)


def failed(sentence: str) -> Finding:
    """It is not as it should be."""
    return Finding(Verdict.FAILED, sentence)


def unseen(sentence: str) -> Finding:
    """It could not be seen from here, or is for a person to judge."""
    return Finding(Verdict.OPEN, sentence)


def found_by(check: Callable[[], Finding]) -> Finding:
    """Run a check; a refusal or a fault of the world is a failure with its reason."""
    try:
        return check()
    except _FAULTS as error:
        return failed(f"{type(error).__name__}: {error}")


def refused(error: ClientError) -> bool:
    """Whether AWS answered that this caller may not."""
    return error.response["Error"]["Code"] in {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation"}
