"""What administrators and sign-ins do with one link. No user's data is near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import (
    CommitRefused,
    Contended,
    LinkConfirmationRequired,
    LinkDeclared,
    LinkUnknown,
)
from context_memory.domain.links import LinkChange, Origin, following

if TYPE_CHECKING:
    from context_memory.application.links.asking import AskMerge
    from context_memory.domain.links import Declaration, Link, LinkWish, Provider
    from context_memory.domain.merging import Merge
    from context_memory.ports.links import Links
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_TRIES = 5
"""So often somebody else may be faster at the same link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """A link as it stands now, whom the provider left for it, and the merge that was set off."""

    link: Link
    left: str | None = None
    merge: Merge | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkAdministration:
    """The use cases behind `/v1/companies/{company_id}/links/{provider}`."""

    links: Links
    merging: AskMerge
    clock: Clock
    telemetry: Telemetry

    def show(self, company_id: str, provider: Provider) -> Link:
        """To whom a provider belongs.

        Raises:
            LinkUnknown: to nobody.
        """
        found = self.links.link(company_id, provider)
        if found is None:
            raise LinkUnknown("The provider is linked to no user.")
        return found

    def link(self, company_id: str, provider: Provider, wish: LinkWish) -> Linked:
        """Let a provider belong to a user, whoever it belonged to.

        Whom it left is exactly whom it belonged to until then: nobody comes in between.

        Raises:
            LinkDeclared: a sign-in wanted to move what the company has declared, or an administrator has linked.
            LinkConfirmationRequired: the user is privileged, or whose facts are to move; that was not confirmed.
            Contended: others kept being faster; nothing was changed.
            Unavailable: it may have been changed all the same; asking again does no harm.
        """
        for _ in range(_TRIES):
            before, declaration = self.links.link(company_id, provider), self.links.declaration(company_id)
            _check(before, wish, declaration)
            after = self._after(before, provider, wish)
            change = LinkChange(provider=provider, before=before, after=after)
            merge = self.merging.wanted(company_id, change, wish) if wish.merge else None
            if after == before and merge is None:
                return Linked(link=after)
            if merge:
                self.merging.note(merge)
            try:
                self.links.write(company_id, [change], declaration=declaration, merge=merge)
            except CommitRefused:
                continue
            self.telemetry.event("linked a provider", origin=after.origin.value, moved=change.left is not None)
            if merge:
                self.merging.begin(merge)
            return Linked(link=after, left=change.left, merge=merge)
        raise Contended("Others kept changing the same link.")

    def unlink(self, company_id: str, provider: Provider) -> str:
        """Let a provider belong to nobody, from this moment on.

        Returns:
            The user whom it left.

        Raises:
            LinkUnknown: it belonged to nobody.
            Contended: others kept being faster; nothing was changed.
        """
        for _ in range(_TRIES):
            before = self.show(company_id, provider)
            try:
                self.links.write(company_id, [LinkChange(provider=provider, before=before, after=None)])
            except CommitRefused:
                continue
            self.telemetry.event("unlinked a provider", origin=before.origin.value)
            return before.user_id
        raise Contended("Others kept changing the same link.")

    def _after(self, before: Link | None, provider: Provider, wish: LinkWish) -> Link:
        """The link as wished; what stands already stays, so that a declared link stays declared."""
        same = before is not None and before.user_id == wish.user_id
        if before and same and not (before.origin is Origin.SIGN_IN and wish.by is Origin.ADMINISTRATOR):
            return before
        return following(before, provider, wish.user_id, wish.by, self.clock.now())


def _check(before: Link | None, wish: LinkWish, declaration: Declaration) -> None:
    """Refuse what a sign-in may not move, and what leads to or from a privileged user's memory unconfirmed."""
    moves = before is None or before.user_id != wish.user_id
    if before and moves and before.origin is not Origin.SIGN_IN and wish.by is Origin.SIGN_IN:
        raise LinkDeclared("The company has declared to whom this provider belongs.")
    concerned = {wish.user_id} if moves else set[str]()
    if wish.merge and (source := wish.merge_from or (before.user_id if before and moves else None)):
        concerned |= {wish.user_id, source}  # facts of one become the other's
    if not wish.confirmed and not declaration.privileged.isdisjoint(concerned):
        raise LinkConfirmationRequired("The user is privileged.")
