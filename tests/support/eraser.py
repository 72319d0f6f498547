"""Erasing over a world in memory: requests, the job with its queue and its time, and a look into every corner.

eraser = Eraser(house.world)
receipt = eraser.erase()
eraser.work()                        # time passes until the queue is empty
assert remains(house.world, LENA) == []
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from context_memory.application.erase.driving import DriveErase
from context_memory.application.erase.fencing import Fencing
from context_memory.application.erase.merged import MergesLeft
from context_memory.application.erase.replaying import ReplayErasure
from context_memory.application.erase.requesting import RequestErase
from context_memory.application.erase.sealing import Receipts
from context_memory.application.erase.sweeping import EraseSweep
from context_memory.application.erase.switching import SwitchMemory
from context_memory.application.erase.unlinking import LinksLeft
from context_memory.application.erase.working import EraseJob
from context_memory.domain.forgotten import Forgotten
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import JobKind, UserJob
from tests.support.links import merging_of

if TYPE_CHECKING:
    from context_memory.adapters.in_memory.world import InMemoryWorld
    from context_memory.domain.erasing import Erasure

LENA = UserKey("acme", "lena")
SETTLING = timedelta(seconds=960)
REQUEST_SECONDS = 15
JOB_SECONDS = 200.0
BACKUP_DAYS = 35


@dataclass
class Eraser:
    """The use cases of an erase over one world; building it anew is a new process."""

    world: InMemoryWorld
    sweep_seconds: float = 8.0
    receipts: Receipts = field(init=False)
    request: RequestErase = field(init=False)
    job: EraseJob = field(init=False)
    switch: SwitchMemory = field(init=False)
    replay: ReplayErasure = field(init=False)

    def __post_init__(self) -> None:
        world = self.world
        shared: dict[str, Any] = {"clock": world.clock, "telemetry": world.telemetry, "tombstones": world.tombstones}
        self.receipts = Receipts(signer=world.signer, settling=SETTLING, backup_days=BACKUP_DAYS)
        sweep = EraseSweep(
            places=(*world.remains, LinksLeft(world.links), MergesLeft(merging_of(world))),
            tombstones=world.tombstones,
            clock=world.clock,
        )
        drive = DriveErase(sweep=sweep, receipts=self.receipts, roster=world.roster, **shared)
        fence = Fencing(ledger=world.ledger, identifiers=world.identifiers, **shared)
        shared |= {"jobs": world.jobs, "agenda": world.agenda, "fence": fence, "drive": drive}
        self.request = RequestErase(request_seconds=REQUEST_SECONDS, sweep_seconds=self.sweep_seconds, **shared)
        del shared["telemetry"]
        self.job = EraseJob(news=world.news, **shared)
        self.switch = SwitchMemory(tombstones=world.tombstones, erase=self.request)
        self.replay = ReplayErasure(
            ledger=world.ledger,
            tombstones=world.tombstones,
            erase=self.request,
            jobs=world.jobs,
            telemetry=world.telemetry,
        )

    def erase(self, user: UserKey = LENA, *, off: bool = False) -> dict[str, Any]:
        """What whoever erases a user gets."""
        return self.receipts.of(user, self.request(user, off=off))

    def receipt(self, user: UserKey = LENA) -> dict[str, Any]:
        """The newest receipt."""
        return self.receipts.of(user, self.erasure(user))

    def erasure(self, user: UserKey = LENA) -> Erasure:
        """The newest erase."""
        erasure = self.world.tombstones.standing(user).erasure
        assert erasure is not None
        return erasure

    def work(self, *, rounds: int = 50) -> None:
        """Work off the jobs' queue; time passes until each message shows."""
        for _ in range(rounds):
            if not self.world.jobs.sent:
                return
            message = self.world.jobs.sent[0]
            self.world.clock.advance(message.delay_seconds)
            if (
                isinstance(message.job, UserJob) and message.job.kind is JobKind.ERASE
            ):  # what else is asked for is not this module's to do
                self.job(message.job, JOB_SECONDS)
            self.world.jobs.sent.remove(message)
        raise AssertionError("The jobs never end.")


def remains(world: InMemoryWorld, user: UserKey = LENA) -> list[str]:
    """Whatever is left of a user beside the tombstone."""
    found = [str(version) for version in world.profiles.versions(user)]
    found += [turn_id for turn_id, _, _ in world.payloads.stored(user)]
    found += [turn_id for turn_id, _, _ in world.texts.stored(user)]
    found += ["marker"] if user in world.directory.users(user.company_id, after=None, limit=999, legacy=True) else []
    found += [str(provider) for provider in world.links.of_user(user, limit=999)]
    found += ["legacy"] if user in world.profiles.legacy_files else []
    with world.table.opened(user, "look") as items:
        held = {name: getattr(items, name) for name in type(items).__dataclass_fields__}
    return found + [name for name, value in held.items() if value and name not in {"settings", "erasure"}]


def forgotten(world: InMemoryWorld) -> Forgotten:
    """Something that is forgotten now."""
    now = world.clock.now()
    return Forgotten(said_at=now, noted_at=now)
