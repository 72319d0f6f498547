"""Who signs a request is said for each request, and for nobody by default.

botocore asks its credentials anew whenever it signs. The ones registered here answer with what the current context
holds, so that one client with one connection pool serves every user, and a request for which nobody said who signs
fails instead of being signed by the function's own role.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from botocore.credentials import CredentialProvider, CredentialResolver, Credentials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from botocore.credentials import ReadOnlyCredentials
    from botocore.session import Session

_signer: ContextVar[ReadOnlyCredentials] = ContextVar("signer")


class NobodySigns(RuntimeError):
    """A request left for AWS outside any `signed_by`: a mistake in our code, never a fault of the world."""


@contextmanager
def signed_by(credentials: ReadOnlyCredentials) -> Iterator[None]:
    """Requests made inside, in this thread or task, are signed with `credentials`."""
    before = _signer.set(credentials)
    try:
        yield
    finally:
        _signer.reset(before)


class RequestCredentials(Credentials):
    """Credentials that hold nothing and look into the context each time."""

    def __init__(self) -> None:
        """Satisfy the base class with values that could sign nothing."""
        super().__init__(access_key="", secret_key="", method="context-memory-request")

    def get_frozen_credentials(self) -> ReadOnlyCredentials:
        """What the current context signs with.

        Raises:
            NobodySigns: outside `signed_by`.
        """
        try:
            return _signer.get()
        except LookupError:
            raise NobodySigns("A request to AWS was made without saying who signs it.") from None


class _RequestCredentialProvider(CredentialProvider):
    METHOD = "context-memory-request"

    def load(self) -> Credentials:
        return RequestCredentials()


def install(session: Session) -> None:
    """Make the context the only source of credentials of a session's clients."""
    session.register_component("credential_provider", CredentialResolver([_RequestCredentialProvider()]))
