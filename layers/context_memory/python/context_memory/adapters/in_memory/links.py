"""Links and merges of companies, as their table keeps them."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.errors import CommitRefused, VersionConflict
from context_memory.domain.links import Declaration, Provider
from context_memory.ports.links import MOST_LINK_CHANGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.ids import UserKey
    from context_memory.domain.links import Link, LinkChange
    from context_memory.domain.merging import Merge


class InMemoryLinks:
    """`Links` and `LinksOfUsers`; the ports say what each method promises."""

    def __init__(self, merges: InMemoryMerges, *, steps: Steps) -> None:
        self._merges, self._steps = merges, steps
        self._stored: dict[tuple[str, str], Link] = {}
        self._declared: dict[str, Declaration] = {}
        self._lock = Lock()

    def link(self, company_id: str, provider: Provider) -> Link | None:
        """The link of a provider as it stands at this moment."""
        with self._steps.step("links.link"), self._lock:
            return self._stored.get((company_id, provider.spelled))

    def links(self, company_id: str, *, limit: int, after: Provider | None = None) -> Sequence[Link]:
        """At most `limit` links in the order of their spelled providers, those behind `after`."""
        behind = (company_id, after.spelled if after else "")
        with self._steps.step("links.links"), self._lock:
            keys = sorted(key for key in self._stored if key[0] == company_id and key > behind)
            return [self._stored[key] for key in keys[:limit]]

    def declaration(self, company_id: str) -> Declaration:
        """What is declared beside the links."""
        with self._steps.step("links.declaration"), self._lock:
            return self._declared.get(company_id, Declaration())

    def declare(self, company_id: str, privileged: frozenset[str], before: Declaration) -> Declaration:
        """Begin another declared list.

        Raises:
            VersionConflict: another list was declared meanwhile.
        """
        with self._steps.step("links.declare"), self._lock:
            now = self._declared.get(company_id, Declaration())
            if now.version != before.version:
                raise VersionConflict(now.version)
            self._declared[company_id] = Declaration(privileged, now.version + 1)
            return self._declared[company_id]

    def write(
        self,
        company_id: str,
        changes: Sequence[LinkChange],
        *,
        declaration: Declaration | None = None,
        merge: Merge | None = None,
    ) -> None:
        """Make the changes, and keep a new merge, in one transaction.

        Raises:
            CommitRefused: names the clauses that failed.
            ValueError: more changes than one transaction holds.
        """
        if len(changes) > MOST_LINK_CHANGES:
            raise ValueError(f"One write changes at most {MOST_LINK_CHANGES} links.")
        with self._steps.step("links.write"), self._lock:
            now = self._declared.get(company_id, Declaration())
            holds = {
                "link": all(self._version(company_id, one.provider) == _version(one.before) for one in changes),
                "declaration": declaration is None or declaration.version == now.version,
            }
            if failed := frozenset(name for name, held in holds.items() if not held):
                raise CommitRefused(failed)
            for change in changes:
                key = (company_id, change.provider.spelled)
                if change.after:
                    self._stored[key] = change.after
                else:
                    self._stored.pop(key, None)
            if merge:
                self._merges.keep(merge)

    def of_user(self, user: UserKey, *, limit: int, after: Provider | None = None) -> Sequence[Provider]:
        """At most `limit` providers that belong to a user."""
        behind = after.spelled if after else ""
        with self._steps.step("links.of_user"), self._lock:
            theirs = sorted(key[1] for key, link in self._stored.items() if _is_of(user, key[0], link))
            return [Provider.from_segment(spelled) for spelled in theirs if spelled > behind][:limit]

    def let_go(self, user: UserKey, provider: Provider) -> None:
        """Let a provider belong to nobody, if it still is the user's."""
        with self._steps.step("links.let_go"), self._lock:
            link = self._stored.get((user.company_id, provider.spelled))
            if link and link.user_id == user.user_id:
                del self._stored[user.company_id, provider.spelled]

    def clear_links(self, company_id: str) -> int:
        """Remove all links of a company, and what is declared beside them."""
        with self._steps.step("links.clear_links"), self._lock:
            found = [key for key in self._stored if key[0] == company_id]
            for key in found:
                del self._stored[key]
            self._declared.pop(company_id, None)
            return len(found)

    def _version(self, company_id: str, provider: Provider) -> int:
        return _version(self._stored.get((company_id, provider.spelled)))


class InMemoryMerges:
    """`Merges`; the port says what each method promises."""

    def __init__(self, *, steps: Steps) -> None:
        self._steps = steps
        self._stored: dict[tuple[str, str], Merge] = {}
        self._lock = Lock()

    def keep(self, merge: Merge) -> None:
        """Keep a new merge, in the transaction of its link."""
        with self._lock:
            self._stored[merge.company_id, merge.merge_id] = merge

    def merge(self, company_id: str, merge_id: str) -> Merge | None:
        """A merge as it stands; None when the company has none of that id."""
        with self._steps.step("merges.merge"), self._lock:
            return self._stored.get((company_id, merge_id))

    def move(self, before: Merge, after: Merge) -> bool:
        """Replace a merge; False when somebody has moved it before."""
        with self._steps.step("merges.move"), self._lock:
            key = (before.company_id, before.merge_id)
            if (stands := self._stored.get(key)) is None or stands.version != before.version:
                return False
            self._stored[key] = after
            return True

    def of_user(self, user: UserKey) -> Sequence[Merge]:
        """Merges that are about a user, in the order in which they were asked for."""
        with self._steps.step("merges.of_user"), self._lock:
            theirs = [merge for merge in self._stored.values() if user in {merge.source, merge.target}]
            return sorted(theirs, key=lambda merge: merge.merge_id)

    def note(self, merge: Merge) -> None:
        """Nothing to do: `of_user` looks at the merges themselves."""
        with self._steps.step("merges.note"):
            del merge

    def remove(self, merge: Merge) -> None:
        """Keep a merge no more; one that somebody has moved on since stays."""
        with self._steps.step("merges.remove"), self._lock:
            key = (merge.company_id, merge.merge_id)
            if (stands := self._stored.get(key)) and stands.version == merge.version:
                del self._stored[key]

    def clear_merges(self, company_id: str) -> int:
        """Remove all merges of a company."""
        with self._steps.step("merges.clear_merges"), self._lock:
            found = [key for key in self._stored if key[0] == company_id]
            for key in found:
                del self._stored[key]
            return len(found)


def _is_of(user: UserKey, company_id: str, link: Link) -> bool:
    return (company_id, link.user_id) == (user.company_id, user.user_id)


def _version(link: Link | None) -> int:
    return link.version if link else 0
