"""From a profile to its text: one spelling, byte for byte the same for the same profile."""

from __future__ import annotations

import re
from datetime import UTC
from typing import TYPE_CHECKING

from context_memory.domain.profile import Section

if TYPE_CHECKING:
    from context_memory.domain.profile import Bullets, Profile

TITLE = "# User Memory"
PLACEHOLDER = "_(empty)_"
TRUNCATION_MARKER = "<!-- truncated to fit memory budget -->"
_INDENT = "  "
_BEFORE_A_FILLED_LINE = re.compile(r"\n(?=[^\n])")


def render(profile: Profile) -> str:
    """The whole file: frontmatter, body, one newline at the end."""
    # Load renders bodies only and must not pay for the YAML reader.
    from context_memory.domain import frontmatter  # noqa: PLC0415 - see the line above

    last_updated = profile.last_updated.astimezone(UTC).isoformat(timespec="seconds")
    return (
        f"---\n{frontmatter.dump({'user_id': profile.user_id})}"
        f"schema_version: {profile.schema_version}\nlast_updated: {last_updated}\nturn_count: {profile.turn_count}\n"
        f"{frontmatter.dump(profile.extra) if profile.extra else ''}---\n\n"
        f"{render_body(profile.bullets, truncated=profile.truncated)}"
    )


def render_body(bullets: Bullets, *, truncated: bool = False) -> str:
    """From the title on: the six sections, the marker when something was cut off, one newline at the end."""
    sections = (f"{heading(section)}\n{items(bullets[section]) or PLACEHOLDER}" for section in Section)
    marker = (TRUNCATION_MARKER,) if truncated else ()
    return "\n\n".join((TITLE, *sections, *marker)) + "\n"


def heading(section: Section) -> str:
    """A section's heading line."""
    return f"## {section.value}"


def items(bullets: tuple[str, ...]) -> str:
    """Bullets as list items, one below the other; empty when there is none."""
    return "\n".join(map(item, bullets))


def item(bullet: str) -> str:
    """A bullet as it stands in the file: its further lines are indented, so that they stay inside whatever they say."""
    return "- " + _BEFORE_A_FILLED_LINE.sub("\n" + _INDENT, bullet)


def bullet_of(item: str) -> str:
    """The bullet that `item` spelled."""
    return item[len("- ") :].replace("\n" + _INDENT, "\n")
