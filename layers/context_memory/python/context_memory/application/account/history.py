"""A user looks at what became of their memory: who changed what and when, what stood then, where bullets come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.history import oldest_first
from context_memory.application.profiles import committed_now
from context_memory.domain.errors import ProfileVersionMissing, UnknownRevision
from context_memory.domain.reading import read_committed
from context_memory.domain.rendering import render_body
from context_memory.domain.weaving import trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.ids import UserKey
    from context_memory.domain.lineage import Step
    from context_memory.domain.profile import Section
    from context_memory.domain.revision import Revision
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True)
class Page:
    """Some revisions, newest first; the next page is asked for `before` `following`, which is None on the last one."""

    revisions: Sequence[Revision]
    following: int | None


@dataclass(frozen=True, slots=True)
class Seen:
    """One revision, and the Markdown that stood after it as far as it is still kept."""

    revision: Revision
    memory: str | None


@dataclass(frozen=True, slots=True)
class Origin:
    """A present bullet with the steps that led to it, oldest first; none where no revision tells of it."""

    section: Section
    text: str
    chain: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The use cases behind `GET /v1/me/memory/revisions`, one of them, and `GET /v1/me/memory/origins`.

    All are about what is remembered now: an erase leaves no history of what was before it.
    """

    table: UserTable
    objects: ProfileObjects

    def page(self, user: UserKey, *, before: int | None, limit: int) -> Page:
        """At most `limit` revisions with lower numbers than `before`.

        Raises:
            Unavailable: a store is out of reach.
        """
        epoch = self.table.state(user).settings.epoch
        found = self.table.revisions(user, epoch, before=before, limit=limit + 1)
        shown = found[:limit]
        return Page(shown, shown[-1].turn_count if len(found) > limit else None)

    def one(self, user: UserKey, number: int) -> Seen:
        """One revision with its content.

        Raises:
            UnknownRevision: there is no such revision of what is remembered now.
            ProfileUnreadable: its content is not this user's readable profile.
            Unavailable: a store is out of reach.
        """
        revision = self.table.revision(user, self.table.state(user).settings.epoch, number)
        if revision is None:
            raise UnknownRevision("No such revision.")
        if revision.version_gone:
            return Seen(revision, None)
        try:
            body = self.objects.version(user, revision.version_id).body
        except ProfileVersionMissing:
            return Seen(revision, None)
        profile = read_committed(body, owner=user.user_id)
        return Seen(revision, render_body(profile.bullets, truncated=profile.truncated))

    def origins(self, user: UserKey) -> Sequence[Origin]:
        """Where each present bullet comes from.

        Raises:
            ProfileUnreadable: what is stored is not this user's readable profile.
            Unavailable: a store is out of reach.
        """
        pointer = self.table.state(user).current
        if pointer is None:
            return []
        pointer, body = committed_now(self.table, self.objects, user, pointer, None)
        lineage = trace(oldest_first(self.table, user, pointer.epoch, up_to=pointer.turn_count))
        present = read_committed(body, owner=user.user_id).bullets
        return [Origin(section, text, lineage.of(section, text).chain) for section, text in present.items()]
