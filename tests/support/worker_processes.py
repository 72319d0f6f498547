"""Processes in which the emulator runs functions, and their sudden end: no code of ours runs on its way out."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployed import Deployed


def workers(deployed: Deployed, function: str) -> list[int]:
    """Processes in which the emulator runs a function; one of another emulator has another port."""
    port = urlsplit(deployed.local.outputs.endpoint_url).port
    wanted = {f"AWS_LAMBDA_FUNCTION_NAME={deployed.local.outputs.functions[function]}", f"GATEWAY_PORT={port}"}
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = set(environment.read_text(errors="replace").split("\0"))
        except OSError:  # it has ended meanwhile, or is not ours to look into
            continue
        if wanted <= variables:
            found.append(int(environment.parent.name))
    return found


def kill_workers(deployed: Deployed, function: str) -> None:
    """End all of them; there is at least one."""
    victims = workers(deployed, function)
    assert victims
    for process in victims:
        os.kill(process, signal.SIGKILL)


@contextmanager
def coming_back_after(deployed: Deployed, queue_url: str, seconds: str) -> Iterator[None]:
    """Let a message whose worker is gone come back after so many seconds, not after half an hour."""
    sqs = deployed.local.emulated.sqs
    before = sqs.get_queue_attributes(QueueUrl=queue_url, AttributeNames=["VisibilityTimeout"])["Attributes"]
    sqs.set_queue_attributes(QueueUrl=queue_url, Attributes={"VisibilityTimeout": seconds})
    try:
        yield
    finally:
        sqs.set_queue_attributes(QueueUrl=queue_url, Attributes={"VisibilityTimeout": before["VisibilityTimeout"]})
