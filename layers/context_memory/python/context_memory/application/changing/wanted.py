"""What a writer is shown, what it wants, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.application.commit.base import Base
    from context_memory.domain.admitting import Dropped
    from context_memory.domain.company_settings import CompanySettings
    from context_memory.domain.condemnation import Condemnation
    from context_memory.domain.operations import Operation
    from context_memory.domain.profile import Bullets, Profile, Section
    from context_memory.domain.state import UserState

type Version = tuple[int, int]
"""Epoch and count: what a profile's `ETag` and `If-Match` say."""

UNSCRUBBED = ""
"""Policy version of a profile that no scrub has seen as it is: the next chain scrubs the whole of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What stands now. `base.profile` is empty, with count 0, where nothing was stored.

    `company` is what administrators set; whether the operator has switched the company on does not matter here: what
    is stored is its user's in any case. `policy_version` names the content policy that holds for the user now.
    """

    base: Base
    state: UserState
    company: CompanySettings
    policy_version: str

    @property
    def bullets(self) -> Bullets:
        """The body."""
        return self.base.profile.bullets

    @property
    def version(self) -> Version:
        """What `If-Match` is compared with."""
        return self.state.settings.epoch, self.base.profile.turn_count


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the profile is to hold.

    Attributes:
        pins: makes of the body that will stand the pins from then on; None leaves them as they are.
        reason: why, in a constant of ours, for the revision.
        restored: n of the revision whose content this is.
        unlearned: what was taken out, where something is unlearned.
        policy_version: the policy that a scrub has just applied to all of it; by default nobody has, and what only
            loses bullets stays as checked as it was.
        truncated: whether bullets are missing because there was no room for them, which the file then says.
        corrects: whether what is not in it any more was taken out on purpose, so that facts which say it go as well.
        brings: facts that come along with it, and so are not among those that go.
        forgets: whether what is not in it any more is forgotten, so that history loses it, too.
    """

    bullets: Bullets
    pins: Callable[[Bullets], frozenset[str]] | None = None
    reason: str | None = None
    restored: int | None = None
    unlearned: Condemnation | None = None
    policy_version: str = UNSCRUBBED
    truncated: bool = False
    corrects: bool = False
    brings: tuple[str, ...] = ()
    forgets: bool = False


class Make(Protocol):
    """Makes of what stands what is wanted; called again when somebody was faster. None: nothing is to change.

    Raises:
        ContextMemoryError: it cannot be done over what stands; nothing is changed.
    """

    def __call__(self, standing: Standing, /) -> Wanted | None:
        """Look, and say what is wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What became of a change, or would become of it.

    Attributes:
        standing: what it was made over.
        profile: what stands after it.
        stored: whether a new version was stored.
        operations: what changed.
        dropped: what was wanted and may not stand.
        cut: what might stand, but for the cap.
        hits: how often each kind of secret was met.
        tokens: size of the file.
        pins: the pins after it.
    """

    standing: Standing
    profile: Profile
    stored: bool
    operations: tuple[Operation, ...]
    dropped: tuple[Dropped, ...]
    cut: tuple[tuple[Section, str], ...]
    hits: Mapping[str, int]
    tokens: int
    pins: frozenset[str]

    @property
    def version(self) -> Version:
        """The version that stands after it."""
        return self.standing.state.settings.epoch, self.profile.turn_count
