"""A stored file as the profile of its owner."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from context_memory.domain.errors import ProfileBlank, ProfileNotUtf8, ProfileOwnerMismatch
from context_memory.domain.frontmatter import OWN_FIELDS
from context_memory.domain.profile import NEVER, SCHEMA_VERSION, Bullets, Profile, Section
from context_memory.domain.reading.canonical import canonical_bullet
from context_memory.domain.reading.document import BYTE_ORDER_MARK, Document, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

_COUNT = re.compile(r"\s*([0-9]{1,10})\s*")  # as many digits as the keys of revisions have
_SCHEMA = re.compile(r"\s*([0-9]{1,10})")  # 2.1 and "2 (beta)" are newer than 1, too


def read_committed(body: bytes, *, owner: str) -> Profile:
    """Read a file that a commit names; nothing in it is lost.

    What stands under an unknown heading is kept at the end of Work Context, each bullet prefixed with that heading;
    what stands before the first heading is kept before that. A file of a newer schema is returned as it is read:
    whether it may be written over is the caller's question.

    Args:
        body: the object's bytes.
        owner: the user whose profile was asked for.

    Raises:
        ProfileNotUtf8: the bytes are no UTF-8.
        ProfileBlank: it holds nothing but white space.
        ProfileOwnerMismatch: the file names another owner.
    """
    text = _text_of(body)
    if text is None:
        raise ProfileBlank("The committed profile is blank.")
    return _profile(text, owner)


def read_legacy(body: bytes, *, owner: str) -> Profile | None:
    """Read a file at the legacy place in the same way; a blank one counts as absent, which is None.

    Raises:
        ProfileNotUtf8, ProfileOwnerMismatch: as of a committed file.
    """
    text = _text_of(body)
    return None if text is None else _profile(text, owner)


def _text_of(body: bytes) -> str | None:
    """The text, None for one without anything but white space."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        # The cause would carry the file into every log that prints it.
        raise ProfileNotUtf8("The stored profile is no UTF-8.") from None
    return text if text.removeprefix(BYTE_ORDER_MARK).strip() else None


def _profile(text: str, owner: str) -> Profile:
    document = parse(text)
    fields = document.frontmatter or {}
    if (_text(fields, "user_id") or owner) != owner:
        raise ProfileOwnerMismatch("The stored profile names another owner.")
    return Profile(
        user_id=owner,
        bullets=with_everything(document),
        turn_count=_number(_COUNT.fullmatch(_text(fields, "turn_count")), 0),
        last_updated=_moment(fields.get("last_updated")),
        schema_version=_number(_SCHEMA.match(_text(fields, "schema_version")), SCHEMA_VERSION),
        truncated=document.truncated,
        extra={name: value for name, value in fields.items() if name not in OWN_FIELDS},
    )


def with_everything(document: Document) -> Bullets:
    """The body with what stands under unknown headings, or none, at the end of Work Context."""
    prefixed = (f"{heading}: {bullet}" for heading, bullets in document.unknown for bullet in bullets)
    kept = (*document.bullets.work, *document.preamble, *filter(None, map(canonical_bullet, prefixed)))
    return document.bullets.with_section(Section.WORK, kept)


def _text(fields: Mapping[str, object], name: str) -> str:
    """A field as it was written; of a list or a mapping, which may unfold without end, only that it is one."""
    written = fields.get(name, "")
    return written if isinstance(written, str) else repr(type(written))


def _number(found: re.Match[str] | None, otherwise: int) -> int:
    return int(found[1]) if found else otherwise


def _moment(written: object) -> datetime:
    """A point in time in UTC, to the second; without a zone it is UTC already. `NEVER` when it is none."""
    try:
        moment = datetime.fromisoformat(written.strip()) if isinstance(written, str) else written
        if isinstance(moment, date) and not isinstance(moment, datetime):
            moment = datetime.combine(moment, time())
        if not isinstance(moment, datetime):
            return NEVER
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return aware.astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError):
        return NEVER
