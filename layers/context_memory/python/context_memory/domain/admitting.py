"""What may be stored of what somebody types or imports: R7, R8, deny rules and the last line, as for a model's text.

Bullets that stand in the base already are not touched, and what the person wrote otherwise stands as typed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain import hygiene, last_line
from context_memory.domain.pairing import key_of
from context_memory.domain.profile import Bullets, Section, fold
from context_memory.domain.reading import canonical_bullet
from context_memory.domain.reconcile.denial import is_denied

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Refused(StrEnum):
    """Why a bullet was not taken, or was changed."""

    OURS = "ours"
    HIDDEN = "hidden"
    DENY_RULE = "deny_rule"
    FORGOTTEN = "forgotten"
    SECRET = "secret"  # noqa: S105 - the name of a reason


@dataclass(frozen=True, slots=True)
class Dropped:
    """A bullet that does not stand as it was wanted; `text` is None for a secret, which is not repeated."""

    section: Section
    text: str | None
    reason: Refused


@dataclass(frozen=True, slots=True)
class Admitted:
    """The body that may be stored, what was left out of it, and how often each kind of secret was hit."""

    bullets: Bullets
    dropped: tuple[Dropped, ...]
    hits: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gatekeeper:
    """Decides about new bullets.

    Attributes:
        own_sentences: sentences and canaries of the prompts, folded.
        deny_phrases: the user's phrases.
        forgotten: whether a bullet's gist was forgotten, where that matters.
        own_hosts: whether links that the text brings along are the user's own, so that they may stay.
    """

    own_sentences: frozenset[str]
    deny_phrases: tuple[str, ...]
    forgotten: Callable[[str], bool]
    own_hosts: bool

    def admit(self, base: Bullets, wanted: Bullets) -> Admitted:
        """`wanted` without what may not be stored over `base`."""
        known = {key_of(text) for _, text in base.items()}
        hosts = hygiene.hosts("\n".join(text for _, text in (wanted if self.own_hosts else base).items()))
        dropped: list[Dropped] = []
        kept: dict[Section, list[str]] = {section: [] for section in Section}
        for section, text in wanted.items():
            clean = text if key_of(text) in known else canonical_bullet(hygiene.clean_bullet(text, user_hosts=hosts))
            reason = None if key_of(text) in known else self._reason(clean)
            if reason is not None:
                dropped.append(Dropped(section, text, reason))
            elif clean is not None and fold(clean) not in map(fold, kept[section]):
                kept[section].append(clean)
        checked = last_line.apply(base, Bullets.of(kept))
        return Admitted(
            checked.bullets, (*dropped, *_secrets(Bullets.of(kept), checked.bullets, known)), dict(checked.hits)
        )

    def _reason(self, clean: str | None) -> Refused | None:
        if clean is None:
            return Refused.HIDDEN
        if hygiene.is_ours(clean, self.own_sentences):
            return Refused.OURS
        if is_denied(clean, self.deny_phrases):
            return Refused.DENY_RULE
        return Refused.FORGOTTEN if self.forgotten(clean) else None


def _secrets(wanted: Bullets, stands: Bullets, known: set[str]) -> list[Dropped]:
    """New bullets that the last line did not let stand."""
    kept = {(section, fold(text)) for section, text in stands.items()}
    return [
        Dropped(section, None, Refused.SECRET)
        for section, text in wanted.items()
        if key_of(text) not in known and (section, fold(text)) not in kept
    ]
