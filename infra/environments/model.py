"""What may differ between environments, as one validated value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Six time-outs, as AWS asks of a queue that feeds a function: a try may be throttled and come again before it shows.
VISIBILITY_PER_TIMEOUT = 6
_LONGEST_LAMBDA_SECONDS = 900
_LONGEST_VISIBILITY_SECONDS = 12 * 3600
_SHORTEST_CONSOLIDATION_SECONDS = 150  # a chain begins only while 120 seconds are left, and some are kept back
_YOUNGEST_SWEPT_SECONDS = 3600
_SMALLEST_CAP, _LARGEST_CAP = 500, 8000  # tokens of a profile


class Architecture(StrEnum):
    """Processor of the functions."""

    ARM64 = "arm64"
    HOST = "host"


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionSize:
    """Memory in MiB (processor time comes with it) and time-out in seconds."""

    memory_mb: int
    timeout_seconds: int

    def __post_init__(self) -> None:
        """Refuse what Lambda would refuse at deployment."""
        _require(128 <= self.memory_mb <= 10240, "memory_mb must be 128 to 10240")  # noqa: PLR2004 - Lambda's limits
        _require(1 <= self.timeout_seconds <= _LONGEST_LAMBDA_SECONDS, "timeout_seconds must be 1 to 900")


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttle:
    """Requests a second that the API lets through, and how many at once on top."""

    rate: int
    burst: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Model names per call and the endpoint that serves them (empty: the client's default)."""

    gate: str
    consolidation: str
    scrub: str
    base_url: str = ""

    def __post_init__(self) -> None:
        """Refuse a call without a model."""
        _require(all((self.gate, self.consolidation, self.scrub)), "each call needs a model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """The companies' flags until AppConfig holds them (AppConfig comes with the administrators' part)."""

    context_memory: bool = True
    context_memory_with_web_search: bool = True
    legacy: bool = False
    max_tokens: int = 2000

    def __post_init__(self) -> None:
        """Refuse a cap that no profile could live with."""
        _require(_SMALLEST_CAP <= self.max_tokens <= _LARGEST_CAP, "max_tokens must be 500 to 8000")


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """One environment.

    `durable`: data outlives the stacks, is backed up, and cannot be deleted by accident.
    `limits`: bounds of the chain that differ from their defaults, by name (docs/settings.md).
    """

    name: str
    durable: bool
    architecture: Architecture
    load: FunctionSize
    ingest: FunctionSize
    consolidate: FunctionSize
    maintain: FunctionSize
    throttle: Throttle
    models: Models
    switches: Switches
    root_folder: str = "user-memory"
    log_level: str = "INFO"
    log_retention_days: int = 30
    payload_retention_days: int = 60
    queue_retention_days: int = 14
    max_receive_count: int = 1000
    model_try_seconds: int = 60
    wait_seconds_first: int = 15
    wait_seconds_max: int = 900
    sweep_age_seconds: int = 86400
    limits: Mapping[str, float] = field(default_factory=dict)
    tokenizer_folder: str = "/opt/tiktoken"

    def __post_init__(self) -> None:
        """Refuse what no deployment could carry."""
        _require(re.fullmatch(r"[a-z][a-z0-9]{1,9}", self.name) is not None, "name must be 2 to 10 of a-z and 0-9")
        _require(
            re.fullmatch(r"[a-z0-9][a-z0-9_-]*", self.root_folder) is not None
            # It must never look like a user's home, or a legacy file could be another user's profile.
            and not self.root_folder.startswith("home-"),
            "root_folder must be a plain name that does not start with 'home-'",
        )
        _require(
            self.consolidate.timeout_seconds >= _SHORTEST_CONSOLIDATION_SECONDS,
            "consolidate's time-out must leave room for a whole chain: at least 150 seconds",
        )
        _require(self.visibility_seconds <= _LONGEST_VISIBILITY_SECONDS, "consolidate's time-out is too long")
        _require(
            1 <= self.model_try_seconds <= self.consolidate.timeout_seconds,
            "model_try_seconds must fit into consolidate's time-out",
        )
        _require(
            self.sweep_age_seconds >= _YOUNGEST_SWEPT_SECONDS,
            "sweep_age_seconds must be at least 3600: a younger version may belong to a commit on its way",
        )
        _require(
            1 <= self.wait_seconds_first <= self.wait_seconds_max <= _LONGEST_LAMBDA_SECONDS,
            "waits must grow from at least 1 to at most 900 seconds",
        )

    @property
    def visibility_seconds(self) -> int:
        """How long a doorbell stays hidden once consolidate has it."""
        return VISIBILITY_PER_TIMEOUT * self.consolidate.timeout_seconds


def _require(holds: bool, sentence: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise ValueError(sentence)
