"""An erase in this process over the deployed stores, as `maintain` would drive it, with mishaps on the way.

process = EraserProcess(deployed, Mishaps(kill_before=3))
process.erase(lena.key)                                   # raises Killed
EraserProcess(deployed).finish(lena.key)                  # what the job's messages set off
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from context_memory.adapters.in_memory.telemetry import RecordingTelemetry
from context_memory.adapters.sts import Role
from context_memory.adapters.system import SystemClock
from context_memory.bootstrap import shared
from context_memory.bootstrap.erasing import erasing
from context_memory.domain.jobs import JobKind, UserJob
from context_memory.settings.maintain import MaintainSettings
from tests.support.mishaps import Mishaps, as_function

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from context_memory.bootstrap.erasing import Erasing
    from context_memory.domain.ids import UserKey
    from context_memory.domain.news import News
    from tests.support.deployed import Deployed

SECONDS = 120.0
_ROUNDS = 20


class _Unheard:
    """A bus that nobody listens to."""

    def publish(self, news: Sequence[News]) -> None:
        """Let it go."""


class _Clock(SystemClock):
    """Runs ahead of the others by what it was told to skip."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        """Aware UTC time."""
        return super().now() + self._ahead

    def skip(self, seconds: float) -> None:
        """Let nobody wait."""
        self._ahead += timedelta(seconds=seconds)


class EraserProcess:
    """One process; built when first needed, so that it may die. Nobody waits for the time between its sweeps."""

    def __init__(self, deployed: Deployed, mishaps: Mishaps | None = None) -> None:
        self.deployed = deployed
        self.mishaps = mishaps or Mishaps()
        self.clock = _Clock()

    @cached_property
    def erasing(self) -> Erasing:
        """Its parts."""
        with as_function(self.deployed, "maintain") as variables:
            settings = MaintainSettings.read(variables | {"ERASE_SETTLE_SECONDS": "1"})
            clients = self.mishaps.clients()
            credentials = shared.credentials(
                clients, {Role.WRITE: settings.write_role_arn, Role.ERASE: settings.erase_role_arn}
            )
            return erasing(
                settings,
                clients,
                credentials,
                hasher=shared.hasher(clients, settings.hash_secret_arn),
                clock=self.clock,
                telemetry=RecordingTelemetry(),
            )

    def erase(self, user: UserKey, *, off: bool = False) -> dict[str, Any]:
        """What whoever erases a user gets."""
        request = self.erasing.request(request_seconds=15, sweep_seconds=SECONDS)
        return self.erasing.receipts.of(user, request(user, off=off))

    def job(self, user: UserKey, epoch: int, *, off: bool = False) -> None:
        """Work off one message."""
        job = UserJob(kind=JobKind.ERASE, user=user, epoch=epoch, off=off)
        self.erasing.job(_Unheard())(job, SECONDS)

    def finish(self, user: UserKey, epoch: int = 1, *, off: bool = False) -> dict[str, Any]:
        """Work off messages until the receipt is final, and return it."""
        for _ in range(_ROUNDS):
            self.job(user, epoch, off=off)
            erasure = self.erasing.tombstones.standing(user).erasure
            assert erasure is not None
            if not erasure.running:
                return self.erasing.receipts.of(user, erasure)
            self.clock.skip(erasure.seconds_to_wait(self.clock.now(), self.erasing.receipts.settling))
        raise AssertionError("The erase never ends.")


@contextmanager
def no_jobs(deployed: Deployed) -> Iterator[None]:
    """Nobody works off jobs but the test itself."""
    functions, queue = deployed.functions, deployed.environment("maintain")["JOBS_QUEUE_URL"]
    (mapping,) = functions.list_event_source_mappings(FunctionName=deployed.local.outputs.functions["maintain"])[
        "EventSourceMappings"
    ]
    functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=False)
    try:
        yield
    finally:
        deployed.local.emulated.sqs.purge_queue(QueueUrl=queue)
        functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=True)
