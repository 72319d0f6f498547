"""Links between channels and users, in the company table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.ids import UserKey
    from context_memory.domain.links import Declaration, Link, LinkChange, Provider
    from context_memory.domain.merging import Merge

MOST_LINK_CHANGES = 30
"""Links that one transaction changes together: each is up to three items, with what notes whose links they are."""


class LinkReads(Protocol):
    """What is needed to know whom a request is about."""

    def link(self, company_id: str, provider: Provider) -> Link | None:
        """The link of a provider as it stands at this moment; None when it belongs to nobody.

        Nothing is remembered from one call to the next: a link that was removed counts no more.

        Raises:
            StoreUnavailable: nobody knows.
        """


class Links(LinkReads, Protocol):
    """Links as administrators see them. Every read is consistent."""

    def links(self, company_id: str, *, limit: int, after: Provider | None = None) -> Sequence[Link]:
        """At most `limit` links in the order of their spelled providers, those behind `after`."""

    def declaration(self, company_id: str) -> Declaration:
        """What is declared beside the links."""

    def declare(self, company_id: str, privileged: frozenset[str], before: Declaration) -> Declaration:
        """Begin another declared list: from then on no writer that has read `before` goes on.

        Raises:
            VersionConflict: another list was declared meanwhile; names the version that counts now.
        """

    def write(
        self,
        company_id: str,
        changes: Sequence[LinkChange],
        *,
        declaration: Declaration | None = None,
        merge: Merge | None = None,
    ) -> None:
        """Make at most `MOST_LINK_CHANGES` changes, and keep a new merge, in one transaction.

        Args:
            company_id: whose links.
            changes: each rests on the link that was read.
            declaration: must still count; None: it does not matter.
            merge: a merge that was asked for with it.

        Raises:
            CommitRefused: names the clauses that failed: `link` (somebody else has changed one), `declaration`.
            StoreUnavailable: also when it is unknown whether it was done: read and see.
        """


class LinksOfUsers(Protocol):
    """Links as an erase sees them."""

    def of_user(self, user: UserKey, *, limit: int, after: Provider | None = None) -> Sequence[Provider]:
        """At most `limit` providers that belong to a user, whoever linked them, in order, those behind `after`."""

    def let_go(self, user: UserKey, provider: Provider) -> None:
        """Let a provider belong to nobody; one that belongs to somebody else by now, or to nobody, is left alone."""

    def clear_links(self, company_id: str) -> int:
        """Remove all links of a company, and what is declared beside them.

        Returns:
            How many links went.
        """


class Merges(Protocol):
    """Merges of past facts, each moved on by conditional writes."""

    def merge(self, company_id: str, merge_id: str) -> Merge | None:
        """A merge as it stands; None when the company has none of that id."""

    def move(self, before: Merge, after: Merge) -> bool:
        """Replace a merge; False when somebody has moved it before."""

    def of_user(self, user: UserKey) -> Sequence[Merge]:
        """Merges that are about a user, on either side, in the order in which they were asked for."""

    def note(self, merge: Merge) -> None:
        """See to it that `of_user` finds a merge, for those of earlier releases; one that is gone stays gone."""

    def remove(self, merge: Merge) -> None:
        """Keep a merge no more; one that somebody has moved on since stays."""

    def clear_merges(self, company_id: str) -> int:
        """Remove all merges of a company.

        Returns:
            How many went.
        """
