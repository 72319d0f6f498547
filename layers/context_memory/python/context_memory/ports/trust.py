"""Keyed hashes, signatures, and whom a token speaks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


class Hasher(Protocol):
    """Keyed hashes; one secret per environment."""

    def digest(self, purpose: str, text: str) -> str:
        """Hex HMAC-SHA-256 of `text`, apart per purpose."""


class UserTokens(Protocol):
    """Tokens that the environment's issuer has signed for end users."""

    def claims(self, token: str) -> Mapping[str, object]:
        """What a token says, once its signature, its issuer and its times are checked; nothing else of it is.

        Raises:
            UserTokenInvalid: it is none of the issuer's, not yet valid, or not any more.
            IssuerUnavailable: whether it is, is unknown.
        """


class Signer(Protocol):
    """Signs receipts with a key that never leaves its keeper (ECDSA over P-256 with SHA-256).

    `key` is its name, which receipts tell.
    """

    @property
    def key(self) -> str:
        """Name of the key."""

    def sign(self, message: bytes) -> bytes:
        """The signature (DER) over at most 4,096 bytes."""
