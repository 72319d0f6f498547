"""All links of a company as one declared list."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import batched
from typing import TYPE_CHECKING

from context_memory.domain.errors import CommitRefused, LinkConfirmationRequired, VersionConflict
from context_memory.ports.links import MOST_LINK_CHANGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from context_memory.domain.links import Declaration, DeclaredList, Link, LinkChange, Provider
    from context_memory.ports.links import Links
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_PAGE = 1000


@dataclass(frozen=True, slots=True)
class LinksPage:
    """Some links, the users who are privileged, and the last provider where more links stand behind it."""

    links: Sequence[Link]
    privileged: frozenset[str]
    following: Provider | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareLinks:
    """The use cases behind `/v1/companies/{company_id}/links`."""

    links: Links
    clock: Clock
    telemetry: Telemetry

    def page(self, company_id: str, *, limit: int, after: Provider | None) -> LinksPage:
        """At most `limit` links behind `after`, whoever made them."""
        found = self.links.links(company_id, limit=limit + 1, after=after)
        privileged = self.links.declaration(company_id).privileged
        return LinksPage(found[:limit], privileged, found[limit - 1].provider if len(found) > limit else None)

    def declare(self, company_id: str, wanted: DeclaredList) -> Sequence[LinkChange]:
        """Make the declared links what is wanted.

        The list outranks every link that stands. Of two lists that are declared at once one counts as a whole: the
        other is refused as soon as it is met. Where this ends early, part of the list stands until it is declared anew.

        Returns:
            Changes by which a provider left a user.

        Raises:
            LinkConfirmationRequired: nothing was changed: a link leads to a privileged user, unconfirmed.
            VersionConflict: another list was declared meanwhile.
            Unavailable: part of it may stand.
        """
        before = self.links.declaration(company_id)
        self._check(self._changes(company_id, wanted), wanted, before)
        declaration = self.links.declare(company_id, wanted.privileged, before)
        left: dict[Provider, LinkChange] = {}
        # Who links or unlinks one provider meanwhile makes a write refused: then the rest is looked at again.
        while changes := list(self._changes(company_id, wanted)):
            for chosen in batched(changes, MOST_LINK_CHANGES, strict=False):
                if not self._write(company_id, chosen, declaration):
                    break
                left |= {change.provider: change for change in chosen if change.left is not None}
        self.telemetry.event("declared links", links=len(wanted.links), left=len(left))
        return [left[provider] for provider in sorted(left)]

    def _write(self, company_id: str, changes: Sequence[LinkChange], declaration: Declaration) -> bool:
        """Whether the links still were as they were read.

        Raises:
            VersionConflict: another list is being declared.
        """
        try:
            self.links.write(company_id, changes, declaration=declaration)
        except CommitRefused:
            now = self.links.declaration(company_id).version
            if now != declaration.version:
                raise VersionConflict(now) from None
            return False
        return True

    def _changes(self, company_id: str, wanted: DeclaredList) -> Iterator[LinkChange]:
        now, standing = self.clock.now(), {link.provider: link for link in self._all(company_id)}
        for provider in sorted(standing.keys() | wanted.links.keys()):
            if change := wanted.change(provider, standing.get(provider), now):
                yield change

    def _all(self, company_id: str) -> Iterator[Link]:
        after: Provider | None = None
        while page := self.links.links(company_id, limit=_PAGE, after=after):
            yield from page
            after = page[-1].provider

    def _check(self, changes: Iterator[LinkChange], wanted: DeclaredList, before: Declaration) -> None:
        """Users count as privileged whom this list or the one before names: no list unmarks somebody on the way."""
        if wanted.confirmed:
            return
        privileged = wanted.privileged | before.privileged
        for change in changes:
            moves = change.after is not None and (change.before is None or change.left is not None)
            if moves and change.after and change.after.user_id in privileged:
                raise LinkConfirmationRequired("A link leads to a privileged user.")
