"""The API's answers about facts as values: what a question recalls, and what an answer's markers cite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Hit:
    """A fact that was given; `marker` is None where nothing can be cited, `scope` for what came with the request."""

    id: str
    marker: str | None
    text: str
    tier: str
    scope: str | None
    score: float
    why: tuple[str, ...]

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Hit:
        """Read an entry of `hits`."""
        return cls(
            id=str(entry["id"]),
            marker=entry["marker"],
            text=str(entry["text"]),
            tier=str(entry["tier"]),
            scope=entry["scope"],
            score=float(entry["score"]),
            why=tuple(map(str, entry["why"])),
        )


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a question recalls; `block` is the ready text for a prompt, `notes` say what could not be done for it."""

    enabled: bool
    reason: str | None
    block: str
    hits: tuple[Hit, ...]
    tokens: int
    backend: str | None
    cached: bool
    notes: tuple[str, ...]

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Recalled:
        """Read the body of `POST …/recall`."""
        return cls(
            enabled=bool(answer["enabled"]),
            reason=answer.get("reason"),
            block=str(answer["block"] or ""),
            hits=tuple(map(Hit.read, answer["hits"])),
            tokens=int(answer["tokens"]),
            backend=answer["backend"],
            cached=bool(answer["cached"]),
            notes=tuple(map(str, answer["notes"])),
        )


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer without markers that cite nothing, the texts that the others cite, how many were dropped, and notes."""

    answer: str
    citations: tuple[str, ...]
    invented: int
    withdrawn: int
    notes: tuple[str, ...]

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Cited:
        """Read the body of `POST …/citations`."""
        return cls(
            answer=str(answer["answer"]),
            citations=tuple(str(one["text"]) for one in answer["citations"]),
            invented=int(answer["invented"]),
            withdrawn=int(answer["withdrawn"]),
            notes=tuple(map(str, answer["notes"])),
        )
