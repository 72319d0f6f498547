"""The profile as a value: four fields and six sections of bullets. Text is `reading` and `rendering`'s business."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SCHEMA_VERSION = 1
NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class Section(StrEnum):
    """The six sections, in the order of the file; the value is the heading."""

    IDENTITY = "Identity"
    COMMUNICATION = "Communication Preferences"
    WORK = "Work Context"
    SKILLS = "Skills & Expertise"
    FOLLOW_UPS = "Follow-ups"
    TOPICS = "Recent Topics"


def fold(text: str) -> str:
    """One spelling for texts that differ in white space only."""
    return " ".join(text.split())


def pin_of(section: Section, bullet: str) -> str:
    """How a pinned bullet is named in the settings: 32 hex digits over its section and folded text.

    Without a key, so that load can tell pinned bullets when it trims; it stands beside the text it is made of.
    """
    return hashlib.sha256(f"{section.value}\0{fold(bullet)}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Bullets:
    """The body: per section the bullets, each its Markdown text without the leading `- ` and its indentation."""

    identity: tuple[str, ...] = ()
    communication: tuple[str, ...] = ()
    work: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    follow_ups: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    @classmethod
    def of(cls, sections: Mapping[Section, Iterable[str]]) -> Bullets:
        """Build from a mapping; a section that is absent is empty."""
        return cls(*(tuple(sections.get(section, ())) for section in Section))

    def __getitem__(self, section: Section) -> tuple[str, ...]:
        """Bullets of one section."""
        return (self.identity, self.communication, self.work, self.skills, self.follow_ups, self.topics)[
            _POSITION[section]
        ]

    def sections(self) -> Iterator[tuple[Section, tuple[str, ...]]]:
        """All six sections in order."""
        return ((section, self[section]) for section in Section)

    def items(self) -> Iterator[tuple[Section, str]]:
        """Every bullet with its section, in the order of the file."""
        return ((section, bullet) for section in Section for bullet in self[section])

    def with_section(self, section: Section, bullets: Iterable[str]) -> Bullets:
        """The same body with one section replaced."""
        return Bullets.of({**dict(self.sections()), section: tuple(bullets)})

    def same_as(self, other: Bullets) -> bool:
        """Whether both hold equal bullets, section by section, order and white space aside."""
        return all(Counter(map(fold, self[section])) == Counter(map(fold, other[section])) for section in Section)

    @property
    def blank(self) -> bool:
        """Whether there is no bullet at all."""
        return not any(True for _ in self.items())


_POSITION = {section: position for position, section in enumerate(Section)}


@dataclass(frozen=True, slots=True)
class Profile:
    """One user's profile. The code owns its four fields; `extra` is unknown frontmatter, which survives a rewrite."""

    user_id: str
    bullets: Bullets = Bullets()
    turn_count: int = 0
    last_updated: datetime = NEVER
    schema_version: int = SCHEMA_VERSION
    truncated: bool = False
    extra: Mapping[str, object] = field(default_factory=dict)

    def with_bullets(self, bullets: Bullets) -> Profile:
        """The same profile with another body."""
        return replace(self, bullets=bullets)
