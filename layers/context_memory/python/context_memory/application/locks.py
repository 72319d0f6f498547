"""The locks that companies have put on themselves beside IAM's, tried before anything else is done for a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.claims import whose
from context_memory.domain.errors import (
    CallerNotPinned,
    ClaimRefused,
    IssuerUnavailable,
    UserTokenInvalid,
    UserTokenOfAnother,
    UserTokenRequired,
)
from context_memory.domain.ids import company

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.contracts.http import Request
    from context_memory.domain.callers import CompanyLock
    from context_memory.domain.claims import Trust
    from context_memory.domain.ids import UserKey
    from context_memory.ports.trust import UserTokens

USER_TOKEN = "x-user-token"  # noqa: S105 - the name of a header


@dataclass(frozen=True, slots=True)
class TokenReader:
    """Tells whose a token is."""

    tokens: UserTokens
    trust: Trust

    def __call__(self, token: str) -> UserKey:
        """The user whom a token speaks for.

        Raises:
            UserTokenInvalid: the issuer did not sign it, its time is over, or it does not speak for a user of ours.
            IssuerUnavailable: nobody can tell right now.
        """
        try:
            return whose(self.tokens.claims(token), self.trust)
        except ClaimRefused as error:
            claim = error.claim
        raise UserTokenInvalid(f"The token's claim {claim} does not let it pass.")


class Locks:
    """Tries the locks of the company that a request's path names; a company without any is open to whom IAM lets in.

    Args:
        companies: locks by company.
        reader: tells whose a token is; None where no company asks for tokens.
    """

    def __init__(self, companies: Mapping[str, CompanyLock], reader: TokenReader | None = None) -> None:
        self._companies = companies
        self._reader = reader

    def __call__(self, request: Request) -> None:
        """Let a request pass; where the path names no company nobody has put up a lock.

        Raises:
            CallerNotPinned: the caller's role is none of those that the company has named, or no caller is known.
            UserTokenRequired, UserTokenInvalid, UserTokenOfAnother: no token, none that counts, or another user's.
            IssuerUnavailable: whether the token counts is unknown.
            InvalidId: the path names no company, or no user.
        """
        self.check_caller(request)
        lock = self._lock(request)
        if lock and lock.require_user_token and "user_id" in request.path:
            self._check_token(request.headers.get(USER_TOKEN), request.user)

    def check_caller(self, request: Request) -> None:
        """Try the lock upon callers alone, before it is known whom the request is about.

        Raises:
            CallerNotPinned, InvalidId: as above.
        """
        lock = self._lock(request)
        if lock and not lock.opens_for(request.caller):
            raise CallerNotPinned("The caller's role is not among those that may call for the company.")

    def _lock(self, request: Request) -> CompanyLock | None:
        named = request.path.get("company_id")
        return None if named is None else self._companies.get(company(named))

    def _check_token(self, token: str | None, user: UserKey) -> None:
        if not token:
            raise UserTokenRequired("The company requires the user's own token.")
        if self._reader is None:
            raise IssuerUnavailable("Nobody is named who signs users' tokens.")
        # The same id letter by letter: look-alikes and other Unicode forms of it are other users.
        if self._reader(token) != user:
            raise UserTokenOfAnother("The token speaks for another user.")
