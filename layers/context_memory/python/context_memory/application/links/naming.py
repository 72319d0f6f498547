"""Whom a request is about where its path names a provider: told before anything else is done for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.errors import LinkUnknown
from context_memory.domain.ids import company, encode
from context_memory.domain.links import Provider

if TYPE_CHECKING:
    from context_memory.application.locks import Locks
    from context_memory.contracts.http import Request
    from context_memory.ports.links import LinkReads


@dataclass(frozen=True, slots=True)
class NameLinkedUser:
    """Puts the user into a path that names a provider. `locks` keep those out who may not learn who is linked."""

    links: LinkReads
    locks: Locks

    def __call__(self, request: Request) -> Request:
        """The same request with the encoded id of the user in its path; it still says through which provider it came.

        Raises:
            CallerNotPinned: the caller may not call for the company.
            LinkUnknown: the provider belongs to nobody.
            InvalidId: the segment is no provider.
            StoreUnavailable: nobody knows to whom it belongs.
        """
        company_id = company(request.path["company_id"])
        provider = Provider.from_segment(request.path["user_id"])
        self.locks.check_caller(request)
        link = self.links.link(company_id, provider)
        if link is None:
            raise LinkUnknown("The provider is linked to no user.")
        return replace(
            request, path={**request.path, "user_id": encode(link.user_id, "user_id")}, provider=provider.spelled
        )
