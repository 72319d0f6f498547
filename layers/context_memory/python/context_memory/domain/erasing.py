"""An erase, from the fence to its final receipt: what is known of it, and what comes next.

    nothing ──fenced──▶ SWEEPING ──swept──▶ SWEPT ──settled, swept again──▶ FINAL
                        running             provisional                     final       (the receipt's status)

Whoever drives it may die anywhere and anybody may go on: each step is written on top of the one before (`step`), and
is taken again when it was not written.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime, timedelta


class Stage(StrEnum):
    """How far an erase has come; the values are the receipt's status."""

    SWEEPING = "running"
    SWEPT = "provisional"
    FINAL = "final"


class Remnant(StrEnum):
    """Kinds of what a user leaves behind, as the receipt counts them."""

    VERSIONS = "versions"
    """Versions and delete markers of objects."""
    PAYLOADS = "payloads"
    INDEXES = "indexes"
    """Objects of the indexes over a user's facts."""
    PROFILE = "profile"
    SEEN = "seen"
    OPEN = "open"
    TURNS = "turns"
    REVISIONS = "revisions"
    FORGOTTEN = "forgotten"
    FACTS = "facts"
    EXTRACTIONS = "extractions"
    PROMPTS = "prompts"
    LINKS = "links"
    """Channels' users that were linked to the user, in the company table."""
    MERGES = "merges"
    """Merges of facts with another user that were under way, or of which the other kept what had become the user's."""
    OTHERS = "others"


OBJECTS = (Remnant.VERSIONS, Remnant.PAYLOADS, Remnant.INDEXES)
"""Kinds that lie in buckets; all others are items of tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """One erase, as it stands in the tombstone. Nothing in it tells what was erased.

    Attributes:
        epoch: the epoch that it opened; whatever is older goes.
        step: how often it was written; the next write is refused where another came first.
        counts: what was surely deleted. They are written after each batch, so that a crash leaves them too low by at
            most what that batch held, and never too high.
        probed_at: when nothing was found any more, by the last sweep that ended.
        sealed: the receipt as it was signed, letter by letter; none while the first sweep is under way.
    """

    receipt_id: str
    epoch: int
    requested_at: datetime
    stage: Stage = Stage.SWEEPING
    step: int = 0
    counts: Mapping[Remnant, int] = field(default_factory=dict)
    first_sweep_at: datetime | None = None
    second_sweep_at: datetime | None = None
    probed_at: datetime | None = None
    sealed: str | None = None

    @property
    def running(self) -> bool:
        """Whether nothing may be written yet."""
        return self.stage is not Stage.FINAL

    def counted(self, deleted: Iterable[Remnant]) -> Erasure:
        """After a batch was deleted."""
        counts = dict(self.counts)
        for kind in deleted:
            counts[kind] = counts.get(kind, 0) + 1
        return replace(self, step=self.step + 1, counts=counts)

    def swept(self, at: datetime) -> Erasure:
        """After a sweep whose probe has found nothing, at `at`; the receipt must be sealed anew."""
        if self.stage is Stage.SWEEPING:
            return replace(self, step=self.step + 1, stage=Stage.SWEPT, first_sweep_at=at, probed_at=at, sealed=None)
        return replace(self, step=self.step + 1, stage=Stage.FINAL, second_sweep_at=at, probed_at=at, sealed=None)

    def seconds_to_wait(self, now: datetime, settling: timedelta) -> float:
        """Seconds until the next sweep may begin; 0 when it may now.

        Args:
            now: aware time.
            settling: longer than any function can still run that began before the fence.
        """
        if self.stage is not Stage.SWEPT or self.first_sweep_at is None:
            return 0.0
        return max((self.first_sweep_at + settling - now).total_seconds(), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a user stands: epoch and switch that count, whether there is a profile, and the newest erase."""

    epoch: int = 0
    context_memory: bool = True
    has_profile: bool = False
    erasure: Erasure | None = None

    @property
    def running(self) -> Erasure | None:
        """The erase that is under way, if one is."""
        return self.erasure if self.erasure and self.erasure.running else None

    def fenced(self, receipt_id: str, at: datetime, *, above: int = 0) -> Erasure:
        """The erase that begins now, in an epoch above this one and `above`."""
        return Erasure(
            receipt_id=receipt_id,
            epoch=max(self.epoch, above) + 1,
            requested_at=at,
            counts={Remnant.PROFILE: 1} if self.has_profile else {},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """What outlives even a restored table: that a user was erased, into which epoch, when, and whether for good."""

    epoch: int
    erased_at: datetime
    context_memory: bool
