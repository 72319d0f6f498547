"""`erasure` in `A#SETTINGS`: how far an erase has come, and its receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.domain.erasing import Erasure, Remnant, Stage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from context_memory.adapters.dynamodb.attributes import Plain


def erasure_map(erasure: Erasure) -> dict[str, Plain]:
    """The attribute."""
    return {
        "receipt_id": erasure.receipt_id,
        "epoch": erasure.epoch,
        "requested_at": stamp(erasure.requested_at),
        "stage": erasure.stage.value,
        "step": erasure.step,
        "counts": {kind.value: count for kind, count in erasure.counts.items()},
        "first_sweep_at": _stamp(erasure.first_sweep_at),
        "second_sweep_at": _stamp(erasure.second_sweep_at),
        "probed_at": _stamp(erasure.probed_at),
        "sealed": erasure.sealed,
    }


def erasure_of(attribute: Mapping[str, Any]) -> Erasure:
    """What the attribute says."""
    return Erasure(
        receipt_id=attribute["receipt_id"],
        epoch=attribute["epoch"],
        requested_at=moment(attribute["requested_at"]),
        stage=Stage(attribute["stage"]),
        step=attribute["step"],
        counts={Remnant(kind): count for kind, count in attribute["counts"].items()},
        first_sweep_at=_moment(attribute["first_sweep_at"]),
        second_sweep_at=_moment(attribute["second_sweep_at"]),
        probed_at=_moment(attribute["probed_at"]),
        sealed=attribute["sealed"],
    )


def _stamp(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else moment(text)
