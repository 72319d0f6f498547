"""The locks that companies have put on themselves beside IAM's, tried before anything else is done for a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.errors import CallerNotPinned
from context_memory.domain.ids import company

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.contracts.http import Request
    from context_memory.domain.callers import CompanyLock


class Locks:
    """Tries the locks of the company that a request's path names; a company without any is open to whom IAM lets in.

    Args:
        companies: locks by company.
    """

    def __init__(self, companies: Mapping[str, CompanyLock]) -> None:
        self._companies = companies

    def __call__(self, request: Request) -> None:
        """Let a request pass.

        Raises:
            CallerNotPinned: the caller's role is none of those that the company has named, or no caller is known.
            InvalidId: the path names no company.
        """
        lock = self._companies.get(company(request.path["company_id"]))
        if lock is None:
            return
        if not lock.opens_for(request.caller):
            raise CallerNotPinned("The caller's role is not among those that may call for the company.")
